//! The deliveries of webhooks, an entry for each event.

use domain::event_types;
use serde_json::{Map, Value as Json, json};

pub(crate) fn all() -> Map<String, Json> {
    event_types::catalogue().iter().map(|known| (known.event.to_owned(), delivery(known))).collect()
}

fn delivery(known: &event_types::EventType) -> Json {
    let body = json!({
        "type": "object",
        "properties": {
            "id": { "type": "string", "format": "uuid", "description": "The id of the delivery, the same in every attempt." },
            "event": { "const": known.event },
            "workspace_id": { "type": "string", "format": "uuid" },
            "created_at": { "type": "string", "format": "date-time", "description": "When it happened." },
            "payload": known.schema,
        },
        "required": ["id", "event", "workspace_id", "created_at", "payload"],
    });
    json!({
        "post": {
            "operationId": format!("on_{}", known.event.replace('.', "_")),
            "summary": known.description,
            "tags": ["Webhooks"],
            "security": [],
            "parameters": headers(),
            "requestBody": {
                "required": true,
                "content": { "application/json": { "schema": body } },
            },
            "responses": {
                "2XX": { "description": "The delivery was received: it is not sent again." },
                "4XX": { "description": "The delivery failed. It is tried again, unless the answer is 410." },
            },
        },
    })
}

fn headers() -> Vec<Json> {
    let header = |name: &str, description: &str| json!({ "name": name, "in": "header", "required": true, "description": description, "schema": { "type": "string" } });
    vec![
        header(
            "X-Service-Signature",
            "`sha256=` and the HMAC-SHA256, in hex, of timestamp, a period and the body, keyed with the secret as it is shown.",
        ),
        header("X-Service-Timestamp", "When this attempt was sent, in seconds since 1970."),
        header("X-Service-Delivery-Id", "The id of the delivery."),
        header("X-Service-Event", "The name of the event."),
        header("X-Service-Module", "The module of the event."),
        header("webhook-id", "The id of the delivery (Standard Webhooks)."),
        header("webhook-timestamp", "When it was sent, in seconds since 1970 (Standard Webhooks)."),
        header("webhook-signature", "The signatures of id, timestamp and body (Standard Webhooks)."),
    ]
}
