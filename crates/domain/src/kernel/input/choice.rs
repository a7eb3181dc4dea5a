//! Enumerations of the interface, such as statuses.

/// Declares an enum whose variants are values of the interface, matched exactly and case-sensitively.
macro_rules! choices {
    (
        $(#[$doc:meta])*
        pub enum $name:ident { $( $(#[$variant_doc:meta])* $variant:ident = $text:literal ),* $(,)? }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $( $(#[$variant_doc])* $variant ),* }

        impl $name {
            /// All values, in documented order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The value in the interface.
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $text ),* }
            }

            /// Parses an exact value.
            pub fn parse(value: &str) -> Option<Self> {
                match value { $( $text => Some(Self::$variant), )* _ => None }
            }

            /// All values, for messages.
            pub fn allowed_values() -> String {
                [$($text),*].join(", ")
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.as_str())
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "enum": [$($text),*] })
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        $crate::kernel::input::plain_json!($name);
    };
}
pub(crate) use choices;

/// Makes an enumeration readable from a request by its exact values.
macro_rules! readable_choices {
    ($($name:ident),* $(,)?) => { $(
        $crate::kernel::input::stored_as_is!($name);
        $crate::kernel::input::filter_values!($name);

        impl $crate::kernel::input::Value for $name {
            fn schema() -> serde_json::Value {
                $crate::kernel::input::schema::enum_schema(Self::ALL.iter().map(|choice| choice.as_str()))
            }

            fn read(json: serde_json::Value, at: &str, problems: &mut $crate::kernel::input::Problems) -> $crate::kernel::input::Read<Self> {
                $crate::kernel::input::read_choice(&json, at, problems, Self::parse, Self::allowed_values)
            }
        }
    )* };
}
pub(crate) use readable_choices;

pub(crate) fn read_choice<T>(
    json: &serde_json::Value,
    at: &str,
    problems: &mut super::Problems,
    parse: fn(&str) -> Option<T>,
    allowed_values: fn() -> String,
) -> super::Read<T> {
    if let Some(value) = json.as_str().and_then(parse) {
        super::Read::Value(value)
    } else {
        problems.malformed(at, "invalid_value", format!("must be one of {}", allowed_values()))
    }
}
