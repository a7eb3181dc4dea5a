//! Builds the JSON Schemas of payloads from the types of the records.

use serde_json::{Map, Value as Json, json};

use crate::crm::comments::RecordComment;
use crate::events::{Cascade, DataType, EventActor, EventCause, OwnEvent};
use crate::identity::access::{ActorKind, ReadRequirement};
use crate::kernel::input::CUSTOM_FIELDS;
use crate::kernel::input::output_schema::output_schema;
use crate::kernel::input::schema::{KEEPS_NULLS, NAMES};
use crate::work::comments::Comment;

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The schema of an event's payload. Later releases may add fields.
pub(super) fn payload_schema(event: &OwnEvent) -> Json {
    let data = data_type(event).schema();
    let changes =
        if event.is_change() { changes_schema(&data) } else { json!({ "type": "object", "maxProperties": 0 }) };
    let mut schema = json!({
        "$schema": DIALECT,
        "type": "object",
        "properties": { "data": data, "changes": changes, "actor": actor_schema() },
        "required": ["data", "changes", "actor"],
    });
    if event.has_cascade() {
        schema["properties"]["cascade"] = output_schema::<Cascade>();
    }
    if event.may_have_cause() {
        schema["properties"]["cause"] = output_schema::<EventCause>();
    }
    remove_internal_keywords(&mut schema);
    schema
}

/// The `data` of an event: the record as REST shows it, or the comment.
pub(super) fn data_type(event: &OwnEvent) -> DataType {
    event.data().unwrap_or_else(|| match event.kind.reads_comments() {
        Some(ReadRequirement::Comments(_)) => DataType::of::<Comment>(),
        _ => DataType::of::<RecordComment>(),
    })
}

/// The schema of the changes: any fields of the record, each with its former and new value.
fn changes_schema(data: &Json) -> Json {
    let mut properties = Map::new();
    let fixed = ["id", "version", "created_at", "updated_at", "created_by"];
    let names = data["properties"].as_object().into_iter().flat_map(Map::keys);
    for name in names.filter(|name| !fixed.contains(&name.as_str())) {
        let value = json!({ "$ref": format!("#/properties/data/properties/{name}") });
        let change =
            json!({ "type": "object", "properties": { "from": value, "to": value }, "required": ["from", "to"] });
        properties.insert(name.clone(), change);
    }
    let mut schema = json!({ "type": "object", "properties": properties });
    if let Some(properties) = schema["properties"].as_object_mut()
        && properties.remove(CUSTOM_FIELDS).is_some()
    {
        // Each custom field has its own entry; a missing value is null.
        let change = json!({ "type": "object", "properties": { "from": {}, "to": {} }, "required": ["from", "to"] });
        schema["patternProperties"] = Map::from_iter([(format!("^{CUSTOM_FIELDS}\\."), change)]).into();
    }
    schema
}

fn actor_schema() -> Json {
    let mut schema = output_schema::<EventActor>();
    let kinds: Vec<_> = ActorKind::ALL.iter().map(|kind| kind.as_str()).chain(["trial"]).collect();
    schema["properties"]["type"]["enum"] = json!(kinds);
    schema
}

/// Removes the keywords that only the service itself uses.
fn remove_internal_keywords(schema: &mut Json) {
    match schema {
        Json::Object(keywords) => {
            keywords.remove(NAMES);
            keywords.remove(KEEPS_NULLS);
            keywords.values_mut().for_each(remove_internal_keywords);
        }
        Json::Array(items) => items.iter_mut().for_each(remove_internal_keywords),
        _ => {}
    }
}
