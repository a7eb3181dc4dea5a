//! Reading one contact.

use super::Contact;
use crate::identity::access::{Permit, ReadContacts};
use crate::ports::Ports;
use crate::records;
use crate::{ContactId, Error};

/// One contact of the caller's workspace.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read(ports: &Ports, permit: &Permit<ReadContacts>, id: ContactId) -> Result<Contact, Error> {
    records::read(ports, permit, id).await
}
