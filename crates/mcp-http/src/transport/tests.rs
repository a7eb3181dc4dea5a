use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use domain::WorkspaceId;
use domain::ports::{Job, Store, StoreError};
use http_core::Routes;
use http_core::testing::TestApp;
use log::{LevelFilter, Log, Metadata, Record};
use serde_json::{Value, json};
use telemetry::log_context::LogFormat;

static LINES: Mutex<Vec<Value>> = Mutex::new(Vec::new());

/// Collects the failure log lines of this crate's surface.
struct Collector;

impl Log for Collector {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= LevelFilter::Warn && metadata.target().starts_with("http_core")
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            let mut line = Vec::new();
            LogFormat::Json.write(&mut line, "2026-01-01T00:00:00.000000Z", record).unwrap();
            LINES.lock().unwrap_or_else(PoisonError::into_inner).push(serde_json::from_slice(&line).unwrap());
        }
    }

    fn flush(&self) {}
}

#[derive(Clone, Copy)]
enum Fault {
    Panics,
    Internal,
    TimedOut,
}

struct Faulty(Fault);

#[async_trait]
impl Store for Faulty {
    async fn run(&self, _: WorkspaceId, _: Job) -> Result<(), StoreError> {
        match self.0 {
            Fault::Panics => panic!("secret text"),
            Fault::Internal => Err(StoreError::Internal("secret text".to_owned())),
            Fault::TimedOut => Err(StoreError::TimedOut),
        }
    }

    async fn statement(&self, workspace: WorkspaceId, job: Job) -> Result<(), StoreError> {
        self.run(workspace, job).await
    }
}

#[actix_web::test]
async fn a_tool_that_fails_is_answered_and_logged_with_the_request_id() {
    const SURFACES: &[&Routes] = &[&crate::ROUTES];
    log::set_logger(&Collector).unwrap();
    log::set_max_level(LevelFilter::Info);
    for (id, fault, logged) in [
        ("panics", Fault::Panics, "the request panicked: secret text"),
        ("internal", Fault::Internal, "the request failed: storage fault: secret text"),
        ("timed-out", Fault::TimedOut, "the request could not be served: "),
    ] {
        let mut world = TestApp::new(SURFACES);
        world.ports().store = Arc::new(Faulty(fault));
        let params = json!({"name": "create_deal", "arguments": {"title": "d"}});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
        let request = world
            .json("POST", "/api/mcp", &message)
            .insert_header(("X-Request-Id", id))
            .insert_header(("Host", "localhost"));
        let reply = world.answer(request.insert_header(("MCP-Protocol-Version", "2025-06-18"))).await;
        assert_eq!(reply.status, 200, "{id}: {}", reply.text);
        let (body, is_temporary) = (reply.json(), matches!(fault, Fault::TimedOut));
        assert_eq!(body["result"]["isError"] == true, is_temporary, "{id}: {body}");
        assert_eq!(body["error"]["code"] == -32603, !is_temporary, "{id}: {body}");
        assert!(!reply.text.contains("secret"), "{id}: {body}");
        let lines = std::mem::take(&mut *LINES.lock().unwrap_or_else(PoisonError::into_inner));
        let [line] = &lines[..] else { panic!("{id}: {lines:#?}") };
        assert_eq!(line["request_id"], id, "{line}");
        assert!(line["message"].as_str().unwrap().starts_with(logged), "{line}");
    }
}
