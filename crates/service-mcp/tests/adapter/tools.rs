//! The list of tools, and the limits set on the command line.

use serde_json::{Value, json};

use crate::client::{Adapter, KEY};
use crate::fake_service::{CALL, Fake, FakeReply, LIST, SESSION, flat, listing, success, too_many_requests, tools};

#[tokio::test]
async fn the_list_is_the_services_and_requested_each_time() {
    let (fake, mut adapter) = Adapter::with_fake(|_| FakeReply::Json(200, success())).await;
    let first = adapter.result("tools/list", json!({})).await;
    assert!(first.get("nextCursor").is_none(), "{first}");
    for (shown, listed) in first["tools"].as_array().unwrap().iter().zip(tools()) {
        for member in ["name", "title", "description", "annotations", "inputSchema", "outputSchema"] {
            assert_eq!(shown[member], listed[member], "{member}");
        }
    }
    assert_eq!(adapter.result("tools/list", json!({})).await, first);
    let requests = fake.requests_to(LIST);
    assert_eq!(requests.len(), 2);
    assert_eq!((requests[0].method.as_str(), requests[0].query.as_str()), ("GET", "includeSchemas=true"));
    assert_eq!(requests[0].header("authorization"), format!("Bearer {KEY}"));
    let refused = adapter.request("tools/list", json!({"cursor": "x"})).await;
    assert_eq!(refused["error"]["code"], -32_602);
}

#[tokio::test]
async fn a_changed_list_takes_effect_at_once() {
    let fake = Fake::start(|_, earlier| FakeReply::Json(200, json!({"tools": &tools()[earlier..], "count": 1}))).await;
    let mut adapter = Adapter::connected_to(&fake, &[]).await;
    assert_eq!(adapter.names().await.len(), 4);
    assert_eq!(adapter.names().await.len(), 3);
}

#[tokio::test]
async fn features_are_passed_on_and_apply_to_calls() {
    let fake = Fake::with_call_reply(|_| FakeReply::Json(200, success())).await;
    let mut adapter = Adapter::connected_to(&fake, &["--features", "crm,webhooks"]).await;
    assert_eq!(adapter.names().await, ["list_deals", "create_deal"]);
    assert_eq!(fake.requests_to(LIST)[0].query, "includeSchemas=true&features=crm%2Cwebhooks");
    assert_eq!(adapter.call("create_deal").await["result"]["isError"], false);
    let refused = adapter.call("list_projects").await;
    assert_eq!(refused["error"]["code"], -32_602, "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("--features"));
    assert_eq!(fake.requests_to(CALL).len(), 1);
}

#[tokio::test]
async fn read_only_takes_precedence_over_the_key() {
    let fake = Fake::with_call_reply(|_| FakeReply::Json(200, success())).await;
    let mut adapter = Adapter::connected_to(&fake, &["--read-only"]).await;
    // Even before any list.
    let refused = adapter.call("create_deal").await;
    assert_eq!(refused["error"]["code"], -32_602, "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("--read-only"));
    assert_eq!(adapter.names().await, ["list_deals", "list_projects"]);
    assert_eq!(adapter.call("create_project").await["error"]["code"], -32_602);
    assert_eq!(adapter.call("never_heard_of").await["error"]["code"], -32_602);
    assert_eq!(fake.requests_to(CALL).len(), 0, "nothing was called");
    assert_eq!(adapter.call("list_deals").await["result"]["isError"], false);
    assert_eq!(fake.requests_to(CALL).len(), 1);
}

#[tokio::test]
async fn read_only_calls_nothing_without_a_list() {
    let fake =
        Fake::start(
            |recorded, _| if recorded.path == LIST { too_many_requests("rate_limit_exceeded", 40) } else { listing() },
        )
        .await;
    let mut adapter = Adapter::connected_to(&fake, &["--read-only"]).await;
    let text = adapter.failing_call("create_deal").await;
    assert!(text.contains("40 seconds") && text.contains("changed nothing"), "{text}");
    assert_eq!(fake.requests_to(CALL).len(), 0);
}

#[tokio::test]
async fn a_failed_list_reports_why() {
    let cases = [
        (flat(401, "unauthorized", "No."), -32_603, "SERVICE_MCP_API_KEY"),
        (flat(400, "invalid_value", "features: no such feature: crmm"), -32_602, "crmm"),
        (too_many_requests("rate_limit_exceeded", 33), -32_603, "33 seconds"),
        (FakeReply::With(404, vec![], "<html>".to_owned()), -32_603, "--api-url"),
        (FakeReply::With(200, vec![], "<html>".to_owned()), -32_603, "cannot be read"),
    ];
    for (reply, code, expected) in cases {
        let fake = Fake::start(move |_, _| reply.clone()).await;
        let mut adapter = Adapter::connected_to(&fake, &[]).await;
        let response = adapter.request("tools/list", json!({})).await;
        assert_eq!(response["error"]["code"], code, "{response}");
        assert!(response["error"]["message"].as_str().unwrap().contains(expected), "{response}");
    }
}

#[tokio::test]
async fn prefixes_and_slashes_are_normalised() {
    let fake = Fake::start_bare(|_, _| FakeReply::Json(200, json!({"tools": [], "count": 0}))).await;
    let mut adapter = Adapter::at(&format!("{}/work/", fake.url), &[]);
    let _ = adapter.initialize("2025-11-25").await;
    assert_eq!(adapter.result("tools/list", json!({})).await["tools"], Value::Array(Vec::new()));
    assert_eq!(fake.requests_to(&format!("/work{LIST}")).len(), 1);
    assert_eq!(fake.requests_to(SESSION).len(), 0);
}
