//! Subsets of the kinds of records as types. The table of all kinds declares the members of each subset, and their names in it.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::Value as Json;

use super::RecordKind;
use crate::kernel::input::schema::enum_schema;
use crate::kernel::input::{Problems, Read, Value, read_choice};

/// A subset of the kinds.
pub trait KindSet: Copy + 'static {
    fn has(kind: RecordKind) -> bool;
    /// The text of a kind wherever it is read, written or stored as part of this set.
    fn text(kind: RecordKind) -> &'static str;
}

/// A kind of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindOf<S> {
    kind: RecordKind,
    set: PhantomData<S>,
}

impl<S: KindSet> KindOf<S> {
    /// All kinds of the set, in the order of [`RecordKind::ALL`].
    pub fn all() -> impl Iterator<Item = Self> {
        RecordKind::ALL.iter().copied().filter_map(Self::of)
    }

    /// `None` for a kind that is not in the set.
    pub fn of(kind: RecordKind) -> Option<Self> {
        S::has(kind).then_some(Self { kind, set: PhantomData })
    }

    pub const fn kind(self) -> RecordKind {
        self.kind
    }

    pub fn as_str(self) -> &'static str {
        S::text(self.kind)
    }

    /// Parses the exact text of a kind.
    pub fn parse(text: &str) -> Option<Self> {
        Self::all().find(|one| one.as_str() == text)
    }

    /// All texts, comma-separated for messages.
    pub fn allowed_values() -> String {
        Self::all().map(Self::as_str).collect::<Vec<_>>().join(", ")
    }
}

impl<S: KindSet> fmt::Display for KindOf<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl<S: KindSet> JsonSchema for KindOf<S> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        std::any::type_name::<Self>().into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let texts: Vec<_> = Self::all().map(Self::as_str).collect();
        json_schema!({ "type": "string", "enum": texts })
    }
}

impl<S: KindSet> Serialize for KindOf<S> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<S: KindSet> Value for KindOf<S> {
    fn schema() -> Json {
        enum_schema(Self::all().map(Self::as_str))
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        read_choice(&json, at, problems, Self::parse, Self::allowed_values)
    }
}
