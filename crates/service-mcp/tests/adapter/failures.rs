//! Which errors clients get when the service fails or rejects a request, and which requests are retried.

use serde_json::json;
use tokio::net::TcpListener;

use crate::client::Adapter;
use crate::fake_service::{CALL, Fake, FakeReply, LIST, flat, success, too_many_requests};

/// A URL without a listener.
async fn unused_url() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

#[tokio::test]
async fn errors_that_a_model_can_fix_are_failed_calls() {
    let details = json!([
        {"field": "limit", "code": "out_of_range", "message": "at most 100"},
        {"field": "title", "code": "required", "message": "is missing"},
    ]);
    let invalid = json!({"error": "invalid_arguments", "message": "The arguments are wrong.", "details": details});
    let cases = [
        (
            FakeReply::Json(400, invalid),
            vec!["The arguments are wrong.", "- limit: at most 100", "- title: is missing"],
        ),
        (too_many_requests("rate_limit_exceeded", 27), vec!["Too much.", "27 seconds"]),
        (too_many_requests("quota_exceeded", 864_000), vec!["864000 seconds"]),
        (too_many_requests("trial_quota_exceeded", 60), vec!["60 seconds"]),
        (flat(409, "idempotency_conflict", "Another body."), vec!["Another body."]),
        (flat(413, "payload_too_large", "At most 1 MiB."), vec!["At most 1 MiB.", "changed nothing"]),
        (flat(500, "internal", "Something broke."), vec!["500", "Something broke.", "may have taken effect"]),
        (FakeReply::With(200, vec![], "<html>".to_owned()), vec!["cannot be read", "may have taken effect"]),
        (FakeReply::With(200, vec![], "x".repeat(1_100_000)), vec!["1 MiB", "may have taken effect"]),
        (FakeReply::With(501, vec![], "{".to_owned()), vec!["501"]),
    ];
    for (reply, expected) in cases {
        let label = format!("{reply:?}").chars().take(80).collect::<String>();
        let (fake, mut adapter) = Adapter::with_fake(move |_| reply.clone()).await;
        let text = adapter.failing_call("create_deal").await;
        for part in expected {
            assert!(text.contains(part), "{label}: {text}");
        }
        assert_eq!(fake.requests_to(CALL).len(), 1, "{label}");
    }
}

#[tokio::test]
async fn other_errors_are_protocol_errors() {
    let cases = [
        (flat(403, "permission_denied", "Needs create_deals."), -32_602, "Needs create_deals."),
        (flat(404, "unknown_tool", "No tool create_deel."), -32_602, "No tool create_deel."),
        (flat(401, "unauthorized", "No."), -32_603, "missing, expired or revoked"),
        (flat(401, "unauthorized", "No."), -32_603, "SERVICE_MCP_API_KEY"),
        (flat(404, "not_found", "No such route."), -32_603, "--api-url"),
    ];
    for (reply, code, expected) in cases {
        let (fake, mut adapter) = Adapter::with_fake(move |_| reply.clone()).await;
        let response = adapter.call("create_deal").await;
        assert_eq!(response["error"]["code"], code, "{response}");
        assert!(response["error"]["message"].as_str().unwrap().contains(expected), "{response}");
        assert_eq!(fake.requests_to(CALL).len(), 1);
        let logged = adapter.end().await.errors;
        assert_eq!(logged.matches(expected).count(), 1, "logged once: {logged}");
    }
}

#[tokio::test]
async fn temporary_errors_are_retried_with_the_same_key() {
    for temporary_error in [
        flat(503, "unavailable", "Soon."),
        flat(502, "", ""),
        too_many_requests("rate_limit_exceeded", 1),
        FakeReply::Hangup,
    ] {
        let label = format!("{temporary_error:?}");
        let (fake, mut adapter) = Adapter::with_fake(move |earlier| match earlier {
            0 => temporary_error.clone(),
            1 => flat(409, "idempotency_conflict", "Still running."),
            _ => FakeReply::Json(200, success()),
        })
        .await;
        let is_uncertain = !label.contains("429");
        // Clients list tools first, which tells the adapter which tools are read-only.
        let _ = adapter.names().await;
        let response = adapter.call("create_deal").await;
        let calls = fake.requests_to(CALL);
        // The rejected request is not in progress, so another call caused the conflict.
        assert_eq!(
            (response["result"]["isError"] == false, calls.len()),
            (is_uncertain, 2 + usize::from(is_uncertain))
        );
        assert!(calls.iter().all(|call| call.body == calls[0].body));
        let keys: Vec<&str> = calls.iter().map(|call| call.header("idempotency-key")).collect();
        assert!(keys.iter().all(|key| key.len() == 36 && *key == keys[0]), "{label}: {keys:?}");
    }
}

#[tokio::test]
async fn lists_and_read_only_tools_are_retried_after_any_failure() {
    let fake = Fake::start(|recorded, earlier| match (recorded.path.as_str(), earlier) {
        (_, 0) => flat(500, "internal", "Something broke."),
        (LIST, _) => crate::fake_service::listing(),
        _ => FakeReply::Json(200, success()),
    })
    .await;
    let mut adapter = Adapter::connected_to(&fake, &[]).await;
    assert_eq!(adapter.names().await.len(), 4);
    assert_eq!(adapter.call("list_deals").await["result"]["isError"], false);
    assert_eq!((fake.requests_to(LIST).len(), fake.requests_to(CALL).len()), (2, 2));
}

#[tokio::test]
async fn the_error_after_the_last_attempt_says_what_may_have_happened() {
    let (fake, mut adapter) = Adapter::with_fake(|_| FakeReply::Hangup).await;
    let text = adapter.failing_call("create_deal").await;
    assert!(text.contains("may have taken effect"), "{text}");
    assert_eq!(fake.requests_to(CALL).len(), 1, "a tool that was never listed may not be idempotent");
    let _ = adapter.names().await;
    let text = adapter.failing_call("create_deal").await;
    assert!(text.contains("may have taken effect"), "{text}");
    assert_eq!(fake.requests_to(CALL).len(), 5);
    let text = adapter.failing_call("list_deals").await;
    assert!(text.contains("changed nothing"), "{text}");
    assert_eq!(fake.requests_to(CALL).len(), 9);
}

#[tokio::test]
async fn the_adapter_starts_without_a_service_and_reports_that_on_requests() {
    let mut adapter = Adapter::at(&unused_url().await, &[]);
    assert_eq!(adapter.initialize("2025-06-18").await["serverInfo"]["name"], "service-mcp");
    let listed = adapter.send("tools/list", json!({})).await;
    let called = adapter.send("tools/call", json!({"name": "create_deal"})).await;
    for _ in 0..2 {
        let response = adapter.receive().await;
        let text = if response["id"] == listed {
            response["error"]["message"].as_str().unwrap().to_owned()
        } else {
            assert_eq!((&response["id"], &response["result"]["isError"]), (&json!(called), &json!(true)));
            let text = response["result"]["content"][0]["text"].as_str().unwrap();
            assert!(text.contains("changed nothing"), "{text}");
            text.to_owned()
        };
        assert!(text.contains("cannot be reached"), "{text}");
    }
    let ended = adapter.end().await;
    assert!(ended.status.success() && ended.errors.contains("cannot be reached"), "{}", ended.errors);
}

#[tokio::test]
async fn redirects_are_named_and_not_followed() {
    let other = Fake::with_call_reply(|_| FakeReply::Json(200, success())).await;
    let (target, with_path) = (other.url.clone(), format!("{}{CALL}?x=1", other.url));
    for status in [301, 302, 303, 307, 308] {
        let location = with_path.clone();
        let (fake, mut adapter) =
            Adapter::with_fake(move |_| FakeReply::With(status, vec![("location", location.clone())], String::new()))
                .await;
        let response = adapter.call("create_deal").await;
        let expected = format!("{} redirects to {target}; set --api-url to it", fake.url);
        assert!(response["error"]["message"].as_str().unwrap().starts_with(&expected), "{response}");
    }
    assert_eq!(other.requests_to(CALL).len(), 0);
}
