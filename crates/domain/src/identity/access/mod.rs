//! Who may do what (contract: authentication; keys, sessions, plans).
//!
//! **Invariant**: a [`Permit`] is made in this module alone, from a [`Caller`] that has every scope that the permission
//! needs. Use cases take a permit, so a surface cannot forget the check.

mod authenticate;
mod credential_cache;
mod grants;
mod needs;
mod permissions;
mod permit;
mod scopes;
mod token;
mod tool_areas;
mod tool_permits;

pub use authenticate::authenticate;
pub use credential_cache::{CredentialCache, REFRESH_INTERVAL, refresh_credential_cache};
pub use grants::ToolGrants;
pub use needs::{AccessRequirement, Credential, Permission};
pub use permissions::{
    CreateArticles, CreateComments, CreateCompanies, CreateContacts, CreateCycles, CreateDeals, CreateIssues,
    CreateProjects, CreatePublicTickets, CreateTrackingLinks, CreateWebhooks, DeleteArticles, DeleteCompanies,
    DeleteContacts, DeleteDeals, DeleteIssues, DeleteProjects, DeleteWebhooks, ManageKeys, ManageMembers,
    ManageOwnAccount, ManageWorkspace, ReadArticles, ReadAuditLog, ReadComments, ReadCompanies, ReadContacts,
    ReadCycles, ReadDeals, ReadIssues, ReadProjectIssues, ReadProjects, ReadPublicTickets, ReadWebhooks, ReportEvents,
    SearchKb, UpdateArticles, UpdateCompanies, UpdateContacts, UpdateDeals, UpdateIssues, UpdateProjects,
    UpdateWebhooks,
};
pub use permit::{Caller, Permit, Principal};
pub use scopes::{Area, Level, Preset, Scope, ScopeSet};
pub use token::{HashedSecret, PlainToken, TokenKind};
pub use tool_permits::ToolPermit;

use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use crate::kernel::input::choices;

choices! {
    /// What kind of caller made or changed something.
    pub enum ActorKind {
        /// A key of the workspace.
        ApiKey = "api_key",
        /// A person.
        User = "user",
        /// The service itself.
        System = "system",
        /// A customer, without an account: the author of what they say and the actor of what they do. What they make is
        /// made by the service in their name, so that `created_by` has no such kind.
        Customer = "customer",
    }
}

/// Who made something: `created_by` and `author` of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Actor {
    /// The kind of caller.
    #[serde(rename = "type")]
    pub kind: ActorKind,
    /// The key's or person's id; none for the service itself.
    pub id: Option<Uuid>,
}

impl Actor {
    /// The service itself.
    pub const SYSTEM: Self = Self { kind: ActorKind::System, id: None };
    /// A customer; who it is stands on their ticket.
    pub const CUSTOMER: Self = Self { kind: ActorKind::Customer, id: None };
}
