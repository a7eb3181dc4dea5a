//! The forms of successful responses, each with its status, headers and envelope.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::Schemas;
use crate::data::{Deleted as DeletedRecord, Pagination};

/// A response that is not an error.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerDescription {
    pub status: u16,
    pub description: &'static str,
    pub headers: Vec<AnswerHeader>,
    /// The schema by media type; empty if there is no body.
    pub content: Vec<(&'static str, Json)>,
}

/// A response header, in addition to those of every response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnswerHeader {
    ETag,
    Location,
    IdempotentReplayed,
}

/// The successful responses of an operation.
pub trait Answer {
    fn answers(schemas: &mut Schemas) -> Vec<AnswerDescription>;
}

const JSON: &str = "application/json";

impl AnswerDescription {
    pub fn json(status: u16, description: &'static str, schema: Json) -> Self {
        Self { status, description, headers: Vec::new(), content: vec![(JSON, schema)] }
    }

    /// A JSON body with the value in `data`.
    pub fn data(status: u16, description: &'static str, schema: &Json) -> Self {
        Self::json(status, description, envelope(schema))
    }

    #[must_use]
    pub fn with(mut self, header: AnswerHeader) -> Self {
        self.headers.push(header);
        self
    }

    /// No body.
    pub const fn empty(status: u16, description: &'static str) -> Self {
        Self { status, description, headers: Vec::new(), content: Vec::new() }
    }
}

fn envelope(schema: &Json) -> Json {
    json!({ "type": "object", "properties": { "data": schema }, "required": ["data"] })
}

/// The schema of a page with its [`Pagination`].
fn page_of(schemas: &mut Schemas, item: &Json) -> Json {
    let pagination = schemas.answer::<Pagination<'_>>();
    json!({
        "type": "object",
        "properties": { "data": { "type": "array", "items": item }, "pagination": pagination },
        "required": ["data", "pagination"]
    })
}

/// Declares the forms that consist of one description of one type.
macro_rules! forms {
    ($( $(#[$doc:meta])* $name:ident($schemas:ident, $item:ident) => $answers:expr; )*) => { $(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<T>(PhantomData<T>);

        impl<T: JsonSchema> Answer for $name<T> {
            fn answers($schemas: &mut Schemas) -> Vec<AnswerDescription> {
                let $item = $schemas.answer::<T>();
                $answers
            }
        }
    )* };
}

forms! {
    /// [`responses::list`](crate::responses::list).
    ListOf(schemas, item) => vec![AnswerDescription::json(200, "A page of the list.", page_of(schemas, &item))];
    /// [`responses::one`](crate::responses::one).
    Versioned(schemas, item) => vec![
        AnswerDescription::data(200, "The record.", &item).with(AnswerHeader::ETag),
        AnswerDescription::empty(304, "The client already has this version.").with(AnswerHeader::ETag),
    ];
    /// [`responses::changed`](crate::responses::changed).
    Changed(schemas, item) => vec![AnswerDescription::data(200, "The record after the change.", &item).with(AnswerHeader::ETag)];
    /// [`responses::ok`](crate::responses::ok).
    Shown(schemas, item) => vec![AnswerDescription::data(200, "The result.", &item)];
    /// [`responses::accepted`](crate::responses::accepted).
    Accepted(schemas, item) => vec![AnswerDescription::data(202, "Accepted; the work continues in the background.", &item)];
    /// [`responses::created`](crate::responses::created).
    Created(schemas, item) => vec![AnswerDescription::data(201, "The new record.", &item).with(AnswerHeader::Location)];
    /// [`responses::created_without_location`](crate::responses::created_without_location).
    CreatedWithoutLocation(schemas, item) => vec![AnswerDescription::data(201, "The new record.", &item)];
    /// [`responses::created_unwrapped`](crate::responses::created_unwrapped).
    CreatedUnwrapped(schemas, item) => vec![AnswerDescription::json(201, "The new record.", item)];
}

/// [`responses::deleted`](crate::responses::deleted).
#[derive(Debug)]
pub struct Deleted;

impl Answer for Deleted {
    fn answers(schemas: &mut Schemas) -> Vec<AnswerDescription> {
        let item = schemas.answer::<DeletedRecord<Uuid>>();
        vec![AnswerDescription::data(200, "Deleted.", &item)]
    }
}

/// A response without a body.
#[derive(Debug)]
pub struct NoContent;

impl Answer for NoContent {
    fn answers(_: &mut Schemas) -> Vec<AnswerDescription> {
        vec![AnswerDescription::empty(204, "Done; the response has no body.")]
    }
}

/// The responses of both: an operation sends one or the other.
impl<A: Answer, B: Answer> Answer for (A, B) {
    fn answers(schemas: &mut Schemas) -> Vec<AnswerDescription> {
        let mut both = A::answers(schemas);
        both.extend(B::answers(schemas));
        both
    }
}
