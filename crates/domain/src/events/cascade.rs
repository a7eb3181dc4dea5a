//! The records that are deleted or restored together with another one (interface 24.10).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// How many records a project took along when it was deleted or restored. Their own events follow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cascade {
    pub tasks: u64,
    pub cycles: u64,
}

/// The event of the project with which a task or a cycle was deleted or restored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EventCause {
    /// Its name: project.deleted or project.restored.
    pub event: String,
    /// Its id in the event log.
    pub id: Uuid,
}
