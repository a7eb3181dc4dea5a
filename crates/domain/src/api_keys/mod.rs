//! API keys: their form, their verification and their life (contract: keys, sessions, plans).

mod authenticate;
mod manage;
mod secret;

pub use authenticate::authenticate;
pub use manage::{CreatedKey, NewKey, create, revoke};
pub use secret::{HashedSecret, PlainKey};

use time::OffsetDateTime;

use crate::ApiKeyId;
use crate::access::{Preset, ScopeSet};
use crate::workspaces::Workspace;

/// A key as it is stored: without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// Its id, which may be shown and logged.
    pub id: ApiKeyId,
    /// What people call it.
    pub name: String,
    /// The part of the key that finds it; not secret by itself, and never shown.
    pub lookup_id: String,
    /// The hash of its secret.
    pub secret: HashedSecret,
    /// What it may do.
    pub scopes: ScopeSet,
    /// The preset that it was made from.
    pub preset: Option<Preset>,
    /// From when on it is refused.
    pub expires_at: Option<OffsetDateTime>,
    /// When it was revoked; irreversible.
    pub revoked_at: Option<OffsetDateTime>,
    /// When it was made.
    pub created_at: OffsetDateTime,
}

impl ApiKey {
    /// Whether the key is good at `now`.
    pub fn is_active(&self, now: OffsetDateTime) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|expiry| now < expiry)
    }
}

/// A key found by its look-up id, with the workspace that it belongs to.
#[derive(Debug, Clone)]
pub struct FoundKey {
    /// The key.
    pub key: ApiKey,
    /// Its workspace.
    pub workspace: Workspace,
}
