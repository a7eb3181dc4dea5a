//! The principal of an action, as the logs record it.

use std::net::IpAddr;
use std::sync::Arc;

use super::Actor;
use crate::ports::Operator;
use crate::tools::Tool;

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
    /// The service itself, for actions that nobody requested.
    pub(crate) fn service() -> Self {
        Self::named(Actor::SYSTEM, "service", None)
    }

    /// An operator, for actions outside of a workspace.
    pub(crate) fn of(_: &Operator) -> Self {
        Self::named(Actor::SYSTEM, "operator", None)
    }

    /// A caller without a credential, or one that does not call by a request.
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
