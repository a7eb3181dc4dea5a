use serde_json::{Value as Json, json};

use super::between;

/// A document with one operation, which has a request body and a response.
fn document() -> Json {
    let request = json!({
        "type": "object",
        "properties": {
            "title": { "type": "string", "maxLength": 200 },
            "stage": { "type": ["string", "null"], "enum": ["new", "won", null] },
        },
        "required": ["title"],
        "additionalProperties": false,
    });
    let answer = json!({
        "type": "object", "properties": { "data": { "$ref": "#/components/schemas/Deal" } }, "required": ["data"],
    });
    json!({
        "paths": { "/deals": { "post": {
            "security": [{ "key": ["deals.write"] }],
            "parameters": [{ "name": "limit", "in": "query", "schema": { "type": "integer", "maximum": 100 } }],
            "requestBody": { "required": true, "content": { "application/json": { "schema": request } } },
            "responses": { "201": { "content": { "application/json": { "schema": answer } } } },
        } } },
        "components": { "schemas": { "Deal": {
            "type": "object", "properties": { "id": { "type": "string" } }, "required": ["id"],
        } } },
    })
}

/// The breaking changes when one value of the document is replaced.
fn after(pointer: &str, value: Json) -> Vec<String> {
    let old = document();
    let mut new = old.clone();
    *new.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
    between(&old, &new).iter().map(ToString::to_string).collect()
}

const POST: &str = "/paths/~1deals/post";
const NONE: [String; 0] = [];

#[test]
fn bounds_of_request_members_may_be_loosened_but_not_tightened() {
    let all =
        |pointer: &str, value| after(&format!("{POST}/requestBody/content/application~1json/schema{pointer}"), value);
    for (pointer, value, found) in [
        ("/properties/title/maxLength", json!(100), "`title` has the tighter maxLength 100"),
        ("/properties/title/type", json!("integer"), "`title` has the type \"integer\", not \"string\""),
        ("/properties/stage/type", json!("string"), "`stage` has the type \"string\", not [\"string\",\"null\"]"),
        ("/properties/stage/enum", json!(["new", null]), "`stage` no longer takes \"won\""),
        (
            "/properties/title",
            json!({ "type": "string", "maxLength": 200, "pattern": "x" }),
            "`title` has the pattern \"x\"",
        ),
        ("/required", json!(["title", "stage"]), "`stage` is required"),
        ("/properties", json!({ "title": { "type": "string", "maxLength": 200 } }), "`stage` is gone"),
    ] {
        assert_eq!(all(pointer, value), [format!("POST /deals: {found}")]);
    }
    for (pointer, value) in [
        ("/properties/title/maxLength", json!(300)),
        ("/properties/title/type", json!(["string", "null"])),
        ("/properties/stage/enum", json!(["new", "won", "lost", null])),
        ("/required", json!([])),
        ("/additionalProperties", json!(true)),
    ] {
        assert_eq!(all(pointer, value), NONE, "{pointer}");
    }
}

#[test]
fn responses_may_gain_members_but_not_lose_them() {
    let all = |pointer: &str, value| after(&format!("/components/schemas/Deal{pointer}"), value);
    for (pointer, value, found) in [
        ("/properties", json!({}), "`data.id` is gone"),
        ("/required", json!([]), "`data.id` may be missing"),
        (
            "/properties/id/type",
            json!(["string", "null"]),
            "`data.id` has the type [\"string\",\"null\"], not \"string\"",
        ),
    ] {
        assert_eq!(all(pointer, value), [format!("POST /deals: {found}")]);
    }
    assert_eq!(all("/properties", json!({ "id": { "type": "string" }, "title": { "type": "string" } })), NONE);
}

#[test]
fn operations_parameters_statuses_and_scopes_may_not_be_removed() {
    let one = |pointer: &str, value| after(&format!("{POST}{pointer}"), value);
    assert_eq!(after("/paths/~1deals", json!({})), ["POST /deals: is gone"]);
    assert_eq!(one("/parameters", json!([])), ["POST /deals: `limit` is gone"]);
    assert_eq!(one("/parameters/0/schema/maximum", json!(50)), ["POST /deals: `limit` has the tighter maximum 50"]);
    assert_eq!(one("/responses", json!({ "200": {} })), ["POST /deals: no longer answers 201"]);
    let other = "POST /deals: needs other credentials or scopes";
    assert_eq!(one("/security/0/key", json!(["deals.write", "deals.admin"])), [other]);
    assert_eq!(one("/security/0/key", json!([])), NONE);
}
