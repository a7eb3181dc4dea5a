//! The tools of a key: session, list and calls agree.

use std::collections::BTreeSet;

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client, simple_kinds};
use time::Duration;

use super::calls::{CALL, LIST, SESSION, call, details, map_of};
use super::table::{KINDS, PERMISSIONS, TOOLS, permissions_on, tools_with};

fn names(tools: &Value) -> Vec<&str> {
    tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

/// Checks that session, list and calls report the same permissions.
async fn check(client: &Client, granted: &[&str], case: &str) {
    let expected = tools_with(granted);
    let session = client.get(SESSION).await.expect(200).body;
    assert_eq!(session["allowedToolNames"], json!(expected), "{case}");
    assert_eq!(session["allowedToolCount"], json!(expected.len()), "{case}");
    assert_eq!(session["deniedToolCount"], json!(TOOLS.len() - expected.len()), "{case}");
    assert_eq!(session["permissions"]["granted"], json!(granted), "{case}");
    let denied: Vec<_> = PERMISSIONS.iter().filter(|permission| !granted.contains(permission)).collect();
    assert_eq!(session["permissions"]["denied"], json!(denied), "{case}");
    let listed = client.get(LIST).await.expect(200).body;
    assert_eq!((names(&listed["tools"]), &listed["count"]), (expected.clone(), &json!(expected.len())), "{case}");
    let all = client.post(LIST, json!({"includeDenied": true})).await.expect(200).body;
    assert_eq!(names(&all["tools"]), TOOLS.iter().map(|(name, _, _)| *name).collect::<Vec<_>>(), "{case}");
    for tool in all["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        assert_eq!(tool["allowed"], json!(expected.contains(&name)), "{name} with {case}");
        // Without arguments, an allowed call reads or is rejected; it changes nothing.
        let reply = call(client, name, json!({})).await;
        if expected.contains(&name) {
            assert!(matches!(reply.status, 200 | 400), "{name} with {case}: {}", reply.text);
        } else {
            assert_eq!((reply.status, &reply.body["error"]), (403, &json!("permission_denied")), "{name} with {case}");
        }
    }
}

fn all_scopes() -> Vec<String> {
    domain::identity::access::Scope::all().map(|scope| scope.to_string()).collect()
}

#[tokio::test]
async fn every_permission_gives_its_tools_and_no_others() {
    let (_app, tenant) = App::with_workspace().await;
    for permission in PERMISSIONS.iter().copied() {
        let key = json!({"scopes": all_scopes(), "permissions": map_of(&[permission])});
        check(&tenant.key(key).await.0, &[permission], permission).await;
    }
    for nothing in [json!({}), json!({"read_deals": false})] {
        let key = json!({"scopes": all_scopes(), "permissions": nothing});
        check(&tenant.key(key).await.0, &[], "a map of nothing").await;
    }
}

/// Adds the simple kinds, which all belong to support.
fn with_simple_kinds(nouns: &[&'static str]) -> Vec<&'static str> {
    nouns.iter().copied().chain(simple_kinds().into_iter().map(|kind| kind.plural)).collect()
}

#[tokio::test]
async fn presets_give_the_tools_of_their_areas() {
    let (_app, tenant) = App::with_workspace().await;
    let every = with_simple_kinds(&KINDS);
    let of_support = with_simple_kinds(&["tasks", "tickets", "comments", "kb_articles"]);
    for (preset, reads, writes) in [
        ("read_only", &every[..], &[][..]),
        ("crm", &[], &["contacts", "companies", "deals"]),
        ("projects", &[], &["projects", "cycles", "tasks", "comments", "time_entries"]),
        ("support", &["contacts"], &of_support),
        ("full_access", &[], &every),
    ] {
        let granted = [permissions_on(reads, true), permissions_on(writes, false)].concat();
        check(&tenant.key(json!({"preset": preset})).await.0, &granted, preset).await;
    }
}

#[tokio::test]
async fn scopes_give_the_tools_of_their_areas_and_a_map_never_exceeds_them() {
    let (_app, tenant) = App::with_workspace().await;
    let of_tickets = with_simple_kinds(&["tickets", "comments", "kb_articles"]);
    for scope in all_scopes() {
        let (area, level) = scope.split_once('.').unwrap();
        let nouns: &[&str] = match area {
            "contacts" => &["contacts"],
            "crm" => &["companies"],
            "deals" => &["deals"],
            "projects" => &["projects", "cycles"],
            "issues" => &["tasks", "comments"],
            "tickets" => &of_tickets,
            "time" => &["time_entries"],
            _ => &[],
        };
        let granted = permissions_on(nouns, level == "read");
        check(&tenant.with_scopes(&[&scope]).await, &granted, &scope).await;
        let key = json!({"scopes": [scope], "permissions": map_of(&PERMISSIONS)});
        let with_map = [granted, permissions_on(&["webhooks"], false)].concat();
        check(&tenant.key(key).await.0, &with_map, &format!("{scope} and a map of everything")).await;
    }
}

#[tokio::test]
async fn only_valid_keys_reach_the_tools() {
    let (app, tenant, owner) = App::with_user(Role::Owner).await;
    let (expired, _) = tenant.expiring(Duration::minutes(1)).await;
    let (revoked, id) = tenant.key(json!({"preset": "full_access"})).await;
    let _ = owner.client.post(&format!("/api/settings/api-keys/{id}/revoke"), json!({})).await.expect(200);
    app.advance(Duration::minutes(2)).await;
    let body = json!({"name": "list_deals", "arguments": {}});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let send = async |client: &Client, path: &str| match path {
        CALL => client.post(CALL, body.clone()).await,
        "/api/mcp" => ApiResponse::of(client.request("POST", path).header("Accept", ACCEPT).json(&message)).await,
        other => client.get(other).await,
    };
    for path in [SESSION, LIST, CALL, "/api/mcp"] {
        let mut bodies = BTreeSet::new();
        for client in [&app.anonymous(), &app.with_key("svc_nope"), &app.with_key("svs_nope"), &expired, &revoked] {
            let reply = send(client, path).await;
            assert_eq!((reply.status, reply.header("www-authenticate")), (401, "Bearer"), "{path}: {}", reply.text);
            assert_eq!(reply.body["error"], "unauthorized", "{path}");
            assert_eq!(reply.body["request_id"], reply.header("x-request-id"), "{path}");
            bodies.insert(reply.body["message"].to_string());
        }
        assert_eq!(bodies.len(), 1, "{path}: the answer does not say why: {bodies:?}");
        let user = send(&owner.client, path).await;
        assert_eq!((user.status, user.body["error"].is_string()), (403, true), "{path}: {}", user.text);
    }
}

const ACCEPT: &str = "application/json, text/event-stream";

#[tokio::test]
async fn the_session_and_the_list_have_the_documented_members() {
    let (_app, tenant) = App::with_workspace().await;
    let (client, id) = tenant.key(json!({"preset": "support"})).await;
    let session = client.get(SESSION).await.expect(200).body;
    let workspace = json!({"id": tenant.workspace.id, "name": tenant.workspace.name, "plan": "starter"});
    assert_eq!(session["workspace"], workspace);
    assert_eq!(session["key"], json!({"id": id, "name": "test", "preset": "support", "expires_at": null}));
    assert_eq!((&session["features"], &session["trial"]), (&json!(["crm", "projects", "support"]), &Value::Null));
    assert!(session["rateLimit"].is_object());
    let listed = client.get(&format!("{LIST}?features=crm,support")).await.expect(200).body;
    for tool in listed["tools"].as_array().unwrap() {
        let members: Vec<_> = tool.as_object().unwrap().keys().map(String::as_str).collect();
        for member in ["name", "title", "description", "feature", "permission", "annotations", "allowed"] {
            assert!(members.contains(&member), "{member} in {tool}");
        }
        assert!(matches!(tool["feature"].as_str(), Some("crm" | "support")), "{tool}");
        assert!(!members.contains(&"inputSchema") && !members.contains(&"outputSchema"));
        let reads = tool["name"]
            .as_str()
            .unwrap()
            .split('_')
            .next()
            .is_some_and(|verb| matches!(verb, "list" | "get" | "search" | "summarize" | "whoami"));
        assert_eq!(tool["annotations"]["readOnlyHint"], json!(reads), "{tool}");
        assert_eq!(tool["annotations"].as_object().unwrap().len(), 4, "{tool}");
    }
    for (query, body) in [
        ("features=crm,nope", json!({"features": ["crm", "nope"]})),
        ("features=", json!({"features": "nope"})),
        ("includeDenied=yes", json!({"includeDenied": "yes"})),
        ("includeOutputSchemas=no", json!({"includeOutputSchemas": "no"})),
        ("includeOutputSchemas=", json!({"includeOutputSchemas": 0})),
        ("includeOutputSchemas=true&includeOutputSchemas=true", json!({"include_output_schemas": true})),
        ("nope=1", json!({"nope": 1})),
    ] {
        for reply in [client.get(&format!("{LIST}?{query}")).await, client.post(LIST, body).await] {
            assert_eq!((reply.status, reply.body["error"].is_string()), (400, true), "{query}: {}", reply.text);
        }
    }
    let twice =
        client.post(&format!("{LIST}?includeOutputSchemas=false"), json!({"includeOutputSchemas": false})).await;
    assert_eq!((twice.status, details(&twice.body)), (400, vec!["includeOutputSchemas:invalid_value".to_owned()]));
    for (flags, has_input, has_output) in [
        (json!({}), false, false),
        (json!({"includeOutputSchemas": true}), false, false),
        (json!({"includeSchemas": true}), true, true),
        (json!({"includeSchemas": true, "includeOutputSchemas": true}), true, true),
        (json!({"includeSchemas": true, "includeOutputSchemas": false}), true, false),
        (json!({"includeSchemas": false, "includeOutputSchemas": false}), false, false),
    ] {
        let pairs: Vec<_> = flags.as_object().unwrap().iter().map(|(name, flag)| format!("{name}={flag}")).collect();
        for reply in [client.get(&format!("{LIST}?{}", pairs.join("&"))).await, client.post(LIST, flags.clone()).await]
        {
            for tool in reply.expect(200).body["tools"].as_array().unwrap() {
                let has = |member| tool.get(member).is_some_and(Value::is_object);
                assert_eq!((has("inputSchema"), has("outputSchema")), (has_input, has_output), "{flags}: {tool}");
            }
        }
    }
    let all = client.get(LIST).await.expect(200).body;
    assert_eq!(ApiResponse::of(client.request("POST", LIST)).await.expect(200).body, all);
    assert_eq!(
        client.post(LIST, json!({"features": ["crm"]})).await.body,
        client.get(&format!("{LIST}?features=crm")).await.body
    );
}
