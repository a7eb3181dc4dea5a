//! API keys in settings.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, eventually};

use crate::support::{NOWHERE, bad, broken, check_members, text};

const KEYS: &str = "/api/settings/api-keys";

#[tokio::test]
async fn a_key_is_shown_once_and_lives_until_it_is_revoked() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let owner = tenant.user(Role::Owner).await;
    let body =
        json!({"name": " CI ", "scopes": ["deals.write", "contacts.read"], "expires_at": "2099-01-01T00:00:00+02:00"});
    let made = owner.client.post(KEYS, body).await.expect(201);
    let id = made.id();
    let key = made.data()["key"].as_str().unwrap().to_owned();
    assert!(key.starts_with("svc_"));
    assert_eq!(
        *made.data(),
        json!({
            "id": id, "key": key, "name": "CI", "status": "active", "preset": null,
            "scopes": ["contacts.read", "deals.write"], "permissions": null, "trial": null, "allowed_networks": [],
            "expires_at": "2098-12-31T22:00:00.000000Z", "revoked_at": null, "last_used_at": null, "version": 1,
            "created_at": made.data()["created_at"], "updated_at": made.data()["created_at"],
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
    for path in [format!("{KEYS}/{NOWHERE}"), format!("{KEYS}/{}", owner.id)] {
        assert_eq!(owner.client.patch(&path, json!({"name": "x"})).await.status, 404);
        assert_eq!(owner.client.post(&format!("{path}/revoke"), json!({})).await.status, 404);
    }
}

#[tokio::test]
async fn every_member_of_a_key_is_validated() {
    let app = App::start().await;
    let owner = app.workspace().await.user(Role::Owner).await;
    let minimal = json!({"name": "k", "preset": "crm"});
    let cases = vec![
        broken("name", text(121), &["name:too_long"]),
        bad("preset", json!("agent"), &["preset:invalid_value"]),
        broken("preset", Value::Null, &["scopes:required"]),
        broken("scopes", json!(["deals.write"]), &["scopes:required"]),
        // Beside a preset, scopes are one rule more that is broken.
        broken("scopes", json!(["x"]), &["scopes[0]:unknown_scope", "scopes:required"]),
        bad("permissions", json!({"read_deals": 1}), &["permissions.read_deals:invalid_type"]),
        broken("permissions", json!({"rule": true}), &["permissions.rule:unknown_permission"]),
        broken("expires_at", json!("2020-01-01T00:00:00Z"), &["expires_at:out_of_range"]),
        bad("lookup_id", json!("x"), &["lookup_id:unknown_field"]),
    ];
    check_members(&owner.client, KEYS, &minimal, None, cases).await;
    let made = owner
        .client
        .post(KEYS, json!({"name": "k", "preset": "crm", "permissions": {"read_deals": true, "create_deals": false}}))
        .await
        .expect(201);
    assert_eq!(
        (&made.data()["permissions"]["read_deals"], &made.data()["permissions"]["create_deals"]),
        (&json!(true), &json!(false))
    );
    for (patch, status) in [(json!({}), 422), (json!({"name": null}), 422), (json!({"preset": "crm"}), 400)] {
        assert_eq!(owner.client.patch(&format!("{KEYS}/{}", made.id()), patch).await.status, status);
    }
}

#[tokio::test]
async fn keys_are_listed_in_pages_per_workspace() {
    let app = App::start().await;
    let (mine, theirs) = (app.workspace().await, app.workspace().await);
    let (me, they) = (mine.user(Role::Admin).await, theirs.user(Role::Admin).await);
    let mut made = Vec::new();
    for number in 0..3 {
        let body = json!({"name": format!("k{number}"), "preset": "read_only"});
        made.insert(0, me.client.post(KEYS, body).await.expect(201).id());
    }
    let first = me.client.get(&format!("{KEYS}?limit=2")).await.expect(200);
    assert_eq!(first.ids(), made[..2]);
    let cursor = first.body["pagination"]["nextCursor"].as_str().unwrap();
    let second = me.client.get(&format!("{KEYS}?limit=2&cursor={cursor}")).await.expect(200);
    assert_eq!(second.ids(), made[2..]);
    assert!(they.client.get(KEYS).await.expect(200).ids().is_empty());
    let path = format!("{KEYS}/{}", made[0]);
    assert_eq!(they.client.patch(&path, json!({"name": "x"})).await.status, 404);
    assert_eq!(they.client.post(&format!("{path}/revoke"), json!({})).await.status, 404);
}

#[tokio::test]
async fn the_last_use_is_recorded_after_the_request_once_per_minute() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let owner = tenant.user(Role::Owner).await;
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
