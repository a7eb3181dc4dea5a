//! The deliveries of webhooks, an entry for each event.

use domain::event_types::{self, EventType};
use domain::events::EventActor;
use http_core::description::Schemas;
use serde_json::{Map, Value as Json, json};

pub(crate) fn all(schemas: &mut Schemas) -> Map<String, Json> {
    event_types::catalogue().iter().map(|known| (known.event.to_owned(), delivery(known, schemas))).collect()
}

/// What the examples show beside the payload.
const EXAMPLE_ID: &str = "01970000-0000-7000-8000-000000000001";
const EXAMPLE_TIME: &str = "2026-11-22T09:30:00.000Z";

fn delivery(known: &EventType, schemas: &mut Schemas) -> Json {
    let change = json!({
        "type": "object", "properties": { "from": true, "to": true }, "required": ["from", "to"],
    });
    let payload = json!({
        "type": "object",
        "properties": {
            "data": event_types::data_schema(known, schemas),
            "changes": { "type": "object", "additionalProperties": change, "description": "The members that changed." },
            "actor": schemas.answer::<EventActor>(),
        },
        "required": ["data", "changes", "actor"],
    });
    let example = json!({
        "id": EXAMPLE_ID, "event": known.event, "workspace_id": EXAMPLE_ID, "created_at": EXAMPLE_TIME,
        "payload": known.example,
    });
    let body = json!({
        "type": "object",
        "properties": {
            "id": { "type": "string", "format": "uuid", "description": "The id of the delivery, the same in every attempt." },
            "event": { "const": known.event },
            "workspace_id": { "type": "string", "format": "uuid" },
            "created_at": { "type": "string", "format": "date-time", "description": "When it happened." },
            "payload": payload,
        },
        "required": ["id", "event", "workspace_id", "created_at", "payload"],
    });
    json!({
        "post": {
            "operationId": format!("on_{}", known.event.replace('.', "_")),
            "summary": known.description,
            "tags": ["Webhooks"],
            "security": [],
            "parameters": HEADERS.map(|(name, _)| json!({ "$ref": format!("#/components/parameters/{name}") })),
            "requestBody": {
                "required": true,
                "content": { "application/json": { "schema": body, "example": example } },
            },
            "responses": {
                "2XX": { "description": "The delivery was received: it is not sent again." },
                "4XX": { "description": "The delivery failed. It is tried again, unless the answer is 410." },
            },
        },
    })
}

/// The headers of every delivery (interface 16.15).
const HEADERS: [(&str, &str); 8] = [
    (
        "X-Service-Signature",
        "`sha256=` and the HMAC-SHA256, in hex, of timestamp, a period and the body, keyed with the secret as it is shown.",
    ),
    ("X-Service-Timestamp", "When this attempt was sent, in seconds since 1970."),
    ("X-Service-Delivery-Id", "The id of the delivery."),
    ("X-Service-Event", "The name of the event."),
    ("X-Service-Module", "The module of the event."),
    ("webhook-id", "The id of the delivery (Standard Webhooks)."),
    ("webhook-timestamp", "When this attempt was sent, in seconds since 1970 (Standard Webhooks)."),
    ("webhook-signature", "The signatures of id, timestamp and body (Standard Webhooks)."),
];

/// The headers, as components.
pub(crate) fn headers() -> Map<String, Json> {
    let header = |(name, description): (&str, &str)| {
        let shown = json!({
            "name": name, "in": "header", "required": true, "description": description, "schema": { "type": "string" },
        });
        (name.to_owned(), shown)
    };
    HEADERS.into_iter().map(header).collect()
}
