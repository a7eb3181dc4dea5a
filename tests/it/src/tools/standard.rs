//! MCP's Streamable HTTP transport: plain JSON-RPC over HTTP.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client, assert_members};

use super::calls::{run, without_nulls};
use super::table::TOOLS;
use crate::support::UNKNOWN_ID;

const ENDPOINT: &str = "/api/mcp";
const ACCEPT: &str = "application/json, text/event-stream";
const NEWEST_REVISION: &str = "2026-07-28";

async fn send(client: &Client, headers: &[(&str, &str)], message: &Value) -> ApiResponse {
    let request = client.request("POST", ENDPOINT).header("Accept", ACCEPT);
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    ApiResponse::of(request.json(message)).await
}

fn request(method: &str, params: Value) -> Value {
    let mut message = json!({"jsonrpc": "2.0", "id": 7, "method": method});
    message["params"] = params;
    message
}

/// A request of the newest revision.
fn newest_request(method: &str, params: Value) -> Value {
    let mut params = params;
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": NEWEST_REVISION,
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    request(method, params)
}

async fn send_newest(client: &Client, method: &str, name: Option<&str>, params: Value) -> ApiResponse {
    let mut headers = vec![("MCP-Protocol-Version", NEWEST_REVISION), ("Mcp-Method", method)];
    headers.extend(name.map(|name| ("Mcp-Name", name)));
    send(client, &headers, &newest_request(method, params)).await
}

#[tokio::test]
async fn clients_of_older_revisions_initialize_list_and_call() {
    let (_app, client) = App::with_client().await;
    for version in ["2025-03-26", "2025-06-18", "2025-11-25"] {
        let info = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let session = send(&client, &[], &request("initialize", info)).await.expect(200);
        let result = &session.body["result"];
        assert_eq!((&result["protocolVersion"], &session.body["id"]), (&json!(version), &json!(7)), "{}", session.text);
        assert!(result["capabilities"]["tools"].is_object() && result["serverInfo"]["name"].is_string(), "{result}");
        assert_eq!(session.header("mcp-session-id"), "", "no session");
        let headers = [("MCP-Protocol-Version", version)];
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(send(&client, &headers, &initialized).await.status, 202);
        assert_eq!(&session.header("content-type")[..16], "application/json");
        let listed = send(&client, &headers, &request("tools/list", json!({}))).await.expect(200);
        let tools = listed.body["result"]["tools"].as_array().unwrap();
        assert_eq!(tools.len(), TOOLS.iter().filter(|(name, ..)| !name.contains("webhook")).count(), "{version}");
        assert!(tools.iter().all(|tool| tool["inputSchema"]["type"] == "object" && tool["annotations"].is_object()));
        let params = json!({"name": "create_task", "arguments": {"title": version}});
        let called = send(&client, &headers, &request("tools/call", params)).await.expect(200);
        let result = &called.body["result"];
        assert_eq!(result["isError"], false, "{}", called.text);
        assert_eq!(result["structuredContent"]["title"], json!(version), "{}", called.text);
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, without_nulls(result["structuredContent"].clone()));
        assert_eq!(send(&client, &headers, &request("ping", json!({}))).await.expect(200).body["result"], json!({}));
    }
    let tasks = run(&client, "list_tasks", json!({})).await;
    assert_eq!(tasks["data"].as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn clients_of_the_newest_revision_need_no_initialize() {
    let (_app, client) = App::with_client().await;
    let results = send_newest(&client, "server/discover", None, json!({})).await.expect(200);
    let result = &results.body["result"];
    assert!(
        result["supportedVersions"].as_array().is_some_and(|all| all.contains(&json!(NEWEST_REVISION))),
        "{}",
        results.text
    );
    let listed = send_newest(&client, "tools/list", None, json!({})).await.expect(200);
    let result = &listed.body["result"];
    assert_eq!((&result["resultType"], &result["cacheScope"]), (&json!("complete"), &json!("private")), "{result}");
    assert!(result["ttlMs"].is_u64());
    let params = json!({"name": "create_task", "arguments": {"title": "t"}});
    let called = send_newest(&client, "tools/call", Some("create_task"), params.clone()).await.expect(200);
    assert_members(&called.body["result"], &json!({"isError": false, "resultType": "complete"}));
    let error = |reply: &ApiResponse| (reply.status, reply.body["error"]["code"].as_i64().unwrap_or_default());
    let message = newest_request("tools/call", params);
    let version = ("MCP-Protocol-Version", NEWEST_REVISION);
    for headers in [
        &[version, ("Mcp-Method", "tools/list"), ("Mcp-Name", "create_task")][..],
        &[version, ("Mcp-Method", "tools/call"), ("Mcp-Name", "get_task")],
        &[version, ("Mcp-Method", "tools/call")],
        &[version, ("Mcp-Name", "create_task")],
    ] {
        let reply = send(&client, headers, &message).await;
        assert_eq!(error(&reply), (400, -32020), "{headers:?}: {}", reply.text);
    }
    let mut unsupported = message.clone();
    unsupported["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
    let headers = [("MCP-Protocol-Version", "2099-01-01"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "create_task")];
    let reply = send(&client, &headers, &unsupported).await;
    assert_eq!(error(&reply), (400, -32022), "{}", reply.text);
    assert!(
        reply.body["error"]["data"]["supported"].as_array().is_some_and(|all| all.contains(&json!(NEWEST_REVISION))),
        "{}",
        reply.text
    );
    let unknown = send_newest(&client, "nope/nope", None, json!({})).await;
    assert_eq!(error(&unknown), (404, -32601), "{}", unknown.text);
    assert_eq!(run(&client, "list_tasks", json!({})).await["data"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn errors_of_calls_are_protocol_errors_or_results() {
    let app = App::start().await;
    let client = app.workspace().await.with_scopes(&["issues.write"]).await;
    let call = async |name: &str, arguments: Value| {
        let params = json!({"name": name, "arguments": arguments});
        let old =
            send(&client, &[("MCP-Protocol-Version", "2025-11-25")], &request("tools/call", params.clone())).await;
        let new = send_newest(&client, "tools/call", Some(name), params).await;
        [old, new]
    };
    for (name, arguments) in [("nope", json!({})), ("get_deal", json!({"id": UNKNOWN_ID}))] {
        for reply in call(name, arguments).await {
            assert_eq!(reply.body["error"]["code"], json!(-32602), "{name}: {} {}", reply.status, reply.text);
        }
    }
    for (name, arguments, code) in [
        ("create_task", json!({}), "invalid_arguments"),
        ("create_task", json!({"title": "t", "nope": 1}), "invalid_arguments"),
        ("get_task", json!({"id": UNKNOWN_ID}), "not_found"),
    ] {
        for reply in call(name, arguments).await {
            let result = &reply.body["result"];
            assert_eq!((reply.status, &result["isError"]), (200, &json!(true)), "{name}: {}", reply.text);
            let refusal: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
            assert_eq!(refusal["error"], code);
        }
    }
}

#[tokio::test]
async fn methods_origins_and_credentials() {
    let (app, tenant, client) = App::with_workspace_client().await;
    for method in ["GET", "DELETE"] {
        let reply = ApiResponse::of(client.request(method, ENDPOINT).header("Accept", ACCEPT)).await;
        assert_eq!((reply.status, reply.header("allow")), (405, "POST"), "{method}: {}", reply.text);
    }
    let list = request("tools/list", json!({}));
    for (origin, status) in [
        ("https://work.example.com", 200),
        ("https://evil.example", 403),
        ("http://work.example.com", 403),
        ("https://work.example.com.evil.example", 403),
        ("null", 403),
    ] {
        let reply = send(&client, &[("Origin", origin)], &list).await;
        assert_eq!(reply.status, status, "{origin}: {}", reply.text);
        assert_eq!(reply.header("access-control-allow-origin"), "", "{origin}");
    }
    let _ = send(&client, &[], &list).await.expect(200);
    for unauthenticated in [app.anonymous(), app.with_key("svc_nope")] {
        let reply = send(&unauthenticated, &[], &list).await;
        assert_eq!((reply.status, reply.header("www-authenticate")), (401, "Bearer"), "{}", reply.text);
    }
    assert_eq!(send(&tenant.user(Role::Owner).await.client, &[], &list).await.status, 403);
}

#[tokio::test]
async fn invalid_messages_are_rejected() {
    let (_app, client) = App::with_client().await;
    let call = request("tools/call", json!({"name": "create_task", "arguments": {"title": "t"}}));
    for (kind, body) in [
        ("application/json", "{".to_owned()),
        ("application/json", String::new()),
        ("application/json", "\u{feff}null".to_owned()),
        ("application/json", "[]".to_owned()),
        ("application/json", json!([call, call]).to_string()),
        ("application/json", json!({"jsonrpc": "1.0", "id": 1, "method": "tools/list"}).to_string()),
        ("application/json", json!({"id": 1}).to_string()),
        ("application/json", "[".repeat(10_000)),
        ("text/plain", call.to_string()),
    ] {
        let request =
            client.request("POST", ENDPOINT).header("Accept", ACCEPT).header("Content-Type", kind).body(body.clone());
        let reply = ApiResponse::of(request).await;
        let excerpt: String = body.chars().take(60).collect();
        assert!((400..500).contains(&reply.status), "{kind} {excerpt}: {} {}", reply.status, reply.text);
    }
    let large = request("tools/call", json!({"name": "create_task", "arguments": {"title": "x".repeat(1_048_576)}}));
    assert_eq!(send(&client, &[], &large).await.status, 413);
    assert_eq!(run(&client, "list_tasks", json!({})).await["data"], json!([]));
    let _ = send(&client, &[], &call).await.expect(200);
}

#[tokio::test]
async fn a_retried_call_with_another_message_id_gets_the_first_result() {
    let (_app, client) = App::with_client().await;
    let mut ids = Vec::new();
    for message_id in [1, 2] {
        let params = json!({"name": "create_contact", "arguments": {"email": "ann@example.com"}});
        let mut message = request("tools/call", params);
        message["id"] = json!(message_id);
        let reply = send(&client, &[("Idempotency-Key", "once")], &message).await.expect(200);
        let replayed = if message_id == 1 { "" } else { "true" };
        assert_eq!((&reply.body["id"], reply.header("idempotent-replayed")), (&json!(message_id), replayed));
        ids.push(reply.body["result"]["structuredContent"]["id"].clone());
    }
    assert!(ids[0].is_string() && ids[0] == ids[1], "{ids:?}");
}

#[tokio::test]
async fn the_address_restricts_the_tools_by_feature() {
    let (_app, client) = App::with_client().await;
    let send = async |query: &str, method: &str, params: Value| {
        let builder = client.request("POST", &format!("{ENDPOINT}{query}")).header("Accept", ACCEPT);
        ApiResponse::of(builder.json(&request(method, params))).await
    };
    for features in ["crm", "crm,support"] {
        let listed = send(&format!("?features={features}"), "tools/list", json!({})).await.expect(200);
        let names =
            |tools: &Value| -> Vec<_> { tools.as_array().unwrap().iter().map(|it| it["name"].clone()).collect() };
        let plain = client.get(&format!("/api/mcp/tools/list?features={features}")).await.expect(200);
        let restricted = names(&listed.body["result"]["tools"]);
        assert_eq!(restricted, names(&plain.body["tools"]), "{features}");
        assert!(
            restricted.contains(&json!("get_deal")) && !restricted.contains(&json!("create_task")),
            "{restricted:?}"
        );
    }
    let call = json!({"name": "create_task", "arguments": {"title": "t"}});
    let hidden = send("?features=crm", "tools/call", call.clone()).await.expect(200);
    assert_eq!(hidden.body["error"]["code"], -32602, "{}", hidden.text);
    let result = send("?features=projects", "tools/call", call).await.expect(200);
    assert_eq!(result.body["result"]["isError"], json!(false), "{}", result.text);
    for (query, field) in [("?features=crm,sales", "features"), ("?feature=crm", "feature")] {
        let refused = send(query, "tools/list", json!({})).await;
        let detail = &refused.body["details"][0];
        assert_eq!((refused.status, &detail["field"]), (400, &json!(field)), "{}", refused.text);
        let known = if field == "features" { "crm, projects, support, webhooks" } else { "features" };
        assert!(detail["message"].as_str().is_some_and(|message| message.ends_with(known)), "{}", refused.text);
    }
}
