//! Calls that reach the service.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::client::Adapter;
use crate::fake_service::{CALL, FakeReply, success};

#[tokio::test]
async fn the_result_is_passed_on_verbatim() {
    let results = [
        success(),
        json!({"content": [{"type": "text", "text": "not found"}], "isError": true}),
        json!({
            "content": [
                {"type": "text", "text": "ä\u{1f600}\n", "annotations": {"priority": 0.5}},
                {"type": "image", "data": "aGk=", "mimeType": "image/png"},
                {"type": "resource_link", "uri": "https://example.com/a", "name": "a"},
            ],
            "structuredContent": {"value": 999_999_999_999.99, "deep": [{"n": null}], "big": 9_007_199_254_740_993_i64},
            "isError": false,
        }),
    ];
    for expected in results {
        let reply = FakeReply::Json(200, expected.clone());
        let (fake, mut adapter) = Adapter::with_fake(move |_| reply.clone()).await;
        assert_eq!(adapter.call("create_deal").await["result"], expected);
        let recorded = &fake.requests_to(CALL)[0];
        assert_eq!(recorded.body, json!({"name": "create_deal", "arguments": {"limit": 3}}));
        assert_eq!((recorded.method.as_str(), recorded.header("content-type")), ("POST", "application/json"));
    }
}

#[tokio::test]
async fn a_call_without_arguments_has_none() {
    let (fake, mut adapter) = Adapter::with_fake(|_| FakeReply::Json(200, success())).await;
    let _ = adapter.result("tools/call", json!({"name": "list_deals"})).await;
    assert_eq!(fake.requests_to(CALL)[0].body["arguments"], json!({}));
}

#[tokio::test]
async fn each_call_that_may_write_has_its_own_idempotency_key() {
    let (fake, mut adapter) = Adapter::with_fake(|_| FakeReply::Json(200, success())).await;
    let _ = adapter.call("never_listed").await;
    let _ = adapter.names().await;
    for name in ["create_deal", "create_deal", "list_deals"] {
        let _ = adapter.call(name).await;
    }
    let calls = fake.requests_to(CALL);
    let keys: Vec<&str> = calls.iter().map(|call| call.header("idempotency-key")).collect();
    assert!(keys[..3].iter().all(|key| key.len() == 36), "{keys:?}");
    assert_eq!(keys[..3].iter().collect::<BTreeSet<_>>().len(), 3, "{keys:?}");
    assert_eq!(keys[3], "", "read-only calls have no key");
}

#[tokio::test]
async fn calls_run_concurrently() {
    const CALLS: usize = 8;
    let gate = Arc::new(Semaphore::new(0));
    let opener = Arc::clone(&gate);
    // No call is answered before the last one has arrived.
    let (_fake, mut adapter) = Adapter::with_fake(move |earlier| {
        if earlier + 1 == CALLS {
            opener.add_permits(CALLS);
        }
        FakeReply::After(Arc::clone(&gate), success())
    })
    .await;
    let mut sent_ids = BTreeSet::new();
    for number in 0..CALLS {
        sent_ids.insert(adapter.send("tools/call", json!({"name": "create_deal", "arguments": {"n": number}})).await);
    }
    let mut received_ids = BTreeSet::new();
    for _ in 0..CALLS {
        let response = adapter.receive().await;
        assert_eq!(response["result"], success());
        received_ids.insert(response["id"].as_u64().unwrap());
    }
    assert_eq!(received_ids, sent_ids);
}

#[tokio::test]
async fn a_cancelled_call_gets_no_response_and_does_not_block_others() {
    let arrived = Arc::new(Semaphore::new(0));
    let arrival = Arc::clone(&arrived);
    let (_fake, mut adapter) = Adapter::with_fake(move |earlier| {
        arrival.add_permits(1);
        if earlier == 0 { FakeReply::Silence } else { FakeReply::Json(200, success()) }
    })
    .await;
    let id = adapter.send("tools/call", json!({"name": "create_deal"})).await;
    arrived.acquire().await.unwrap().forget();
    let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
    adapter.write_line(&cancelled.to_string()).await;
    assert_eq!(adapter.call("create_deal").await["result"], success());
    let ended = adapter.end().await;
    assert!(ended.status.success());
    assert!(!ended.output.contains(&format!("\"id\":{id},")), "{}", ended.output);
}

#[tokio::test]
async fn requests_sent_before_the_input_closed_are_answered() {
    let (_fake, mut adapter) = Adapter::with_fake(|_| FakeReply::Json(200, success())).await;
    let id = adapter.send("tools/call", json!({"name": "create_deal"})).await;
    let ended = adapter.end().await;
    let last = ended.output.rfind("{\"jsonrpc\"").map(|start| &ended.output[start..]).unwrap();
    let last: Value = serde_json::from_str(last).unwrap();
    assert_eq!((&last["id"], &last["result"]), (&json!(id), &success()));
}
