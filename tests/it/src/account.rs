//! The caller's own account: name and sessions.

use domain::identity::accounts::MAX_SESSIONS;
use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, AppOptions, Client, TestUser, assert_members, eventually};
use time::Duration;

use crate::support::UNKNOWN_ID;

const ACCOUNT: &str = "/api/account";
const SESSIONS: &str = "/api/account/sessions";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

async fn sign_in(app: &App, user: &TestUser, workspace: &str, agent: &str) -> Client {
    let body = json!({"email": user.email, "password": user.password, "workspace": workspace});
    let request = app.anonymous().request("POST", "/api/auth/login").header("User-Agent", agent).json(&body);
    let login = ApiResponse::of(request).await.expect(200);
    app.with_key(login.data()["access_token"].as_str().unwrap())
}

async fn sessions_of(client: &Client) -> Vec<Value> {
    client.get(SESSIONS).await.expect(200).data().as_array().unwrap().clone()
}

#[tokio::test]
async fn a_user_reads_and_renames_their_account() {
    let (_app, tenant) = App::with_workspace().await;
    let (viewer, owner) = (tenant.user(Role::Viewer).await, tenant.user(Role::Owner).await);
    let account = viewer.client.get(ACCOUNT).await.expect(200);
    let data = account.data();
    assert_members(data, &json!({"id": viewer.id, "email": viewer.email, "role": "viewer"}));
    assert_eq!(data["workspace"]["id"], json!(tenant.workspace.id));
    let renamed = viewer.client.patch(ACCOUNT, json!({"name": "  Ada  "})).await.expect(200);
    assert_eq!((&renamed.data()["name"], &renamed.data()["email"]), (&json!("Ada"), &json!(viewer.email)));
    let members = owner.client.get("/api/settings/members").await.expect(200);
    assert!(members.data().as_array().unwrap().iter().any(|member| member["name"] == "Ada"), "{}", members.text);
    let log = owner.client.get("/api/settings/audit-log").await.expect(200);
    assert_eq!(log.data()[0]["action"], "account.updated");
    assert_eq!(log.data()[0]["actor"]["id"], json!(viewer.id));
    for (body, status) in
        [(json!({}), 422), (json!({"name": null}), 422), (json!({"name": 1}), 400), (json!({"email": "x@y.z"}), 400)]
    {
        assert_eq!(viewer.client.patch(ACCOUNT, body).await.status, status);
    }
    let key = tenant.full_access().await;
    for (method, path) in
        [("GET", ACCOUNT), ("PATCH", ACCOUNT), ("GET", SESSIONS), ("DELETE", &format!("{SESSIONS}/{UNKNOWN_ID}"))]
    {
        let reply = ApiResponse::of(key.request(method, path).json(&json!({"name": "x"}))).await.expect(403);
        assert_eq!(reply.code(), "forbidden", "{method} {path}");
    }
}

#[tokio::test]
async fn a_user_sees_their_sessions_everywhere_and_ends_any_of_them() {
    let app = App::start().await;
    let (tenant, other) = (app.workspace().await, app.workspace().await);
    let user = tenant.user(Role::Member).await;
    other.join(&user.email, Role::Viewer).await;
    let another_user = tenant.user(Role::Owner).await;
    let other_session = sign_in(&app, &user, &other.workspace.slug, FIREFOX).await;
    let unknown = sign_in(&app, &user, &tenant.workspace.slug, &"x".repeat(400)).await;
    let listed = sessions_of(&other_session).await;
    assert_eq!(listed.len(), 3, "{listed:?}");
    let current: Vec<_> = listed.iter().filter(|session| session["current"] == true).collect();
    let [current] = current[..] else { panic!("{listed:?}") };
    assert_eq!((&current["device"], &current["user_agent"]), (&json!("Firefox on Linux"), &json!(FIREFOX)));
    assert_eq!((&current["address"], &current["workspace"]["id"]), (&json!("127.0.0.1"), &json!(other.workspace.id)));
    for member in ["created_at", "last_used_at", "expires_at"] {
        assert!(current[member].is_string(), "{member}");
    }
    let nameless = listed.iter().find(|session| session["user_agent"] == "x".repeat(300)).unwrap();
    assert_eq!(nameless["device"], "an unknown device");

    let path = |session: &Value| format!("{SESSIONS}/{}", session["id"].as_str().unwrap());
    let not_mine = sessions_of(&another_user.client).await.remove(0);
    assert_eq!(other_session.delete(&path(&not_mine)).await.status, 404, "the session of another user");
    let ended = other_session.delete(&path(nameless)).await.expect(200);
    assert_eq!(*ended.data(), json!({"id": nameless["id"], "deleted": true}));
    assert_eq!(unknown.get(ACCOUNT).await.status, 401, "immediately on the same instance");
    assert_eq!(other_session.delete(&path(nameless)).await.status, 404);
    let log = another_user.client.get("/api/settings/audit-log").await.expect(200);
    let entry = &log.data()[0];
    assert_eq!((&entry["action"], &entry["details"]["session"]), (&json!("session.ended"), &nameless["id"]));
    let _ = other_session.delete(&path(current)).await.expect(200);
    assert_eq!(other_session.get(ACCOUNT).await.status, 401, "the current one may be ended too");
    let _ = user.client.get(ACCOUNT).await.expect(200);
    let _ = another_user.client.get(ACCOUNT).await.expect(200);
}

/// Ten times the promised two seconds.
#[tokio::test]
async fn an_ended_session_ends_on_every_instance() {
    let app = App::start().await;
    let other = app.another(AppOptions::default()).await;
    let tenant = app.workspace().await;
    let user = tenant.user(Role::Member).await;
    let remote = other.with_key(sign_in(&app, &user, &tenant.workspace.slug, FIREFOX).await.key().unwrap());
    let _ = remote.get(ACCOUNT).await.expect(200);
    let session = sessions_of(&remote).await.into_iter().find(|session| session["current"] == true).unwrap();
    let _ = user.client.delete(&format!("{SESSIONS}/{}", session["id"].as_str().unwrap())).await.expect(200);
    eventually("the session ends", async || remote.get(ACCOUNT).await.status == 401).await;
}

#[tokio::test]
async fn last_use_is_recorded_within_a_minute_and_outside_requests() {
    let (app, _, user) = App::with_user(Role::Member).await;
    let last_use = async || sessions_of(&user.client).await[0]["last_used_at"].as_str().unwrap().to_owned();
    let before = last_use().await;
    app.advance(Duration::minutes(2)).await;
    eventually("the last use is updated", async || last_use().await > before).await;
}

#[tokio::test]
async fn the_number_of_sessions_is_bounded_and_the_one_unused_for_longest_ends() {
    let (app, tenant, user) = App::with_user(Role::Member).await;
    let colleague = tenant.user(Role::Member).await;
    app.advance(Duration::seconds(1)).await;
    for _ in 0..MAX_SESSIONS {
        let _ = sign_in(&app, &user, &tenant.workspace.slug, FIREFOX).await;
    }
    assert_eq!(user.client.get(ACCOUNT).await.status, 401, "the first one ended");
    let latest = sign_in(&app, &user, &tenant.workspace.slug, FIREFOX).await;
    assert_eq!(sessions_of(&latest).await.len(), MAX_SESSIONS as usize);
    let _ = colleague.client.get(ACCOUNT).await.expect(200);
}
