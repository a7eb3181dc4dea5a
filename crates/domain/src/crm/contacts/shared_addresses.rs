//! Contacts with one address in several spellings, which an earlier release took for several addresses.

use super::Contact;
use crate::Error;
use crate::identity::access::{ManageWorkspace, Permit};
use crate::ports::{Ports, Weight, weighed_read_only};

/// How many are listed.
pub const MAX_SHARED_LISTED: u32 = 100;

/// Contacts that have the address of an older one in another spelling, by address. The older one is linked to new tickets, and
/// found by upserts and imports. None are added: since then, an address is one in whatever spelling.
///
/// # Errors
/// Store errors.
pub async fn list_with_shared_address(ports: &Ports, permit: &Permit<ManageWorkspace>) -> Result<Vec<Contact>, Error> {
    weighed_read_only(ports, permit, Weight::Heavy, move |tx| {
        Ok(tx.contacts().with_shared_address(MAX_SHARED_LISTED)?)
    })
    .await
}
