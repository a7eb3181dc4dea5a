//! The key appears only in the header.

use serde_json::json;

use crate::client::{Adapter, KEY, ProgramOutput, command, run};
use crate::fake_service::{Fake, FakeReply, flat, success};

/// Logs at trace level and sends every kind of request.
async fn traced(url: &str) -> ProgramOutput {
    let mut command = command(&["--api-url", url]);
    command.env("SERVICE_MCP_API_KEY", KEY).env("SERVICE_MCP_LOG", "trace");
    let mut adapter = Adapter::start(command);
    let _ = adapter.initialize("2025-11-25").await;
    let _ = adapter.request("tools/list", json!({})).await;
    let _ = adapter.call("create_deal").await;
    let _ = adapter.call("list_deals").await;
    adapter.end().await
}

fn assert_secret(ended: &ProgramOutput) {
    let marker = KEY.trim_start_matches("svc_");
    assert!(!ended.output.contains(marker), "{}", ended.output);
    assert!(!ended.errors.contains(marker), "{}", ended.errors);
}

#[tokio::test]
async fn the_trace_log_does_not_contain_the_key() {
    let fake = Fake::with_call_reply(|_| FakeReply::Json(200, success())).await;
    let ended = traced(&fake.url).await;
    for logged in ["/api/mcp/tools/call", "TRACE rmcp::", "TRACE hyper_util::"] {
        assert!(ended.errors.contains(logged), "{logged} is not in {}", ended.errors);
    }
    assert_secret(&ended);
    assert_secret(&traced("http://127.0.0.1:1").await);
}

#[tokio::test]
async fn a_key_repeated_by_the_service_is_redacted() {
    let echo = format!("You sent Bearer {KEY}.");
    let details = json!({"error": "invalid_arguments", "message": echo, "details": [{"field": KEY, "message": echo}]});
    let redirect = vec![("location", format!("https://{KEY}:pw@example.com/{KEY}?key={KEY}"))];
    let replies = [
        flat(401, "unauthorized", &echo),
        flat(403, "permission_denied", &echo),
        FakeReply::Json(400, details),
        flat(501, "internal", &echo),
        FakeReply::With(200, vec![], echo.clone()),
        FakeReply::With(307, redirect, echo.clone()),
    ];
    for reply in replies {
        let fake = Fake::start_bare(move |_, _| reply.clone()).await;
        assert_secret(&traced(&fake.url).await);
    }
}

#[tokio::test]
async fn help_and_usage_errors_do_not_show_the_key() {
    for arguments in [&["--help"][..], &["-h"], &["--nonsense"], &[KEY], &["--apikey", KEY], &["--api-url", "nonsense"]]
    {
        let mut command = command(arguments);
        command.env("SERVICE_MCP_API_KEY", KEY);
        assert_secret(&run(command).await);
    }
}

#[tokio::test]
async fn a_password_in_the_url_is_rejected_and_not_repeated() {
    for address in ["https://user:marker@example.com", "https://marker@example.com/work"] {
        for from_environment in [false, true] {
            let arguments = if from_environment { vec![] } else { vec!["--api-url", address] };
            let mut command = command(&arguments);
            command.env("SERVICE_MCP_API_KEY", "svc_other").env("SERVICE_MCP_LOG", "trace");
            if from_environment {
                command.env("SERVICE_MCP_API_URL", address);
            }
            let ended = run(command).await;
            assert_eq!(ended.status.code(), Some(2));
            assert!(ended.errors.contains("user name or password"), "{}", ended.errors);
            assert!(!ended.errors.contains("marker"), "{}", ended.errors);
        }
    }
}
