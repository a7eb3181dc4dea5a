//! What a kind of record declares of its events, next to its own code.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value as Json;

use super::{Event, Module};
use crate::kernel::input::schema::output_schema;

/// What a kind of record declares of its events. Their names, readers, descriptions, schemas and examples follow from it.
#[derive(Debug)]
pub(crate) struct KindEvents {
    /// The module whose subscriptions receive them.
    pub(crate) module: Module,
    /// What happened, in a sentence, by verb: for verbs of its own, and for common ones of which there is more to say than of
    /// any record.
    pub(crate) verbs: &'static [(&'static str, &'static str)],
    /// The part that its records have when several are deleted or restored at once; `None` if that never happens.
    pub(crate) cascade: Option<CascadeRole>,
    /// What an event shows of a record.
    pub(crate) data: DataType,
    /// One of each of its events, made by the code that makes the events; see [`super::example`].
    pub(crate) examples: fn() -> Vec<Event>,
}

/// The part of a record in a deletion or restoration of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CascadeRole {
    /// It takes others along: its event counts them.
    Leader,
    /// It may go or come back with a leader: its event then names that one's.
    Follower,
}

/// The type of an event's `data`.
#[derive(Debug, Clone, Copy)]
pub struct DataType {
    written_out: fn() -> Json,
    by_reference: fn(&mut SchemaGenerator) -> Schema,
}

impl DataType {
    pub(crate) const fn of<T: JsonSchema>() -> Self {
        Self { written_out: output_schema::<T>, by_reference: SchemaGenerator::subschema_for::<T> }
    }

    /// Its schema, whole on its own.
    pub(crate) fn schema(self) -> Json {
        (self.written_out)()
    }

    /// Its schema as a part of a document, by reference if the type has a name.
    pub fn schema_in(self, generator: &mut SchemaGenerator) -> Schema {
        (self.by_reference)(generator)
    }
}
