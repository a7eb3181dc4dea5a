//! Trial keys for agents: few tools, few calls, early expiry.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, AppOptions, Client};
use time::Duration;

use super::calls::{CALL, LIST, SESSION, call, details, fail, run};
use super::table::{CallClass, TOOLS};
use crate::support::{UNKNOWN_ID, send_in_parallel};

const KEYS: &str = "/api/settings/api-keys";

fn trial(members: Value) -> Value {
    let mut key = json!({"name": "agent", "preset": "agent_trial"});
    if let Value::Object(members) = members {
        for (name, value) in members {
            key[name] = value;
        }
    }
    key
}

async fn rate_limit(client: &Client) -> Value {
    client.get(SESSION).await.expect(200).body["trial"].clone()
}

#[tokio::test]
async fn a_trial_is_read_only_for_a_week_by_default() {
    let (app, _, owner) = App::with_user(Role::Owner).await;
    let created = owner.client.post(KEYS, trial(json!({}))).await.expect(201);
    let readers: Vec<_> = TOOLS
        .iter()
        .filter(|(_, permissions, counts)| *counts == CallClass::Read && !permissions.contains(&"read_webhooks"))
        .map(|(name, ..)| *name)
        .collect();
    assert_eq!(created.data()["trial"]["tools"].as_array().map(Vec::len), Some(readers.len()));
    let client = app.with_key(created.data()["key"].as_str().unwrap());
    let session = client.get(SESSION).await.expect(200).body;
    assert_eq!(session["allowedToolNames"], json!(readers));
    let expires = &created.data()["expires_at"];
    assert_eq!(session["trial"], json!({"callsLimit": 200, "callsRemaining": 200, "expiresAt": expires}));
    assert_eq!((&session["key"]["preset"], &session["key"]["expires_at"]), (&json!("agent_trial"), expires));
    let days: Vec<_> = [created.data()["created_at"].as_str(), expires.as_str()]
        .map(|text| time::OffsetDateTime::parse(text.unwrap(), &time::format_description::well_known::Rfc3339).unwrap())
        .into();
    assert_eq!(days[1] - days[0], Duration::days(7));
    let shown = owner.client.get(KEYS).await.expect(200);
    assert!(!shown.text.contains("svc_"));
    for path in ["/api/v1/projects", "/api/v1/crm/deals", "/api/v1/issues"] {
        assert_eq!(client.get(path).await.expect(403).code(), "forbidden");
        assert_eq!(client.post(path, json!({"name": "p"})).await.status, 403, "{path}");
    }
    assert_eq!(client.get(KEYS).await.status, 403);
    assert_eq!(rate_limit(&client).await["callsRemaining"], 200, "rejected calls do not count");
    app.advance(Duration::days(7) + Duration::seconds(1)).await;
    assert_eq!(client.get(SESSION).await.status, 401);
}

#[tokio::test]
async fn every_member_of_a_trial_is_validated() {
    let (app, _, owner) = App::with_user(Role::Owner).await;
    let after = |days| domain::kernel::input::format_timestamp(app.ports.clock.now() + Duration::days(days));
    for (members, status, expected) in [
        (json!({"expires_at": after(15)}), 422, "expires_at:out_of_range"),
        (json!({"expires_at": after(13)}), 201, ""),
        (json!({"trial": {"calls": 1_001}}), 422, "trial.calls:out_of_range"),
        (json!({"trial": {"calls": 1_000}}), 201, ""),
        (json!({"trial": {"tools": ["get_deal", "list_webhooks"]}}), 422, "trial.tools[1]:unknown_tool"),
        (json!({"permissions": {"read_deals": true}}), 422, "permissions:not_for_trials"),
        (json!({"preset": "crm", "trial": {}}), 422, "trial:needs_preset"),
        (json!({"trial": {"tools": ["create_task", "add_comment"], "calls": 5}}), 201, ""),
    ] {
        let reply = owner.client.post(KEYS, trial(members.clone())).await;
        assert_eq!(reply.status, status, "{members}: {}", reply.text);
        if status == 201 {
            continue;
        }
        assert_eq!(reply.details(), [expected], "{members}");
    }
}

async fn agent(app: &App, tools: &[&str], calls: u32) -> Client {
    let tenant = app.workspace().await;
    let key = trial(json!({"trial": {"tools": tools, "calls": calls}}));
    let owner = tenant.user(Role::Owner).await;
    let created = owner.client.post(KEYS, key).await.expect(201);
    app.with_key(created.data()["key"].as_str().unwrap())
}

#[tokio::test]
async fn a_call_counts_once_permission_and_schema_are_checked() {
    let app = App::start().await;
    let client = agent(&app, &["create_task", "get_task"], 4).await;
    let listed = client.get(LIST).await.expect(200);
    assert_eq!(listed.body["count"], 2);
    for (name, arguments, status) in [
        ("list_tasks", json!({}), 403),
        ("update_task", json!({"id": UNKNOWN_ID, "title": "t"}), 403),
        ("create_task", json!({}), 400),
        ("create_task", json!({"title": 1}), 400),
        ("create_task", json!({"title": "x".repeat(501)}), 400),
        ("nope", json!({}), 404),
    ] {
        assert_eq!(call(&client, name, arguments).await.status, status, "{name}");
    }
    assert_eq!(rate_limit(&client).await["callsRemaining"], 4);
    let _ = run(&client, "create_task", json!({"title": "t"})).await;
    let _ = fail(&client, "get_task", json!({"id": UNKNOWN_ID})).await;
    let _ = fail(&client, "create_task", json!({"title": "t", "project_id": UNKNOWN_ID})).await;
    assert_eq!(rate_limit(&client).await["callsRemaining"], 1, "a tool failure counts");
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "create_task", "arguments": {"title": "u"}}});
    let send = async || {
        let request = client.request("POST", "/api/mcp").header("Accept", "application/json, text/event-stream");
        ApiResponse::of(request.json(&message)).await
    };
    assert_eq!(send().await.expect(200).body["result"]["isError"], json!(false));
    assert_eq!(rate_limit(&client).await["callsRemaining"], 0);
    let excess = send().await.expect(200);
    assert_eq!(excess.body["result"]["isError"], json!(true), "{}", excess.text);
    let refused = call(&client, "create_task", json!({"title": "t"})).await.expect(429);
    assert_eq!(refused.body["error"], "trial_quota_exceeded");
    let wait = refused.body["retry_after"].as_i64().unwrap();
    assert_eq!(refused.header("retry-after"), wait.to_string());
    let week = 7 * 86_400;
    assert!((week - 120..=week).contains(&wait), "{wait}");
    // Shape and permission are still checked first.
    assert_eq!(call(&client, "create_task", json!({})).await.status, 400);
    assert_eq!(call(&client, "list_tasks", json!({})).await.status, 403);
    let _ = client.get(LIST).await.expect(200);
    app.advance(Duration::seconds(wait)).await;
    assert_eq!(call(&client, "create_task", json!({"title": "t"})).await.status, 401);
}

#[tokio::test]
async fn the_count_is_exact_under_parallel_calls_on_two_instances() {
    let app = App::start().await;
    let other = app.another(AppOptions::default()).await;
    let first = agent(&app, &["create_task", "list_tasks"], 37).await;
    let second = other.with_key(first.key().unwrap());
    let create = json!({"name": "create_task", "arguments": {"title": "t"}});
    let requests = (0..100_usize).map(|number| [&first, &second][number % 2].request("POST", CALL).json(&create));
    let replies = send_in_parallel(requests).await;
    let good = replies.iter().filter(|reply| reply.status == 200).count();
    assert_eq!(good, 37, "{:?}", replies.iter().map(|reply| reply.status).collect::<Vec<_>>());
    for reply in replies.iter().filter(|reply| reply.status != 200) {
        assert_eq!((reply.status, &reply.body["error"]), (429, &json!("trial_quota_exceeded")));
    }
    for client in [&first, &second] {
        assert_eq!(rate_limit(client).await["callsRemaining"], 0);
        assert_eq!(call(client, "list_tasks", json!({})).await.status, 429);
    }
}

#[tokio::test]
async fn a_trial_reaches_only_the_kinds_of_its_tools() {
    let (_app, tenant, full) = App::with_workspace_client().await;
    let task = super::calls::create(&full, "create_task", json!({"title": "t"})).await;
    let ticket = super::calls::create(&full, "create_ticket", json!({"title": "t"})).await;
    let agent = tenant.key(trial(json!({"trial": {"tools": ["get_task", "add_comment", "list_comments"]}}))).await.0;
    let _ = run(&agent, "add_comment", json!({"issue_id": task, "body": "b"})).await;
    assert_eq!(fail(&agent, "add_comment", json!({"issue_id": ticket, "body": "b"})).await["error"], "not_found");
    assert_eq!(fail(&agent, "list_comments", json!({"issue_id": ticket})).await["error"], "not_found");
    let reply = call(&agent, "update_task", json!({"id": task, "title": "x"})).await.expect(403);
    assert!(details(&reply.body).is_empty());
}
