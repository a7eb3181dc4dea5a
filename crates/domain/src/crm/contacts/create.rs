//! Creating a contact.

use super::{Contact, ContactFields, NewContactFields};
use crate::events::EventBuilder;
use crate::identity::access::{CreateContacts, Permit};
use crate::identity::notifications::{Assignment, notify_assigned};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::limits::quota;
use crate::ports::{Ports, transact_idempotent};
use crate::records::{Resource, UniqueMembers, name_existing};
use crate::{ContactId, Error};

/// Creates a contact.
///
/// # Errors
/// [`Error::Invalid`] for a missing company or member, [`Error::Duplicate`] of `email` or `external_id`,
/// [`Error::QuotaExceeded`].
pub async fn create(
    ports: &Ports,
    permit: &Permit<CreateContacts>,
    once: Option<IdempotentRequest<Contact>>,
    fields: ContactFields,
) -> Result<IdempotentResult<Contact>, Error> {
    let unique = fields.unique_values();
    let mut contact = Contact::blank(ContactId(ports.ids.new_id()), permit.actor(), ports.clock.now());
    contact.apply(fields);
    let references = contact.new_references(None);
    let (allowance, version) = (permit.workspace().allowance(), permit.workspace().version);
    let (acting, outside) = (permit.clone(), ports.clone());
    let reporter = EventBuilder::new(&permit.principal(), contact.created_at);
    let outcome = transact_idempotent(ports, permit, once, move |tx| {
        references.check(tx)?;
        quota::take(tx, allowance, version, contact.created_at)?;
        tx.records::<Contact>().insert(&contact)?;
        tx.emit(&[reporter.happened(&contact, "created")])?;
        let assigned = Assignment::between(None, &contact);
        notify_assigned(&outside, acting.workspace(), tx, &acting.principal(), assigned.as_slice())?;
        Ok(contact.clone())
    });
    name_existing(ports, permit, unique, outcome.await).await
}

/// Creates a contact like [`create`], from a body of the supported contract.
///
/// # Errors
/// Those of [`create`].
pub async fn create_over_rest(
    ports: &Ports,
    permit: &Permit<CreateContacts>,
    once: Option<IdempotentRequest<Contact>>,
    fields: NewContactFields,
) -> Result<IdempotentResult<Contact>, Error> {
    create(ports, permit, once, fields.0).await
}
