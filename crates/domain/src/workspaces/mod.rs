//! Workspaces and the people in them.

mod currencies;
mod manage;

pub use currencies::is_currency;
pub use manage::{NewUser, NewWorkspace, create, create_user, find};

use serde::Serialize;
use time::OffsetDateTime;

use crate::input::choices;
use crate::{UserId, WorkspaceId};

choices! {
    /// What a workspace pays for.
    pub enum Plan {
        /// 100 requests a minute.
        Starter = "starter",
        /// 500 requests a minute.
        Professional = "professional",
        /// 2,000 requests a minute.
        Enterprise = "enterprise",
    }
}

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

/// A tenant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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

/// The hash of a password. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(pub String);

impl std::fmt::Debug for PasswordHash {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("PasswordHash(…)")
    }
}

/// A person's membership of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Who.
    pub user_id: UserId,
    /// What they may do.
    pub role: Role,
    /// Since when.
    pub created_at: OffsetDateTime,
}
