//! Start and exit of the binary.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::sync::Semaphore;

use crate::client::{Adapter, KEY, command, run};
use crate::fake_service::{Fake, FakeReply, LIST, success};

/// Exiting usually takes about 10 ms. The pending request would take much longer than this limit.
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);

#[tokio::test]
async fn it_is_version_2_0_4() {
    let ended = run(command(&["--version"])).await;
    assert_eq!((ended.status.code(), ended.output.as_str()), (Some(0), "service-mcp 2.0.4\n"));
}

#[tokio::test]
async fn help_names_every_option() {
    let ended = run(command(&["--help"])).await;
    assert_eq!(ended.status.code(), Some(0));
    for option in ["--api-key", "--api-url", "--features", "--read-only", "--version", "SERVICE_MCP_API_KEY"] {
        assert!(ended.output.contains(option), "{}", ended.output);
    }
}

#[tokio::test]
async fn the_adapter_does_not_start_without_a_usable_key() {
    for (arguments, environment, expected) in [
        (&[][..], None, "no API key"),
        (&[], Some(""), "no API key"),
        (&["--api-key", ""], Some(KEY), "no API key"),
        (&["--api-key", "svc a"], Some(KEY), "malformed"),
        (&[], Some("svc_a\nX-Injected: 1"), "malformed"),
    ] {
        let mut command = command(arguments);
        if let Some(key) = environment {
            command.env("SERVICE_MCP_API_KEY", key);
        }
        let ended = run(command).await;
        assert_eq!((ended.status.code(), ended.output.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(ended.errors.contains(expected), "{}", ended.errors);
    }
}

#[tokio::test]
async fn the_flag_takes_precedence_over_the_environment() {
    let fake = Fake::with_call_reply(|_| FakeReply::Json(200, success())).await;
    let mut command = command(&["--api-key", "svc_flag", "--api-url", &fake.url]);
    command.env("SERVICE_MCP_API_KEY", KEY).env("SERVICE_MCP_API_URL", "http://127.0.0.1:1");
    let mut adapter = Adapter::start(command);
    let _ = adapter.initialize("2025-11-25").await;
    let _ = adapter.names().await;
    assert_eq!(fake.requests_to(LIST)[0].header("authorization"), "Bearer svc_flag");
}

#[tokio::test]
async fn an_empty_variable_counts_as_unset() {
    let fake = Fake::with_call_reply(|_| FakeReply::Json(200, success())).await;
    let mut with_flags = command(&["--api-key", "svc_flag", "--api-url", &fake.url]);
    with_flags.env("SERVICE_MCP_API_KEY", "").env("SERVICE_MCP_API_URL", "");
    let mut adapter = Adapter::start(with_flags);
    let _ = adapter.initialize("2025-11-25").await;
    let _ = adapter.names().await;
    assert_eq!(fake.requests_to(LIST)[0].header("authorization"), "Bearer svc_flag");
}

#[tokio::test]
async fn the_adapter_exits_when_its_input_closes() {
    let fake = Fake::with_call_reply(|_| FakeReply::Json(200, success())).await;
    let silent = Adapter::at(&fake.url, &[]).end().await;
    assert_eq!((silent.status.code(), silent.output.as_str()), (Some(0), ""));
    let mut adapter = Adapter::connected_to(&fake, &[]).await;
    let _ = adapter.names().await;
    let start = Instant::now();
    assert_eq!(adapter.end().await.status.code(), Some(0));
    assert!(start.elapsed() < EXIT_TIMEOUT, "{:?}", start.elapsed());
}

#[tokio::test]
async fn signals_stop_the_adapter_even_during_a_request() {
    for name in ["-TERM", "-INT"] {
        let arrived = Arc::new(Semaphore::new(0));
        let arrival = Arc::clone(&arrived);
        let (_fake, mut adapter) = Adapter::with_fake(move |_| {
            arrival.add_permits(1);
            FakeReply::Silence
        })
        .await;
        let _ = adapter.send("tools/call", json!({"name": "create_deal"})).await;
        arrived.acquire().await.unwrap().forget();
        let start = Instant::now();
        let id = adapter.child.id().unwrap().to_string();
        let sent = std::process::Command::new("kill").args([name, &id]).status().unwrap();
        assert!(sent.success());
        assert_eq!(adapter.wait().await.status.code(), Some(0), "{name}");
        assert!(start.elapsed() < EXIT_TIMEOUT, "{:?}", start.elapsed());
    }
}
