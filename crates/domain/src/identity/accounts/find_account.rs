//! Finds accounts by their addresses.

use super::{Client, LoginLookup, UserAccount};
use crate::kernel::input::EmailKey;
use crate::ports::{Ports, StoreError};

/// The account with an address, in any spelling.
pub(in crate::identity) async fn find_account(ports: &Ports, address: &str) -> Result<Option<UserAccount>, StoreError> {
    if let Some(earlier) = earlier_key(address)
        && let Some(found) = ports.directory.find_account(&earlier).await?
    {
        return Ok(Some(found));
    }
    ports.directory.find_account(EmailKey::of(address).as_str()).await
}

/// Like [`find_account`], for a sign-in.
pub(super) async fn find_login(
    ports: &Ports,
    client: &Client,
    address: &str,
) -> Result<Option<LoginLookup>, StoreError> {
    if let Some(earlier) = earlier_key(address)
        && let Some(found) = ports.directory.find_login(&earlier, client.network()).await?
    {
        return Ok(Some(found));
    }
    ports.directory.find_login(EmailKey::of(address).as_str(), client.network()).await
}

/// The key that an earlier release gave the account, if it differs: that release only lower-cased domains in other scripts.
/// An account has that key until the service renews it, and keeps it if an older account has the renewed key; then each account
/// signs in with its own spelling.
fn earlier_key(address: &str) -> Option<String> {
    let lower = address.trim().to_lowercase();
    (!lower.is_ascii()).then_some(lower)
}
