//! Log lines carry the id of their request on every thread.

use std::sync::{Mutex, Once, PoisonError};

use log::{LevelFilter, Log, Metadata, Record};
use serde_json::{Value, json};
use telemetry::log_context::LogFormat;
use test_support::{ApiResponse, App, Client, Tenant};

use crate::database::execute;

/// Prefix of this module's request ids: other tests log in the same process.
const ID_PREFIX: &str = "log-ids-";

/// Errors that only tests of this module cause.
const OWN_ERRORS: [&str; 2] = ["companies\" does not exist", "webhook_backlog\" does not exist"];

static LINES: Mutex<Vec<Value>> = Mutex::new(Vec::new());

struct Collector;

impl Log for Collector {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= LevelFilter::Info
    }

    fn log(&self, record: &Record<'_>) {
        let mut line = Vec::new();
        LogFormat::Json.write(&mut line, "2026-01-01T00:00:00.000000Z", record).unwrap();
        let line: Value = serde_json::from_slice(&line).unwrap();
        let is_mine = line["request_id"].as_str().is_some_and(|id| id.starts_with(ID_PREFIX));
        // Includes failures caused by this module without an id.
        if is_mine || OWN_ERRORS.iter().any(|relation| line["message"].as_str().unwrap_or_default().contains(relation))
        {
            LINES.lock().unwrap_or_else(PoisonError::into_inner).push(line);
        }
    }

    fn flush(&self) {}
}

fn collect() {
    static BEGIN: Once = Once::new();
    BEGIN.call_once(|| {
        log::set_logger(&Collector).unwrap();
        log::set_max_level(LevelFilter::Info);
    });
}

/// The lines of one request, the request log line last.
fn lines_of(id: &str) -> Vec<Value> {
    let lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
    lines.iter().filter(|line| line["request_id"] == id).cloned().collect()
}

async fn make_deal(client: &Client, id: &str) -> ApiResponse {
    let request = client.request("POST", "/api/v1/crm/deals").header("X-Request-Id", id);
    ApiResponse::of(request.json(&json!({"title": id}))).await
}

async fn subscribe(tenant: &Tenant) {
    let owner = tenant.user(domain::identity::workspaces::Role::Owner).await.client;
    let webhook = json!({"module": "crm", "url": "https://hooks.invalid/", "events": ["*"]});
    let _ = owner.post("/api/settings/webhooks", webhook).await.expect(201);
}

/// With the queue missing, the store logs a failure on its blocking thread, once per request.
#[tokio::test]
async fn concurrent_requests_do_not_mix_their_ids_on_the_blocking_threads() {
    collect();
    let (app, tenant) = App::with_workspace().await;
    subscribe(&tenant).await;
    let client = tenant.full_access().await;
    execute(&app, "ALTER TABLE webhook_deliveries RENAME TO webhook_deliveries_gone");
    let ids: Vec<_> = (0..12).map(|number| format!("{ID_PREFIX}queue-{number}")).collect();
    let mut running = tokio::task::JoinSet::new();
    for id in ids.clone() {
        let client = client.clone();
        running.spawn(async move { make_deal(&client, &id).await.expect(201) });
    }
    assert_eq!(running.join_all().await.len(), ids.len());
    for id in ids {
        test_support::eventually("the request log line is written", async || lines_of(&id).len() >= 2).await;
        let lines = lines_of(&id);
        let [stored, request] = &lines[..] else { panic!("{lines:#?}") };
        assert_eq!((&stored["level"], &stored["target"]), (&json!("ERROR"), &json!("storage_diesel::engine::queued")));
        assert_eq!((&request["target"], &request["status"]), (&json!("request"), &json!(201)));
    }
}

#[tokio::test]
async fn store_errors_are_logged_with_the_request_id() {
    collect();
    let (app, client) = App::with_client().await;
    execute(&app, "ALTER TABLE deals RENAME TO deals_gone");
    let id = format!("{ID_PREFIX}failed");
    assert_eq!(make_deal(&client, &id).await.status, 500);
    test_support::eventually("the request log line is written", async || lines_of(&id).len() >= 2).await;
    let lines = lines_of(&id);
    let [failed, request] = &lines[..] else { panic!("{lines:#?}") };
    let message = failed["message"].as_str().unwrap();
    assert!(message.starts_with("the request failed: storage fault") && message.contains("deals"), "{message}");
    assert_eq!((&request["level"], &request["status"]), (&json!("ERROR"), &json!(500)));
}

/// A failed tool call and a tool call whose event cannot be queued, on both surfaces of tools: the standard's transport
/// runs calls in separate tasks.
#[tokio::test]
async fn failed_tool_calls_and_their_lost_events_are_logged_with_the_request_id() {
    collect();
    let (app, tenant) = App::with_workspace().await;
    subscribe(&tenant).await;
    let client = tenant.full_access().await;
    for table in ["companies", "webhook_backlog"] {
        execute(&app, &format!("ALTER TABLE {table} RENAME TO {table}_gone"));
    }
    let call = |name: &str, arguments: Value| json!({"name": name, "arguments": arguments});
    let message = |params: Value| json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    for (surface, path) in [("tools", "/api/mcp/tools/call"), ("standard", "/api/mcp")] {
        let calls = [
            ("failed", call("create_company", json!({"name": "Acme"})), "http_core::errors", "companies"),
            ("lost", call("create_deal", json!({"title": "d"})), "storage_diesel::engine::queued", "webhook_backlog"),
        ];
        for (name, params, target, relation) in calls {
            let id = format!("{ID_PREFIX}{surface}-{name}");
            let request = client.request("POST", path).header("X-Request-Id", &id);
            let request = request.header("Accept", "application/json, text/event-stream");
            let body = if surface == "standard" { message(params) } else { params };
            let reply = ApiResponse::of(request.header("MCP-Protocol-Version", "2025-06-18").json(&body)).await;
            test_support::eventually("the request log line is written", async || {
                lines_of(&id).iter().any(|line| line["target"] == "request")
            })
            .await;
            let lines = lines_of(&id);
            let failures: Vec<_> =
                lines.iter().filter(|line| line["level"] == "ERROR" && line["target"] != "request").collect();
            let [failure] = failures[..] else { panic!("{id}: {lines:#?}") };
            assert!(failure["message"].as_str().unwrap().contains(relation), "{failure}");
            assert_eq!(failure["target"], target, "{id}");
            let status = if surface == "tools" && name == "failed" { 500 } else { 200 };
            assert_eq!(reply.status, status, "{id}: {}", reply.text);
        }
    }
    let lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
    // The background job that counts the queues may also fail on the missing table.
    let of_requests = lines.iter().filter(|line| line["target"] != "background::backoff");
    let without_id: Vec<_> = of_requests.filter(|line| line["request_id"].is_null()).collect();
    assert!(without_id.is_empty(), "{without_id:#?}");
}
