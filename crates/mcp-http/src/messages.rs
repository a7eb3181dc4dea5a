//! Parses messages, and answers invalid ones with JSON-RPC errors: the SDK would answer in plain text or with other codes.

use std::borrow::Cow;

use actix_web::http::header::HeaderMap;
use actix_web::web::Bytes;
use domain::kernel::input::json::Json;
use domain::kernel::input::with_markers;
use domain::limits::{Class, Cost};
use domain::tools::Tool;
use rmcp::model::{ErrorData, ProtocolVersion};
use serde_json::json;

use crate::transport::TransportResponse;
use crate::upserts::cost_of;

/// Maximum length of a message id, in bytes, because the response repeats it.
const MAX_ID: usize = 256;
const VERSION_HEADER: &str = "MCP-Protocol-Version";

/// A message, parsed once.
pub(crate) struct Message {
    pub(crate) raw: Bytes,
    pub(crate) cost: Cost,
    /// Its id, for responses; null if it is invalid.
    pub(crate) id: Json,
    /// The error response, if the message is invalid in any revision of the protocol.
    pub(crate) refusal: Option<TransportResponse>,
}

impl Message {
    pub(crate) fn parse(raw: Bytes) -> Self {
        let replaced = match with_markers(&raw) {
            Cow::Borrowed(_) => None,
            Cow::Owned(replaced) => Some(replaced),
        };
        let raw = replaced.map_or(raw, Bytes::from);
        match serde_json::from_slice(&raw) {
            Ok(message) => {
                let id = response_id(&message);
                let refusal = error_in(&message).map(|error| error_response(&id, &error));
                Self { raw, cost: cost_of_message(&message), id, refusal }
            }
            Err(error) => {
                let error = ErrorData::parse_error(format!("the body is not valid JSON: {error}"), None);
                let refusal = Some(error_response(&Json::Null, &error));
                Self { raw, cost: Class::Write.into(), id: Json::Null, refusal }
            }
        }
    }
}

/// The cost of a message: a call has the cost of its tool, everything else is a read.
fn cost_of_message(message: &Json) -> Cost {
    if message["method"] != "tools/call" {
        return Class::Read.into();
    }
    let params = &message["params"];
    let tool = params["name"].as_str().and_then(Tool::parse);
    tool.map_or(Class::Write.into(), |tool| cost_of(tool, &params["arguments"]["items"]))
}

fn error_in(message: &Json) -> Option<ErrorData> {
    if message.is_array() {
        return Some(invalid("batches are not supported: send one message per request"));
    }
    if message.get("id").is_some_and(|id| !is_id(id)) {
        return Some(invalid("id must be an integer, or a string of at most 256 bytes"));
    }
    if message["jsonrpc"] != "2.0" {
        return Some(invalid("jsonrpc must be \"2.0\""));
    }
    if message.get("params").is_some_and(|params| !params.is_object()) {
        return Some(ErrorData::invalid_params("params must be an object", None));
    }
    params_problem(message).map(|problem| ErrorData::invalid_params(problem, None))
}

/// Checks the parameters of `tools/call` and `initialize`.
fn params_problem(message: &Json) -> Option<&'static str> {
    let params = &message["params"];
    match message["method"].as_str() {
        Some("tools/call") if !params["name"].is_string() => Some("params.name must be the name of a tool"),
        // Missing arguments and null both mean no arguments.
        Some("tools/call")
            if params.get("arguments").is_some_and(|arguments| !arguments.is_object() && !arguments.is_null()) =>
        {
            Some("params.arguments must be an object")
        }
        Some("initialize") if !params["protocolVersion"].is_string() => Some("params.protocolVersion must be a string"),
        Some("initialize") if !params["capabilities"].is_object() || !params["clientInfo"].is_object() => {
            Some("params.capabilities and params.clientInfo must be objects")
        }
        _ => None,
    }
}

fn invalid(message: &'static str) -> ErrorData {
    ErrorData::invalid_request(message, None)
}

/// Converts a plain text error of the SDK about a message with this id.
pub(crate) fn protocol_error(id: &Json, headers: &HeaderMap, text: &str) -> TransportResponse {
    let version = headers.get(VERSION_HEADER).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let known = ProtocolVersion::KNOWN_VERSIONS;
    let error = if version.is_empty() || known.iter().any(|known| known.as_str() == version) {
        ErrorData::invalid_request(text.to_owned(), None)
    } else {
        let version_text: String = version.chars().take(MAX_ID).collect();
        serde_json::from_value(json!(version_text)).map_or_else(
            |_| invalid("the protocol version is not supported"),
            |version: ProtocolVersion| ErrorData::unsupported_protocol_version(version, known),
        )
    };
    error_response(id, &error)
}

fn is_id(id: &Json) -> bool {
    id.is_i64() || id.as_str().is_some_and(|text| text.len() <= MAX_ID)
}

/// The id of a message for the response; null if it is invalid.
fn response_id(message: &Json) -> Json {
    message.get("id").filter(|id| is_id(id)).cloned().unwrap_or_default()
}

fn error_response(id: &Json, error: &ErrorData) -> TransportResponse {
    let body = json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string();
    let content_type = Some("application/json".to_owned());
    TransportResponse { status: 400, content_type, body: Bytes::from(body), is_replayed: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(raw: &str) -> Message {
        Message::parse(Bytes::copy_from_slice(raw.as_bytes()))
    }

    fn code(raw: &str) -> Option<i64> {
        let response = parse(raw).refusal?;
        assert_eq!(response.status, 400);
        let body: Json = serde_json::from_slice(&response.body).unwrap();
        body["error"]["code"].as_i64()
    }

    #[test]
    fn each_error_has_its_code() {
        for (raw, expected) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, None),
            (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, None),
            (r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"x"}}"#, None),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":null}}"#, None),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":1e309}}}"#, None),
            ("{", Some(-32700)),
            ("[]", Some(-32600)),
            ("1", Some(-32600)),
            (r#"{"id":1,"method":"ping"}"#, Some(-32600)),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, Some(-32600)),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, Some(-32600)),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, Some(-32602)),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#, Some(-32602)),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":"y"}}"#, Some(-32602)),
            (r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#, Some(-32602)),
        ] {
            assert_eq!(code(raw), expected, "{raw}");
        }
        let long = format!(r#"{{"jsonrpc":"2.0","id":"{}","method":"ping"}}"#, "x".repeat(257));
        assert_eq!(code(&long), Some(-32600));
    }

    #[test]
    fn calls_count_in_the_class_of_their_tool() {
        for (message, class) in [
            (r#"{"method":"tools/list"}"#, Class::Read),
            (r#"{"method":"initialize"}"#, Class::Read),
            (r#"{"method":"tools/call","params":{"name":"get_deal"}}"#, Class::Read),
            (r#"{"method":"tools/call","params":{"name":"create_deal"}}"#, Class::Write),
            (r#"{"method":"tools/call","params":{"name":"bulk_update_issues"}}"#, Class::Bulk),
            (r#"{"method":"tools/call","params":{"name":"delete_cycle"}}"#, Class::Write),
            (r#"{"method":"tools/call","params":{"name":"nope"}}"#, Class::Write),
            (r#"{"method":"tools/call"}"#, Class::Write),
            ("{", Class::Write),
            ("[]", Class::Read),
        ] {
            assert_eq!(parse(message).cost.class, class, "{message}");
        }
    }

    #[test]
    fn an_upsert_of_few_items_counts_as_writes() {
        for (name, items, expected) in [
            ("upsert_deals", "[{},{}]", 2),
            ("upsert_deals", r#""[{},{}]""#, 2),
            ("upsert_deals", "{}", 1),
            ("upsert_deals", r#""[{},""#, 1),
            ("create_deal", "[{},{}]", 1),
        ] {
            let call =
                format!(r#"{{"method":"tools/call","params":{{"name":"{name}","arguments":{{"items":{items}}}}}}}"#);
            let Cost { class, requests, .. } = parse(&call).cost;
            assert_eq!((class, requests), (Class::Write, expected), "{call}");
        }
    }
}
