//! The revisions of the protocol, and invalid lines.

use serde_json::{Value, json};

use crate::client::{Adapter, KEY};
use crate::fake_service::{Fake, FakeReply, success};

/// The `_meta` of each request of the current revision.
fn meta(version: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

#[tokio::test]
async fn the_adapter_identifies_itself_in_every_older_revision() {
    let fake = Fake::with_call_reply(|_| FakeReply::Json(200, success())).await;
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut adapter = Adapter::at(&fake.url, &[]);
        let result = adapter.initialize(version).await;
        assert_eq!(result["protocolVersion"], version);
        assert_eq!(result["serverInfo"], json!({"name": "service-mcp", "version": "2.0.4"}));
        assert!(result["capabilities"]["tools"].is_object(), "{result}");
        let instructions = result["instructions"].as_str().unwrap();
        assert!(instructions.contains("approval") && instructions.contains("cursor"), "{instructions}");
        let listed = adapter.result("tools/list", json!({})).await;
        assert!(listed.get("resultType").is_none() && listed.get("ttlMs").is_none(), "{listed}");
        assert!(adapter.result("ping", json!({})).await.is_object());
        assert!(adapter.end().await.status.success());
    }
}

#[tokio::test]
async fn an_unknown_revision_gets_the_newest_one_with_initialize() {
    let fake = Fake::with_call_reply(|_| FakeReply::Json(200, success())).await;
    let mut adapter = Adapter::at(&fake.url, &[]);
    assert_eq!(adapter.initialize("2099-01-01").await["protocolVersion"], "2025-11-25");
}

#[tokio::test]
async fn the_current_revision_needs_no_session() {
    let fake = Fake::with_call_reply(|_| FakeReply::Json(200, success())).await;
    let mut adapter = Adapter::at(&fake.url, &[]);
    let discovery = adapter.result("server/discover", json!({"_meta": meta("2026-07-28")})).await;
    let versions = discovery["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2025-11-25")), "{discovery}");
    assert!(discovery["capabilities"]["tools"].is_object() && discovery["instructions"].is_string(), "{discovery}");
    let server = &discovery["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!((&server["name"], &server["version"]), (&json!("service-mcp"), &json!("2.0.4")));
    let listed = adapter.result("tools/list", json!({"_meta": meta("2026-07-28")})).await;
    assert_eq!(listed["tools"].as_array().unwrap().len(), 4);
    assert_eq!((&listed["resultType"], &listed["cacheScope"]), (&json!("complete"), &json!("private")));
    assert!(listed["ttlMs"].is_u64(), "{listed}");
    let params = json!({"name": "list_deals", "arguments": {}, "_meta": meta("2026-07-28")});
    let result = adapter.result("tools/call", params).await;
    assert_eq!((&result["resultType"], &result["isError"]), (&json!("complete"), &json!(false)));
    let refused = adapter.request("tools/list", json!({"_meta": meta("2099-01-01")})).await;
    assert_eq!(refused["error"]["code"], -32_022);
    assert!(adapter.end().await.status.success());
}

#[tokio::test]
async fn invalid_lines_do_not_stop_the_adapter() {
    let fake = Fake::with_call_reply(|_| FakeReply::Json(200, success())).await;
    let mut adapter = Adapter::at(&fake.url, &[]);
    let garbage = [
        "",
        "\r",
        "hello",
        "{",
        "null",
        "\u{0}",
        "[]",
        "{\"jsonrpc\": \"2.0\", \"id\": 99, \"result\": {}}",
        "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}",
        "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\": {\"requestId\": 5}}",
    ];
    for line in garbage {
        adapter.write_line(line).await;
    }
    adapter.write_line(&"x".repeat(100_000)).await;
    // This is an error, because there is no session yet.
    let _ = adapter.send("tools/list", json!({})).await;
    adapter.write_line(garbage[8]).await;
    let id = adapter.send("ping", json!({})).await;
    response_to(&mut adapter, id).await;
    let id = adapter.send("initialize", initialize()).await;
    assert_eq!(response_to(&mut adapter, id).await["result"]["serverInfo"]["name"], "service-mcp");
    for line in garbage {
        adapter.write_line(line).await;
    }
    let id = adapter.send("tools/call", json!({"name": "list_deals"})).await;
    assert_eq!(response_to(&mut adapter, id).await["result"]["isError"], false);
    let ended = adapter.end().await;
    assert!(ended.status.success(), "{}", ended.errors);
    assert!(!ended.output.contains(KEY) && !ended.errors.contains(KEY));
}

fn initialize() -> Value {
    json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}})
}

/// The response to a request; errors without an id may precede it.
async fn response_to(adapter: &mut Adapter, id: u64) -> Value {
    loop {
        let message = adapter.receive().await;
        if message["id"] == id {
            return message;
        }
        assert!(message["error"].is_object(), "{message}");
    }
}
