//! Networks from which a workspace and its keys may be used.

use domain::identity::workspaces::{self, Role};
use domain::testing;
use http_core::{HttpSettings, TrustedProxies};
use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client};

const OFFICE: &str = "203.0.113.7";
const OUTSIDE: &str = "198.51.100.9";
const WORKSPACE: &str = "/api/settings/workspace";
const LIST: &str = "/api/v1/projects";

/// A service behind a trusted proxy, which reports client addresses.
async fn behind_a_proxy() -> App {
    let trusted_proxies = TrustedProxies::parse(["127.0.0.1"]).unwrap();
    App::start_with(HttpSettings { trusted_proxies, ..HttpSettings::default() }).await
}

async fn send_from(address: &str, client: &Client, method: &str, path: &str, body: Option<Value>) -> ApiResponse {
    let request = client.request(method, path).header("X-Forwarded-For", address);
    ApiResponse::of(if let Some(body) = body { request.json(&body) } else { request }).await
}

#[tokio::test]
async fn keys_sessions_tools_and_sign_ins_need_an_allowed_network() {
    let app = behind_a_proxy().await;
    let (tenant, other) = (app.workspace().await, app.workspace().await);
    let (owner, key) = (tenant.user(Role::Owner).await, tenant.full_access().await);
    let foreign = other.full_access().await;
    let networks = json!({"allowed_networks": ["203.0.113.0/24", "2001:db8::/32"]});
    let changed = send_from(OFFICE, &owner.client, "PATCH", WORKSPACE, Some(networks)).await.expect(200);
    assert_eq!(changed.data()["allowed_networks"], json!(["203.0.113.0/24", "2001:db8::/32"]));
    let log_in = json!({"email": owner.email, "password": owner.password});
    let anonymous = app.anonymous();
    for (address, allowed) in [
        (OFFICE, true),
        ("2001:db8:1::1", true),
        ("::ffff:203.0.113.7", true),
        (OUTSIDE, false),
        ("2001:db9::1", false),
        // Addresses that the client adds before its own are ignored.
        ("203.0.113.7, 198.51.100.9", false),
    ] {
        for (client, method, path, body) in [
            (&key, "GET", LIST, None),
            (&owner.client, "GET", LIST, None),
            (&owner.client, "GET", WORKSPACE, None),
            (&owner.client, "GET", "/api/account", None),
            (&key, "POST", "/api/mcp/tools/list", Some(json!({}))),
            (&anonymous, "POST", "/api/auth/login", Some(log_in.clone())),
        ] {
            let reply = send_from(address, client, method, path, body).await;
            let context = format!("{address} {method} {path}: {}", reply.text);
            assert_eq!(reply.status, if allowed { 200 } else { 403 }, "{context}");
            // Tools have flat errors with their own code.
            let code = reply.body["error"].as_str().unwrap_or_else(|| reply.code());
            assert!(allowed || ["forbidden", "permission_denied"].contains(&code), "{context}");
        }
        let _ = send_from(address, &foreign, "GET", LIST, None).await.expect(200);
    }
    let wrong = json!({"email": owner.email, "password": "not the password"});
    assert_eq!(send_from(OUTSIDE, &anonymous, "POST", "/api/auth/login", Some(wrong)).await.status, 401);
    // An operator can lift the restriction, and so can an empty list.
    let permit = testing::operator().permit(tenant.workspace.clone());
    let opened = workspaces::allow_all_networks(&app.ports, &permit).await.unwrap();
    assert!(opened.allowed_networks.allow(None));
    let _ = send_from(OUTSIDE, &key, "GET", LIST, None).await.expect(200);
}

#[tokio::test]
async fn a_key_has_its_own_networks() {
    let app = behind_a_proxy().await;
    let tenant = app.workspace().await;
    let owner = tenant.user(Role::Owner).await;
    let body = json!({"name": "k", "preset": "full_access", "allowed_networks": ["203.0.113.7"]});
    let created = owner.client.post("/api/settings/api-keys", body).await.expect(201);
    assert_eq!(created.data()["allowed_networks"], json!(["203.0.113.7/32"]));
    let key = app.with_key(created.data()["key"].as_str().unwrap());
    let path = format!("/api/settings/api-keys/{}", created.id());
    assert_eq!(send_from(OFFICE, &key, "GET", LIST, None).await.status, 200);
    assert_eq!(send_from(OUTSIDE, &key, "GET", LIST, None).await.status, 403);
    let moved = owner.client.patch(&path, json!({"allowed_networks": ["198.51.100.0/24"]})).await.expect(200);
    assert_eq!(moved.header("etag"), "\"2\"");
    assert_eq!(send_from(OFFICE, &key, "GET", LIST, None).await.status, 403);
    assert_eq!(send_from(OUTSIDE, &key, "GET", LIST, None).await.status, 200);
    let ours = json!({"allowed_networks": ["203.0.113.0/24"]});
    let _ = send_from(OFFICE, &owner.client, "PATCH", WORKSPACE, Some(ours)).await.expect(200);
    assert_eq!(send_from(OUTSIDE, &key, "GET", LIST, None).await.status, 403);
    let none = json!({"allowed_networks": null});
    let open = send_from(OFFICE, &owner.client, "PATCH", &path, Some(none)).await.expect(200);
    assert_eq!(open.data()["allowed_networks"], json!([]));
    assert_eq!(send_from(OFFICE, &key, "GET", LIST, None).await.status, 200);
    let log = send_from(OFFICE, &owner.client, "GET", "/api/settings/audit-log", None).await.expect(200);
    assert_eq!(log.data()[0]["action"], "api_key.updated");
    assert_eq!(log.data()[0]["details"], json!({"allowed_networks": {"from": ["198.51.100.0/24"], "to": []}}));
}

#[tokio::test]
async fn nobody_can_lock_themselves_out() {
    let app = behind_a_proxy().await;
    let owner = app.workspace().await.user(Role::Owner).await;
    let try_with = async |networks: Value| {
        send_from(OFFICE, &owner.client, "PATCH", WORKSPACE, Some(json!({ "allowed_networks": networks }))).await
    };
    let refused = try_with(json!(["198.51.100.0/24"])).await.expect(422);
    assert_eq!(refused.details(), ["allowed_networks:excludes_caller"]);
    assert!(refused.text.contains(OFFICE), "{}", refused.text);
    for (networks, status, details) in [
        (json!(["203.0.113.1/24"]), 422, &["allowed_networks[0]:invalid_network"][..]),
        (json!(["0.0.0.0/0", "localhost"]), 422, &["allowed_networks[1]:invalid_network"]),
        (json!(["::ffff:203.0.113.0/120"]), 422, &["allowed_networks[0]:invalid_network"]),
        (json!(vec!["203.0.113.0/24"; 101]), 422, &["allowed_networks:too_many"]),
        (json!("203.0.113.0/24"), 400, &["allowed_networks:invalid_type"]),
        (json!([1]), 400, &["allowed_networks[0]:invalid_type"]),
    ] {
        assert_eq!(try_with(networks).await.expect(status).details(), details);
    }
    let _ = try_with(json!(vec!["203.0.113.0/24"; 100])).await.expect(200);
    let _ = try_with(json!([])).await.expect(200);
}
