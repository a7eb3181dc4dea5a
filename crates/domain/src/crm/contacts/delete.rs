//! Deleting a contact.

use super::Contact;
use crate::identity::access::{DeleteContacts, Permit};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, transact};
use crate::webhooks::EventBuilder;
use crate::{ContactId, Error};

/// Deletes a contact softly.
///
/// # Errors
/// [`Error::NotFound`], also for a contact deleted before; [`Error::ConcurrentUpdate`].
pub async fn delete(
    ports: &Ports,
    permit: &Permit<DeleteContacts>,
    id: ContactId,
    expected: ExpectedVersion,
) -> Result<(), Error> {
    let now = ports.clock.now();
    let reporter = EventBuilder::new(&permit.principal(), now);
    transact(ports, permit, move |tx| {
        let stored = tx.contacts().get_for_update(id)?.ok_or(Error::NotFound("contact"))?;
        expected.check(stored.version)?;
        tx.contacts().delete(id, now)?;
        // The last version of all: what came before it is told apart.
        let gone = Contact { version: stored.version + 1, updated_at: now, ..stored };
        tx.emit(&[reporter.happened(&gone, "deleted")]);
        Ok(())
    })
    .await
}
