//! Tools accept a single value for a list and a date for a timestamp; REST does not.

use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client};

use super::calls::{call, catalogue, create, details, fail, resolved, run};
use super::world::ToolWorld;
use crate::support::UNKNOWN_ID;

/// A valid item of a list: one that is sent, one of an enumeration, the id of a member, or a text.
fn item_of(schema: &Value, member: &str, value: &Value) -> Value {
    let part = resolved(schema, &schema["properties"][member]);
    let items = resolved(schema, &part["items"]);
    let any = if ["assignee", "member"].contains(&member) { json!(UNKNOWN_ID) } else { json!("EUR") };
    value.get(0).or(items["enum"].get(0)).cloned().unwrap_or(any)
}

/// The parts of a response that are the same when a call is repeated.
fn outcome(reply: &ApiResponse) -> (u16, Value, Vec<String>) {
    let text = reply.body["content"][0]["text"].as_str().and_then(|text| serde_json::from_str(text).ok());
    (reply.status, reply.body["isError"].clone(), details(&text.unwrap_or(Value::Null)))
}

#[tokio::test]
async fn every_list_accepts_a_single_value() {
    let (_app, _, world) = ToolWorld::start().await;
    let mut count = 0;
    for tool in catalogue(&world.client).await {
        let (name, schema) = (tool["name"].as_str().unwrap(), &tool["inputSchema"]);
        let takes = jsonschema::draft202012::new(schema).unwrap();
        for (member, part) in schema["properties"].as_object().unwrap() {
            let part = resolved(schema, part);
            let holds_values = part["items"].is_object() && part["items"]["type"] != "object";
            if !holds_values {
                continue;
            }
            count += 1;
            let mut single = world.arguments(name).await;
            let item = item_of(schema, member, &single[member]);
            single[member] = item.clone();
            assert!(takes.is_valid(&single), "{name}.{member}: {part} does not say so");
            let mut list = world.arguments(name).await;
            list[member] = json!([item]);
            let mut text = world.arguments(name).await;
            text[member] = json!(json!([item]).to_string());
            let list = call(&world.client, name, list).await;
            assert_eq!(list.status, 200, "{name}.{member}: {}", list.text);
            for other in [single, text] {
                let other = call(&world.client, name, other).await;
                assert_eq!(outcome(&other), outcome(&list), "{name}.{member} = {item}: {}", other.text);
                if name.starts_with("list_") {
                    let [other, list] = [&other, &list].map(|reply| &reply.body["structuredContent"]["data"]);
                    assert_eq!(other, list, "{name}");
                }
            }
        }
    }
    assert!(count > 30, "{count}");
}

#[tokio::test]
async fn a_single_value_has_the_effect_of_a_list_of_one() {
    let (_app, tenant, world) = ToolWorld::start().await;
    let client = &world.client;
    let contact = run(client, "create_contact", json!({"email": "a@example.com", "tags": "vip"})).await;
    assert_eq!(contact["tags"], json!(["vip"]));
    let items = json!([{"email": "a@example.com", "tags": "big"}, {"email": "b@example.com", "tags": {"no": 1}}]);
    let upserted = run(client, "upsert_contacts", json!({ "items": items })).await;
    assert_eq!(upserted["outcomes"], json!(["updated", "failed"]), "{upserted}");
    let results = run(client, "list_contacts", json!({"tag": "BIG", "status": "active"})).await;
    assert_eq!(results["data"][0]["id"], contact["id"]);
    let address = format!("member@{}.example", tenant.workspace.slug);
    let bulk = json!({"issueIds": world.task, "patch": {"add_labels": "x", "assignee_id": address}});
    assert_eq!(run(client, "bulk_update_issues", bulk).await["updatedCount"], 1);
    for filter in [json!({"assignee": address}), json!({"label": "X", "assignee": world.member})] {
        let results = run(client, "list_tasks", filter.clone()).await;
        assert_eq!(results["data"].as_array().map(Vec::len), Some(1), "{filter}");
    }
    let groups = run(client, "summarize_tasks", json!({"group_by": "assignee", "assignee": "none"})).await;
    assert_eq!(groups["total"]["count"], 0, "{groups}");
    let unknown = fail(client, "list_tasks", json!({"assignee": "nobody@x.example"})).await;
    assert_eq!(details(&unknown), ["assignee[0]:not_found"]);
    for (tool, arguments, expected) in [
        ("list_deals", json!({"status": "won"}), "status[0]:invalid_value"),
        ("list_deals", json!({"status": 1}), "status[0]:invalid_value"),
        ("list_deals", json!({"status": {"a": 1}}), "status:invalid_type"),
        ("create_deal", json!({"title": "t", "tags": "x".repeat(101)}), "tags[0]:too_long"),
        ("bulk_update_issues", json!({"issueIds": "1", "patch": {"priority": "low"}}), "issueIds[0]:invalid_uuid"),
        ("upsert_deals", json!({"items": {"title": "t"}}), "items:invalid_type"),
    ] {
        let reply = call(client, tool, arguments.clone()).await;
        assert_eq!((reply.status, details(&reply.body)), (400, vec![expected.to_owned()]), "{tool} {arguments}");
    }
}

#[tokio::test]
async fn lists_may_be_sent_as_json_text() {
    let (_app, tenant, world) = ToolWorld::start().await;
    let client = &world.client;
    let deal = run(client, "create_deal", json!({"title": "a", "tags": "[\"x\",\"y\"]"})).await;
    assert_eq!(deal["tags"], json!(["x", "y"]));
    let tags =
        async |text: &str| run(client, "update_deal", json!({"id": deal["id"], "tags": text})).await["tags"].clone();
    assert_eq!(tags("[]").await, json!([]));
    // Any other text is a single item.
    for text in ["null", "[bug] fix", "[x", "{\"a\": 1}", "x, y"] {
        assert_eq!(tags(text).await, json!([text]));
    }
    let items = json!([{"email": "a@example.com", "tags": "[\"x\", \"z\"]"}]);
    // The same applies to upsert items.
    for items in [items.clone(), json!(items.to_string())] {
        let _ = run(client, "upsert_contacts", json!({ "items": items })).await;
        let results = run(client, "list_contacts", json!({"tag": "[\"Z\"]", "email": "a@example.com"})).await;
        assert_eq!(results["data"].as_array().map(Vec::len), Some(1), "{results}");
    }
    let address = format!("member@{}.example", tenant.workspace.slug);
    let bulk = json!({"issueIds": json!([world.task]).to_string(), "patch": {"add_labels": "[\"l\", \"m\"]", "assignee_id": address}});
    assert_eq!(run(client, "bulk_update_issues", bulk).await["updatedCount"], 1);
    for filter in [json!({"label": "[\"m\"]"}), json!({"assignee": json!([address]).to_string()})] {
        let results = run(client, "list_tasks", filter.clone()).await;
        assert_eq!(results["data"].as_array().map(Vec::len), Some(1), "{filter}");
    }
    let article = run(client, "create_kb_article", json!({"title": "t", "tags": "[\"x\",\"y\"]"})).await;
    assert_eq!(article["tags"], json!(["x", "y"]));
    for (tool, arguments, expected) in [
        ("create_deal", json!({"title": "t", "tags": "[\"a\", 1]"}), "tags[1]:invalid_type"),
        ("list_deals", json!({"status": "[\"open\", \"won\"]"}), "status[1]:invalid_value"),
        ("upsert_deals", json!({"items": "[1]"}), "items[0]:invalid_type"),
        ("upsert_deals", json!({"items": "{}"}), "items:invalid_type"),
    ] {
        let reply = call(client, tool, arguments.clone()).await;
        assert_eq!((reply.status, details(&reply.body)), (400, vec![expected.to_owned()]), "{tool} {arguments}");
    }
}

#[tokio::test]
async fn a_date_for_a_timestamp_is_the_start_of_the_day_in_utc_or_its_end_for_due_times() {
    let (_app, _, world) = ToolWorld::start().await;
    let client = &world.client;
    let (date, start) = ("2030-01-31", "2030-01-31T00:00:00.000000Z");
    let mut count = 0;
    for tool in catalogue(client).await {
        let (name, schema) = (tool["name"].as_str().unwrap(), &tool["inputSchema"]);
        let takes = jsonschema::draft202012::options().should_validate_formats(true).build(schema).unwrap();
        for (member, part) in schema["properties"].as_object().unwrap() {
            if resolved(schema, part)["anyOf"][0]["format"] != "date-time" {
                continue;
            }
            count += 1;
            for (text, is_one) in [(date, true), (start, true), ("2030-02-30", false), ("2030-01-31T00:00", false)] {
                let mut arguments = world.arguments(name).await;
                arguments[member] = json!(text);
                assert_eq!(takes.is_valid(&arguments), is_one, "{name}.{member} = {text}");
                let reply = call(client, name, arguments).await;
                assert_eq!(reply.status, if is_one { 200 } else { 400 }, "{name}.{member} = {text}: {}", reply.text);
            }
        }
    }
    assert!(count > 15, "{count}");
    let task = run(client, "create_task", json!({"title": "Zebra", "due_at": date})).await;
    // A due date means the end of that day, and the response shows it.
    assert_eq!(task["due_at"], "2030-01-31T23:59:59.000000Z");
    let moved = run(client, "update_task", json!({"id": task["id"], "due_at": "2030-02-01"})).await;
    assert_eq!(moved["due_at"], "2030-02-01T23:59:59.000000Z");
    let bulk = json!({"issueIds": [task["id"]], "patch": {"due_at": date}});
    assert_eq!(run(client, "bulk_update_issues", bulk).await["updatedCount"], 1);
    let wrong = call(client, "list_tasks", json!({"due_before": "next monday"})).await;
    let message = wrong.body["details"][0]["message"].as_str().unwrap();
    assert!(message.ends_with(", or a date such as 2030-01-31"), "{message}");
    for (filter, expected) in [
        (json!({"due_after": date}), 1),
        (json!({"due_before": date}), 0),
        (json!({"due_before": "2030-02-01"}), 1),
        (json!({"due_after": "2030-02-01"}), 0),
    ] {
        let mut arguments = filter.clone();
        arguments["search"] = json!("zebra");
        let results = run(client, "list_tasks", arguments).await["data"].as_array().map(Vec::len);
        assert_eq!(results, Some(expected), "{filter}");
    }
}

#[tokio::test]
async fn rest_accepts_neither() {
    let (_app, client) = App::with_client().await;
    let task = create(&client, "create_task", json!({"title": "t"})).await;
    let (issue, deals) = (format!("/api/v1/issues/{task}"), "/api/v1/crm/deals");
    let refused = async |reply: ApiResponse, expected: &str| {
        let code =
            format!("{}:{}", reply.body["error"]["details"][0]["field"], reply.body["error"]["details"][0]["code"]);
        assert_eq!((reply.status, code.replace('"', "")), (400, expected.to_owned()), "{}", reply.text);
    };
    refused(client.post(deals, json!({"title": "t", "tags": "a"})).await, "tags:invalid_type").await;
    refused(client.post(deals, json!({"title": "t", "tags": "[\"a\"]"})).await, "tags:invalid_type").await;
    refused(client.patch(&issue, json!({"due_at": "2030-01-31"})).await, "due_at:invalid_timestamp").await;
    let bulk = json!({"issueIds": task, "patch": {"priority": "low"}});
    refused(client.post("/api/v1/issues/bulk-update", bulk).await, "issueIds:invalid_type").await;
    let since = client.get("/api/v1/issues?updated_since=2030-01-31").await;
    refused(since, "updated_since:invalid_timestamp").await;
}

#[tokio::test]
async fn the_standard_transport_is_as_lenient() {
    let app = App::start().await;
    let client: Client = app.workspace().await.full_access().await;
    let params = json!({"name": "create_task", "arguments": {"title": "t", "due_at": "2030-01-31"}});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let request = client.request("POST", "/api/mcp").header("Accept", "application/json, text/event-stream");
    let reply = ApiResponse::of(request.json(&message)).await.expect(200);
    let due = &reply.body["result"]["structuredContent"]["due_at"];
    assert_eq!(due, "2030-01-31T23:59:59.000000Z", "{}", reply.text);
    let params = json!({"name": "whoami", "arguments": null});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let request = client.request("POST", "/api/mcp").header("Accept", "application/json, text/event-stream");
    let reply = ApiResponse::of(request.json(&message)).await.expect(200);
    assert_eq!(reply.body["result"]["isError"], json!(false), "{}", reply.text);
}
