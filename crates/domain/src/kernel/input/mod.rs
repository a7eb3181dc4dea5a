//! Parsing and validation of client input (interface 1 and 2).
//!
//! A body is parsed once into a strict JSON object, and each member into a type that validates itself. Shape problems
//! are 400 and rule problems 422, all problems of a kind together. REST and tools share these types.

mod characters;
mod choice;
mod currencies;
mod email;
mod field;
mod filter;
pub mod json;
pub mod leniency;
mod number;
mod problem;
pub mod schema;
mod stored;
mod structured;
mod text;
mod time_texts;
mod timestamp;

pub(crate) use choice::{choices, read_choice, readable_choices};
pub use currencies::is_currency;
pub(crate) use email::in_own_script;
pub use email::{EmailAddress, EmailKey};
pub use field::{Field, Input, InputMode, Read, Value, fields, path, refuse_unknown, take};
pub use filter::{Criterion, Filter, FilterValue, MAX_TAGS, Number, Parameters, Tag, filter, take_criterion};
pub(crate) use filter::{filter_texts, filter_values};
pub use number::{Count, Integer, Percentage, TwoDecimals, decimal_as_number, optional_decimal_as_number};
pub use problem::{Problem, Problems};
pub use schema::SchemaMember;
pub use stored::{JsonForm, Storable};
pub(crate) use stored::{as_json, plain_json, stored_as_is};
pub use structured::{CustomFields, Items, MAX_CUSTOM_FIELDS_BYTES, MAX_CUSTOM_FIELDS_DEPTH, Several};
pub use text::{Currency, GithubUrl, HostName, Line, LongText, OptionalReference, WebUrl};
pub use timestamp::{format_timestamp, parse_date, parse_uuid};
