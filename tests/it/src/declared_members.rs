//! REST and tools accept and return every member that a resource declares as writable, and the schemas of the tools
//! contain it. The bodies are derived from the declarations, so that new members are covered automatically.

use domain::crm::companies::CompanyFields;
use domain::crm::contacts::ContactFields;
use domain::crm::deals::DealFields;
use domain::kernel::input::Input;
use domain::testing::filled;
use domain::tools::EXTERNAL_IDS;
use domain::work::projects::ProjectFields;
use serde_json::{Map, Value, json};
use test_support::App;

use crate::tools::{catalogue, run};

fn assert_shows(record: &Value, body: &Map<String, Value>) {
    for (member, given) in body {
        assert_eq!(&record[member], given, "{member}");
    }
}

/// The REST path and tools of one kind of record.
struct Interfaces {
    path: Option<&'static str>,
    noun: &'static str,
    bodies: [Map<String, Value>; 3],
    members: Vec<&'static str>,
}

fn interfaces<I: Input>(path: Option<&'static str>, noun: &'static str, given: impl Fn(u8) -> Value) -> Interfaces {
    let bodies = [1, 2, 3].map(|number| filled::<I>(number, given(number)));
    Interfaces { path, noun, bodies, members: I::members().iter().map(|member| member.name).collect() }
}

fn all_interfaces() -> [Interfaces; 4] {
    let company = |number: u8| json!({ "domain": format!("declared-{number}.example") });
    // A lost reason requires a lost deal.
    let deal = |_| json!({ "status": "closed_lost", "stage": "closed_lost", "currency": "CHF" });
    [
        interfaces::<CompanyFields>(Some("/api/v1/crm/companies"), "company", company),
        interfaces::<ContactFields>(Some("/api/v1/crm/contacts"), "contact", |_| json!({ "status": "blocked" })),
        interfaces::<DealFields>(Some("/api/v1/crm/deals"), "deal", deal),
        interfaces::<ProjectFields>(Some("/api/v1/projects"), "project", |_| json!({ "status": "on_hold" })),
    ]
}

/// The body without the members that tools do not accept.
fn for_tools(mut body: Map<String, Value>) -> Map<String, Value> {
    body.retain(|name, _| !EXTERNAL_IDS.contains(&name.as_str()));
    body
}

#[tokio::test]
async fn every_member_is_returned() {
    let (_app, client) = App::with_client().await;
    for Interfaces { path, noun, bodies: [by_rest, by_tool, changed], .. } in all_interfaces() {
        let [by_tool, changed] = [by_tool, changed].map(for_tools);
        if let Some(path) = path {
            let created = client.post(path, Value::Object(by_rest.clone())).await.expect(201);
            assert_shows(created.data(), &by_rest);
        }
        let created = run(&client, &format!("create_{noun}"), Value::Object(by_tool.clone())).await;
        assert_shows(&created, &by_tool);
        let mut arguments = changed.clone();
        arguments.insert("id".to_owned(), created["id"].clone());
        assert_shows(&run(&client, &format!("update_{noun}"), Value::Object(arguments)).await, &changed);
        let results = run(&client, &format!("get_{noun}"), json!({ "id": created["id"] })).await;
        assert_shows(&results, &changed);
    }
}

#[tokio::test]
async fn every_member_is_in_the_schemas() {
    let (_app, client) = App::with_client().await;
    let tools = catalogue(&client).await;
    let schema = |name: String, side: &str| {
        let tool = tools.iter().find(|tool| tool["name"] == name.as_str());
        tool.unwrap_or_else(|| panic!("{name}"))[side]["properties"].clone()
    };
    for Interfaces { noun, members, .. } in all_interfaces() {
        let places = [
            schema(format!("create_{noun}"), "inputSchema"),
            schema(format!("update_{noun}"), "inputSchema"),
            schema(format!("get_{noun}"), "outputSchema"),
        ];
        // Projects have no upserts.
        let items = match noun {
            "project" => None,
            "company" => Some(items_of("upsert_companies")),
            noun => Some(items_of(&format!("upsert_{noun}s"))),
        };
        for member in members {
            let is_taken = !EXTERNAL_IDS.contains(&member);
            let shown = places.each_ref().map(|properties| properties[member].is_object());
            assert_eq!(shown, [is_taken, is_taken, true], "{member} of {noun}");
            let is_upserted = items.as_ref().map(|it| it[member].is_object());
            assert!(is_upserted.is_none_or(|it| it == is_taken), "{member} of items of {noun}");
        }
    }
}

/// The members of a tool's items in the committed document; the list for clients omits them.
fn items_of(tool: &str) -> Value {
    let committed: Value = serde_json::from_str(include_str!("../../../docs/tools.json")).unwrap();
    let tool_entry = committed["tools"]
        .as_array()
        .unwrap()
        .iter()
        .find(|listed| listed["name"] == tool)
        .unwrap_or_else(|| panic!("{tool}"));
    tool_entry["inputSchema"]["properties"]["items"]["items"]["properties"].clone()
}

#[tokio::test]
async fn no_tool_accepts_ids_that_another_system_manages() {
    let (_app, client) = App::with_client().await;
    for tool in catalogue(&client).await {
        let schema = tool["inputSchema"].to_string();
        for member in EXTERNAL_IDS {
            assert!(!schema.contains(&format!("\"{member}\"")), "{member} of {}", tool["name"]);
        }
    }
}
