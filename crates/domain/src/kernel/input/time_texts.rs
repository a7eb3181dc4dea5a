//! The text forms of dates and timestamps in responses, and their schemas.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serializer;
use time::{Date, OffsetDateTime};

use super::JsonForm;

macro_rules! formatted_text {
    ($($(#[$about:meta])* $name:ident, $optional:ident: $value:ty => $format:literal;)*) => { $(
        $(#[$about])*
        #[derive(Debug)]
        pub struct $name;

        /// The same, or null.
        #[derive(Debug)]
        pub struct $optional;

        impl $name {
            pub fn serialize<S: Serializer>(value: &$value, serializer: S) -> Result<S::Ok, S::Error> {
                value.serialize_json(serializer)
            }
        }

        impl $optional {
            pub fn serialize<S: Serializer>(value: &Option<$value>, serializer: S) -> Result<S::Ok, S::Error> {
                value.serialize_json(serializer)
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "format": $format })
            }
        }

        impl JsonSchema for $optional {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($optional).into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                Option::<$name>::json_schema(generator)
            }
        }
    )* };
}

formatted_text! {
    /// A timestamp in responses, for `#[serde(with = …)]`: serde takes the form from it, and schemars the schema.
    TimestampText, OptionalTimestampText: OffsetDateTime => "date-time";
    /// A date in responses.
    DateText, OptionalDateText: Date => "date";
}
