//! Deleting a contact.

use super::Contact;
use crate::identity::access::{DeleteContacts, Permit};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::Ports;
use crate::records;
use crate::{ContactId, Error};

/// Deletes a contact softly.
///
/// # Errors
/// [`Error::NotFound`], also for a contact that is already deleted; [`Error::ConcurrentUpdate`].
pub async fn delete(
    ports: &Ports,
    permit: &Permit<DeleteContacts>,
    id: ContactId,
    expected: ExpectedVersion,
) -> Result<(), Error> {
    records::delete::<_, Contact>(ports, permit, id, expected).await
}
