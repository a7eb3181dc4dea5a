//! API keys in settings.

use domain::ApiKeyId;
use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client, assert_members, eventually};

use crate::database::execute;
use crate::support::{UNKNOWN_ID, bad, broken, check_members, text};

const KEYS: &str = "/api/settings/api-keys";

#[tokio::test]
async fn a_key_is_shown_once_and_lives_until_it_is_revoked() {
    let (app, _tenant, owner) = App::with_user(Role::Owner).await;
    let body =
        json!({"name": " CI ", "scopes": ["deals.write", "contacts.read"], "expires_at": "2099-01-01T00:00:00+02:00"});
    let created = owner.client.post(KEYS, body).await.expect(201);
    let id = created.id();
    let key = created.data()["key"].as_str().unwrap().to_owned();
    assert!(key.starts_with("svc_"));
    assert_eq!(
        *created.data(),
        json!({
            "id": id, "key": key, "name": "CI", "status": "active", "preset": null,
            "scopes": ["contacts.read", "deals.write"], "permissions": null, "narrows_rest": true, "trial": null, "allowed_networks": [],
            "expires_at": "2098-12-31T22:00:00.000000Z", "revoked_at": null, "last_used_at": null, "version": 1,
            "created_at": created.data()["created_at"], "updated_at": created.data()["created_at"],
            "created_by": {"type": "user", "id": owner.id},
        })
    );
    let client = app.with_key(&key);
    let _ = client.get("/api/v1/crm/deals").await.expect(200);
    let path = format!("{KEYS}/{id}");
    let renamed = owner.client.patch(&path, json!({"name": "Deploys"})).await.expect(200);
    assert_eq!((renamed.header("etag"), &renamed.data()["name"]), ("\"2\"", &json!("Deploys")));
    assert!(!renamed.text.contains(&key[4..]));
    let same = owner.client.patch(&path, json!({"name": "Deploys"})).await.expect(200);
    assert_eq!(same.header("etag"), "\"2\"", "nothing changed");
    let _ = client.get("/api/v1/crm/deals").await.expect(200);
    let stale = owner.client.request("PATCH", &path).header("If-Match", "\"1\"").json(&json!({"name": "x"}));
    assert_eq!(ApiResponse::of(stale).await.expect(409).code(), "concurrent_update");
    let revoked = owner.client.post(&format!("{path}/revoke"), json!({})).await.expect(200);
    assert_eq!((&revoked.data()["status"], revoked.data()["revoked_at"].is_string()), (&json!("revoked"), true));
    assert_eq!(client.get("/api/v1/crm/deals").await.status, 401, "immediately on the same instance");
    assert_eq!(owner.client.post(&format!("{path}/revoke"), json!({})).await.expect(409).code(), "conflict");
    let listed = owner.client.get(KEYS).await.expect(200);
    assert_eq!(listed.ids(), [id]);
    assert!(!listed.text.contains("svc_") && !listed.text.contains("secret") && !listed.text.contains("lookup"));
    for path in [format!("{KEYS}/{UNKNOWN_ID}"), format!("{KEYS}/{}", owner.id)] {
        assert_eq!(owner.client.patch(&path, json!({"name": "x"})).await.status, 404);
        assert_eq!(owner.client.post(&format!("{path}/revoke"), json!({})).await.status, 404);
    }
}

#[tokio::test]
async fn every_member_of_a_key_is_validated() {
    let (_app, _, owner) = App::with_user(Role::Owner).await;
    let minimal = json!({"name": "k", "preset": "crm"});
    let cases = vec![
        broken("name", text(121), &["name:too_long"]),
        bad("preset", json!("agent"), &["preset:invalid_value"]),
        broken("preset", Value::Null, &["scopes:required"]),
        broken("scopes", json!(["deals.write"]), &["scopes:required"]),
        // Combining scopes with a preset breaks another rule.
        broken("scopes", json!(["x"]), &["scopes[0]:unknown_scope", "scopes:required"]),
        bad("permissions", json!({"read_deals": 1}), &["permissions.read_deals:invalid_type"]),
        broken("permissions", json!({"rule": true}), &["permissions.rule:unknown_permission"]),
        broken("expires_at", json!("2020-01-01T00:00:00Z"), &["expires_at:out_of_range"]),
        bad("lookup_id", json!("x"), &["lookup_id:unknown_field"]),
    ];
    check_members(&owner.client, KEYS, &minimal, None, cases).await;
    let created = owner
        .client
        .post(KEYS, json!({"name": "k", "preset": "crm", "permissions": {"read_deals": true, "create_deals": false}}))
        .await
        .expect(201);
    assert_members(&created.data()["permissions"], &json!({"read_deals": true, "create_deals": false}));
    for (patch, status) in [(json!({}), 422), (json!({"name": null}), 422), (json!({"preset": "crm"}), 400)] {
        assert_eq!(owner.client.patch(&format!("{KEYS}/{}", created.id()), patch).await.status, status);
    }
}

/// The status of a few requests with a key: four on deals, and one on projects.
async fn statuses(client: &Client, record: &str) -> [u16; 5] {
    let path = "/api/v1/crm/deals";
    [
        client.get(path).await.status,
        client.post(path, json!({"title": "d"})).await.status,
        client.patch(&format!("{path}/{record}"), json!({"source": "fair"})).await.status,
        client.delete(&format!("{path}/{UNKNOWN_ID}")).await.status,
        client.get("/api/v1/projects").await.status,
    ]
}

#[tokio::test]
async fn permissions_restrict_rest_like_tools() {
    let (_app, tenant, full) = App::with_workspace_client().await;
    let deal = full.create("/api/v1/crm/deals", json!({"title": "d"})).await;
    assert_eq!(statuses(&full, &deal).await, [200, 201, 200, 404, 200]);
    for (permission, expected) in [
        ("read_deals", [200, 403, 403, 403, 403]),
        ("create_deals", [403, 201, 403, 403, 403]),
        ("update_deals", [403, 403, 200, 403, 403]),
        ("delete_deals", [403, 403, 403, 404, 403]),
        ("read_projects", [403, 403, 403, 403, 200]),
    ] {
        let key = json!({"preset": "full_access", "permissions": { permission: true }});
        let client = tenant.key(key).await.0;
        assert_eq!(statuses(&client, &deal).await, expected, "{permission}");
    }
    let key = json!({"scopes": ["deals.read"], "permissions": {"read_deals": true, "create_deals": true}});
    assert_eq!(statuses(&tenant.key(key).await.0, &deal).await, [200, 403, 403, 403, 403]);
    let refused = tenant.key(json!({"preset": "crm", "permissions": {}})).await.0.get("/api/v1/crm/deals").await;
    assert!(refused.expect(403).text.contains("read_deals"), "it names the permission");
}

#[tokio::test]
async fn permissions_on_tasks_do_not_give_access_to_tickets_over_rest() {
    let (_app, tenant, full) = App::with_workspace_client().await;
    let create = async |kind: &str| full.create("/api/v1/issues", json!({"kind": kind, "title": "t"})).await;
    let (task, ticket) = (create("task").await, create("ticket").await);
    let permissions = json!({"read_tasks": true, "create_tasks": true, "read_comments": true});
    let client = tenant.key(json!({"preset": "full_access", "permissions": permissions})).await.0;
    assert_eq!(client.get("/api/v1/issues").await.expect(200).ids(), std::slice::from_ref(&task));
    assert_eq!(client.get("/api/v1/issues?kind=ticket").await.status, 403);
    for (id, status) in [(&task, 200), (&ticket, 404)] {
        assert_eq!(client.get(&format!("/api/v1/issues/{id}")).await.status, status);
        assert_eq!(client.get(&format!("/api/v1/issues/{id}/comments")).await.status, status);
    }
    let _ = client.post("/api/v1/issues", json!({"kind": "task", "title": "t"})).await.expect(201);
    let _ = client.post("/api/v1/issues", json!({"kind": "ticket", "title": "t"})).await.expect(403);
    let _ = client.patch(&format!("/api/v1/issues/{task}"), json!({"title": "u"})).await.expect(403);
}

#[tokio::test]
async fn permissions_of_old_keys_restrict_rest_from_their_next_change() {
    let (app, tenant) = App::with_workspace().await;
    let owner = tenant.user(Role::Owner).await.client;
    let deal = tenant.full_access().await.create("/api/v1/crm/deals", json!({"title": "d"})).await;
    let (_, new) = tenant.key(json!({"preset": "crm"})).await;
    let shown = async |id: ApiKeyId| {
        let keys = owner.get(KEYS).await.expect(200);
        keys.data().as_array().unwrap().iter().find(|key| key["id"] == json!(id)).cloned().unwrap()
    };
    assert_eq!(shown(new).await["narrows_rest"], true, "nothing to confirm");
    for change in [json!({"narrows_rest": true}), json!({"name": "Renamed"})] {
        let (client, id) = tenant.key(json!({"preset": "full_access", "permissions": {"read_deals": true}})).await;
        execute(&app, &format!("UPDATE api_keys SET narrows_rest = false WHERE id = '{id}'"));
        assert_eq!(shown(id).await["narrows_rest"], false);
        assert_eq!(statuses(&client, &deal).await, [200, 201, 200, 404, 200]);
        let changed = owner.patch(&format!("{KEYS}/{id}"), change.clone()).await.expect(200);
        assert_eq!(changed.data()["narrows_rest"], true, "{change}");
        assert_eq!(changed.data()["version"], 2, "{change}");
        assert_eq!(statuses(&client, &deal).await, [200, 403, 403, 403, 403], "{change}");
        let repeated = owner.patch(&format!("{KEYS}/{id}"), json!({"narrows_rest": true})).await.expect(200);
        assert_eq!(repeated.data()["version"], 2, "nothing more to confirm");
        let refused = owner.patch(&format!("{KEYS}/{id}"), json!({"narrows_rest": false})).await.expect(422);
        assert_eq!(refused.details(), ["narrows_rest:invalid_value"]);
        let none = owner.patch(&format!("{KEYS}/{id}"), json!({"narrows_rest": null})).await.expect(422);
        assert_eq!(none.details(), ["narrows_rest:required"]);
    }
}

#[tokio::test]
async fn an_integration_reads_and_subscribes_without_a_permission_map() {
    let (_app, tenant) = App::with_workspace().await;
    let client = tenant.key(json!({"preset": "integration"})).await.0;
    for path in ["/api/v1/crm/contacts", "/api/v1/crm/deals", "/api/v1/projects", "/api/v1/issues", "/api/v1/events"] {
        let _ = client.get(path).await.expect(200);
    }
    let hook = json!({"module": "crm", "url": "https://example.com/hook", "events": ["deal.won"]});
    let created = client.create("/api/settings/webhooks", hook).await;
    assert_eq!(client.get("/api/settings/webhooks").await.expect(200).ids(), std::slice::from_ref(&created));
    let path = format!("/api/settings/webhooks/{created}");
    let _ = client.patch(&path, json!({"enabled": false})).await.expect(403);
    let _ = client.delete(&path).await.expect(200);
    let _ = client.post("/api/v1/crm/deals", json!({"title": "d"})).await.expect(403);
    let narrowed = json!({"preset": "integration", "permissions": {"read_deals": true}});
    let narrowed = tenant.key(narrowed).await.0;
    let _ = narrowed.get("/api/v1/crm/deals").await.expect(200);
    let _ = narrowed.get("/api/settings/webhooks").await.expect(403);
}

#[tokio::test]
async fn keys_are_listed_in_pages_per_workspace() {
    let app = App::start().await;
    let (mine, theirs) = (app.workspace().await, app.workspace().await);
    let (me, other) = (mine.user(Role::Admin).await, theirs.user(Role::Admin).await);
    let mut created = Vec::new();
    for number in 0..3 {
        let body = json!({"name": format!("k{number}"), "preset": "read_only"});
        created.insert(0, me.client.create(KEYS, body).await);
    }
    let first = me.client.get(&format!("{KEYS}?limit=2")).await.expect(200);
    assert_eq!(first.ids(), created[..2]);
    let cursor = first.body["pagination"]["nextCursor"].as_str().unwrap();
    let second = me.client.get(&format!("{KEYS}?limit=2&cursor={cursor}")).await.expect(200);
    assert_eq!(second.ids(), created[2..]);
    assert!(other.client.get(KEYS).await.expect(200).ids().is_empty());
    let path = format!("{KEYS}/{}", created[0]);
    assert_eq!(other.client.patch(&path, json!({"name": "x"})).await.status, 404);
    assert_eq!(other.client.post(&format!("{path}/revoke"), json!({})).await.status, 404);
}

#[tokio::test]
async fn the_last_use_is_recorded_after_the_request_once_per_minute() {
    let (app, tenant, owner) = App::with_user(Role::Owner).await;
    let (client, id) = tenant.key(json!({"preset": "full_access"})).await;
    let last_used = async || {
        let keys = owner.client.get(KEYS).await.expect(200);
        let key = keys.data().as_array().unwrap().iter().find(|key| key["id"] == json!(id)).cloned();
        key.unwrap()["last_used_at"].clone()
    };
    assert_eq!(last_used().await, Value::Null);
    let _ = client.get("/api/v1/projects").await.expect(200);
    eventually("the first use is recorded", async || last_used().await.is_string()).await;
    let first = last_used().await;
    let _ = client.get("/api/v1/projects").await.expect(200);
    domain::identity::usage::flush_activity(&app.ports).await.unwrap();
    assert_eq!(last_used().await, first, "within the same minute");
    app.advance(time::Duration::minutes(2)).await;
    let _ = client.get("/api/v1/projects").await.expect(200);
    eventually("the later use is recorded", async || last_used().await != first).await;
}
