//! Response headers (interface 1.22).

use http_core::Operation;
use http_core::description::AnswerHeader;
use serde_json::{Map, Value as Json, json};

const REQUEST_ID: &str = "X-Request-Id";
const API_VERSION: &str = "X-API-Version";
const LIMIT: &str = "X-RateLimit-Limit";
const REMAINING: &str = "X-RateLimit-Remaining";
const RESET: &str = "X-RateLimit-Reset";
const RETRY_AFTER: &str = "Retry-After";

/// The header components.
pub(crate) fn all() -> Json {
    let whole = || json!({ "type": "integer", "minimum": 0 });
    let text = || json!({ "type": "string" });
    let header = |description: &str, schema: Json| json!({ "description": description, "schema": schema });
    json!({
        REQUEST_ID: header("The id of the request, also in log lines and errors.", text()),
        API_VERSION: header("The version of the API.", json!({ "type": "string", "const": "v1" })),
        LIMIT: header("Maximum number of requests in the window.", whole()),
        REMAINING: header("Requests left in the window.", whole()),
        RESET: header("When the window ends, in Unix seconds.", whole()),
        RETRY_AFTER: header("Seconds to wait before trying again.", whole()),
        name_of(AnswerHeader::ETag): header("The version of the record, for `If-Match` and `If-None-Match`.", text()),
        name_of(AnswerHeader::Location): header("The path of the new record.", text()),
        name_of(AnswerHeader::IdempotentReplayed):
            header("Sent if this is the stored response to the first request with this `Idempotency-Key`.", json!({ "type": "string", "const": "true" })),
    })
}

const fn name_of(header: AnswerHeader) -> &'static str {
    match header {
        AnswerHeader::ETag => "ETag",
        AnswerHeader::Location => "Location",
        AnswerHeader::IdempotentReplayed => "Idempotent-Replayed",
    }
}

/// The headers of one response, as references.
pub(crate) fn for_response(operation: &Operation, specific: &[AnswerHeader]) -> Map<String, Json> {
    let mut names = vec![REQUEST_ID, LIMIT, REMAINING, RESET];
    if operation.pattern.starts_with("/api/v1/") {
        names.push(API_VERSION);
    }
    names.extend(specific.iter().copied().map(name_of));
    if operation.takes_idempotency_key {
        names.push(name_of(AnswerHeader::IdempotentReplayed));
    }
    references(&names)
}

/// The headers of an error response, as references.
pub(crate) fn for_error(status: u16) -> Map<String, Json> {
    let mut names = vec![REQUEST_ID, LIMIT, REMAINING, RESET];
    if matches!(status, 429 | 503) {
        names.push(RETRY_AFTER);
    }
    references(&names)
}

fn references(names: &[&str]) -> Map<String, Json> {
    let reference = |name: &&str| ((*name).to_owned(), json!({ "$ref": format!("#/components/headers/{name}") }));
    names.iter().map(reference).collect()
}
