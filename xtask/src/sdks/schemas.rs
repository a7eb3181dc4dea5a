//! Transforms schemas into forms that the generators accept.

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

/// The path of schemas in the document.
pub(super) const SCHEMAS: &str = "#/components/schemas/";

/// One object with the members of all parts, so that generators need not combine them.
pub(super) fn flattened(schema: &Value, schemas: &Map<String, Value>) -> Value {
    let mut object = json!({ "type": "object", "properties": {}, "required": [] });
    for part in schema["allOf"].as_array().into_iter().flatten() {
        let name = part["$ref"].as_str().and_then(|target| target.strip_prefix(SCHEMAS));
        let part = name.and_then(|name| schemas.get(name)).unwrap_or(part);
        for (name, member) in part["properties"].as_object().into_iter().flatten() {
            object["properties"][name] = member.clone();
        }
        for name in part["required"].as_array().into_iter().flatten() {
            let required = object["required"].as_array_mut();
            if let Some(required) = required.filter(|required| !required.contains(name)) {
                required.push(name.clone());
            }
        }
    }
    object
}

/// Merges the variants of a response that differ in `data` into one whose `data` has all forms.
pub(super) fn merged(schema: &Value) -> Value {
    let forms = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array());
    let data = forms.map(|forms| forms.iter().map(|form| form["properties"]["data"].clone()).collect::<Vec<_>>());
    match data {
        Some(data) if data.iter().all(|data| !data.is_null()) => {
            json!({ "type": "object", "properties": { "data": { "anyOf": data } }, "required": ["data"] })
        }
        _ => schema.clone(),
    }
}

/// The query parameters as one object.
pub(super) fn query_schema(parameters: &[&Value]) -> Result<Option<Value>> {
    if parameters.is_empty() {
        return Ok(None);
    }
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for parameter in parameters {
        let name = text(parameter, "name")?;
        let mut schema = parameter["schema"].clone();
        if let (Some(schema), Some(description)) = (schema.as_object_mut(), parameter.get("description")) {
            schema.entry("description").or_insert_with(|| description.clone());
        }
        if parameter["required"] == true {
            required.push(Value::String(name.clone()));
        }
        properties.insert(name, schema);
    }
    Ok(Some(json!({ "type": "object", "properties": properties, "required": required })))
}

pub(super) fn resolved<'a>(openapi: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str().and_then(|target| target.strip_prefix('#'));
    target.and_then(|target| openapi.pointer(target)).unwrap_or(value)
}

pub(super) fn rename_parts(schema: &mut Value, owner: &str) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::String(target)) = members.get_mut("$ref")
                && let Some(part) = target.strip_prefix("#/$defs/")
            {
                *target = format!("{SCHEMAS}{owner}{}", pascal(part));
            }
            members.values_mut().for_each(|member| rename_parts(member, owner));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename_parts(item, owner)),
        _ => {}
    }
}

/// Removes keywords that do not affect the type, and keywords from which generators make something other than the JSON value:
/// the service applies defaults, and formats stay strings. An object without declared members may have any. Variants of a value
/// with a declared type are removed too: without types of their own, each would become a type that accepts anything.
pub(super) fn simplify(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            for keyword in ["default", "example", "examples", "$schema", "title", "pattern", "format", "x-contract"] {
                // If the value is an object, this is a member with the name of a keyword.
                if !members.get(keyword).is_some_and(is_schema) {
                    members.remove(keyword);
                }
            }
            if members.get("additionalProperties") == Some(&Value::Bool(false)) {
                members.remove("additionalProperties");
            }
            if members.get("type").is_some_and(is_scalar) {
                members.remove("anyOf");
            }
            let is_object = members.get("type").is_some_and(|kind| kind == "object" || is_in(kind, "object"));
            if is_object && !["properties", "additionalProperties"].iter().any(|keyword| members.contains_key(*keyword))
            {
                members.insert("additionalProperties".to_owned(), Value::Bool(true));
            }
            members.values_mut().for_each(simplify);
        }
        Value::Array(items) => items.iter_mut().for_each(simplify),
        _ => {}
    }
}

/// Whether a `type` excludes objects and arrays.
fn is_scalar(kind: &Value) -> bool {
    let is_composed = |kind: &Value| kind == "object" || kind == "array";
    match kind {
        Value::String(_) => !is_composed(kind),
        Value::Array(kinds) => !kinds.iter().any(is_composed),
        // A member with this name.
        _ => false,
    }
}

fn is_in(kinds: &Value, kind: &str) -> bool {
    kinds.as_array().is_some_and(|kinds| kinds.iter().any(|one| one == kind))
}

fn is_schema(value: &Value) -> bool {
    let keywords = ["type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const", "description"];
    value.as_object().is_some_and(|members| keywords.iter().any(|keyword| members.contains_key(*keyword)))
}

pub(super) fn text(value: &Value, member: &str) -> Result<String> {
    Ok(value[member].as_str().with_context(|| format!("no {member}"))?.to_owned())
}

/// `deals_list` as `DealsList`.
pub(super) fn pascal(name: &str) -> String {
    let words = name.split(['_', '-', '.']).filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

/// `bulk_update` as `bulkUpdate`.
pub(super) fn camel(name: &str) -> String {
    let name = pascal(name);
    name.get(..1).unwrap_or_default().to_lowercase() + name.get(1..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_with_a_type_has_only_that_type() {
        let simple = |mut schema: Value| {
            simplify(&mut schema);
            schema
        };
        let member = json!({ "anyOf": [{ "format": "uuid" }, { "pattern": "@" }], "type": ["string", "null"] });
        assert_eq!(simple(member), json!({ "type": ["string", "null"] }));
        let several = json!({ "anyOf": [{ "type": "string" }, { "$ref": "#/components/schemas/Deal" }] });
        assert_eq!(simple(several.clone()), several);
        let named_type = json!({ "properties": { "type": { "type": "string" }, "anyOf": { "type": "string" } } });
        assert_eq!(simple(named_type.clone()), named_type);
    }
}
