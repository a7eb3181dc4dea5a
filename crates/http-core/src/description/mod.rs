//! Descriptions of operations: the source of the OpenAPI document.
//!
//! They are derived, so nothing is stated twice: parameters and bodies come from the types that read them, responses
//! from the types that are serialised, errors from the parts of the operation.

mod answer;
mod schemas;

pub use answer::{
    Accepted, Answer, AnswerDescription, AnswerHeader, Changed, Created, CreatedUnwrapped, CreatedWithoutLocation,
    Deleted, ListOf, NoContent, Shown, Versioned,
};
pub use schemas::{Schemas, shown};

pub use crate::describe::ErrorDescription;

use std::borrow::Cow;

use domain::kernel::idempotency::MAX_KEY_LENGTH;
use domain::kernel::input::{Filter, SchemaMember};
use domain::kernel::paging::{DEFAULT_LIMIT, MAX_LIMIT, MAX_OFFSET};
use domain::kernel::versions::ExpectedVersion;
use domain::records::Members;
use serde_json::{Value as Json, json};

use crate::conditions::NoneMatch;
use crate::idempotency::IdempotencyKey;
use crate::query::{Any, FIELDS, Filtered, Paged, Records};

/// What an operation takes and returns.
#[derive(Debug)]
pub struct Description {
    /// Its name among all operations, such as `deals_create`.
    pub id: String,
    /// What it does, as a sentence in the imperative.
    pub summary: Cow<'static, str>,
    /// Further notes; empty for most operations.
    pub note: &'static str,
    /// Whether it is beyond the supported contract (interface 19.9).
    pub is_additional: bool,
    pub query: Vec<Parameter>,
    pub headers: Vec<Parameter>,
    pub body: Option<BodyDescription>,
    pub answers: Vec<AnswerDescription>,
    pub errors: Vec<ErrorDescription>,
}

/// A query parameter or a header.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    pub name: String,
    pub description: String,
    pub is_required: bool,
    /// Whether it is beyond the supported contract (interface 19.9).
    pub is_additional: bool,
    pub schema: Json,
}

#[derive(Debug, Clone, PartialEq)]
pub struct BodyDescription {
    pub is_required: bool,
    pub schema: Json,
}

impl Parameter {
    /// An optional parameter.
    pub fn new(name: &str, description: &str, schema: Json) -> Self {
        let (name, description) = (name.to_owned(), description.to_owned());
        Self { name, description, is_required: false, is_additional: false, schema }
    }

    /// Marks the parameter as beyond the supported contract.
    #[must_use]
    pub fn additional(self) -> Self {
        Self { is_additional: true, ..self }
    }

    #[must_use]
    pub fn required(self) -> Self {
        Self { is_required: true, ..self }
    }
}

/// The query parameters or headers that an operation reads.
pub trait Described {
    fn parameters() -> Vec<Parameter>;
}

impl Described for () {
    fn parameters() -> Vec<Parameter> {
        Vec::new()
    }
}

impl Described for Any {
    fn parameters() -> Vec<Parameter> {
        Vec::new()
    }
}

impl<T> Described for Paged<T> {
    fn parameters() -> Vec<Parameter> {
        paging()
    }
}

impl<F: Filter, T> Described for Filtered<F, T> {
    fn parameters() -> Vec<Parameter> {
        parameters_of(F::parameters()).into_iter().chain(paging()).collect()
    }
}

impl<F: Filter, T: Members> Described for Records<F, T> {
    fn parameters() -> Vec<Parameter> {
        let mut parameters = Filtered::<F, T>::parameters();
        parameters.push(fields(T::MEMBERS));
        parameters
    }
}

/// The parameter that selects which of these fields a list returns.
fn fields(members: &[&str]) -> Parameter {
    let description = "The members to show of each record, separated by commas; all by default. `id` is always shown. The \
                       others are absent from the answer, although its schema requires them.";
    let any = members.join("|");
    let schema = json!({ "type": "string", "pattern": format!("^({any})(,({any}))*$") });
    Parameter::new(FIELDS, description, schema).additional()
}

/// Converts the members of a filter to parameters.
pub fn parameters_of(members: Vec<SchemaMember>) -> Vec<Parameter> {
    let parameter = |member: SchemaMember| {
        let SchemaMember { name, description, is_required, is_additional, schema, .. } = member;
        let schema = schemas::shown(schema);
        Parameter { is_required, is_additional, ..Parameter::new(name, &description, schema) }
    };
    members.into_iter().map(parameter).collect()
}

/// The parameters of every list (interface 3).
pub fn paging() -> Vec<Parameter> {
    vec![
        Parameter::new(
            "page",
            "The page number; cannot be combined with `cursor`. `page` × `limit` must be at most 100,000; a cursor goes further.",
            json!({ "type": "integer", "minimum": 1, "maximum": MAX_OFFSET, "default": 1 }),
        ),
        limit(),
        Parameter::new(
            "cursor",
            "`pagination.nextCursor` of the previous page.",
            json!({ "type": "string", "minLength": 1 }),
        )
        .additional(),
    ]
}

/// The parameter for the maximum number of items in a response.
pub fn limit() -> Parameter {
    let schema = json!({ "type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT });
    Parameter::new("limit", "Maximum number of items.", schema)
}

/// `*`, or entity tags. One string with a pattern, because client generators reject `anyOf` in headers.
fn tags() -> Json {
    let tag = r#"(W/)?"[^\s"]*""#;
    json!({ "type": "string", "pattern": format!(r"^(\*|{tag}( *, *{tag})*)$"), "examples": ["\"3\""] })
}

impl Described for ExpectedVersion {
    fn parameters() -> Vec<Parameter> {
        let description = "The `ETag` of the version to change. If the record has another version, the response is 409 \
                           `concurrent_update` and nothing changes. `*` or no header: any version.";
        vec![Parameter::new("If-Match", description, tags())]
    }
}

impl Described for NoneMatch {
    fn parameters() -> Vec<Parameter> {
        let description = "The `ETag` of the version that the client has. If it is still current, the response is 304 \
                           without a body.";
        vec![Parameter::new("If-None-Match", description, tags())]
    }
}

impl Described for IdempotencyKey {
    fn parameters() -> Vec<Parameter> {
        let description = "Makes the request safe to retry: for 24 hours, the same request with the same key gets the \
                           first response again and does nothing more.";
        let schema = json!({ "type": "string", "minLength": 1, "maxLength": MAX_KEY_LENGTH, "pattern": "^[ -~]+$" });
        vec![Parameter::new("Idempotency-Key", description, schema)]
    }
}
