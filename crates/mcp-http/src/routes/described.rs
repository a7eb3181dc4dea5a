//! Describes the plain endpoints for the OpenAPI document, because they have no endpoint types to derive it from.

use domain::ErrorCode;
use domain::kernel::input::schema::object_schema;
use domain::kernel::input::{Input, InputMode};
use domain::tools::Feature;
use http_core::description::{
    AnswerDescription, BodyDescription, Described, Description, ErrorDescription, Parameter, Schemas, parameters_of,
    shown,
};
use http_core::idempotency::IdempotencyKey;
use serde_json::{Value as Json, json};

use crate::listing::ListRequest;

const ANY_OBJECT: fn() -> Json = || json!({ "type": "object", "additionalProperties": true });

/// The document names one class for each operation.
const CLASS_BY_TOOL: &str = "Counts in the class of the tool: calls of read-only tools as `read`, those of bulk tools as `bulk`, others as `write`.";

/// The description of an operation without parameters or body.
fn plain(id: &str, summary: &'static str, answer: AnswerDescription) -> Description {
    Description {
        id: id.to_owned(),
        summary: summary.into(),
        note: "",
        is_additional: false,
        query: Vec::new(),
        headers: Vec::new(),
        body: None,
        answers: vec![answer],
        errors: errors(&[ErrorCode::Unauthorized, ErrorCode::Forbidden]),
    }
}

fn errors(codes: &[ErrorCode]) -> Vec<ErrorDescription> {
    let mut all = ErrorDescription::for_codes("/api/mcp", codes);
    all.extend(ErrorDescription::for_every_operation("/api/mcp"));
    all.sort_unstable();
    all
}

fn with_body(mut description: Description, is_required: bool, schema: Json) -> Description {
    description.errors.extend(ErrorDescription::for_bodies("/api/mcp"));
    description.errors.sort_unstable();
    Description { body: Some(BodyDescription { is_required, schema }), ..description }
}

pub(super) fn session(schemas: &mut Schemas) -> Description {
    let schema = schemas.answer::<super::session::Session<'_>>();
    plain(
        "tools_session",
        "Show the API key, its permissions and its limits",
        AnswerDescription::json(200, "The key.", schema),
    )
}

fn tool_list() -> AnswerDescription {
    let tool = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string" },
            "title": { "type": "string" },
            "description": { "type": "string" },
            "feature": { "type": "string", "enum": Feature::ALL.iter().map(|feature| feature.as_str()).collect::<Vec<_>>() },
            "permission": { "type": ["string", "null"], "description": "The permission that it requires; null if every key may call it." },
            "permissions": {
                "type": "array", "items": { "type": "string" },
                "description": "The permissions of a denied tool that has several. Any one is enough, unless `needsAllPermissions`.",
            },
            "needsAllPermissions": { "type": "boolean", "description": "Whether it requires all of `permissions`." },
            "repeatable": { "type": "boolean", "description": "False if a call must not be retried, even with an `Idempotency-Key`; absent otherwise." },
            "allowed": { "type": "boolean", "description": "Whether the key may call it." },
            "inputSchema": ANY_OBJECT(),
            "outputSchema": ANY_OBJECT(),
            "annotations": ANY_OBJECT(),
        },
        "required": ["name", "title", "description", "feature", "permission", "annotations", "allowed"],
        "additionalProperties": true,
    });
    let list = json!({
        "type": "object",
        "properties": {
            "tools": { "type": "array", "items": tool },
            "count": { "type": "integer", "description": "The number of tools in the list." },
        },
        "required": ["tools", "count"],
        "additionalProperties": true,
    });
    AnswerDescription::json(200, "The tools that the key may call.", list)
}

/// Features as a comma-separated string.
fn features() -> Json {
    let names = Feature::ALL.iter().map(|feature| feature.as_str()).collect::<Vec<_>>().join("|");
    let list = format!("^ *({names}) *(, *({names}) *)*$");
    json!({ "type": "string", "pattern": list, "description": "Features, separated by commas.", "examples": ["crm,projects"] })
}

/// The flags in a query.
fn flags() -> Vec<Parameter> {
    let mut flags = parameters_of(ListRequest::members());
    for flag in flags.iter_mut().filter(|flag| flag.name == "features") {
        flag.schema = features();
    }
    flags
}

/// The flags in a body, where features may also be an array.
fn flags_in_body() -> Json {
    let mut body = shown(object_schema(&ListRequest::members(), InputMode::Create));
    let flag = &mut body["properties"]["features"];
    *flag = json!({ "anyOf": [flag.take(), features()] });
    body
}

pub(super) fn list_by_query(_: &mut Schemas) -> Description {
    Description { query: flags(), ..plain("tools_list", "List the tools that the key may call", tool_list()) }
}

pub(super) fn list_by_body(_: &mut Schemas) -> Description {
    let summary = "List the tools that the key may call, with the flags in the body";
    let description = plain("tools_list_by_body", summary, tool_list());
    let described = with_body(description, false, flags_in_body());
    Description { query: flags(), ..described }
}

pub(super) fn call(_: &mut Schemas) -> Description {
    let result = json!({
        "type": "object",
        "properties": {
            "content": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": { "type": { "type": "string", "const": "text" }, "text": { "type": "string" } },
                    "required": ["type", "text"],
                },
            },
            "structuredContent": {
                "type": "object",
                "additionalProperties": true,
                "description": "The result, which matches the tool's output schema; absent if `isError`.",
            },
            "isError": { "type": "boolean", "description": "Whether the call failed; the text says why." },
        },
        "required": ["content", "isError"],
    });
    let arguments = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "description": "The name of the tool." },
            "arguments": {
                "type": ["object", "null"], "additionalProperties": true,
                "description": "The arguments, which must match the tool's input schema.",
            },
            "_meta": { "description": "Ignored." },
        },
        "required": ["name"],
        "additionalProperties": false,
    });
    let description = plain("tools_call", "Call a tool", AnswerDescription::json(200, "The result.", result));
    let mut described = with_body(description, true, arguments);
    described.headers = IdempotencyKey::parameters();
    described.note = CLASS_BY_TOOL;
    let codes = [
        ErrorCode::UnknownTool,
        ErrorCode::InvalidArguments,
        ErrorCode::NotFound,
        ErrorCode::IdempotencyConflict,
        ErrorCode::QuotaExceeded,
        ErrorCode::TrialQuotaExceeded,
    ];
    described.errors.extend(ErrorDescription::for_codes("/api/mcp", &codes));
    described.errors.sort_unstable();
    described
}

fn json_rpc_error() -> Json {
    json!({
        "type": "object",
        "properties": {
            "jsonrpc": { "type": "string", "const": "2.0" },
            "id": { "type": ["string", "integer", "null"] },
            "error": {
                "type": "object",
                "properties": { "code": { "type": "integer" }, "message": { "type": "string" }, "data": {} },
                "required": ["code", "message"],
            },
        },
        "required": ["jsonrpc", "error"],
    })
}

pub(super) fn streamable_http(_: &mut Schemas) -> Description {
    let message = json!({
        "type": "object",
        "properties": {
            "jsonrpc": { "type": "string", "const": "2.0" },
            "id": {
                "type": ["string", "integer"],
                "description": "The id of a request; a notification has none.",
            },
            "method": { "type": "string" },
            "params": ANY_OBJECT(),
        },
        "required": ["jsonrpc", "method"],
        "additionalProperties": true,
    });
    let answer = AnswerDescription::json(200, "The response to a request.", ANY_OBJECT());
    // Until a message is parsed, errors use the API's flat envelope.
    let error_schema = || json!({ "anyOf": [{ "$ref": "#/components/schemas/FlatError" }, json_rpc_error()] });
    let mut description = plain("tools_streamable_http", "Exchange MCP messages over Streamable HTTP", answer);
    description.answers.extend([
        AnswerDescription::empty(202, "The notification was received."),
        AnswerDescription::json(400, "The message does not follow the protocol.", error_schema()),
        AnswerDescription::json(404, "There is no such method.", error_schema()),
    ]);
    description.is_additional = true;
    description.note = CLASS_BY_TOOL;
    description.query = flags().into_iter().filter(|flag| flag.name == "features").collect();
    with_body(description, true, message)
}
