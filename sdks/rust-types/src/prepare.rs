//! Prepares schemas for typify: removes what Rust types cannot express, and names every record and every enum.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::enums::Enums;
use crate::schema::{
    Schemas, each_part, has_type, is_collection, is_null, is_nullable, is_record, nullable, pascal, reference,
    references, target, without_null,
};
use crate::{aliases, names};

/// The input of the renderer.
pub struct Prepared {
    /// Records.
    pub records: Schemas,
    /// Values of enums, by name.
    pub enums: BTreeMap<String, Vec<String>>,
    /// Aliases of types, and of lists of types.
    pub aliases: BTreeMap<String, Value>,
    /// Records in requests.
    pub requests: BTreeSet<String>,
    /// Members, by record, that stay unchanged if absent and are cleared by null.
    pub patches: BTreeMap<String, BTreeSet<String>>,
    /// Each event and the type of its data.
    pub events: Vec<(String, String)>,
}

/// `input` has `schemas`, the names of those that are `sent`, of those that `change` a record, and of `events`.
pub fn prepare(input: &Value) -> Result<Prepared> {
    let mut schemas = input["schemas"].as_object().context("no schemas")?.clone();
    let events = take_events(input, &mut schemas)?;
    loop {
        // Some are composed of others.
        let before = schemas.clone();
        schemas.values_mut().for_each(|schema| combine(schema, &before));
        if before == schemas {
            break;
        }
    }
    inline_scalars(&mut schemas);
    let mut enums = Enums::default();
    let mut records = Schemas::new();
    for (name, schema) in schemas {
        hoist(&name, schema, &mut enums, &mut records);
    }
    let values = enums.settle(&mut records);
    let request_records = reachable(&records, &names_in(input, "sent"));
    let queries = names_in(input, "queries");
    lists_of_requests(&mut records, &request_records, &queries);
    let mut patches = patches(&records, &reachable(&records, &names_in(input, "changes")));
    let mut aliases = aliases::merge(&mut records, &patches);
    aliases::split(&mut records, &mut aliases);
    let declared = input["schemas"].as_object().context("no schemas")?;
    aliases.retain(|name, _| declared.contains_key(name));
    patches.retain(|name, _| records.contains_key(name));
    let requests = request_records.into_iter().filter(|name| records.contains_key(name)).collect();
    Ok(Prepared { records, enums: values, aliases, requests, patches, events })
}

fn names_in(input: &Value, list: &str) -> Vec<String> {
    input[list].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Events and deliveries have the same shape and differ in their data, so the SDK has one generic type.
fn take_events(input: &Value, schemas: &mut Schemas) -> Result<Vec<(String, String)>> {
    for name in ["LogEvent", "WebhookDelivery", "WebhookTestDelivery"] {
        schemas.remove(name);
    }
    let mut events = Vec::new();
    for event in names_in(input, "events") {
        let name = pascal(&event);
        schemas.remove(&format!("{name}Delivery"));
        let schema = schemas.remove(&format!("{name}Event")).with_context(|| format!("no type of {event}"))?;
        let data = target(&schema["properties"]["data"]).with_context(|| format!("the data of {event} has no name"))?;
        events.push((event, data.to_owned()));
    }
    Ok(events)
}

/// Removes bounds, and merges composed schemas into one.
fn combine(schema: &mut Value, schemas: &Schemas) {
    each_part(schema, &mut |_, part| combine(part, schemas));
    let Some(members) = schema.as_object_mut() else { return };
    for bound in
        ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"]
    {
        members.shift_remove(bound);
    }
    members.shift_remove("uniqueItems");
    if let Some(value) = members.shift_remove("const") {
        // The names of types already say what it is.
        members.entry("type").or_insert_with(|| json!(if value.is_string() { "string" } else { "boolean" }));
    }
    let kinds = members.get("type").and_then(Value::as_array);
    if kinds.is_some_and(|kinds| kinds.iter().filter(|kind| *kind != "null").count() > 1) {
        // Any value.
        members.retain(|keyword, _| keyword == "description");
    }
    let description = members.get("description").cloned();
    if let Some(parts) = members.shift_remove("allOf") {
        *schema = merged(parts.as_array().map_or(&[], Vec::as_slice), schemas, false);
    } else if let Some(forms) = members.shift_remove("anyOf").or_else(|| members.shift_remove("oneOf")) {
        let kind = members.get("type").cloned();
        *schema = one_of(forms.as_array().map_or(&[], Vec::as_slice), kind, schemas);
    }
    if let Some(description) = description {
        schema["description"] = description;
    }
}

/// One schema for several variants.
fn one_of(forms: &[Value], kind: Option<Value>, schemas: &Schemas) -> Value {
    let has_null =
        forms.iter().any(is_nullable) || kind.as_ref().is_some_and(|kind| is_nullable(&json!({ "type": kind })));
    let forms: Vec<_> = forms.iter().filter(|form| !is_null(form)).cloned().collect();
    let combined = match forms.as_slice() {
        [form] => {
            let mut form = form.clone();
            if let (Some(kind), true) = (kind, target(&form).is_none()) {
                form["type"] = kind;
            }
            form
        }
        // A list, or a single string.
        [list, ..] if has_type(list, "array") => list.clone(),
        forms if forms.iter().all(|form| is_record(form) || target(form).is_some()) => merged(forms, schemas, true),
        _ => json!({ "type": "string" }),
    };
    if has_null { nullable(combined) } else { combined }
}

/// One record with the members of all. For alternatives, only members that all of them require are required.
fn merged(parts: &[Value], schemas: &Schemas, are_alternatives: bool) -> Value {
    let mut record = json!({ "type": "object", "properties": {} });
    let mut required: Option<Vec<Value>> = None;
    for part in parts {
        let part = target(part).and_then(|name| schemas.get(name)).unwrap_or(part);
        for (name, member) in part["properties"].as_object().into_iter().flatten() {
            let before = record["properties"][name].take();
            record["properties"][name] = match before {
                Value::Null => member.clone(),
                before if is_null(&before) => nullable(member.clone()),
                before if is_null(member) => nullable(before),
                _ => member.clone(),
            };
        }
        let names = part["required"].as_array().cloned().unwrap_or_default();
        required = Some(match required {
            None => names,
            Some(before) if are_alternatives => before.into_iter().filter(|name| names.contains(name)).collect(),
            Some(before) => before.into_iter().chain(names).collect(),
        });
    }
    record["required"] = Value::Array(required.unwrap_or_default());
    record
}

/// Named strings and numbers add nothing in Rust.
fn inline_scalars(schemas: &mut Schemas) {
    let is_scalar = |schema: &Value| {
        target(schema).is_none() && !is_record(schema) && !is_collection(schema) && schema["enum"].is_null()
    };
    let copies = |is_wanted: &dyn Fn(&Value) -> bool| -> Schemas {
        let selected = schemas.iter().filter(|(_, schema)| is_wanted(schema));
        selected.map(|(name, schema)| (name.clone(), schema.clone())).collect()
    };
    let (scalars, lists) = (copies(&is_scalar), copies(&is_collection));
    fn replace(schema: &mut Value, with: &Schemas) {
        if let Some(found) = target(schema).and_then(|name| with.get(name)) {
            let description = schema.get("description").cloned();
            *schema = found.clone();
            if let Some(description) = description {
                schema["description"] = description;
            }
        }
        if let Some(forms) = schema["anyOf"].as_array()
            && let [form, null] = forms.as_slice()
            && is_null(null)
            && let Some(found) = target(form).and_then(|name| with.get(name))
        {
            *schema = nullable(found.clone());
        }
        each_part(schema, &mut |_, part| replace(part, with));
    }
    schemas.retain(|name, _| !scalars.contains_key(name));
    for schema in schemas.values_mut() {
        replace(schema, &scalars);
        each_part(schema, &mut |_, part| replace(part, &lists));
    }
}

/// Names every nested record and every enum.
fn hoist(name: &str, mut schema: Value, enums: &mut Enums, records: &mut Schemas) {
    if schema["enum"].is_array() {
        schema = enums.add("", name, &schema);
    }
    each_part(&mut schema, &mut |member, part| hoist_part(name, member, part, enums, records));
    records.insert(name.to_owned(), schema);
}

fn hoist_part(owner: &str, member: &str, part: &mut Value, enums: &mut Enums, records: &mut Schemas) {
    if part["enum"].is_array() {
        let is_nullable = is_nullable(part);
        without_null(part);
        let reference = enums.add(owner, member, part);
        *part = if is_nullable { nullable(reference) } else { reference };
    } else if is_record(part) {
        let is_nullable = is_nullable(part);
        without_null(part);
        let name = names::of_part(owner, member, records);
        let mut record = part.clone();
        let description = record.as_object_mut().and_then(|members| members.shift_remove("description"));
        hoist(&name, record, enums, records);
        *part = if is_nullable { nullable(reference(&name)) } else { reference(&name) };
        if let Some(description) = description {
            part["description"] = description;
        }
    } else {
        let suffix = if member == "item" { String::new() } else { pascal(member) };
        let owner = format!("{owner}{suffix}");
        each_part(part, &mut |member, part| hoist_part(&owner, member, part, enums, records));
    }
}

/// These records, and all records that they contain.
fn reachable(records: &Schemas, from: &[String]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut open = from.to_vec();
    while let Some(name) = open.pop() {
        if let Some(record) = records.get(&name)
            && names.insert(name)
        {
            references(record, &mut open);
        }
    }
    names
}

/// In a body, an empty list means something else than an absent one.
fn lists_of_requests(records: &mut Schemas, requests: &BTreeSet<String>, queries: &[String]) {
    for name in requests.iter().filter(|name| !queries.contains(name)) {
        let Some(record) = records.get_mut(name) else { continue };
        let required = record["required"].clone();
        for (member, schema) in record["properties"].as_object_mut().into_iter().flatten() {
            if is_collection(schema) && !is_in(&required, member) {
                *schema = nullable(schema.take());
            }
        }
    }
}

fn patches(records: &Schemas, changes: &BTreeSet<String>) -> BTreeMap<String, BTreeSet<String>> {
    let mut patches = BTreeMap::new();
    for (name, record) in records.iter().filter(|(name, _)| changes.contains(*name)) {
        let members = record["properties"].as_object().into_iter().flatten();
        let members = members.filter(|(member, schema)| is_nullable(schema) && !is_in(&record["required"], member));
        patches.insert(name.clone(), members.map(|(member, _)| member.clone()).collect());
    }
    patches
}

fn is_in(required: &Value, member: &str) -> bool {
    required.as_array().is_some_and(|required| required.iter().any(|name| name == member))
}
