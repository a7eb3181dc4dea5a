//! Contacts that share an address in different spellings, which an earlier release accepted.

use super::Contact;
use crate::Error;
use crate::identity::access::{ManageWorkspace, Permit};
use crate::ports::{Ports, Weight, weighed_read_only};

/// The maximum number of listed contacts.
pub const MAX_SHARED_LISTED: u32 = 100;

/// Contacts with the same address as an older contact in a different spelling, ordered by address. New tickets, upserts and
/// imports use the older contact. The number cannot grow, because all spellings of an address now count as the same.
pub async fn list_with_shared_address(ports: &Ports, permit: &Permit<ManageWorkspace>) -> Result<Vec<Contact>, Error> {
    weighed_read_only(ports, permit, Weight::Heavy, move |tx| {
        Ok(tx.contacts().with_shared_address(MAX_SHARED_LISTED)?)
    })
    .await
}
