//! Finds shapes that are valid OpenAPI, but from which client generators produce nothing or poor code.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json};

/// The problems, each with its place in the document.
pub(super) fn problems(document: &Json) -> Vec<String> {
    let mut problems = Problems(Vec::new());
    problems.schemas_in(document, "");
    problems.headers(document);
    problems.deliveries(document);
    problems.unlinked(document);
    problems.0
}

pub(super) fn members(value: &Json) -> impl Iterator<Item = (&String, &Json)> {
    value.as_object().into_iter().flatten()
}

pub(super) fn items(value: &Json) -> impl Iterator<Item = &Json> {
    value.as_array().into_iter().flatten()
}

struct Problems(Vec<String>);

impl Problems {
    fn note(&mut self, place: &str, what: &str) {
        self.0.push(format!("{place}: {what}"));
    }

    /// Checks all schemas below a part of the document that is not a schema itself.
    fn schemas_in(&mut self, part: &Json, place: &str) {
        for (index, item) in items(part).enumerate() {
            self.schemas_in(item, &format!("{place}/{index}"));
        }
        for (name, member) in members(part) {
            let place = format!("{place}/{name}");
            match name.as_str() {
                "example" | "examples" => {}
                "schema" => self.schema(member, &place),
                "schemas" => self.components(member, &place),
                _ => self.schemas_in(member, &place),
            }
        }
    }

    fn components(&mut self, all: &Json, place: &str) {
        for (name, schema) in members(all) {
            let place = format!("{place}/{name}");
            if schema["properties"].get(snake(name)).is_some_and(|member| !is_plain(member)) {
                self.note(&place, "a member has its name, so that openapi-python-client uses one variable for both");
            }
            self.schema(schema, &place);
        }
    }

    fn schema(&mut self, schema: &Json, place: &str) {
        let Some(keywords) = schema.as_object() else {
            return self.note(place, "a schema that is not an object: write {} for any value");
        };
        if schema["type"] == "null" {
            self.note(place, "nothing but null");
        }
        if is_untyped(keywords) && ["const", "enum"].iter().any(|keyword| keywords.contains_key(*keyword)) {
            self.note(place, "values without a type");
        }
        if has_type(schema, "object")
            && ["properties", "additionalProperties", "allOf"].iter().all(|keyword| !keywords.contains_key(*keyword))
        {
            self.note(place, "an open object without additionalProperties, which generators take for an empty one");
        }
        for keyword in ["anyOf", "oneOf"] {
            for (index, branch) in items(&schema[keyword]).enumerate() {
                let place = format!("{place}/{keyword}/{index}");
                if branch["type"] == "null" {
                    continue;
                }
                if branch.as_object().is_some_and(is_untyped) {
                    self.note(&place, "a choice without a type, which takes anything");
                }
                self.schema(branch, &place);
            }
        }
        self.parts(schema, place);
    }

    fn parts(&mut self, schema: &Json, place: &str) {
        for (index, part) in items(&schema["allOf"]).enumerate() {
            self.schema(part, &format!("{place}/allOf/{index}"));
        }
        for (name, member) in members(&schema["properties"]) {
            self.schema(member, &format!("{place}/{name}"));
        }
        if let Some(of) = schema.get("items") {
            self.schema(of, &format!("{place}/items"));
        }
        if let Some(others) = schema.get("additionalProperties").filter(|others| !others.is_boolean()) {
            self.schema(others, &format!("{place}/additionalProperties"));
        }
    }

    /// Generators skip an operation that has a header with several types.
    fn headers(&mut self, document: &Json) {
        for (place, operation) in operations(document) {
            for header in items(&operation["parameters"]).filter(|parameter| parameter["in"] == "header") {
                if ["anyOf", "oneOf", "allOf"].iter().any(|keyword| header["schema"].get(keyword).is_some()) {
                    self.note(&format!("{place} {}", header["name"]), "a header that is not one type");
                }
            }
        }
    }

    /// Generators write one file per group, and give no name to a body that is composed in place.
    fn deliveries(&mut self, document: &Json) {
        let groups: BTreeSet<_> =
            operations(document).into_iter().filter_map(|(_, operation)| operation["tags"][0].as_str()).collect();
        for (event, delivery) in members(&document["webhooks"]) {
            let operation = &delivery["post"];
            if operation["tags"][0].as_str().is_none_or(|tag| groups.contains(tag)) {
                self.note(event, "in a group of operations");
            }
            if operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].is_null() {
                self.note(event, "a body without a name");
            }
        }
    }

    /// Every operation on a record must be the target of a link.
    fn unlinked(&mut self, document: &Json) {
        let all = operations(document);
        let mut linked = BTreeSet::new();
        for response in all.iter().flat_map(|(_, operation)| members(&operation["responses"])).map(|(_, one)| one) {
            linked.extend(members(&response["links"]).filter_map(|(_, link)| link["operationId"].as_str()));
        }
        for (place, operation) in &all {
            let is_linked = operation["operationId"].as_str().is_some_and(|id| linked.contains(id));
            // Module names are fixed, so no link supplies them.
            if place.replace("{module}", "").contains('{') && !is_linked {
                self.note(place, "no link leads to it: see the sources in crates/api-docs/src/openapi/links.rs");
            }
        }
    }
}

/// All operations, each as `GET /path`.
fn operations(document: &Json) -> Vec<(String, &Json)> {
    let mut all = Vec::new();
    for (path, of_path) in members(&document["paths"]) {
        for (method, operation) in members(of_path) {
            all.push((format!("{} {path}", method.to_uppercase()), operation));
        }
    }
    all
}

fn is_untyped(keywords: &Map<String, Json>) -> bool {
    ["type", "$ref", "anyOf", "oneOf", "allOf"].iter().all(|keyword| !keywords.contains_key(*keyword))
}

fn has_type(schema: &Json, name: &str) -> bool {
    schema["type"] == name || items(&schema["type"]).any(|kind| kind == name)
}

/// Whether clients read the value as it is in the JSON.
fn is_plain(member: &Json) -> bool {
    let is_scalar = ["string", "boolean", "integer", "number"].iter().any(|kind| member["type"] == *kind);
    is_scalar && ["format", "enum", "const"].iter().all(|keyword| member.get(keyword).is_none())
}

/// `RecoveryCodes` as `recovery_codes`.
fn snake(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for (index, letter) in name.char_indices() {
        if index > 0 && letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A document with one operation that responds with this schema.
    fn answering(schema: &Json) -> Json {
        let response = json!({ "content": { "application/json": { "schema": schema } } });
        json!({ "paths": { "/a": { "get": { "operationId": "a", "tags": ["A"], "responses": { "200": response } } } } })
    }

    #[test]
    fn shapes_that_generators_drop_are_found() {
        let property = |schema: Json| json!({ "type": "object", "properties": { "a": schema } });
        for wrong in [
            json!(true),
            property(json!(true)),
            json!({ "type": "array", "items": { "type": "null" } }),
            property(json!({ "const": "a" })),
            json!({ "enum": ["a"] }),
            property(json!({ "type": ["object", "null"] })),
            json!({ "type": "object", "additionalProperties": { "type": "object" } }),
            json!({ "type": "string", "anyOf": [{ "format": "uuid" }, { "type": "string", "const": "" }] }),
            json!({ "oneOf": [{ "type": "string" }, { "description": "Anything." }] }),
            json!({ "allOf": [{ "type": "object" }] }),
        ] {
            assert_eq!(problems(&answering(&wrong)).len(), 1, "{wrong}");
        }
        let untyped_value = json!({ "anyOf": [{ "const": "a" }, { "type": "null" }] });
        assert_eq!(problems(&answering(&untyped_value)).len(), 2);
    }

    #[test]
    fn shapes_that_generators_support_pass() {
        for right in [
            json!({}),
            json!({ "$ref": "#/components/schemas/A" }),
            json!({ "type": "object", "additionalProperties": true }),
            json!({ "type": "object", "properties": { "anyOf": { "type": "string" }, "type": { "type": "string" } } }),
            json!({ "anyOf": [{ "$ref": "#/components/schemas/A" }, { "type": "null" }] }),
            json!({ "type": ["string", "null"], "enum": ["a", null] }),
        ] {
            assert_eq!(problems(&answering(&right)), Vec::<String>::new(), "{right}");
        }
    }

    #[test]
    fn names_and_headers_of_several_forms_are_found() {
        let named = |name: &str, member: Json| {
            let schema = json!({ "type": "object", "properties": { "recovery_codes": member } });
            problems(&json!({ "components": { "schemas": { name: schema } } })).len()
        };
        let codes = json!({ "type": "array", "items": { "type": "string" } });
        assert_eq!((named("RecoveryCodes", codes.clone()), named("CodeList", codes)), (1, 0));
        assert_eq!(named("RecoveryCodes", json!({ "type": "boolean" })), 0);
        let text = json!({ "type": "string" });
        let mut document = answering(&text);
        document["paths"]["/a"]["get"]["parameters"] =
            json!([{ "in": "header", "name": "If-Match", "schema": { "anyOf": [text, text] } }]);
        assert_eq!(problems(&document).len(), 1);
    }

    #[test]
    fn deliveries_have_a_group_and_a_name() {
        let delivery = |tag: &str, schema: Json| {
            let mut document = answering(&json!({}));
            let body = json!({ "content": { "application/json": { "schema": schema } } });
            document["webhooks"]["deal.won"] = json!({ "post": { "tags": [tag], "requestBody": body } });
            problems(&document).len()
        };
        let named = || json!({ "$ref": "#/components/schemas/A" });
        assert_eq!(delivery("B", named()), 0);
        assert_eq!(delivery("A", named()), 1);
        assert_eq!(delivery("B", json!({ "type": "object", "properties": {} })), 1);
    }

    #[test]
    fn an_operation_on_a_record_that_no_link_leads_to_is_found() {
        let mut document = answering(&json!({}));
        document["paths"]["/a/{a_id}"] = json!({ "get": { "operationId": "one", "responses": {} } });
        document["paths"]["/modules/{module}/events"] = json!({ "post": { "operationId": "report", "responses": {} } });
        assert_eq!(problems(&document).len(), 1);
        document["paths"]["/a"]["get"]["responses"]["200"]["links"]["one"] = json!({ "operationId": "one" });
        assert_eq!(problems(&document), Vec::<String>::new());
    }
}
