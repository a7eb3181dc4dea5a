//! The events that a kind of record declares in its own code, and how many records are deleted with a project (interface 24.10).

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use uuid::Uuid;

use super::{Event, Module};
use crate::kernel::input::output_schema::output_schema;

/// The declaration of a kind's events. Their names, required permissions, descriptions, schemas and examples follow from it.
#[derive(Debug)]
pub(crate) struct KindEvents {
    /// The module whose subscriptions receive them.
    pub(crate) module: Module,
    /// Verbs, each with a sentence about what happened: the kind's own verbs, and common verbs that need a more specific sentence.
    pub(crate) verbs: &'static [(&'static str, &'static str)],
    /// The role of its records when several are deleted or restored together; `None` if that never happens.
    pub(crate) cascade: Option<CascadeRole>,
    /// The type of the record in an event.
    pub(crate) data: DataType,
    /// One example of each event, built by the code that builds the events; see [`super::example`].
    pub(crate) examples: fn() -> Vec<Event>,
}

/// The role of a record when several are deleted or restored together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CascadeRole {
    /// Its deletion or restoration includes other records; its event counts them.
    Leader,
    /// It may be deleted or restored with a leader; its event then names the leader's event.
    Follower,
}

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

/// The type of an event's `data`.
#[derive(Debug, Clone, Copy)]
pub struct DataType {
    inline: fn() -> Json,
    by_reference: fn(&mut SchemaGenerator) -> Schema,
}

impl DataType {
    pub(crate) const fn of<T: JsonSchema>() -> Self {
        Self { inline: output_schema::<T>, by_reference: SchemaGenerator::subschema_for::<T> }
    }

    /// Its self-contained schema.
    pub(crate) fn schema(self) -> Json {
        (self.inline)()
    }

    /// Its schema as part of a document, by reference if the type has a name.
    pub fn schema_in(self, generator: &mut SchemaGenerator) -> Schema {
        (self.by_reference)(generator)
    }
}
