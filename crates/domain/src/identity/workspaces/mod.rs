//! Workspaces and the people in them.

mod manage;
mod origins;
mod plan;
mod settings;

pub use manage::{CreatedUser, NewUser, NewWorkspace, create, create_user, find, list, set_status};
pub use origins::Origins;
pub use plan::{PlanChange, change_plan};

use crate::limits::{Plan, WorkspaceLimits};
pub use settings::{SettingsFields, WorkspaceView, read, update};

use time::OffsetDateTime;

use crate::identity::access::{Area, Scope, ScopeSet};
use crate::kernel::KbLanguage;
use crate::kernel::input::{choices, readable_choices};
use crate::{UserId, WorkspaceId};

choices! {
    /// Whether a workspace's credentials work: only while it is active.
    pub enum WorkspaceStatus {
        /// In use.
        Active = "active",
        /// Stopped by an operator.
        Suspended = "suspended",
        /// Gone.
        Deleted = "deleted",
        /// Stopped for another reason.
        Restricted = "restricted",
    }
}

choices! {
    /// What a person may do in a workspace.
    pub enum Role {
        /// Everything, and cannot be removed as the last one.
        Owner = "owner",
        /// Everything.
        Admin = "admin",
        /// Work with all records.
        Member = "member",
        /// Look at all records.
        Viewer = "viewer",
    }
}

readable_choices!(Role);

impl Role {
    /// What a person with the role may do with records.
    pub fn scopes(self) -> ScopeSet {
        let scope = match self {
            Self::Owner | Self::Admin | Self::Member => Scope::write,
            Self::Viewer => Scope::read,
        };
        Area::ALL.iter().map(|area| scope(*area)).collect()
    }

    /// Whether the role manages keys, members, webhooks and settings.
    pub const fn administers(self) -> bool {
        matches!(self, Self::Owner | Self::Admin)
    }

    /// Whether the role stands above another.
    pub fn outranks(self, other: Self) -> bool {
        // They are declared from the top down.
        self < other
    }
}

/// A tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// Its id.
    pub id: WorkspaceId,
    /// Its name in commands and addresses.
    pub slug: String,
    /// Its name for people.
    pub name: String,
    /// What it pays for.
    pub plan: Plan,
    /// Whether its credentials work.
    pub status: WorkspaceStatus,
    /// The currency of deals that name none.
    pub default_currency: String,
    /// What its articles are written in.
    pub kb_language: KbLanguage,
    /// Whether its help page may file tickets without a key.
    pub widget_enabled: bool,
    /// The origins of pages that may do so.
    pub widget_origins: Vec<String>,
    /// Limits of its own, over those of its plan.
    pub limits: WorkspaceLimits,
    /// Counts its changes, from 1.
    pub version: i64,
    /// When it was made.
    pub created_at: OffsetDateTime,
    /// When it was last changed.
    pub updated_at: OffsetDateTime,
}

/// A person, across workspaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Their id.
    pub id: UserId,
    /// Their address, as given.
    pub email: String,
    /// What people call them.
    pub name: String,
    /// Their password's Argon2id hash; none until they choose one.
    pub password: Option<PasswordHash>,
    /// When they were made.
    pub created_at: OffsetDateTime,
}

impl User {
    /// What makes two addresses the same.
    pub fn email_key(&self) -> String {
        self.email.to_lowercase()
    }
}

/// The hash of a password. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(pub String);

impl std::fmt::Debug for PasswordHash {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("PasswordHash(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viewers_look_and_all_others_work() {
        for role in Role::ALL.iter().copied() {
            for scope in Scope::all() {
                let expected = role != Role::Viewer || scope.level == crate::identity::access::Level::Read;
                assert_eq!(role.scopes().allows(scope), expected, "{role} {scope}");
            }
        }
    }
}
