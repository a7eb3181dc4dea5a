//! From the text of a credential to a caller.

use super::PlainKey;
use crate::Error;
use crate::access::Caller;
use crate::ports::Ports;
use crate::workspaces::WorkspaceStatus;

/// Verifies a bearer credential.
///
/// # Errors
/// [`Error::Unauthorized`] for every bad credential alike: malformed, unknown, revoked, expired, or of a workspace that
/// is not active. Store errors when the key cannot be looked up.
pub async fn authenticate(ports: &Ports, bearer: &str) -> Result<Caller, Error> {
    let shown = PlainKey::parse(bearer).ok_or(Error::Unauthorized)?;
    let found = ports.directory.find_api_key(shown.lookup_id()).await?.ok_or(Error::Unauthorized)?;
    // Compared before anything else is looked at: the answer's time says nothing of a key's state.
    let matches = found.key.secret.matches(&shown.hashed());
    let active = found.workspace.status == WorkspaceStatus::Active && found.key.is_active(ports.clock.now());
    if !(matches && active) {
        return Err(Error::Unauthorized);
    }
    Ok(Caller { workspace: found.workspace, key_id: found.key.id, scopes: found.key.scopes })
}
