//! Deleting a contact.

use super::Contact;
use crate::identity::access::{DeleteContacts, Permit};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::Ports;
use crate::records::{self, DeletedRecord};
use crate::{ContactId, Error, Reference};

/// Deletes a contact softly, and says how many records still refer to it.
///
/// # Errors
/// [`Error::NotFound`], also for a contact that is already deleted; [`Error::ConcurrentUpdate`].
pub async fn delete(
    ports: &Ports,
    permit: &Permit<DeleteContacts>,
    id: ContactId,
    expected: ExpectedVersion,
) -> Result<DeletedRecord, Error> {
    records::delete_referred::<_, Contact>(ports, permit, (id, Reference::Contact(id)), expected).await
}
