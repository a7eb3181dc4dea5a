//! Changing a contact.

use super::{Contact, ContactFields};
use crate::events::EventBuilder;
use crate::identity::access::{Permit, UpdateContacts};
use crate::identity::notifications::{Assignment, notify_assigned};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, transact};
use crate::records::{self, Resource, UniqueMembers, name_existing};
use crate::{ContactId, Error};

/// Changes a contact. Values equal to the stored ones change nothing, not even the version.
///
/// # Errors
/// [`Error::NotFound`], [`Error::ConcurrentUpdate`], [`Error::Invalid`] for a missing company or member, [`Error::Duplicate`] of
/// `email` or `external_id`.
pub async fn update(
    ports: &Ports,
    permit: &Permit<UpdateContacts>,
    id: ContactId,
    expected: ExpectedVersion,
    fields: ContactFields,
) -> Result<Contact, Error> {
    let unique = fields.unique_values();
    let now = ports.clock.now();
    let (acting, outside) = (permit.clone(), ports.clone());
    let reporter = EventBuilder::new(&permit.principal(), now);
    let outcome = transact(ports, permit, move |tx| {
        let stored: Contact = records::lock(tx, id)?;
        let mut contact = stored.clone();
        contact.change(fields.clone())?;
        contact.new_references(Some(&stored)).check(tx)?;
        expected.check(stored.version)?;
        let contact =
            records::save_changed(tx, &stored, contact, now, |before, after| reporter.updated(before, after))?;
        let assigned = Assignment::between(Some(&stored), &contact);
        notify_assigned(&outside, acting.workspace(), tx, &acting.principal(), assigned.as_slice())?;
        Ok(contact)
    });
    name_existing(ports, permit, unique, outcome.await).await
}
