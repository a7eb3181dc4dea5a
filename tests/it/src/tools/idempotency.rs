//! Calls are idempotent per idempotency key.

use serde_json::{Value, json};
use test_support::simple_kinds;

use super::calls::{call, call_once, refusal, run, start_with_all_tools};
use super::table::TOOLS;
use super::world::ToolWorld;

/// Tools whose results contain a secret, which is never stored.
const SECRET: [&str; 2] = ["create_webhook", "rotate_webhook_secret"];

/// The tools that create records, in the order of the table.
fn creating_tools() -> Vec<&'static str> {
    let makes =
        |name: &&str| name.starts_with("create_") || matches!(*name, "add_comment" | "log_time" | "test_webhook");
    TOOLS.iter().map(|(name, ..)| *name).filter(makes).filter(|name| !SECRET.contains(name)).collect()
}

/// The number of records of the kind that a tool creates.
async fn count(world: &ToolWorld, tool: &str, arguments: &Value) -> usize {
    let (list, filter) = match tool {
        "create_contact" => ("list_contacts", json!({})),
        "create_company" => ("list_companies", json!({})),
        "create_deal" => ("list_deals", json!({})),
        "create_project" => ("list_projects", json!({})),
        "create_cycle" => ("list_cycles", json!({"project_id": arguments["project_id"]})),
        "create_task" => ("list_tasks", json!({})),
        "create_ticket" => ("list_tickets", json!({})),
        "add_comment" => ("list_comments", json!({"issue_id": arguments["issue_id"]})),
        "create_kb_article" => ("list_kb_articles", json!({})),
        "log_time" => ("list_time_entries", json!({})),
        "test_webhook" => ("list_webhook_deliveries", json!({"webhook_id": world.webhook})),
        other => {
            let kind = simple_kinds().into_iter().find(|kind| other == format!("create_{}", kind.noun));
            let kind = kind.unwrap_or_else(|| panic!("nothing to count for {other}"));
            (&*format!("list_{}", kind.plural).leak(), json!({}))
        }
    };
    let mut filter = filter;
    filter["limit"] = json!(100);
    run(&world.client, list, filter).await["data"].as_array().unwrap().len()
}

#[tokio::test]
async fn every_tool_that_creates_a_record_creates_it_once() {
    let (_app, _, world) = ToolWorld::start().await;
    for name in creating_tools() {
        let arguments = world.arguments(name).await;
        let before = count(&world, name, &arguments).await;
        let key = format!("key of {name}");
        let first = call_once(&world.client, &key, name, &arguments).await.expect(200);
        assert_eq!(first.body["isError"], false, "{name}: {}", first.text);
        assert_eq!(first.header("idempotent-replayed"), "", "{name}: {}", first.text);
        let repeated = call_once(&world.client, &key, name, &arguments).await.expect(200);
        assert_eq!(repeated.body, first.body, "{name}");
        assert_eq!(repeated.header("idempotent-replayed"), "true", "{name}");
        assert_eq!(count(&world, name, &arguments).await, before + 1, "{name}");
        let mut other = world.arguments(name).await;
        match name {
            "test_webhook" => continue,
            "create_project" | "create_company" | "create_cycle" => other["name"] = json!("Another"),
            "add_comment" => other["body"] = json!("Another"),
            _ => {}
        }
        if matches!(name, "create_deal" | "create_task" | "create_ticket") {
            other["title"] = json!("Another");
        }
        let conflict = call_once(&world.client, &key, name, &other).await;
        assert_eq!((conflict.status, &conflict.body["error"]), (409, &json!("idempotency_conflict")), "{name}");
        assert_eq!(count(&world, name, &arguments).await, before + 1, "{name}");
    }
}

#[tokio::test]
async fn of_many_concurrent_calls_one_takes_effect() {
    let (_app, _, world) = ToolWorld::start().await;
    for name in creating_tools() {
        let arguments = world.arguments(name).await;
        let before = count(&world, name, &arguments).await;
        let mut calls = tokio::task::JoinSet::new();
        for _ in 0..6 {
            let (client, arguments) = (world.client.clone(), arguments.clone());
            calls.spawn(async move { call_once(&client, "k", name, &arguments).await });
        }
        let mut results = Vec::new();
        for reply in calls.join_all().await {
            if reply.body["isError"] == json!(false) {
                results.push(reply.body["structuredContent"].clone());
            } else {
                assert_eq!((reply.status, &reply.body["error"]), (409, &json!("idempotency_conflict")), "{name}");
            }
        }
        assert!(!results.is_empty() && results.iter().all(|result| *result == results[0]), "{name}: {results:?}");
        assert_eq!(count(&world, name, &arguments).await, before + 1, "{name}");
    }
}

#[tokio::test]
async fn two_calls_without_a_key_create_two_records_and_secrets_are_never_stored() {
    let (_app, _, world) = ToolWorld::start().await;
    for name in creating_tools() {
        let first = world.arguments(name).await;
        let before = count(&world, name, &first).await;
        let _ = run(&world.client, name, first.clone()).await;
        let mut second = world.arguments(name).await;
        if name == "create_cycle" {
            second = json!({"project_id": first["project_id"], "name": "n", "start_date": "2031-01-01", "end_date": "2031-01-02"});
        }
        let _ = run(&world.client, name, second).await;
        assert_eq!(count(&world, name, &first).await, before + 2, "{name}");
    }
    for name in SECRET {
        let arguments = world.arguments(name).await;
        let first = call_once(&world.client, "secret", name, &arguments).await.expect(200);
        let repeated = call_once(&world.client, "secret", name, &arguments).await.expect(200);
        let secret =
            |reply: &test_support::ApiResponse| reply.body["structuredContent"]["secret"].as_str().unwrap().to_owned();
        assert_ne!(secret(&first), secret(&repeated), "{name}");
    }
}

#[tokio::test]
async fn a_key_is_checked_and_a_failure_is_not_cached() {
    let (_app, _, client) = start_with_all_tools().await;
    for (key, status) in [("x".repeat(255), 200), ("x".repeat(256), 400), (String::new(), 400)] {
        let reply = call_once(&client, &key, "create_deal", &json!({"title": "d"})).await;
        assert_eq!(reply.status, status, "{key}: {}", reply.text);
    }
    let body = json!({"email": "a@example.com"});
    let id = run(&client, "create_contact", body.clone()).await["id"].clone();
    assert_eq!(refusal(&call_once(&client, "k", "create_contact", &body).await)["error"], "duplicate");
    let _ = call(&client, "delete_contact", json!({ "id": id })).await.expect(200);
    let created = call_once(&client, "k", "create_contact", &body).await.expect(200);
    assert_eq!(created.body["isError"], json!(false), "{}", created.text);
}
