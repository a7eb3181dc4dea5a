//! API keys and their life (contract: resources, API key; keys, sessions, plans).

mod create;
mod list;
mod rename;
mod revoke;
mod trial;

pub use create::{CreatedKey, KeyFields, create};
pub use list::list;
pub use rename::{RenameFields, rename};
pub use revoke::revoke;
pub use trial::{ToolList, Trial, TrialFields, TrialObject, count_trial_call, own};

use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::identity::access::{Actor, HashedSecret, Preset, ScopeSet, ToolGrants};
use crate::identity::workspaces::Workspace;
use crate::kernel::input::{choices, optional_timestamp_json, timestamp_json};
use crate::kernel::paging::{ListName, Paginated};
use crate::tools::ToolPermissions;
use crate::{ApiKeyId, Error};

choices! {
    /// Whether a key works.
    pub enum KeyStatus {
        /// It does.
        Active = "active",
        /// Its time is over.
        Expired = "expired",
        /// It was revoked; irreversible.
        Revoked = "revoked",
    }
}

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
    /// What it may do with tools, where that is narrower than its scopes say, or names what no scope gives.
    pub permissions: Option<ToolPermissions>,
    /// Its tools and calls, where it is for trying out.
    pub trial: Option<Trial>,
    /// From when on it is refused.
    pub expires_at: Option<OffsetDateTime>,
    /// When it was revoked; irreversible.
    pub revoked_at: Option<OffsetDateTime>,
    /// When it was last used, to the minute or so.
    pub last_used_at: Option<OffsetDateTime>,
    /// Counts its changes, from 1; being used is none.
    pub version: i64,
    /// When it was made.
    pub created_at: OffsetDateTime,
    /// When it was last changed.
    pub updated_at: OffsetDateTime,
    /// Who made it.
    pub created_by: Actor,
}

impl ApiKey {
    /// Whether the key works at `now`.
    pub fn status(&self, now: OffsetDateTime) -> KeyStatus {
        if self.revoked_at.is_some() {
            KeyStatus::Revoked
        } else if self.expires_at.is_some_and(|expiry| expiry <= now) {
            KeyStatus::Expired
        } else {
            KeyStatus::Active
        }
    }

    /// What the key may do with tools.
    pub fn tool_grants(&self) -> ToolGrants {
        match &self.trial {
            Some(trial) => ToolGrants::of_trial(&trial.tools),
            None => ToolGrants::of_scopes(self.scopes, self.permissions.as_ref()),
        }
    }

    /// The key as people see it at `now`.
    pub fn to_view(&self, now: OffsetDateTime) -> ApiKeyView {
        ApiKeyView {
            id: self.id,
            name: self.name.clone(),
            status: self.status(now),
            preset: self.preset,
            scopes: self.scopes.to_strings(),
            permissions: self.permissions.clone(),
            trial: self.trial.clone(),
            expires_at: self.expires_at,
            revoked_at: self.revoked_at,
            last_used_at: self.last_used_at,
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
            created_by: self.created_by,
        }
    }

    /// Gives the key another name.
    pub(crate) fn rename(&mut self, name: &str, now: OffsetDateTime) {
        if self.name != name {
            name.clone_into(&mut self.name);
            self.touch(now);
        }
    }

    /// Revokes the key for good.
    ///
    /// # Errors
    /// [`Error::Conflict`] when it is revoked already.
    pub(crate) fn revoke(&mut self, now: OffsetDateTime) -> Result<(), Error> {
        if self.revoked_at.is_some() {
            return Err(Error::Conflict("the API key is revoked already".to_owned()));
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

impl Paginated for ApiKey {
    const LIST: ListName = ListName::ApiKeys;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (self.created_at, self.id.0)
    }
}

/// A key as people see it: nothing in it helps to guess the key.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the members are documented at ApiKey")]
pub struct ApiKeyView {
    pub id: ApiKeyId,
    pub name: String,
    pub status: KeyStatus,
    pub preset: Option<Preset>,
    pub scopes: Vec<String>,
    pub permissions: Option<ToolPermissions>,
    pub trial: Option<Trial>,
    #[serde(with = "optional_timestamp_json")]
    pub expires_at: Option<OffsetDateTime>,
    #[serde(with = "optional_timestamp_json")]
    pub revoked_at: Option<OffsetDateTime>,
    #[serde(with = "optional_timestamp_json")]
    pub last_used_at: Option<OffsetDateTime>,
    pub version: i64,
    #[serde(with = "timestamp_json")]
    pub created_at: OffsetDateTime,
    #[serde(with = "timestamp_json")]
    pub updated_at: OffsetDateTime,
    pub created_by: Actor,
}

/// A key found by its look-up id, with the workspace that it belongs to.
#[derive(Debug, Clone)]
pub struct ApiKeyLookup {
    /// The key.
    pub key: ApiKey,
    /// Its workspace.
    pub workspace: Workspace,
}
