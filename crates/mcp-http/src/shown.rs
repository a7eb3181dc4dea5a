//! The tool schemas as clients see them: as small as possible, because models pay for every byte.

use std::collections::BTreeMap;

use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::leniency::accept_leniently;
use domain::kernel::input::schema::{KEEPS_NULLS, LEGACY, NAMES, NOTE_KEYWORD, NULL_IS_ABSENT, not_nullable};
use serde_json::json;

use crate::outline::{annotation_of, each_schema, name_member};

/// Numeric bounds in this range are shown; others are obvious or unlikely to matter.
const SHOWN_BOUNDS: std::ops::Range<f64> = 2.0..10_000.0;

/// The schema of arguments, which states where input is read leniently.
///
/// It omits the maximum lengths of strings and lists and most numeric bounds: they take many bytes and are hardly ever
/// reached, and the error of a call that exceeds one states it. The server instructions cover what applies to all tools:
/// ids come from results, and members may be named by e-mail address. No tool accepts members outside its schema.
pub(crate) fn client_arguments(mut schema: Json) -> Json {
    each_schema(&mut schema, &mut |schema| {
        let Some(keywords) = schema.as_object_mut() else { return };
        if let Some(note) = keywords.remove(NOTE_KEYWORD) {
            keywords.remove("description");
            if note != "" {
                keywords.insert("description".to_owned(), note);
            }
        }
        if let Some(Json::Array(legacy)) = keywords.remove(LEGACY)
            && let Some(Json::Array(values)) = keywords.get_mut("enum")
        {
            values.retain(|value| !legacy.contains(value));
        }
        if keywords.remove(NULL_IS_ABSENT).is_some() {
            not_nullable(keywords);
        }
        if keywords.contains_key("type") && keywords.get("format").is_some_and(|format| format == "uuid") {
            keywords.remove("format");
            keywords.remove(NAMES);
        }
        name_by_id_or_address(keywords);
        // Records of an upsert. The tool's description names the tool that shows their members. An invalid record is an outcome
        // of its item instead of a schema violation.
        if keywords.get("items").is_some_and(|items| items["type"] == "object") {
            keywords.insert("items".to_owned(), json!({ "type": "object" }));
        }
        keywords.remove("maxLength");
        keywords.remove("maxItems");
        // An object is open unless its schema says otherwise.
        if keywords.get("additionalProperties") == Some(&Json::Bool(true)) {
            keywords.remove("additionalProperties");
        }
        for bound in ["minimum", "maximum"] {
            if keywords.get(bound).and_then(Json::as_f64).is_some_and(|number| !SHOWN_BOUNDS.contains(&number)) {
                keywords.remove(bound);
            }
        }
        accept_leniently(keywords);
    });
    schema.as_object_mut().and_then(|keywords| keywords.remove("additionalProperties"));
    // Some clients drop definitions: then only the types of single members are lost, but no members.
    sharing_parts(schema, |part| part.get("properties").is_none())
}

/// Lets a member be named by id or by e-mail address.
fn name_by_id_or_address(keywords: &mut Map<String, Json>) {
    if keywords.remove(NAMES).is_some_and(|who| who == "member") {
        keywords.remove("format");
        keywords.insert("anyOf".to_owned(), json!([{ "format": "uuid" }, { "pattern": "@" }]));
    }
}

/// The schema of arguments with every bound and description, for generating clients in other languages.
pub(crate) fn full_arguments(mut schema: Json) -> Json {
    each_schema(&mut schema, &mut |schema| {
        let Some(keywords) = schema.as_object_mut() else { return };
        name_by_id_or_address(keywords);
        for mark in [KEEPS_NULLS, NOTE_KEYWORD, NULL_IS_ABSENT, LEGACY] {
            keywords.remove(mark);
        }
    });
    schema
}

/// The schema of a result as clients see it: with a name next to each id of a member or author.
pub(crate) fn client_result(mut schema: Json) -> Json {
    each_schema(&mut schema, &mut |schema| {
        let Some(Json::Object(properties)) = schema.get_mut("properties") else { return };
        let marked = properties.iter().filter(|(_, inner)| annotation_of(inner).is_some());
        let names: Vec<_> = marked.map(|(member, _)| name_member(member)).collect();
        for name in &names {
            properties.insert(name.clone(), json!({ "type": ["string", "null"] }));
        }
        if let Some(Json::Array(required)) = schema.get_mut("required") {
            required.extend(names.into_iter().map(Json::from));
        }
    });
    each_schema(&mut schema, &mut |schema| {
        if let Some(keywords) = schema.as_object_mut() {
            keywords.remove(NAMES);
            keywords.remove(KEEPS_NULLS);
        }
    });
    sharing_parts(schema, |_| true)
}

/// Moves repeated parts of a schema to `$defs` if that makes it smaller.
///
/// Parts with a description stay in place, because some clients reject keywords next to a `$ref`.
fn sharing_parts(mut schema: Json, may_be_shared: fn(&Json) -> bool) -> Json {
    let mut shared = Map::new();
    while let Some(part) = most_repeated(&schema, &shared, may_be_shared) {
        let name = unused_name(&part, &shared);
        let reference = json!({ "$ref": format!("#/$defs/{name}") });
        let mut replace = |inner: &mut Json| {
            if *inner == part {
                reference.clone_into(inner);
            }
        };
        each_schema(&mut schema, &mut replace);
        shared.values_mut().for_each(|inner| each_schema(inner, &mut replace));
        shared.insert(name, part);
    }
    if !shared.is_empty() {
        schema["$defs"] = shared.into();
    }
    schema
}

/// The part whose definition saves the most bytes.
fn most_repeated(schema: &Json, shared: &Map<String, Json>, may_be_shared: fn(&Json) -> bool) -> Option<Json> {
    let mut uses: BTreeMap<String, (usize, Json)> = BTreeMap::new();
    let mut count = |inner: &mut Json| {
        if inner.get("description").is_none() && inner.get("$ref").is_none() && may_be_shared(inner) {
            uses.entry(inner.to_string()).or_insert_with(|| (0, inner.clone())).0 += 1;
        }
    };
    // Counted on a copy, because visiting takes the schema mutably.
    each_schema(&mut schema.clone(), &mut count);
    shared.values().for_each(|inner| each_schema(&mut inner.clone(), &mut count));
    let saved = |text: &str, uses: usize, part: &Json| {
        let name = unused_name(part, shared).len();
        let reference = name + r##"{"$ref":"#/$defs/"}"##.len();
        let container = if shared.is_empty() { r#","$defs":{}"#.len() } else { ",".len() };
        let definition = text.len() + name + r#""":"#.len() + container;
        (uses * text.len()).checked_sub(uses * reference + definition).filter(|bytes| *bytes > 0)
    };
    let candidates =
        uses.into_iter().filter(|(_, (uses, part))| *uses > 1 && !shared.values().any(|inner| inner == part));
    let saving = candidates.filter_map(|(text, (uses, part))| Some((saved(&text, uses, &part)?, part)));
    saving.max_by_key(|(bytes, _)| *bytes).map(|(_, part)| part)
}

/// A name for a part, derived from its content.
fn unused_name(part: &Json, shared: &Map<String, Json>) -> String {
    let formats: Vec<_> = std::iter::once(part).chain(part["anyOf"].as_array().into_iter().flatten()).collect();
    let format = formats.iter().find_map(|inner| inner["format"].as_str());
    let kind = part["type"].as_str().or_else(|| part["type"][0].as_str());
    let name = match (format, kind) {
        (Some("date-time"), _) => "time",
        (Some("uuid"), _) => "id",
        (Some("date"), _) => "date",
        (_, Some("array")) => "list",
        (_, Some("number" | "integer")) => "number",
        (_, Some("object")) => "record",
        (_, Some(_)) if part.get("enum").is_some() => "choice",
        (_, Some("string")) => "text",
        _ => "value",
    };
    let numbered = (2..).map(|number| format!("{name}{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !shared.contains_key(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::UserId;
    use domain::identity::access::Actor;
    use domain::kernel::input::output_schema::output_schema;
    use domain::kernel::input::{Integer, Items, Line, Several, Value};
    use schemars::JsonSchema;
    use serde::Serialize;

    fn object(properties: &Json) -> Json {
        json!({ "type": "object", "properties": properties })
    }

    #[test]
    fn details_that_models_do_not_need_are_left_out() {
        let members = json!({
            "assignee": Several::<UserId, 50>::schema(), "patch": object(&json!({ "owner": UserId::schema(), "lead": UserId::schema() })),
            "title": Line::<50>::schema(), "tags": <Items<5, 50>>::schema(), "limit": Integer::<1, 100>::schema(),
            "version": Integer::<1, { i32::MAX }>::schema(),
        });
        assert_eq!(
            client_arguments(object(&members)),
            json!({
                "type": "object",
                "properties": {
                    "assignee": { "type": ["array", "string"], "items": { "type": "string" } },
                    "patch": { "type": "object", "properties": { "owner": { "type": "string" }, "lead": { "type": "string" } } },
                    "title": { "type": "string" },
                    "tags": { "type": ["array", "string"], "items": { "type": "string" } },
                    "limit": { "type": "integer", "maximum": 100 },
                    "version": { "type": "integer" },
                },
            })
        );
    }

    #[test]
    fn parts_without_a_description_are_shared_if_that_is_smaller() {
        let small = json!({ "type": "string" });
        let long = json!({ "type": "string", "enum": ["discovery", "qualified", "proposal", "negotiation"] });
        let mut described = long.clone();
        described["description"] = "Which.".into();
        let members = json!({ "a": small, "b": small, "c": small, "d": long, "e": described });
        assert_eq!(sharing_parts(object(&members), |_| true), object(&members));
        let other = json!({ "type": "string", "enum": ["backlog", "in_progress", "in_review", "cancelled"] });
        let list = json!({ "type": "array", "items": long });
        let members = json!({ "a": list, "b": list, "h": list, "i": list, "c": long, "g": long, "d": other, "e": other, "f": described });
        let shared = sharing_parts(object(&members), |_| true);
        assert_eq!(shared["$defs"].as_object().map(Map::len), Some(3), "{shared}");
        assert!(shared.to_string().len() < object(&members).to_string().len(), "{shared}");
        assert_eq!(shared["properties"]["f"], described);
        let list = shared["properties"]["a"]["$ref"].as_str().and_then(|reference| reference.strip_prefix("#/$defs/"));
        assert_eq!(list, Some("list"), "{shared}");
        assert_eq!(shared["$defs"]["list"]["items"], shared["properties"]["c"], "{shared}");
    }

    #[derive(Serialize, JsonSchema)]
    struct Row {
        assignee_id: Option<UserId>,
        author: Option<Actor>,
    }

    #[test]
    fn ids_of_members_are_accompanied_by_names() {
        let shown = client_result(output_schema::<Row>());
        for name in ["assignee_name", "author_name"] {
            assert!(shown["properties"].get(name).is_some(), "{shown}");
            assert!(shown["required"].as_array().unwrap().contains(&name.into()), "{shown}");
        }
        assert!(!shown.to_string().contains(NAMES), "{shown}");
    }
}
