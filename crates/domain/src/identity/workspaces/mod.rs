//! Workspaces and users.

mod as_operator;
mod change;
mod demo;
mod first_steps;
mod limits_input;
mod list;
mod manage;
mod operators;
mod origins;
mod settings;
mod status;

pub use as_operator::{
    CreatedWorkspace, DeletionFields, InvitedOwner, NewWorkspaceFields, OperatorWorkspaceView, WorkspaceChangeFields,
    WorkspaceDeletion, create_as_operator, create_own, delete_as_operator, read_as_operator, update_as_operator,
};
pub use change::{PlanChange, change_plan, delete, delete_own, set_status};
pub use demo::{DemoMember, NewDemo, create_demo};
pub use first_steps::{FirstSteps, first_steps};
pub use limits_input::{LimitFields, LimitsObject};
pub use list::{WorkspaceFilter, search};
pub(crate) use manage::is_slug;
pub use manage::{CreatedUser, NewUser, NewWorkspace, create, create_user, find, list};
pub(in crate::identity) use manage::{blank, creation_entry};
pub use operators::{OperatorFlag, list_operators, set_operator};
pub use origins::Origins;

pub use settings::{SettingsFields, WorkspaceView, allow_all_networks, read, update};
pub use status::{Erasure, ErasureStep, KEPT_AFTER_DELETION, SettableStatus};

use time::{Date, OffsetDateTime};

use crate::email::{EmailPurpose, EmailSource};
use crate::identity::access::{Area, Scope, ScopeSet};
use crate::identity::notifications::NotificationChoices;
use crate::kernel::input::{EmailKey, choices, readable_choices};
use crate::kernel::{KbLanguage, Networks, hidden_debug};
use crate::limits::{Allowance, Plan, WorkspaceLimits};
use crate::ports::Settings;
use crate::{UserId, WorkspaceId};

choices! {
    /// Status of a workspace; credentials are valid only while it is active.
    pub enum WorkspaceStatus {
        Active = "active",
        /// Suspended by an operator.
        Suspended = "suspended",
        Deleted = "deleted",
        /// Restricted for another reason.
        Restricted = "restricted",
    }
}

readable_choices!(WorkspaceStatus);

choices! {
    /// The role of a user in a workspace.
    pub enum Role {
        /// All permissions; the last owner cannot be removed.
        Owner = "owner",
        /// All permissions.
        Admin = "admin",
        /// Read and write all records.
        Member = "member",
        /// Read all records.
        Viewer = "viewer",
    }
}

readable_choices!(Role);

impl Role {
    /// The scopes of the role on records.
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

    /// Whether the role ranks above another.
    pub fn outranks(self, other: Self) -> bool {
        // Declared in descending rank.
        self < other
    }
}

/// A tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "settings that are independent of each other")]
pub struct Workspace {
    pub id: WorkspaceId,
    /// Identifies the workspace in commands and URLs.
    pub slug: String,
    pub name: String,
    pub plan: Plan,
    pub status: WorkspaceStatus,
    /// When the workspace is erased. Set if and only if it is deleted.
    pub erasure: Option<Erasure>,
    /// Default currency of deals.
    pub default_currency: String,
    /// Language of its articles.
    pub kb_language: KbLanguage,
    /// Whether its help page may create tickets without an API key.
    pub widget_enabled: bool,
    /// Origins of the pages that may use the widget.
    pub widget_origins: Vec<String>,
    /// Whether its help centre shows published articles to everyone.
    pub help_centre_enabled: bool,
    /// Whether its help centre shows pictures from other sites, which readers then load from there.
    pub help_centre_pictures: bool,
    /// IANA name of the time zone that decides the day of a time entry.
    pub time_zone: String,
    /// The last day whose time entries are locked.
    pub time_locked_until: Option<Date>,
    /// Whether time entries of one member may overlap.
    pub time_overlaps_allowed: bool,
    /// Whether owners and admins must have a second factor.
    pub require_second_factor: bool,
    /// Whether customers get an e-mail when their ticket is received and when it is resolved; `None` means if a mail server is
    /// configured.
    pub notify_requesters: Option<bool>,
    /// Networks from which keys and users may send requests.
    pub allowed_networks: Networks,
    /// Its own limits, which override the plan's.
    pub limits: WorkspaceLimits,
    /// Counts changes from 1.
    pub version: i64,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
}

impl Workspace {
    pub const fn allowance(&self) -> Allowance {
        Allowance { plan: self.plan, limits: self.limits }
    }

    /// The workspace as the source of an e-mail.
    pub fn email_source(&self, purpose: EmailPurpose) -> EmailSource {
        let all = self.allowance().emails_per_hour();
        let limit = if purpose.is_low_priority() { all.div_ceil(2) } else { all };
        let per_hour = purpose.counts_for_workspace().then_some(limit);
        EmailSource { workspace: self.id, per_hour, purpose }
    }

    /// Whether a member with this role must have a second factor.
    pub const fn demands_second_factor(&self, role: Role) -> bool {
        self.require_second_factor && role.administers()
    }

    /// Whether customers get an e-mail when their ticket is received and when it is resolved.
    pub fn notifies_requesters(&self, settings: &Settings) -> bool {
        self.notify_requesters.unwrap_or(settings.has_mail_server)
    }
}

/// A user, across workspaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    /// The address as entered.
    pub email: String,
    pub name: String,
    /// Argon2id hash; `None` until they set a password.
    pub password: Option<PasswordHash>,
    /// Which e-mails about their work the user gets.
    pub notifications: NotificationChoices,
    pub created_at: OffsetDateTime,
}

impl User {
    /// The normalized address, for comparison.
    pub fn email_key(&self) -> String {
        EmailKey::of(&self.email).into()
    }
}

/// The hash of a password. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(pub String);

hidden_debug!(PasswordHash);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viewers_may_read_and_all_other_roles_may_write() {
        for role in Role::ALL.iter().copied() {
            for scope in Scope::all() {
                let expected = role != Role::Viewer || scope.level == crate::identity::access::Level::Read;
                assert_eq!(role.scopes().allows(scope), expected, "{role} {scope}");
            }
        }
    }
}
