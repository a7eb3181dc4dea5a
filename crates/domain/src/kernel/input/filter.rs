//! Filters of lists: one declaration from which the query parameters of REST and the arguments of tools follow.

mod number;

use std::str::FromStr;

use serde_json::{Value as Json, json};

use super::characters::{A_HOST_NAME, A_LINE};
use super::currencies::currencies;
use super::label::fold_label;
use super::schema::enum_schema;
use super::{Label, Problems, Read, Several, Value};

pub use number::Number;

/// The query parameters of a request, read one by one.
pub trait Parameters {
    /// The distinct values of a parameter, in order.
    fn all(&mut self, name: &str) -> Vec<String>;
    /// The value of a parameter that must not repeat.
    fn single(&mut self, name: &str) -> Option<String>;
    /// Where problems are reported.
    fn problems(&mut self) -> &mut Problems;
}

/// A filter that can be read from query parameters. Declared by [`filter!`](crate::filter).
pub trait Filter: super::Input {
    /// The members, with the schemas of their query parameters.
    fn parameters() -> Vec<super::SchemaMember>;
    /// Reads the parameters and reports every problem as a shape problem.
    fn from_parameters(parameters: &mut dyn Parameters) -> Self;
}

/// A value to filter by: text in a query, JSON in the arguments of a tool.
pub trait FilterValue: Value {
    /// The schema of the text of a parameter. Queries have only shape problems, so this schema states every rule; [`Value::schema`]
    /// may leave out rules whose violation is a 422.
    fn parameter_schema() -> Json {
        Self::schema()
    }

    /// Reads the text of a parameter.
    fn read_text(text: &str, name: &str, problems: &mut Problems) -> Read<Self> {
        let mut found = Problems::default();
        let value = Self::read(Json::String(text.to_owned()), name, &mut found);
        if matches!(value, Read::Empty) {
            found.shape(name, "invalid_value", "must not be empty");
        }
        problems.all_as_shape(found);
        value
    }
}

/// Makes values whose JSON is a string readable from a query.
macro_rules! filter_values {
    ($( $( {$($generics:tt)*} )? $name:ty ),* $(,)?) => { $(
        impl $( <$($generics)*> )? $crate::kernel::input::FilterValue for $name {}
    )* };
}
pub(crate) use filter_values;

filter_values!(time::Date, time::OffsetDateTime, uuid::Uuid);

/// Makes texts readable from a query.
macro_rules! filter_texts {
    ($( $( {$($generics:tt)*} )? $name:ty => $schema:expr ),* $(,)?) => { $(
        impl $( <$($generics)*> )? $crate::kernel::input::FilterValue for $name {
            fn parameter_schema() -> serde_json::Value {
                $schema
            }
        }
    )* };
}
pub(crate) use filter_texts;

filter_texts! {
    {const MAX: usize} super::Line<MAX> => json!({ "type": "string", "maxLength": MAX, "pattern": A_LINE }),
    {const MAX: usize} Label<MAX> => json!({ "type": "string", "maxLength": MAX, "pattern": A_LINE }),
    super::Currency => enum_schema(currencies()),
    super::EmailAddress => super::EmailAddress::schema(),
    super::HostName => json!({ "type": "string", "maxLength": 255, "pattern": A_HOST_NAME }),
}

/// A member of a filter: at most one value, or several, any one of which suffices. An absent member matches every record.
pub trait Criterion: Default {
    /// The JSON Schema of what [`Criterion::from_json`] accepts, without null.
    fn schema() -> Json;
    /// The JSON Schema of what [`Criterion::from_parameters`] accepts.
    fn parameter_schema() -> Json;
    fn from_json(json: Json, at: &str, problems: &mut Problems) -> Self;
    fn from_parameters(parameters: &mut dyn Parameters, name: &str) -> Self;
}

impl<T: FilterValue> Criterion for Option<T> {
    fn schema() -> Json {
        T::schema()
    }

    fn parameter_schema() -> Json {
        T::parameter_schema()
    }

    fn from_json(json: Json, at: &str, problems: &mut Problems) -> Self {
        T::read(json, at, problems).value()
    }

    fn from_parameters(parameters: &mut dyn Parameters, name: &str) -> Self {
        let text = parameters.single(name)?;
        T::read_text(&text, name, parameters.problems()).value()
    }
}

impl<T: FilterValue + PartialEq, const MAX: usize> Criterion for Several<T, MAX> {
    fn schema() -> Json {
        <Self as Value>::schema()
    }

    fn parameter_schema() -> Json {
        let mut schema = <Self as Value>::schema();
        schema["items"] = T::parameter_schema();
        // Repeated values count once, so there is no maximum if all allowed values may be sent together.
        if let Json::Object(keywords) = &mut schema
            && keywords["items"].get("enum").and_then(Json::as_array).is_some_and(|all| all.len() <= MAX)
        {
            keywords.remove("maxItems");
        }
        schema
    }

    fn from_json(json: Json, at: &str, problems: &mut Problems) -> Self {
        <Self as Value>::read(json, at, problems).value().unwrap_or_default()
    }

    /// Only the first value that cannot be read is reported.
    fn from_parameters(parameters: &mut dyn Parameters, name: &str) -> Self {
        let mut values = Vec::new();
        for text in parameters.all(name) {
            match T::read_text(&text, name, parameters.problems()) {
                // Different texts can be the same value, such as ids in upper and lower case.
                Read::Value(value) if values.contains(&value) => {}
                Read::Value(value) => values.push(value),
                Read::Empty | Read::Invalid => return Self::default(),
            }
        }
        if values.len() > MAX {
            parameters.problems().shape(name, "too_many", format!("must be sent at most {MAX} times"));
            return Self::default();
        }
        Self(values)
    }
}

/// Maximum number of ids in one filter: a page of records.
pub const MAX_IDS: usize = 100;

/// Maximum number of tags or labels in one filter.
pub const MAX_TAGS: usize = 20;

impl FilterValue for bool {
    fn read_text(text: &str, name: &str, problems: &mut Problems) -> Read<Self> {
        match text {
            "true" => Read::Value(true),
            "false" => Read::Value(false),
            _ => problems.malformed(name, "invalid_value", "must be true or false"),
        }
    }
}

/// A tag or label to compare with, without regard to case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag(String);

impl Tag {
    /// The folded text for comparison.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Tag {
    type Err = crate::Error;

    fn from_str(text: &str) -> Result<Self, crate::Error> {
        Self::from_text(text, "text", "must not be empty")
    }
}

impl Value for Tag {
    fn schema() -> Json {
        Label::<100>::schema()
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        Label::<100>::read(json, at, problems).map(|label| Self(fold_label(label.as_str())))
    }
}

impl FilterValue for Tag {
    fn parameter_schema() -> Json {
        Label::<100>::parameter_schema()
    }
}

/// Declares the filter of a list: a struct of [`Criterion`](crate::kernel::input::Criterion)s that can be read from query
/// parameters and from the arguments of a tool. Those after `only in queries` are not arguments of tools, to keep the tool list
/// short. Clients cannot send those after `set by use cases`. A function after `together` checks rules that span several criteria.
#[macro_export]
#[doc(hidden)]
macro_rules! filter {
    (
        $(#[$doc:meta])*
        $vis:vis struct $name:ident {
            $( $(#[doc = $member_doc:literal])* $member:ident : $type:ty ),* $(,)?
        }
        $(only in queries { $( $(#[doc = $query_doc:literal])* $query:ident : $query_type:ty ),* $(,)? })?
        $(set by use cases { $( $(#[doc = $set_doc:literal])* $set:ident : $set_type:ty ),* $(,)? })?
        $(together $check:path;)?
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Default)]
        $vis struct $name {
            $( $(#[doc = $member_doc])* $vis $member: $type, )*
            $( $( $(#[doc = $query_doc])* $vis $query: $query_type, )* )?
            $( $( $(#[doc = $set_doc])* $vis $set: $set_type, )* )?
        }

        impl $crate::kernel::input::Input for $name {
            fn members() -> Vec<$crate::kernel::input::SchemaMember> {
                vec![$( $crate::kernel::input::SchemaMember::documented(
                    stringify!($member),
                    &[$($member_doc),*],
                    false,
                    <$type as $crate::kernel::input::Criterion>::schema(),
                ) ),*]
            }

            fn read(
                mut object: $crate::kernel::input::json::Map<String, $crate::kernel::input::json::Json>,
                at: &str,
                _: $crate::kernel::input::InputMode,
                problems: &mut $crate::kernel::input::Problems,
            ) -> Self {
                let filter = Self {
                    $( $member: $crate::kernel::input::take_criterion(&mut object, stringify!($member), at, problems), )*
                    $( $( $query: Default::default(), )* )?
                    $( $( $set: Default::default(), )* )?
                };
                $crate::kernel::input::refuse_unknown(&object, at, &[$(stringify!($member)),*], problems);
                $( $check(&filter, problems); )?
                filter
            }
        }

        impl $crate::kernel::input::Filter for $name {
            fn parameters() -> Vec<$crate::kernel::input::SchemaMember> {
                let mut members = <Self as $crate::kernel::input::Input>::members();
                let schemas = [$( <$type as $crate::kernel::input::Criterion>::parameter_schema() ),*];
                members.iter_mut().zip(schemas).for_each(|(member, schema)| member.schema = schema);
                $( $(
                    members.push($crate::kernel::input::SchemaMember::documented(
                        stringify!($query),
                        &[$($query_doc),*],
                        false,
                        <$query_type as $crate::kernel::input::Criterion>::parameter_schema(),
                    ));
                )* )?
                members
            }

            fn from_parameters(parameters: &mut dyn $crate::kernel::input::Parameters) -> Self {
                let filter = Self {
                    $( $member: $crate::kernel::input::Criterion::from_parameters(parameters, stringify!($member)), )*
                    $( $( $query: $crate::kernel::input::Criterion::from_parameters(parameters, stringify!($query)), )* )?
                    $( $( $set: Default::default(), )* )?
                };
                $(
                    let mut problems = $crate::kernel::input::Problems::default();
                    $check(&filter, &mut problems);
                    parameters.problems().all_as_shape(problems);
                )?
                filter
            }
        }
    };
}
pub use filter;

/// Removes one criterion from an object and reads it; null means no criterion.
pub fn take_criterion<C: Criterion>(
    object: &mut serde_json::Map<String, Json>,
    name: &str,
    at: &str,
    problems: &mut Problems,
) -> C {
    match object.remove(name) {
        None | Some(Json::Null) => C::default(),
        Some(json) => C::from_json(json, &super::path(at, name), problems),
    }
}

#[cfg(test)]
mod tests;
