//! The OpenAPI 3.1 document of the REST API, the tool API's plain endpoints and the webhooks.
//!
//! It is generated from the table of operations: parameters, bodies, responses and errors come from the types that parse,
//! serialise and check them ([`http_core::description`]). `cargo xtask openapi` writes the document to
//! `docs/openapi.json`; a test fails when the two differ.

mod errors;
mod examples;
mod headers;
mod links;
mod operation;
pub mod pages;
mod security;
mod tags;
mod webhooks;

use errors::SharedErrors;
use http_core::Operation;
use http_core::description::Schemas;
use serde_json::{Map, Value as Json, json};

/// The document for these operations, without preflights and without operations that have no description, such as pages.
pub fn document<'a>(operations: impl IntoIterator<Item = &'a Operation>) -> Json {
    let mut schemas = Schemas::default();
    let mut shared_errors = SharedErrors::default();
    let mut paths = Map::new();
    for operation in operations {
        let Some(describe) = operation.describe.filter(|_| operation.method != "OPTIONS") else { continue };
        let rendered = operation::render(operation, describe(&mut schemas), &mut shared_errors);
        let path = paths.entry(operation.pattern).or_insert_with(|| json!({}));
        path[operation.method.to_ascii_lowercase()] = rendered;
    }
    links::add(&mut paths);
    let deliveries = webhooks::bodies(&mut schemas);
    let mut responses = shared_errors.finish();
    responses.extend(webhooks::responses().map(|(name, response)| (name.to_owned(), response)));
    responses.sort_keys();
    json!({
        "openapi": "3.1.0",
        "info": info(),
        "servers": [{ "url": "/", "description": "The installation that serves this document" }],
        "tags": tags::all(),
        "paths": paths,
        "webhooks": webhooks::all(),
        "components": {
            "schemas": with_errors(schemas, deliveries),
            "parameters": webhooks::headers(),
            "responses": responses,
            "headers": headers::all(),
            "securitySchemes": security::schemes(),
        },
    })
}

fn info() -> Json {
    json!({
        "title": "Work management API",
        "version": env!("CARGO_PKG_VERSION"),
        "summary": "Contacts, companies, deals, projects, tasks and support tickets",
        "description": "Send an API key as `Authorization: Bearer <API_KEY>`. Operations, parameters and members marked \
                        `x-contract: additional` are outside the supported contract: they follow the same conventions but can \
                        change. Texts are trimmed before they are checked: `minLength` and `maxLength` count what is left.",
        "contact": { "name": "The operator of the installation" },
        "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
    })
}

/// Adds the schemas of deliveries and the two error envelopes (interface 2.8, 2.9).
fn with_errors(schemas: Schemas, deliveries: Map<String, Json>) -> Map<String, Json> {
    let mut all = schemas.finish();
    all.extend(deliveries);
    let text = || json!({ "type": "string" });
    let details = json!({
        "type": "array",
        "description": "One entry per problem found.",
        "items": {
            "type": "object",
            "properties": {
                "field": { "type": "string", "description": "A member such as `tags[3]`, a parameter or a header." },
                "code": text(),
                "message": text(),
            },
            "required": ["field", "code", "message"],
        },
    });
    let existing_id = json!({
        "type": "string", "format": "uuid",
        "description": "The id of the record that already has the value (`duplicate`), or of the time entry that is overlapped (`conflict`).",
    });
    let error = json!({
        "type": "object",
        "properties": {
            "error": {
                "type": "object",
                "properties": {
                    "code": text(), "message": text(), "details": details, "existing_id": existing_id,
                    "request_id": text(),
                },
                "required": ["code", "message", "request_id"],
            },
        },
        "required": ["error"],
    });
    let flat = json!({
        "type": "object",
        "description": "The format of errors of the tool API and of every 429.",
        "properties": {
            "error": { "type": "string", "description": "The error code." },
            "message": text(), "details": details, "existing_id": existing_id,
            "retry_after": { "type": "integer", "minimum": 0, "description": "With 429: seconds to wait before trying again." },
            "request_id": text(),
        },
        "required": ["error", "message", "request_id"],
    });
    all.insert("ErrorBody".to_owned(), error);
    all.insert("FlatError".to_owned(), flat);
    all.sort_keys();
    all
}
