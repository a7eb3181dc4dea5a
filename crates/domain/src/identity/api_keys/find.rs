//! Finding the key of a plain text.

use super::ApiKeyView;
use crate::Error;
use crate::identity::access::{PlainToken, TokenKind};
use crate::identity::workspaces::Workspace;
use crate::ports::{Operator, Ports};

/// Finds the key with this plain text, in any state and workspace, for operators who have found a leaked key.
///
/// # Errors
/// [`Error::NotFound`] for a text that is not a key, and for a key that this service does not have.
pub async fn find(ports: &Ports, _: &Operator, plain: &str) -> Result<(Workspace, ApiKeyView), Error> {
    let absent = || Error::NotFound("API key");
    let shown = PlainToken::parse_kind(TokenKind::ApiKey, plain.trim()).ok_or_else(absent)?;
    let found = ports.directory.find_api_key(shown.lookup_id()).await?;
    let found = found.filter(|found| found.key.secret.matches(&shown.hashed())).ok_or_else(absent)?;
    Ok((found.workspace, found.key.to_view(ports.clock.now())))
}
