//! Names nested objects. Without a name, generators number them (`Payload32`) and repeat equal ones.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::schemas::{SCHEMAS, pascal};

/// Replaces each object within a schema by a reference to a separate schema. Equal objects share one.
pub(super) fn named(schemas: &Map<String, Value>) -> Map<String, Value> {
    let mut parts = Parts { schemas: schemas.clone(), by_content: BTreeMap::new() };
    for (name, schema) in schemas.iter().filter(|(_, schema)| is_record(schema)) {
        parts.by_content.entry(shape_of(schema)).or_insert_with(|| name.clone());
    }
    for (name, schema) in schemas {
        let mut schema = schema.clone();
        parts.within(name, &mut schema);
        parts.schemas.insert(name.clone(), schema);
    }
    parts.schemas
}

struct Parts {
    schemas: Map<String, Value>,
    /// Names of objects by their content.
    by_content: BTreeMap<String, String>,
}

impl Parts {
    fn within(&mut self, owner: &str, schema: &mut Value) {
        for (member, part) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
            self.part(&format!("{owner}{}", pascal(member)), part);
        }
        for keyword in ["items", "additionalProperties"] {
            if let Some(part) = schema.get_mut(keyword) {
                self.part(&format!("{owner}Item"), part);
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            for form in schema.get_mut(keyword).and_then(Value::as_array_mut).into_iter().flatten() {
                self.part(owner, form);
            }
        }
        // The objects of `allOf` are merged, so they are not separate types.
        for form in schema.get_mut("allOf").and_then(Value::as_array_mut).into_iter().flatten() {
            self.within(owner, form);
        }
    }

    fn part(&mut self, name: &str, part: &mut Value) {
        if !is_record(part) {
            return self.within(name, part);
        }
        let is_nullable = part["type"].is_array();
        let description = part.as_object_mut().and_then(|members| members.remove("description"));
        part["type"] = json!("object");
        let shape = shape_of(part);
        let name = self.by_content.get(&shape).cloned().unwrap_or_else(|| {
            let name = self.free(name);
            self.by_content.insert(shape, name.clone());
            // Computed before its own parts are named.
            self.schemas.insert(name.clone(), Value::Null);
            let mut record = part.clone();
            self.within(&name, &mut record);
            self.schemas.insert(name.clone(), record);
            name
        });
        let reference = json!({ "$ref": format!("{SCHEMAS}{name}") });
        *part = if is_nullable { json!({ "anyOf": [reference, { "type": "null" }] }) } else { reference };
        if let Some(description) = description {
            part["description"] = description;
        }
    }

    fn free(&self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names.find(|name| !self.schemas.contains_key(name)).unwrap_or_default()
    }
}

/// An object with declared members.
fn is_record(schema: &Value) -> bool {
    schema.get("properties").and_then(Value::as_object).is_some_and(|members| !members.is_empty())
        && schema.get("allOf").is_none()
}

fn shape_of(schema: &Value) -> String {
    let mut schema = schema.clone();
    if let Some(members) = schema.as_object_mut() {
        members.remove("description");
    }
    schema.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_objects_are_named_by_their_place_and_equal_ones_share_a_name() {
        let actor = json!({ "type": "object", "properties": { "id": { "type": "string" } } });
        let mut nullable = actor.clone();
        nullable["type"] = json!(["object", "null"]);
        nullable["description"] = json!("Who did it.");
        let schemas = json!({
            "Deal": { "type": "object", "properties": { "created_by": actor, "closed_by": nullable } },
            "Page": { "type": "object", "properties": { "data": { "type": "array", "items": actor } } },
        });
        let reference = json!({ "$ref": "#/components/schemas/DealClosedBy" });
        let expected = json!({
            "Deal": { "type": "object", "properties": {
                "closed_by": { "anyOf": [reference, { "type": "null" }], "description": "Who did it." },
                "created_by": reference,
            } },
            "DealClosedBy": actor,
            "Page": { "type": "object", "properties": { "data": { "type": "array", "items": reference } } },
        });
        assert_eq!(Value::Object(named(schemas.as_object().unwrap())), expected);
    }
}
