//! Error responses. Operations with the same codes share one component.

use http_core::description::ErrorDescription;
use serde_json::{Map, Value as Json, json};

use crate::openapi::headers;

#[derive(Debug, Default)]
pub(crate) struct SharedErrors(Map<String, Json>);

impl SharedErrors {
    /// The response with this status and any of these errors, by reference.
    pub(crate) fn reference(&mut self, status: u16, errors: &[&ErrorDescription]) -> Json {
        let mut codes: Vec<_> = errors.iter().map(|error| error.code).collect();
        codes.dedup();
        let is_flat = errors.iter().all(|error| error.is_flat);
        let name = [&*status.to_string(), &codes.join("."), if is_flat { "flat" } else { "object" }].join(".");
        self.0.entry(name.clone()).or_insert_with(|| response(status, &codes, is_flat));
        json!({ "$ref": format!("#/components/responses/{name}") })
    }

    pub(crate) fn finish(mut self) -> Map<String, Json> {
        self.0.sort_keys();
        self.0
    }
}

fn response(status: u16, codes: &[&str], is_flat: bool) -> Json {
    let named: Vec<_> = codes.iter().map(|code| format!("`{code}`")).collect();
    let envelope = if is_flat { "FlatError" } else { "ErrorBody" };
    json!({
        "description": named.join(", "),
        "x-error-codes": codes,
        "headers": headers::for_error(status),
        "content": { "application/json": { "schema": { "$ref": format!("#/components/schemas/{envelope}") } } },
    })
}
