//! Errors of tool calls.

use domain::limits::{LimitName, Plan};
use serde_json::{Value, json};
use test_support::{ApiResponse, App};

use super::calls::{CALL, call, create, details, fail, run, with_all_tools};
use super::world::ToolWorld;
use crate::quota::tenant_with;
use crate::support::UNKNOWN_ID;

/// Checks a flat error: its code, and the common members.
#[track_caller]
fn check_flat(reply: &ApiResponse, status: u16, word: &str) {
    assert_eq!((reply.status, &reply.body["error"]), (status, &json!(word)), "{}", reply.text);
    assert!(reply.body["message"].as_str().is_some_and(|message| !message.is_empty()), "{}", reply.text);
    assert_eq!(reply.body["request_id"], reply.header("x-request-id"));
    assert_eq!(reply.body.get("isError"), None);
}

#[tokio::test]
async fn schema_violations_are_a_400_with_details() {
    let (_app, _, world) = ToolWorld::start().await;
    let client = &world.client;
    for (name, arguments, expected) in [
        ("get_deal", json!({}), &["id:required"][..]),
        ("get_deal", json!({"id": "x"}), &["id:invalid_uuid"]),
        ("get_deal", json!({"id": UNKNOWN_ID, "expand": "nope"}), &["expand:invalid_value"]),
        ("get_deal", json!({"id": UNKNOWN_ID, "offset": 1}), &["offset:invalid_value"]),
        ("create_deal", json!({}), &["title:required"]),
        ("create_deal", json!({"title": "x".repeat(256)}), &["title:too_long"]),
        ("create_deal", json!({"title": 1, "value": "1"}), &["title:invalid_type", "value:invalid_type"]),
        ("create_task", json!({"title": "t", "status": "closed"}), &["status:invalid_value"]),
        ("create_task", json!({"title": "t", "kind": "task"}), &["kind:unknown_field"]),
        ("update_ticket", json!({"id": world.ticket, "status": "done"}), &["status:invalid_value"]),
        ("list_deals", json!({"limit": 101}), &["limit:out_of_range"]),
        ("list_deals", json!({"page": 1}), &["page:unknown_field"]),
        ("create_project", json!({"name": "p", "template_id": UNKNOWN_ID}), &["template_id:unknown_field"]),
        ("update_deal", json!({"id": UNKNOWN_ID, "price_book_id": UNKNOWN_ID}), &["price_book_id:unknown_field"]),
        ("list_tasks", json!({"status": ["open"]}), &["status[0]:invalid_value"]),
        ("bulk_update_issues", json!({"issueIds": [], "patch": {"priority": "low"}}), &["issueIds:out_of_range"]),
        (
            "update_deal",
            json!({"id": UNKNOWN_ID, "expected_version": 0, "title": "x"}),
            &["expected_version:out_of_range"],
        ),
    ] {
        let reply = call(client, name, arguments.clone()).await;
        check_flat(&reply, 400, "invalid_arguments");
        let fields =
            |all: &[String]| all.iter().map(|one| one.split(':').next().unwrap().to_owned()).collect::<Vec<_>>();
        let (actual, expected_details) =
            (details(&reply.body), expected.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>());
        assert_eq!(fields(&actual), fields(&expected_details), "{name} {arguments}: {actual:?}");
        assert!(reply.body["details"][0]["message"].is_string());
    }
    let bad_cursor = call(client, "list_deals", json!({"cursor": "nope"})).await;
    check_flat(&bad_cursor, 400, "invalid_arguments");
    assert_eq!(details(&bad_cursor.body)[0].split(':').next(), Some("cursor"));
}

#[tokio::test]
async fn the_body_is_validated() {
    let (_app, client) = App::with_client().await;
    check_flat(&call(&client, "nope", json!({})).await, 404, "unknown_tool");
    check_flat(&call(&client, "List_Deals", json!({})).await, 404, "unknown_tool");
    for body in [
        json!([]),
        json!("list_deals"),
        json!({}),
        json!({"arguments": {}}),
        json!({"name": 1}),
        json!({"name": "list_deals", "arguments": []}),
        json!({"name": "list_deals", "arguments": "{}"}),
        json!({"name": "list_deals", "params": {}}),
    ] {
        let reply = client.post(CALL, body.clone()).await;
        assert_eq!((reply.status, reply.body["error"].is_string()), (400, true), "{body}: {}", reply.text);
    }
    for body in [json!({"name": "list_deals"}), json!({"name": "list_deals", "arguments": null})] {
        let _ = client.post(CALL, body).await.expect(200);
    }
    let send = async |kind: &str, body: String| {
        ApiResponse::of(client.request("POST", CALL).header("Content-Type", kind).body(body)).await
    };
    check_flat(&send("application/json", "{".to_owned()).await, 400, "invalid_json");
    check_flat(&send("text/plain", "{}".to_owned()).await, 415, "unsupported_media_type");
    let large = json!({"name": "list_deals", "arguments": {"x": "x".repeat(1_048_576)}}).to_string();
    check_flat(&send("application/json", large).await, 413, "payload_too_large");
    for method in ["GET", "PUT", "DELETE", "PATCH"] {
        let reply = ApiResponse::of(client.request(method, CALL)).await;
        check_flat(&reply, 405, "method_not_allowed");
        assert_eq!(reply.header("allow"), "POST", "{method}");
    }
    check_flat(&client.get("/api/mcp/nope").await, 404, "not_found");
    check_flat(&client.post(&format!("{CALL}?x=1"), json!({"name": "list_deals"})).await, 400, "unknown_parameter");
}

#[tokio::test]
async fn rule_violations_are_results_that_a_model_reads() {
    let (_app, _, world) = ToolWorld::start().await;
    let client = &world.client;
    let (deal, ticket, project) = (&world.deal, &world.ticket, &world.project);
    let _ = run(client, "update_deal", json!({"id": deal, "status": "closed_won"})).await;
    let _ = run(client, "update_ticket", json!({"id": ticket, "status": "closed"})).await;
    let cycle = json!({"project_id": project, "name": "C", "start_date": "2030-01-01", "end_date": "2030-01-02"});
    let _ = run(client, "create_cycle", cycle.clone()).await;
    let dates = json!({"name": "p", "start_date": "2030-02-01", "end_date": "2030-01-01"});
    for (name, arguments, word, expected) in [
        ("create_contact", json!({"email": "ADA@example.com"}), "duplicate", &[][..]),
        ("create_contact", json!({"email": "nope"}), "validation_failed", &["email:invalid_email"]),
        (
            "create_deal",
            json!({"title": "d", "contact_id": UNKNOWN_ID}),
            "validation_failed",
            &["contact_id:not_found"],
        ),
        ("create_deal", json!({"title": "d", "lost_reason": "x"}), "validation_failed", &["lost_reason:not_lost"]),
        ("create_project", dates, "validation_failed", &[]),
        ("create_cycle", cycle, "conflict", &[]),
        ("get_deal", json!({"id": UNKNOWN_ID}), "not_found", &[]),
        ("update_deal", json!({"id": deal, "status": "on_hold"}), "invalid_state_change", &[]),
        ("update_ticket", json!({"id": ticket, "status": "pending"}), "invalid_state_change", &[]),
        ("update_deal", json!({"id": deal, "title": "x", "expected_version": 1}), "concurrent_update", &[]),
        ("delete_deal", json!({"id": deal, "expected_version": 1}), "concurrent_update", &[]),
        ("update_deal", json!({"id": deal}), "validation_failed", &[]),
        ("create_webhook", json!({"module": "crm", "url": "ftp://x", "events": ["*"]}), "validation_failed", &[]),
    ] {
        let refusal = fail(client, name, arguments.clone()).await;
        assert_eq!(refusal["error"], word, "{name} {arguments}: {refusal}");
        assert!(refusal["message"].is_string(), "{refusal}");
        if !expected.is_empty() {
            assert_eq!(details(&refusal), expected, "{name} {arguments}");
        }
    }
    let stored = run(client, "get_deal", json!({"id": deal})).await;
    let version = json!({"id": deal, "title": "x", "expected_version": stored["version"]});
    assert_eq!(run(client, "update_deal", version).await["title"], "x");
    let deleted = json!({"id": deal});
    let _ = run(client, "delete_deal", deleted.clone()).await;
    assert_eq!(fail(client, "delete_deal", deleted.clone()).await["error"], "not_found");
    assert_eq!(fail(client, "get_deal", deleted).await["error"], "not_found");
}

#[tokio::test]
async fn quotas_and_rate_limits_are_flat_429s() {
    let app = App::start().await;
    let tenant = tenant_with(&app, 3).await;
    let client = with_all_tools(&tenant).await;
    let _ = create(&client, "create_company", json!({"name": "c"})).await;
    let _ = create(&client, "create_contact", json!({"email": "a@example.com"})).await;
    let _ = client.post("/api/v1/crm/deals", json!({"title": "by REST"})).await.expect(201);
    for (name, arguments) in [
        ("create_company", json!({"name": "c"})),
        ("create_contact", json!({"email": "b@example.com"})),
        ("create_deal", json!({"title": "d"})),
    ] {
        let reply = call(&client, name, arguments).await;
        check_flat(&reply, 429, "quota_exceeded");
        let wait = reply.body["retry_after"].as_i64().unwrap();
        assert_eq!(reply.header("retry-after"), wait.to_string());
        assert!((1..=31 * 86_400).contains(&wait));
    }
    assert_eq!(client.post("/api/v1/crm/deals", json!({"title": "d"})).await.status, 429, "one count for both");
    let _ = create(&client, "create_task", json!({"title": "t"})).await;
    let listed = run(&client, "list_companies", json!({})).await;
    assert_eq!(listed["data"].as_array().map(Vec::len), Some(1));
    let tenant = app.workspace_of(Plan::Starter).await.limit_to(&[(LimitName::RequestsPerMinute, 2)]).await;
    let client = tenant.full_access().await;
    let mut last = Value::Null;
    for _ in 0..4 {
        let reply = call(&client, "list_deals", json!({})).await;
        last = json!([
            reply.status,
            reply.body["error"],
            reply.body["retry_after"].is_i64(),
            reply.header("retry-after").is_empty()
        ]);
    }
    assert_eq!(last, json!([429, "rate_limit_exceeded", true, false]));
}
