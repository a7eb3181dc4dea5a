//! Helpers that inspect and modify JSON Schemas.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// Prefix of references between schemas.
const REFERENCE: &str = "#/components/schemas/";

pub type Schemas = Map<String, Value>;

pub fn reference(name: &str) -> Value {
    json!({ "$ref": format!("{REFERENCE}{name}") })
}

/// The name that this schema refers to.
pub fn target(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix(REFERENCE)
}

/// Whether it has members of its own.
pub fn is_record(schema: &Value) -> bool {
    schema["properties"].as_object().is_some_and(|members| !members.is_empty())
}

/// Whether it is a list, or a map of values.
pub fn is_collection(schema: &Value) -> bool {
    has_type(schema, "array") || (has_type(schema, "object") && !is_record(schema))
}

pub fn has_type(schema: &Value, kind: &str) -> bool {
    match &schema["type"] {
        Value::String(item) => item == kind,
        Value::Array(kinds) => kinds.iter().any(|item| item == kind),
        _ => false,
    }
}

pub fn is_null(schema: &Value) -> bool {
    schema["type"] == "null"
}

pub fn is_nullable(schema: &Value) -> bool {
    has_type(schema, "null") || schema["anyOf"].as_array().is_some_and(|forms| forms.iter().any(is_null))
}

/// The schema extended to accept null.
pub fn nullable(schema: Value) -> Value {
    if is_nullable(&schema) {
        return schema;
    }
    let mut schema = schema;
    match schema.get("type").cloned() {
        Some(kind @ Value::String(_)) => schema["type"] = json!([kind, "null"]),
        Some(Value::Array(mut kinds)) => {
            kinds.push(json!("null"));
            schema["type"] = Value::Array(kinds);
        }
        _ => {
            let description = schema.as_object_mut().and_then(|members| members.remove("description"));
            schema = json!({ "anyOf": [schema, { "type": "null" }] });
            if let Some(description) = description {
                schema["description"] = description;
            }
        }
    }
    schema
}

/// Removes null from the accepted types.
pub fn without_null(schema: &mut Value) {
    if let Some(kinds) = schema["type"].as_array_mut() {
        kinds.retain(|kind| kind != "null");
        if let [kind] = kinds.as_slice() {
            schema["type"] = kind.clone();
        }
    }
    if let Some(values) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        values.retain(|value| !value.is_null());
    }
}

/// Calls a function for each schema directly inside this one.
pub fn each_part(schema: &mut Value, call: &mut impl FnMut(&str, &mut Value)) {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.iter_mut().for_each(|(name, part)| call(name, part));
    }
    for keyword in ["items", "additionalProperties"] {
        if let Some(part) = schema.get_mut(keyword).filter(|part| part.is_object()) {
            call("item", part);
        }
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        for part in schema.get_mut(keyword).and_then(Value::as_array_mut).into_iter().flatten() {
            call("", part);
        }
    }
}

/// Collects all names that the schema refers to.
pub fn references(schema: &Value, names: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            names.extend(target(schema).map(str::to_owned));
            members.values().for_each(|member| references(member, names));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, names)),
        _ => {}
    }
}

/// Renames the schemas that it refers to.
pub fn rename(schema: &mut Value, names: &BTreeMap<String, String>) {
    if let Some(name) = target(schema).and_then(|target| names.get(target)) {
        schema["$ref"] = reference(name)["$ref"].clone();
    }
    match schema {
        Value::Object(members) => members.values_mut().for_each(|member| rename(member, names)),
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, names)),
        _ => {}
    }
}

/// `bulk_update` as `BulkUpdate`.
pub fn pascal(name: &str) -> String {
    let words = name.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}
