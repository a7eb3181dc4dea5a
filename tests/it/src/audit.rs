//! The audit log: who did what, when and from where.

use diesel::sql_types::Integer;
use diesel::{Connection, PgConnection, RunQueryDsl, sql_query};
use domain::identity::audit::{AuditAction, REFUSALS_PER_HOUR};
use domain::identity::workspaces::{Role, SettableStatus};
use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client, eventually};
use time::Duration;

use crate::support::ids_of_pages;

const LOG: &str = "/api/settings/audit-log";

async fn entries(client: &Client) -> Vec<Value> {
    client.get(&format!("{LOG}?limit=100")).await.expect(200).data().as_array().unwrap().clone()
}

#[tokio::test]
async fn every_administrative_action_is_logged() {
    let (app, tenant, owner) = App::with_user(Role::Owner).await;
    let admin = tenant.user(Role::Admin).await;
    let key = owner.client.post("/api/settings/api-keys", json!({"name": "k", "preset": "crm"})).await.id();
    let path = format!("/api/settings/api-keys/{key}");
    let _ = owner.client.patch(&path, json!({"name": "l"})).await.expect(200);
    let _ = owner.client.post(&format!("{path}/revoke"), json!({})).await.expect(200);
    let _ = owner.client.patch("/api/settings/workspace", json!({"name": "Acme"})).await.expect(200);
    let invitation = json!({"email": "a@example.com", "role": "viewer"});
    let invited = owner.client.post("/api/settings/members", invitation).await.id();
    let token = app.inbox.token("a@example.com", 1).await;
    let accepted = json!({"token": token, "name": "Ann", "password": "another horse battery"});
    let _ = app.anonymous().post("/api/auth/accept-invitation", accepted).await.expect(200);
    let member = format!("/api/settings/members/{invited}");
    let _ = owner.client.patch(&member, json!({"role": "member"})).await.expect(200);
    let _ = owner.client.delete(&member).await.expect(200);
    tenant.set_status(SettableStatus::Suspended).await;
    tenant.set_status(SettableStatus::Active).await;
    let change = json!({"current_password": owner.password, "new_password": "another horse battery"});
    let _ = owner.client.post("/api/auth/password", change).await;
    let _ = app.anonymous().post("/api/auth/password-resets", json!({"email": owner.email})).await.expect(202);
    let token = app.inbox.token(&owner.email, 1).await;
    let reset = json!({"token": token, "new_password": "yet another battery"});
    let _ = app.anonymous().post("/api/auth/reset-password", reset).await.expect(200);
    let log = entries(&admin.client).await;
    let mut actions: Vec<_> = log.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    actions.reverse();
    let expected = [
        "workspace.created",
        "workspace.updated",
        "member.created",
        "session.started",
        "member.created",
        "session.started",
        "api_key.created",
        "api_key.renamed",
        "api_key.revoked",
        "workspace.updated",
        "member.invited",
        "member.joined",
        "member.role_changed",
        "member.removed",
        "workspace.suspended",
        "workspace.activated",
        "password.changed",
        "password.reset",
    ];
    assert_eq!(actions, expected);
    let find = |action: &str| log.iter().find(|entry| entry["action"] == action).unwrap();
    let renamed = find("api_key.renamed");
    assert_eq!(renamed["actor"], json!({"type": "user", "id": owner.id, "name": "A member"}));
    assert_eq!(renamed["subject"], json!({"type": "api_key", "id": key}));
    assert_eq!(renamed["details"], json!({"name": {"from": "k", "to": "l"}}));
    assert_eq!(renamed["ip"], "127.0.0.1");
    let suspended = find("workspace.suspended");
    assert_eq!(suspended["actor"], json!({"type": "system", "id": null, "name": "operator"}));
    assert_eq!(suspended["ip"], Value::Null);
    let updated = find("workspace.updated");
    assert_eq!(updated["details"], json!({"name": {"from": tenant.workspace.name, "to": "Acme"}}));
    let whole = Value::Array(log.clone()).to_string();
    for secret in ["svc_", "svs_", "svi_", "svp_", "horse battery", "argon2"] {
        assert!(!whole.contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn rejected_and_ineffective_requests_are_not_logged() {
    let (_app, tenant, owner) = App::with_user(Role::Owner).await;
    let before = entries(&owner.client).await.len();
    for (path, body) in [
        ("/api/settings/workspace", json!({"name": tenant.workspace.name})),
        ("/api/settings/workspace", json!({"default_currency": "nope"})),
    ] {
        let _ = owner.client.patch(path, body).await;
    }
    let _ = owner.client.delete(&format!("/api/settings/members/{}", owner.id)).await.expect(409);
    assert_eq!(entries(&owner.client).await.len(), before);
}

#[tokio::test]
async fn owners_and_admins_page_through_their_workspaces_log() {
    let app = App::start().await;
    let (mine, theirs) = (app.workspace().await, app.workspace().await);
    let (me, other) = (mine.user(Role::Admin).await, theirs.user(Role::Admin).await);
    let _ = me.client.patch("/api/settings/workspace", json!({"name": "Mine"})).await.expect(200);
    let ids = ids_of_pages(&me.client, &format!("{LOG}?limit=2")).await;
    let all: Vec<_> = entries(&me.client).await.iter().map(|entry| entry["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids, all);
    let theirs = entries(&other.client).await;
    assert!(theirs.iter().all(|entry| !ids.contains(&entry["id"].as_str().unwrap().to_owned())));
}

#[tokio::test]
async fn failed_sign_ins_are_logged_in_the_users_workspaces() {
    let app = App::start().await;
    let (tenant, other) = (app.workspace().await, app.workspace().await);
    let owner = tenant.user(Role::Owner).await;
    let of_another_workspace = other.user(Role::Owner).await;
    let body = json!({"email": owner.email, "password": "wrong horse battery"});
    let request = app.anonymous().request("POST", "/api/auth/login").header("user-agent", "curl/8.5").json(&body);
    assert_eq!(ApiResponse::of(request).await.status, 401);
    let nobody = json!({"email": "nobody@example.com", "password": "wrong horse battery"});
    assert_eq!(app.anonymous().post("/api/auth/login", nobody).await.status, 401);
    let refusals = async |client: &Client| {
        let log = entries(client).await;
        log.into_iter().filter(|entry| entry["action"] == "session.refused").collect::<Vec<_>>()
    };
    eventually("the entry is written", async || !refusals(&owner.client).await.is_empty()).await;
    let log = refusals(&owner.client).await;
    assert_eq!(log.len(), 1);
    assert_eq!(log[0]["actor"], json!({"type": "system", "id": null, "name": "not signed in"}));
    assert_eq!(log[0]["subject"], json!({"type": "member", "id": owner.id}));
    assert_eq!((&log[0]["details"], &log[0]["ip"]), (&json!({"device": "curl"}), &json!("127.0.0.1")));
    assert!(refusals(&of_another_workspace.client).await.is_empty());
}

#[tokio::test]
async fn denied_requests_are_logged_as_a_bounded_sample() {
    let (_app, tenant, owner) = App::with_user(Role::Owner).await;
    let key = tenant.with_scopes(&["contacts.read"]).await;
    for _ in 0..30 {
        assert_eq!(key.get("/api/v1/projects").await.status, 403);
    }
    let call = json!({"name": "list_projects", "arguments": {}});
    assert_eq!(key.post("/api/mcp/tools/call", call).await.status, 403);
    let refusals = async || {
        let log = entries(&owner.client).await;
        log.into_iter().filter(|entry| entry["action"] == "request.refused").collect::<Vec<_>>()
    };
    eventually("the sample is written", async || refusals().await.len() >= REFUSALS_PER_HOUR as usize).await;
    let log = refusals().await;
    assert_eq!(log.len(), REFUSALS_PER_HOUR as usize);
    for entry in log {
        assert_eq!((&entry["actor"]["type"], &entry["subject"]["type"]), (&json!("api_key"), &json!("api_key")));
        assert_eq!(entry["details"]["operation"], "GET /api/v1/projects");
        let reason = entry["details"]["reason"].as_str().unwrap();
        assert!(reason.contains("projects.read"), "{reason}");
    }
}

/// A viewer keeps changing their name: every change is counted, but changes above the limit get no entries of their own.
#[tokio::test]
async fn routine_entries_above_the_hourly_limit_become_one_with_a_count() {
    let (app, tenant) = App::with_workspace().await;
    let (owner, viewer) = (tenant.user(Role::Owner).await, tenant.user(Role::Viewer).await);
    app.begin_window(Duration::HOUR).await;
    let bound = u64::from(AuditAction::AccountUpdated.bound().per_hour);
    let rename = |number: u64| {
        let client = viewer.client.clone();
        async move { client.patch("/api/account", json!({"name": format!("Ann {number}")})).await.expect(200) }
    };
    let total = bound + 20;
    for round in (0..total).step_by(8) {
        let parallel: tokio::task::JoinSet<_> = (round..total.min(round + 8)).map(rename).collect();
        let _ = parallel.join_all().await;
    }
    let log = format!("{LOG}?limit=100&actor_id={}", viewer.id);
    let of_viewer = async |action: &str| {
        let page = owner.client.get(&format!("{log}&action={action}")).await.expect(200);
        page.data().as_array().unwrap().clone()
    };
    assert_eq!(of_viewer("account.updated").await.len() as u64, bound);
    app.advance(Duration::HOUR + Duration::minutes(1)).await;
    eventually("the count is written", async || !of_viewer("entries.left_out").await.is_empty()).await;
    let counts = of_viewer("entries.left_out").await;
    assert_eq!(counts.len(), 1);
    assert_eq!(counts[0]["details"]["left_out"], json!({"account.updated": total - bound}));
    assert_eq!(counts[0]["subject"], json!({"type": "workspace", "id": tenant.workspace.id}));
    let _ = rename(total).await;
    assert_eq!(of_viewer("account.updated").await.len() as u64, bound + 1, "a new hour");
    let page = tenant.signed_in(Role::Owner).await.open("/settings/audit-log").await.expect(200);
    page.assert_contains(&[&format!("{} more", total - bound)]);
}

/// Key changes above the hourly limit are refused without effect, and every change that was made has an entry.
#[tokio::test]
async fn protected_actions_above_the_hourly_limit_are_refused() {
    let (app, tenant) = App::with_workspace().await;
    let (owner, admin) = (tenant.user(Role::Owner).await, tenant.user(Role::Admin).await);
    app.begin_window(Duration::HOUR).await;
    let new = |name: &str| json!({"name": name, "preset": "crm"});
    let _ = admin.client.post("/api/settings/api-keys", new("first")).await.expect(201);
    let bound = AuditAction::KeyCreated.bound().per_hour;
    let mut database = PgConnection::establish(&app.database_url()).unwrap();
    let counted = sql_query("UPDATE audit_counts SET entries = $1 WHERE action = 'api_key.created'")
        .bind::<Integer, _>(i32::try_from(bound - 1).unwrap());
    assert_eq!(counted.execute(&mut database).unwrap(), 1);
    let _ = admin.client.post("/api/settings/api-keys", new("last")).await.expect(201);
    let refused = admin.client.post("/api/settings/api-keys", new("beyond")).await.expect(429);
    assert_eq!(refused.body["error"], "rate_limit_exceeded", "{}", refused.text);
    let wait: i64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=3_600).contains(&wait), "{wait}");
    let keys = owner.client.get("/api/settings/api-keys").await.expect(200).text;
    assert!(keys.contains("last") && !keys.contains("beyond"), "{keys}");
    let _ = owner.client.post("/api/settings/api-keys", new("of another")).await.expect(201);
    app.advance(Duration::HOUR).await;
    let _ = admin.client.post("/api/settings/api-keys", new("an hour later")).await.expect(201);
}
