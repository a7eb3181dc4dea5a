//! Who does something, as the logs record it.

use std::net::IpAddr;
use std::sync::Arc;

use super::Actor;
use crate::ports::Operator;
use crate::tools::Tool;

/// Who does something, and by what: what the audit log and the event log record.
#[derive(Debug, Clone)]
pub struct Principal {
    pub actor: Actor,
    /// The name at the time of the action.
    pub name: Arc<str>,
    /// The client's address; `None` for the command line.
    pub address: Option<IpAddr>,
    /// Whether the key is one of an agent trial.
    pub is_trial: bool,
    /// The id of the request; `None` for what happens without one.
    pub request_id: Option<Arc<str>>,
    /// The tool that was called, if one was.
    pub tool: Option<Tool>,
}

impl Principal {
    /// The service itself, for what happens without anybody's request.
    pub(crate) fn service() -> Self {
        Self::named(Actor::SYSTEM, "service", None)
    }

    /// An operator, for what belongs to no workspace.
    pub(crate) fn of(_: &Operator) -> Self {
        Self::named(Actor::SYSTEM, "operator", None)
    }

    /// Who calls from outside without a credential, or by another way than a request.
    pub(crate) fn named(actor: Actor, name: &str, address: Option<IpAddr>) -> Self {
        Self { actor, name: Arc::from(name), address, is_trial: false, request_id: None, tool: None }
    }

    /// The word for the kind of actor in events.
    pub fn actor_type(&self) -> &'static str {
        if self.is_trial { "trial" } else { self.actor.kind.as_str() }
    }

    /// The same, within a request.
    pub(crate) fn in_request(self, request_id: Option<Arc<str>>) -> Self {
        Self { request_id, ..self }
    }
}
