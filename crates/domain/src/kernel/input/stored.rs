//! How records store input values, and how stored values are serialized.

use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value as Json};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::schema::{DateText, TimestampText};
use super::timestamp::{date_json, timestamp_json};
use super::{
    Currency, CustomFields, DueTime, EmailAddress, GithubUrl, HostName, Integer, Items, Line, LongText,
    OptionalReference, TwoDecimals, Value, WebUrl, decimal_as_number,
};

/// An input type whose values a record stores. The stored type is not validated again.
pub trait Storable: Value {
    /// The type that the record stores.
    type Stored: JsonForm;

    fn into_stored(self) -> Self::Stored;
}

macro_rules! stored_as {
    ($( $( {$($generics:tt)*} )? $input:ty => $stored:ty ),* $(,)?) => { $(
        impl $( <$($generics)*> )? Storable for $input {
            type Stored = $stored;

            fn into_stored(self) -> $stored {
                self.into()
            }
        }
    )* };
}

stored_as! {
    {const MAX: usize} Line<MAX> => String,
    {const MAX: usize} LongText<MAX> => String,
    EmailAddress => String,
    WebUrl => String,
    GithubUrl => String,
    HostName => String,
    Currency => String,
    {const MIN: i32, const MAX: i32} Integer<MIN, MAX> => i32,
    {const MAX_HUNDREDTHS: i64} TwoDecimals<MAX_HUNDREDTHS> => Decimal,
    {const A: usize, const B: usize} Items<A, B> => Vec<String>,
    CustomFields => Map<String, Json>,
    DueTime => OffsetDateTime,
}

impl<T: Value + JsonForm> Storable for OptionalReference<T> {
    type Stored = T;

    fn into_stored(self) -> T {
        self.0
    }
}

/// Implements [`Storable`] for types that are stored unchanged.
macro_rules! stored_as_is {
    ($($name:ty),* $(,)?) => { $(
        impl $crate::kernel::input::Storable for $name {
            type Stored = Self;

            fn into_stored(self) -> Self {
                self
            }
        }
    )* };
}
pub(crate) use stored_as_is;

stored_as_is!(bool, Uuid, Date, OffsetDateTime);

/// The JSON of a stored value as the interface defines it: serde's own for most types, but not for decimals, dates and
/// timestamps.
pub trait JsonForm {
    /// The type whose schema describes the JSON.
    type Schema: JsonSchema;

    fn serialize_json<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// [`JsonForm`] for `#[serde(serialize_with = …)]`.
pub(crate) fn as_json<T: JsonForm, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    value.serialize_json(serializer)
}

/// Implements [`JsonForm`] for types whose serde serialization is already that of the interface.
macro_rules! plain_json {
    ($($name:ty),* $(,)?) => { $(
        impl $crate::kernel::input::JsonForm for $name {
            type Schema = Self;

            fn serialize_json<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serde::Serialize::serialize(self, serializer)
            }
        }
    )* };
}
pub(crate) use plain_json;

plain_json!(bool, i32, i64, String, Uuid, Vec<String>, Map<String, Json>);

macro_rules! json_by {
    ($($name:ty: $schema:ty = $serialize:path),* $(,)?) => { $(
        impl JsonForm for $name {
            type Schema = $schema;

            fn serialize_json<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $serialize(self, serializer)
            }
        }
    )* };
}

json_by! {
    Decimal: f64 = decimal_as_number,
    Date: DateText = date_json,
    OffsetDateTime: TimestampText = timestamp_json,
}

struct AsJson<'a, T>(&'a T);

impl<T: JsonForm> Serialize for AsJson<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize_json(serializer)
    }
}

/// A value that is null in JSON until it is revealed, for callers that may see it. Events never reveal it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Masked<T> {
    value: Option<T>,
    is_revealed: bool,
}

impl<T> Masked<T> {
    pub const fn new(value: Option<T>) -> Self {
        Self { value, is_revealed: false }
    }

    /// The value, for rules and the store.
    pub const fn get(&self) -> Option<&T> {
        self.value.as_ref()
    }

    pub const fn revealed(&self) -> Option<&T> {
        if self.is_revealed { self.value.as_ref() } else { None }
    }

    #[must_use]
    pub fn reveal(self) -> Self {
        Self { is_revealed: true, ..self }
    }

    pub fn into_value(self) -> Option<T> {
        self.value
    }
}

impl<T: JsonForm> JsonForm for Masked<T> {
    type Schema = Option<T::Schema>;

    fn serialize_json<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.revealed() {
            Some(value) => serializer.serialize_some(&AsJson(value)),
            None => serializer.serialize_none(),
        }
    }
}

impl<T: JsonForm> JsonForm for Option<T> {
    type Schema = Option<T::Schema>;

    fn serialize_json<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Some(value) => serializer.serialize_some(&AsJson(value)),
            None => serializer.serialize_none(),
        }
    }
}
