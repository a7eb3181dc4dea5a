//! Webhook deliveries, one entry per event.

use domain::event_types::{self, EventType};
use domain::events::{Cascade, EventActor, EventCause};
use http_core::description::Schemas;
use serde_json::{Map, Value as Json, json};

use crate::openapi::tags;

pub(crate) fn all() -> Map<String, Json> {
    event_types::catalogue().iter().map(|event_type| (event_type.event.to_owned(), delivery(event_type))).collect()
}

fn delivery(event_type: &EventType) -> Json {
    let body = json!({ "$ref": format!("#/components/schemas/{}", body_name(event_type.event)) });
    json!({
        "post": {
            "operationId": format!("on_{}", event_type.event.replace('.', "_")),
            "summary": event_type.description,
            "tags": [tags::DELIVERIES.0],
            "security": [],
            "parameters": HEADERS.map(|(name, _)| json!({ "$ref": format!("#/components/parameters/{name}") })),
            "requestBody": { "required": true, "content": { "application/json": { "schema": body } } },
            "responses": {
                "2XX": { "$ref": "#/components/responses/DeliveryReceived" },
                "4XX": { "$ref": "#/components/responses/DeliveryFailed" },
            },
        },
    })
}

/// The component name of an event's delivery body: `DealCreatedDelivery` for `deal.created`.
fn body_name(event: &str) -> String {
    let capitalized = |word: &str| {
        let mut characters = word.chars();
        characters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(characters).collect::<String>()
    };
    event.split(['.', '_']).map(capitalized).collect::<String>() + "Delivery"
}

/// The bodies as components. Each is complete and named: client generators cannot combine parts, and drop unnamed bodies.
pub(crate) fn bodies(schemas: &mut Schemas) -> Map<String, Json> {
    let envelope = envelope(schemas);
    let body = |event_type: &EventType| {
        let mut body = envelope.clone();
        body["properties"]["event"] =
            json!({ "type": "string", "const": event_type.event, "description": "The name of the event." });
        body["properties"]["payload"]["properties"]["data"] = schemas.answer_of(event_type.data);
        (body_name(event_type.event), body)
    };
    event_types::catalogue().iter().map(body).collect()
}

/// The members of every delivery. `GET /api/v1/event-types` returns an example of each payload.
fn envelope(schemas: &mut Schemas) -> Json {
    let change = json!({
        "type": "object", "properties": { "from": {}, "to": {} }, "required": ["from", "to"],
    });
    json!({
        "type": "object",
        "properties": {
            "id": { "type": "string", "format": "uuid", "description": "The id of the delivery, the same in every attempt." },
            // Replaced per event in `bodies`.
            "event": {},
            "event_id": { "type": "string", "format": "uuid", "description": "The id of the event in the event log, the same for every webhook, redelivery and replay. Tests have none.", "x-contract": "additional" },
            "workspace_id": { "type": "string", "format": "uuid" },
            "created_at": { "type": "string", "format": "date-time", "description": "When the event happened." },
            "payload": {
                "type": "object",
                "properties": {
                    "data": {},
                    "changes": {
                        "type": "object", "additionalProperties": change, "description": "The members that changed, each with its old and new value.",
                    },
                    "actor": schemas.answer::<EventActor>(),
                    "cascade": schemas.answer::<Cascade>(),
                    "cause": schemas.answer::<EventCause>(),
                },
                "required": ["data", "changes", "actor"],
            },
        },
        "required": ["id", "event", "event_id", "workspace_id", "created_at", "payload"],
    })
}

/// The receiver's responses, as components.
pub(crate) fn responses() -> [(&'static str, Json); 2] {
    [
        ("DeliveryReceived", json!({ "description": "The delivery was received. It is not sent again." })),
        ("DeliveryFailed", json!({ "description": "The delivery failed. It is retried unless the status is 410." })),
    ]
}

/// The headers of every delivery (interface 16.15).
const HEADERS: [(&str, &str); 9] = [
    (
        "X-Service-Signature",
        "`sha256=` followed by the HMAC-SHA256, in hex, of the timestamp, a period and the body. The key is the secret exactly as shown.",
    ),
    ("X-Service-Timestamp", "When this attempt was sent, in Unix seconds."),
    ("X-Service-Delivery-Id", "The id of the delivery."),
    ("X-Service-Event", "The name of the event."),
    ("X-Service-Event-Id", "The id of the event in the event log, the same for every webhook, redelivery and replay."),
    ("X-Service-Module", "The module of the event."),
    ("webhook-id", "The id of the delivery (Standard Webhooks)."),
    ("webhook-timestamp", "When this attempt was sent, in Unix seconds (Standard Webhooks)."),
    ("webhook-signature", "The signatures of the id, the timestamp and the body (Standard Webhooks)."),
];

/// The headers, as components.
pub(crate) fn headers() -> Map<String, Json> {
    let header = |(name, description): (&str, &str)| {
        let parameter = json!({
            "name": name, "in": "header", "required": true, "description": description, "schema": { "type": "string" },
        });
        (name.to_owned(), parameter)
    };
    HEADERS.into_iter().map(header).collect()
}
