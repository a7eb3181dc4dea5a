//! Authentication and authorization (interface 5).
//!
//! **Invariant**: only this module creates a [`Permit`], from a [`Caller`] with every scope that the permission
//! requires. Use cases take a permit, so a surface cannot skip the check.

mod authenticate;
mod credential_cache;
mod grants;
mod needs;
mod permissions;
mod permit;
mod read_requirement;
mod record_kind;
mod scopes;
mod token;
mod tool_permits;

pub use authenticate::authenticate;
pub use credential_cache::{CredentialCache, REFRESH_INTERVAL, refresh_credential_cache};
pub use grants::ToolGrants;
pub use needs::{AccessRequirement, Credential, MapRequirement, Permission};
pub use permissions::*;
pub use permit::{Caller, Permit};
pub use read_requirement::ReadRequirement;
pub use record_kind::{RecordKind, may_see_deleted};
pub use scopes::{Area, Level, Preset, Scope, ScopeSet};
pub use token::{HashedSecret, PlainToken, TokenKind};
pub use tool_permits::ToolPermit;

use std::net::IpAddr;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use crate::kernel::input::choices;
use crate::ports::Operator;
use crate::tools::Tool;

choices! {
    /// The kind of caller that made a change.
    pub enum ActorKind {
        /// An API key of the workspace.
        ApiKey = "api_key",
        /// A user.
        User = "user",
        /// The service itself.
        System = "system",
        /// A customer without an account: author of their replies and actor of their changes. What they create is
        /// created by the service on their behalf, so `created_by` never has this kind.
        Customer = "customer",
    }
}

/// The author of a change: `created_by` and `author` in the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(extend("x-names" = "actor"))]
pub struct Actor {
    #[serde(rename = "type")]
    pub kind: ActorKind,
    /// Id of the API key or user; null for the service and for customers.
    pub id: Option<Uuid>,
}

impl Actor {
    /// The service itself.
    pub const SYSTEM: Self = Self { kind: ActorKind::System, id: None };
    /// A customer, identified by their ticket.
    pub const CUSTOMER: Self = Self { kind: ActorKind::Customer, id: None };
}

/// Who does something, and how: what the audit log and the event log record.
#[derive(Debug, Clone)]
pub struct Principal {
    pub actor: Actor,
    /// The name at the time of the action.
    pub name: Arc<str>,
    /// The client's address; `None` for the command line.
    pub address: Option<IpAddr>,
    /// Whether the key is a trial key.
    pub is_trial: bool,
    /// The id of the request; `None` for actions without one.
    pub request_id: Option<Arc<str>>,
    /// The tool that was called, if any.
    pub tool: Option<Tool>,
}

impl Principal {
    /// The service itself, for actions without a request.
    pub(crate) fn service() -> Self {
        Self::named(Actor::SYSTEM, "service", None)
    }

    /// An operator, for actions outside of a workspace.
    pub(crate) fn operator(_: &Operator) -> Self {
        Self::named(Actor::SYSTEM, "operator", None)
    }

    /// A caller without a credential, or an actor without a request.
    pub(crate) fn named(actor: Actor, name: &str, address: Option<IpAddr>) -> Self {
        Self { actor, name: Arc::from(name), address, is_trial: false, request_id: None, tool: None }
    }

    /// The kind of actor as events name it.
    pub fn actor_type(&self) -> &'static str {
        if self.is_trial { "trial" } else { self.actor.kind.as_str() }
    }

    /// The same principal, with the id of its request.
    pub(crate) fn in_request(self, request_id: Option<Arc<str>>) -> Self {
        Self { request_id, ..self }
    }
}
