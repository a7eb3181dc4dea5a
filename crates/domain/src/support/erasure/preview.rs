//! Shows what an erasure would erase before it is requested.

use super::request::new_erasure;
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
    /// Whether it is already deleted, so that only its data is left.
    pub is_deleted: bool,
}

/// What a workspace knows about a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErasurePreview {
    pub contacts: Vec<PreviewedContact>,
    /// Tickets that they opened, or that were opened for them; at most [`MAX_PREVIEWED`].
    pub tickets: usize,
}

/// Looks up the person's contacts and tickets, which is quick. Only the erasure itself finds the other records that name them.
///
/// # Errors
/// [`Error::NotFound`] if nothing is known about the person, or if everything was erased before.
pub async fn preview(
    ports: &Ports,
    permit: &Permit<EraseContacts>,
    fields: ErasureFields,
) -> Result<ErasurePreview, Error> {
    let new = new_erasure(ports, permit, &fields);
    let most = u32::try_from(MAX_PREVIEWED).unwrap_or(u32::MAX);
    weighed_transact(ports, permit, Weight::Heavy, move |tx| {
        let mut erasure = new.clone();
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
            name: contact.full_name(),
            email: contact.email,
            is_deleted: !is_live,
        });
        Ok(ErasurePreview { contacts: contacts.collect(), tickets })
    })
    .await
}
