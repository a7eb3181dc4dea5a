//! What an erasure would erase, for who is about to ask for it.

use super::request::begun;
use super::{ErasureFields, MAX_PREVIEWED};
use crate::identity::access::{EraseContacts, Permit};
use crate::kernel::Weight;
use crate::ports::{Ports, weighed_transact};
use crate::{ContactId, Error};

/// A contact of the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewedContact {
    pub id: ContactId,
    pub name: String,
    pub email: String,
    /// Whether it is deleted already, and only its data is still there.
    pub is_deleted: bool,
}

/// What is known of a person by their contact or address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErasurePreview {
    pub contacts: Vec<PreviewedContact>,
    /// Tickets that they opened, or that were opened for them; at most [`MAX_PREVIEWED`].
    pub tickets: usize,
}

/// Looks up what an erasure of this person would find, as far as that is quick: their contacts and tickets. What else names
/// them is found by the erasure itself.
///
/// # Errors
/// [`Error::NotFound`] if nothing is known of the person, or all was erased before.
pub async fn preview(
    ports: &Ports,
    permit: &Permit<EraseContacts>,
    fields: ErasureFields,
) -> Result<ErasurePreview, Error> {
    let begun = begun(ports, permit, &fields);
    let most = u32::try_from(MAX_PREVIEWED).unwrap_or(u32::MAX);
    weighed_transact(ports, permit, Weight::Heavy, move |tx| {
        let mut erasure = begun.clone();
        let found = tx.erasures().contacts(&erasure, most)?;
        for (contact, _) in &found {
            erasure.add_email(&contact.email);
        }
        let tickets = if erasure.emails.is_empty() { 0 } else { tx.erasures().tickets(&erasure, most)?.len() };
        if found.is_empty() && tickets == 0 {
            return Err(Error::NotFound("contact"));
        }
        let contacts = found.into_iter().map(|(contact, is_live)| PreviewedContact {
            id: contact.id,
            name: [contact.first_name, contact.last_name].into_iter().flatten().collect::<Vec<_>>().join(" "),
            email: contact.email,
            is_deleted: !is_live,
        });
        Ok(ErasurePreview { contacts: contacts.collect(), tickets })
    })
    .await
}
