//! Every tool works, and its schemas match what it accepts and returns.

use std::collections::{BTreeMap, BTreeSet};

use jsonschema::Validator;
use serde_json::{Value, json};
use test_support::ApiResponse;

use super::calls::{call, catalogue, details, resolved, start_with_all_tools, without_nulls};
use super::table::TOOLS;
use super::world::ToolWorld;
use crate::support::UNKNOWN_ID;

struct Schemas {
    input: Value,
    takes: Validator,
    gives: Validator,
}

fn validator(schema: &Value) -> Validator {
    let options = jsonschema::draft202012::options().should_validate_formats(true);
    // Formats are only hints: violations are 422, not 400.
    let options = options.with_format("email", |_: &str| true).with_format("uri", |_: &str| true);
    options.build(schema).unwrap_or_else(|error| panic!("{error}: {schema}"))
}

async fn schemas(world: &ToolWorld) -> BTreeMap<String, Schemas> {
    let tools = catalogue(&world.client).await.into_iter().map(|tool| {
        let (input, output) = (tool["inputSchema"].clone(), tool["outputSchema"].clone());
        for schema in [&input, &output] {
            assert!(jsonschema::draft202012::meta::is_valid(schema), "{}: {schema}", tool["name"]);
            assert_eq!(schema["type"], "object", "{}", tool["name"]);
        }
        assert!(input.get("additionalProperties").is_none(), "{}", tool["name"]);
        let (takes, gives) = (validator(&input), validator(&output));
        (tool["name"].as_str().unwrap().to_owned(), Schemas { input, takes, gives })
    });
    tools.collect()
}

#[tokio::test]
async fn every_tool_works_and_matches_its_schemas() {
    let (_app, _, world) = ToolWorld::start().await;
    let schemas = schemas(&world).await;
    assert_eq!(schemas.len(), TOOLS.len());
    for &(name, ..) in TOOLS.iter() {
        let Schemas { takes, gives, .. } = &schemas[name];
        let arguments = world.arguments(name).await;
        if let Err(error) = takes.validate(&arguments) {
            panic!("{name} {arguments}: {error}");
        }
        let reply = call(&world.client, name, arguments).await.expect(200);
        assert_eq!(reply.body["isError"], false, "{name}: {}", reply.text);
        assert_eq!(reply.header("content-type"), "application/json", "{name}: {}", reply.text);
        let structured = &reply.body["structuredContent"];
        if let Err(error) = gives.validate(structured) {
            panic!("{name}: {error} at {} in {structured}", error.instance_path());
        }
        let content = reply.body["content"].as_array().unwrap();
        assert_eq!((content.len(), &content[0]["type"]), (1, &json!("text")), "{name}");
        let text: Value = serde_json::from_str(content[0]["text"].as_str().unwrap()).unwrap();
        let mut expected = without_nulls(structured.clone());
        // A group of records without a value also counts.
        for (index, group) in structured["groups"].as_array().into_iter().flatten().enumerate() {
            expected["groups"][index]["key"] = group["key"].clone();
        }
        assert_eq!(text, expected, "{name}");
    }
}

/// Shared parts of a schema are in its `$defs` and used several times, and no description is repeated.
#[tokio::test]
async fn parts_are_shared_within_a_tool_and_descriptions_are_not_repeated() {
    let (_app, _, client) = start_with_all_tools().await;
    let mut shared = 0;
    for tool in catalogue(&client).await {
        for side in ["inputSchema", "outputSchema"] {
            let case = format!("{side} of {}", tool["name"]);
            let mut repetitions = Repetitions::default();
            repetitions.visit(&tool[side]);
            let defined: Vec<_> = tool[side]["$defs"].as_object().into_iter().flatten().map(|(name, _)| name).collect();
            assert_eq!(repetitions.references.keys().collect::<Vec<_>>(), defined, "{case}");
            assert!(repetitions.references.values().all(|uses| *uses > 1), "{case}: {:?}", repetitions.references);
            let objects =
                tool[side]["$defs"].as_object().into_iter().flatten().filter(|(_, part)| part["type"] == "object");
            assert!(side == "outputSchema" || objects.count() == 0, "{case}: members may not be behind a reference");
            let distinct: BTreeSet<_> = repetitions.descriptions.iter().collect();
            assert_eq!(distinct.len(), repetitions.descriptions.len(), "{case}: {:?}", repetitions.descriptions);
            assert!(!tool[side].to_string().contains("x-"), "{case}");
            shared += defined.len();
        }
    }
    assert!(shared > 30, "{shared}");
}

#[derive(Default)]
struct Repetitions {
    references: BTreeMap<String, usize>,
    descriptions: Vec<String>,
}

impl Repetitions {
    fn visit(&mut self, schema: &Value) {
        let Some(keywords) = schema.as_object() else { return };
        for (keyword, value) in keywords {
            match (keyword.as_str(), value) {
                ("$ref", Value::String(reference)) => {
                    let name = reference.strip_prefix("#/$defs/").unwrap_or_else(|| panic!("{schema}"));
                    *self.references.entry(name.to_owned()).or_default() += 1;
                    assert_eq!(keywords.len(), 1, "some clients take no keyword beside $ref: {schema}");
                }
                ("description", Value::String(text)) => self.descriptions.push(text.clone()),
                ("properties" | "$defs", Value::Object(parts)) => parts.values().for_each(|parts| self.visit(parts)),
                ("anyOf", Value::Array(parts)) => parts.iter().for_each(|parts| self.visit(parts)),
                ("items" | "additionalProperties", parts) => self.visit(parts),
                _ => {}
            }
        }
    }
}

/// Values that are invalid for most members, each for a different reason.
fn odd_values() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(101),
        json!(1.5),
        json!(0.001),
        json!(1_000_000_000_000_000_i64),
        json!(""),
        json!(" "),
        json!("nope"),
        json!("x".repeat(300)),
        json!("x".repeat(100_001)),
        json!(UNKNOWN_ID.to_uppercase()),
        json!("2030-02-30"),
        json!("2030-02-28"),
        json!("2030-01-01T00:00:00"),
        json!([]),
        json!({}),
        json!([1]),
        json!(["nope"]),
        json!([UNKNOWN_ID, UNKNOWN_ID]),
        json!(["x".repeat(101)]),
        json!(vec!["t"; 51]),
        json!((0..501).map(|number| format!("01890a5d-ac96-774b-bcce-{number:012}")).collect::<Vec<_>>()),
        json!({"nope": 1}),
    ]
}

/// Whether 400 is right for arguments that match the schema. The schema omits bounds that no model reaches, the format of ids, and
/// that other members are forbidden. For a single value in place of a list, it has only the type. A cursor is opaque, an
/// offset requires expand, and an erasure needs one of two members.
fn is_beyond_schema(tool: &str, member: &str, value: &Value, schema: &Value, reply: &ApiResponse) -> bool {
    const UNSTATED_CODES: [&str; 5] = ["too_long", "too_many", "out_of_range", "invalid_uuid", "unknown_field"];
    let details = details(&reply.body);
    let is_left_out = |detail: &String| detail.split_once(':').is_some_and(|(_, code)| UNSTATED_CODES.contains(&code));
    let is_left_out = details.iter().any(is_left_out);
    let is_single = schema["items"].is_object() && value.is_string();
    // One of `module` and `modules` is needed.
    let is_one_of_two = [("erase_contact", "contact_id"), ("create_webhook", "module")].contains(&(tool, member));
    matches!(member, "cursor" | "offset") || is_one_of_two || is_left_out || is_single
}

/// 400 exactly for arguments that violate the schema (except for [`is_beyond_schema`]), and never a 5xx.
#[tokio::test]
async fn arguments_are_rejected_exactly_if_they_violate_the_schema() {
    let (_app, _, world) = ToolWorld::start().await;
    let schemas = schemas(&world).await;
    let mut wrong = Vec::new();
    for &(name, ..) in TOOLS.iter() {
        let Schemas { input, takes, .. } = &schemas[name];
        let base = world.arguments(name).await;
        let mut attempts: Vec<(String, Value)> = Vec::new();
        for member in input["properties"].as_object().unwrap().keys() {
            for value in odd_values() {
                let mut arguments = base.clone();
                arguments[member] = value;
                attempts.push((member.clone(), arguments));
            }
            let mut without = base.clone();
            without.as_object_mut().unwrap().remove(member);
            attempts.push((member.clone(), without));
        }
        let mut unknown = base.clone();
        unknown["nope"] = json!(1);
        attempts.push(("nope".to_owned(), unknown));
        for (member, arguments) in attempts {
            let fits = takes.is_valid(&arguments);
            let excerpt: String =
                arguments.get(&member).map(Value::to_string).unwrap_or_default().chars().take(60).collect();
            let value = arguments.get(&member).cloned().unwrap_or_default();
            let part = resolved(input, &input["properties"][&member]);
            let is_required = input["required"].as_array().is_some_and(|all| all.contains(&json!(member)));
            // Treated as absent, unless the schema gives it another meaning.
            let is_absent = value.is_null() && !is_required;
            let reply = call(&world.client, name, arguments).await;
            let status_fits = match (fits, reply.status) {
                (true, 400) => is_beyond_schema(name, &member, &value, part, &reply),
                (true, 200) => true,
                (false, 200) => is_absent,
                (false, 400) => reply.body["error"] == "invalid_arguments" && !details(&reply.body).is_empty(),
                _ => false,
            };
            if !status_fits {
                let text: String = reply.text.chars().take(250).collect();
                wrong.push(format!("{name} {member} = {excerpt}: fits {fits}, {} {text}", reply.status));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}
