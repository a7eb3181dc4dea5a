//! Parsing and validation of client input (interface 1 and 2).
//!
//! A body is parsed once into a strict JSON object, and each member into a type that validates itself. Shape problems
//! are 400 and rule problems 422, all problems of a kind together. REST and tools share these types.

mod characters;
mod choice;
mod created;
mod currencies;
mod custom_fields;
mod email;
mod field;
mod filter;
mod inexact;
pub mod json;
mod label;
pub mod leniency;
mod number;
pub mod output_schema;
mod problem;
pub mod schema;
mod stored;
mod structured;
mod text;
mod time_texts;
mod timestamp;
mod web_url;

pub(crate) use characters::{one_line, without_ends};
pub(crate) use choice::{choices, read_choice, readable_choices};
pub use created::CreatedFilter;
pub(crate) use created::{note_range, times_of_creation};
pub use currencies::is_currency;
pub(crate) use custom_fields::{CUSTOM_FIELDS, changed_custom_fields};
pub use custom_fields::{CustomFields, MAX_CUSTOM_FIELDS_BYTES, MAX_CUSTOM_FIELDS_DEPTH};
pub use email::{EmailAddress, EmailKey};
pub(crate) use email::{has_one_spelling, in_own_script};
pub use field::{
    EXTERNAL_IDS, Field, Input, InputMode, Read, Value, fields, path, refuse_empty, refuse_external_ids,
    refuse_unknown, take,
};
pub use filter::{Criterion, Filter, FilterValue, MAX_IDS, MAX_TAGS, Number, Parameters, Tag, filter, take_criterion};
pub(crate) use filter::{filter_texts, filter_values};
pub use inexact::with_markers;
pub use label::{Label, fold_label, indexed_forms};
pub use number::{Count, Integer, Percentage, TwoDecimals, decimal_as_number, optional_decimal_as_number};
pub use problem::{Problem, Problems};
pub use schema::SchemaMember;
pub use stored::{JsonForm, Masked, Storable};
pub(crate) use stored::{as_json, plain_json, stored_as_is};
pub use structured::{Items, Several};
pub(crate) use text::text_access;
pub use text::{Currency, HostName, Line, LongText, OptionalReference};
pub use timestamp::{DueTime, format_timestamp, parse_date, parse_uuid};
pub use web_url::{GithubUrl, TargetUrl, WebUrl};
