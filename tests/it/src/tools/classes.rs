//! The rate-limit classes of tool calls.

use domain::limits::Plan;
use serde_json::{Value, json};
use test_support::{ApiResponse, App};

use super::calls::{LIST, SESSION, call, with_all_tools};
use super::table::{CallClass, TOOLS};
use crate::support::UNKNOWN_ID;

fn rate_limit(reply: &ApiResponse) -> String {
    assert!(!reply.header("x-ratelimit-reset").is_empty(), "{}", reply.text);
    format!("{} {}", reply.header("x-ratelimit-limit"), reply.header("x-ratelimit-remaining"))
}

#[tokio::test]
async fn every_tool_counts_in_its_class_together_with_rest() {
    let app = App::with_real_limits().await;
    let tenant = app.workspace_of(Plan::Professional).await;
    let client = with_all_tools(&tenant).await;
    let (mut reads, mut writes, mut bulks) = (500, 250, 10);
    for &(name, _, counts) in TOOLS.iter() {
        let reply = call(&client, name, json!({})).await;
        let (limit, remaining) = match counts {
            CallClass::Read => (500, &mut reads),
            // An upsert without items does not write.
            CallClass::Bulk if name.starts_with("upsert_") => (250, &mut writes),
            CallClass::Write => (250, &mut writes),
            CallClass::Bulk => (10, &mut bulks),
        };
        *remaining -= 1;
        assert_eq!(rate_limit(&reply), format!("{limit} {remaining}"), "{name}");
    }
    for reply in [
        client.get(SESSION).await,
        client.get(LIST).await,
        client.post(LIST, json!({})).await,
        client.get("/api/v1/projects").await,
        client.post(LIST, json!({"nope": 1})).await,
    ] {
        reads -= 1;
        assert_eq!(rate_limit(&reply), format!("500 {reads}"), "{}", reply.text);
    }
    for reply in [
        client.post("/api/v1/projects", json!({"name": "p"})).await,
        call(&client, "nope", json!({})).await,
        client.post(super::calls::CALL, json!([])).await,
        client.post(super::calls::CALL, json!({"name": "get_deal", "nope": 1})).await,
    ] {
        writes -= 1;
        assert_eq!(rate_limit(&reply), format!("250 {writes}"), "{}", reply.text);
    }
    let denied = tenant.with_scopes(&["stock.read"]).await;
    assert_eq!(rate_limit(&call(&denied, "get_deal", json!({})).await.expect(403)), "500 499");
}

#[tokio::test]
async fn bulk_calls_are_ten_per_minute_for_tools_and_rest_together() {
    let app = App::with_real_limits().await;
    let client = app.workspace_of(Plan::Enterprise).await.full_access().await;
    let bulk = json!({"issueIds": [UNKNOWN_ID], "patch": {"priority": "low"}});
    for remaining in (0..10).rev() {
        let reply = match remaining % 2 {
            0 => call(&client, "bulk_update_issues", bulk.clone()).await,
            _ => client.post("/api/v1/issues/bulk-update", bulk.clone()).await,
        };
        assert_eq!(rate_limit(&reply.expect(200)), format!("10 {remaining}"));
    }
    let refused = call(&client, "bulk_update_issues", bulk.clone()).await.expect(429);
    assert_eq!((&refused.body["error"], rate_limit(&refused)), (&json!("rate_limit_exceeded"), "10 0".to_owned()));
    let _ = call(&client, "get_task", json!({"id": UNKNOWN_ID})).await.expect(200);
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "bulk_update_issues", "arguments": bulk}});
    let request = client.request("POST", "/api/mcp").header("Accept", "application/json, text/event-stream");
    assert_eq!(ApiResponse::of(request.json(&message)).await.status, 429, "the standard transport has the same limit");
}

#[tokio::test]
async fn few_items_of_an_upsert_are_writes_and_many_are_one_bulk_call() {
    let app = App::with_real_limits().await;
    let tenant = app.workspace_of(Plan::Starter).await;
    let client = tenant.full_access().await;
    // Every item fails, but still counts.
    let items = |count: usize| json!({"items": vec![json!({}); count]});
    for (count, expected) in [(1, "50 49"), (24, "50 25"), (26, "10 9"), (500, "10 8"), (25, "50 0")] {
        let reply = call(&client, "upsert_contacts", items(count)).await.expect(200);
        assert_eq!(rate_limit(&reply), expected, "{count}");
    }
    let _ = client.post("/api/v1/projects", json!({"name": "p"})).await.expect(429);
    assert_eq!(rate_limit(&call(&client, "upsert_deals", items(26)).await.expect(200)), "10 7");
    assert_eq!(
        rate_limit(&call(&client, "upsert_deals", items(1)).await.expect(200)),
        "10 6",
        "one passes where 26 do"
    );

    let client = tenant.full_access().await;
    let standard = async |arguments: Value| {
        let params = json!({"name": "upsert_companies", "arguments": arguments});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let request = client.request("POST", "/api/mcp").header("Accept", "application/json, text/event-stream");
        rate_limit(&ApiResponse::of(request.json(&message)).await)
    };
    assert_eq!(standard(items(2)).await, "50 48");
    assert_eq!(standard(json!({"items": items(2)["items"].to_string()})).await, "50 46", "a list sent as text");
    assert_eq!(standard(items(26)).await, "10 9");
    for malformed in [json!({}), json!({"items": {}}), json!({"items": "[{},"}), json!({"items": [], "nope": 1})] {
        let remaining = standard(malformed.clone()).await;
        assert!(remaining.starts_with("50 4"), "{malformed}: {remaining}");
    }
    let rest = call(&client, "upsert_deals", json!({"items": 1})).await.expect(400);
    assert_eq!(rate_limit(&rest), "50 41", "each malformed call was one write");
}

#[tokio::test]
async fn a_small_upsert_that_does_not_fit_keeps_the_rest_of_the_window() {
    let app = App::with_real_limits().await;
    let client = app.workspace_of(Plan::Starter).await.full_access().await;
    let items = |count: usize| json!({"items": vec![json!({}); count]});
    for (count, expected) in [(25, "50 25"), (10, "50 15"), (16, "10 9"), (15, "50 0")] {
        let reply = call(&client, "upsert_contacts", items(count)).await.expect(200);
        assert_eq!(rate_limit(&reply), expected, "{count}");
    }
    // If the bulk calls are used up too, the upsert is refused without using up remaining writes.
    let client = app.workspace_of(Plan::Starter).await.full_access().await;
    for remaining in (0..10).rev() {
        assert_eq!(rate_limit(&call(&client, "upsert_deals", items(26)).await.expect(200)), format!("10 {remaining}"));
    }
    for (count, expected) in [(25, "50 25"), (24, "50 1")] {
        assert_eq!(rate_limit(&call(&client, "upsert_deals", items(count)).await.expect(200)), expected);
    }
    assert_eq!(rate_limit(&call(&client, "upsert_deals", items(2)).await.expect(429)), "10 0");
    assert_eq!(rate_limit(&client.post("/api/v1/projects", json!({"name": "p"})).await.expect(201)), "50 0");
}

#[tokio::test]
async fn protocol_messages_count_in_the_class_of_their_tool() {
    let app = App::with_real_limits().await;
    let client = app.workspace_of(Plan::Starter).await.full_access().await;
    let call = |name: &str| json!({"method": "tools/call", "params": {"name": name, "arguments": {"id": UNKNOWN_ID}}});
    for (message, expected) in [
        (json!({"method": "tools/list"}), "100 99"),
        (call("get_deal"), "100 98"),
        (call("delete_deal"), "50 49"),
        (call("bulk_update_issues"), "10 9"),
        (call("nope"), "50 48"),
        (json!({"method": "ping"}), "100 97"),
        (json!([{"method": "tools/call", "params": {"name": "delete_deal"}}]), "100 96"),
    ] {
        let mut message = message;
        if let Some(object) = message.as_object_mut() {
            object.extend([("jsonrpc".to_owned(), json!("2.0")), ("id".to_owned(), json!(1))]);
        }
        let request = client.request("POST", "/api/mcp").header("Accept", "application/json, text/event-stream");
        let reply = ApiResponse::of(request.json(&message)).await;
        assert_eq!(rate_limit(&reply), expected, "{message}: {}", reply.text);
    }
}
