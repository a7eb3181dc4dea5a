//! API keys and their lifecycle (interface 5.2–5.9 and 17.15).

mod create;
mod read;
mod trial;
mod update;

pub use create::{CreatedKey, KeyFields, MAX_ACTIVE_KEYS, create, create_once};
pub use read::{find, list, list_for_tickets, read};
pub use trial::{ToolList, Trial, TrialFields, TrialObject, count_trial_call, read_own};
pub use update::{KeyChangeFields, revoke, update};

use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;

use crate::identity::access::{Actor, HashedSecret, Preset, ScopeSet, ToolGrants};
use crate::identity::workspaces::Workspace;
use crate::kernel::Networks;
use crate::kernel::input::choices;
use crate::kernel::input::schema::{OptionalTimestampText, TimestampText};
use crate::kernel::paging::paginated;
use crate::tools::ToolPermissions;
use crate::{ApiKeyId, Error};

choices! {
    /// Status of a key.
    pub enum KeyStatus {
        /// Accepted.
        Active = "active",
        /// Expired.
        Expired = "expired",
        /// Revoked; irreversible.
        Revoked = "revoked",
    }
}

/// A key as stored, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// Not secret: may be shown and logged.
    pub id: ApiKeyId,
    pub name: String,
    /// The part of the key by which it is looked up; not secret by itself, but never shown.
    pub lookup_id: String,
    pub secret: HashedSecret,
    pub scopes: ScopeSet,
    /// The preset that it was created from.
    pub preset: Option<Preset>,
    /// Permissions on tools, if narrower than the scopes or not granted by any scope (webhooks).
    pub permissions: Option<ToolPermissions>,
    /// Whether the permissions narrow REST too. False for keys of earlier releases until they are changed.
    pub narrows_rest: bool,
    /// Tools and calls of a trial key.
    pub trial: Option<Trial>,
    /// Networks from which it may be used, in addition to the networks of the workspace.
    pub allowed_networks: Networks,
    pub expires_at: Option<OffsetDateTime>,
    /// Revocation time; irreversible.
    pub revoked_at: Option<OffsetDateTime>,
    /// Last use, with a resolution of about one minute.
    pub last_used_at: Option<OffsetDateTime>,
    /// Counts changes from 1. Using the key is not a change.
    pub version: i64,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
    pub created_by: Actor,
}

impl ApiKey {
    pub fn status(&self, now: OffsetDateTime) -> KeyStatus {
        if self.revoked_at.is_some() {
            KeyStatus::Revoked
        } else if self.expires_at.is_some_and(|expiry| expiry <= now) {
            KeyStatus::Expired
        } else {
            KeyStatus::Active
        }
    }

    /// The key's permissions on tools.
    pub fn tool_grants(&self) -> ToolGrants {
        if let Some(trial) = &self.trial {
            return ToolGrants::for_trial(&trial.tools);
        }
        let grants = ToolGrants::from_scopes(self.scopes, self.permissions.as_ref());
        match &self.permissions {
            Some(map) if self.narrows_rest => grants.narrowed_over_rest(map.clone()),
            _ => grants,
        }
    }

    /// Whether the key has permissions that do not narrow REST yet. An administrator should confirm them.
    pub const fn is_wider_over_rest(&self) -> bool {
        self.permissions.is_some() && !self.narrows_rest
    }

    /// The key as shown in the API at `now`.
    pub fn to_view(&self, now: OffsetDateTime) -> ApiKeyView {
        ApiKeyView {
            id: self.id,
            name: self.name.clone(),
            status: self.status(now),
            preset: self.preset,
            scopes: self.scopes.to_strings(),
            permissions: self.permissions.clone(),
            narrows_rest: !self.is_wider_over_rest(),
            trial: self.trial.clone(),
            allowed_networks: self.allowed_networks.clone(),
            expires_at: self.expires_at,
            revoked_at: self.revoked_at,
            last_used_at: self.last_used_at,
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
            created_by: self.created_by,
        }
    }

    /// Revokes the key irreversibly.
    ///
    /// # Errors
    /// [`Error::Conflict`] if it is already revoked.
    pub(crate) fn revoke(&mut self, now: OffsetDateTime) -> Result<(), Error> {
        if self.revoked_at.is_some() {
            return Err(Error::Conflict("the API key is already revoked".to_owned()));
        }
        self.revoked_at = Some(now);
        self.touch(now);
        Ok(())
    }

    const fn touch(&mut self, now: OffsetDateTime) {
        self.version += 1;
        self.updated_at = now;
    }
}

paginated!(ApiKey: API_KEYS);

/// A key as shown in the API, without anything that helps to guess it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "ApiKey")]
pub struct ApiKeyView {
    pub id: ApiKeyId,
    pub name: String,
    pub status: KeyStatus,
    pub preset: Option<Preset>,
    pub scopes: Vec<String>,
    pub permissions: Option<ToolPermissions>,
    /// Whether the permissions narrow REST as they narrow tools. False for a key with permissions from an earlier release, until
    /// it is changed; true for keys without permissions.
    #[schemars(extend("x-contract" = "additional"))]
    pub narrows_rest: bool,
    pub trial: Option<Trial>,
    pub allowed_networks: Networks,
    #[serde(with = "OptionalTimestampText")]
    pub expires_at: Option<OffsetDateTime>,
    #[serde(with = "OptionalTimestampText")]
    pub revoked_at: Option<OffsetDateTime>,
    #[serde(with = "OptionalTimestampText")]
    pub last_used_at: Option<OffsetDateTime>,
    pub version: i64,
    #[serde(with = "TimestampText")]
    pub created_at: OffsetDateTime,
    #[serde(with = "TimestampText")]
    pub updated_at: OffsetDateTime,
    pub created_by: Actor,
}

/// A key found by lookup id, with its workspace.
#[derive(Debug, Clone)]
pub struct ApiKeyLookup {
    pub key: ApiKey,
    pub workspace: Workspace,
}
