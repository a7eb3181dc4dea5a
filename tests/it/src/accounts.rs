//! Sign-in and sign-out, passwords, accepted invitations.

use domain::identity::workspaces::{Role, SettableStatus};
use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client, TestUser, assert_members, eventually};
use time::Duration;

use crate::support::{send_in_parallel, text};

const LOG_IN: &str = "/api/auth/login";
const NEW: &str = "another horse battery";

async fn log_in(app: &App, email: &str, password: &str) -> ApiResponse {
    app.anonymous().post(LOG_IN, json!({"email": email, "password": password})).await
}

async fn works(client: &Client) -> bool {
    client.get("/api/v1/projects").await.status == 200
}

async fn expect_end(client: &Client) {
    eventually("the session ends", async || !works(client).await).await;
}

#[tokio::test]
async fn an_access_token_opens_every_rest_route_for_twelve_hours() {
    let (app, tenant) = App::with_workspace().await;
    let id = tenant.join("Ada@Example.com", Role::Member).await;
    let before = app.ports.clock.now();
    let reply = log_in(&app, "  aDA@example.COM ", "correct horse battery").await.expect(200);
    let data = reply.data();
    let token = data["access_token"].as_str().unwrap();
    assert!(token.starts_with("svs_") && token.len() == 54);
    let half_a_day = |from: time::OffsetDateTime| domain::kernel::input::format_timestamp(from + Duration::hours(12));
    let expires_at = data["expires_at"].as_str().unwrap();
    assert!(*half_a_day(before) <= *expires_at && *expires_at <= *half_a_day(app.ports.clock.now()), "{expires_at}");
    assert_members(&data["user"], &json!({"id": id, "email": "Ada@Example.com", "role": "member"}));
    assert_eq!(data["workspace"]["slug"], json!(tenant.workspace.slug));
    let client = app.with_key(token);
    let created = client.post("/api/v1/projects", json!({"name": "p"})).await.expect(201);
    assert_eq!(created.data()["created_by"], json!({"type": "user", "id": id}));
    app.advance(Duration::hours(12)).await;
    assert_eq!(client.get("/api/v1/projects").await.status, 401);
}

#[tokio::test]
async fn a_failed_login_reveals_nothing() {
    let app = App::start().await;
    let (tenant, suspended) = (app.workspace().await, app.workspace().await);
    let user = tenant.user(Role::Member).await;
    let stopped = suspended.user(Role::Owner).await;
    suspended.set_status(SettableStatus::Suspended).await;
    let removed = tenant.user(Role::Viewer).await;
    let owner = tenant.user(Role::Owner).await;
    let _ = owner.client.delete(&format!("/api/settings/members/{}", removed.id.0)).await.expect(200);
    let _ = owner
        .client
        .post("/api/settings/members", json!({"email": "invited@example.com", "role": "member"}))
        .await
        .expect(201);
    let first = log_in(&app, "nobody@example.com", user.password).await.expect(401);
    assert_eq!(first.body["error"]["message"], "the e-mail address, password or workspace is wrong");
    for (email, password, workspace) in [
        (user.email.as_str(), "Correct horse battery", None),
        (&user.email, " correct horse battery", None),
        (&user.email, "x", None),
        (&user.email, user.password, Some(suspended.workspace.slug.as_str())),
        (&user.email, user.password, Some("no-such-workspace")),
        (&stopped.email, stopped.password, None),
        (&removed.email, removed.password, None),
        ("invited@example.com", user.password, None),
        ("' or 1=1 --", user.password, None),
    ] {
        let mut body = json!({"email": email, "password": password});
        if let Some(slug) = workspace {
            body["workspace"] = json!(slug);
        }
        let reply = app.anonymous().post(LOG_IN, body).await.expect(401);
        assert_eq!(without_id(&reply), without_id(&first), "{email} {workspace:?}");
    }
}

fn without_id(reply: &ApiResponse) -> Value {
    let mut body = reply.body.clone();
    body["error"]["request_id"] = Value::Null;
    body
}

#[tokio::test]
async fn a_member_of_several_workspaces_names_one() {
    let app = App::start().await;
    let (one, other) = (app.workspace().await, app.workspace().await);
    let user = one.user(Role::Owner).await;
    other.join(&user.email, Role::Viewer).await;
    let reply = log_in(&app, &user.email, user.password).await.expect(422);
    assert_eq!(reply.details(), ["workspace:required"]);
    assert!([&one, &other].iter().all(|choice| reply.text.contains(&choice.workspace.slug)), "{}", reply.text);
    for name in [&other.workspace.slug, &other.workspace.id.to_string()] {
        let body = json!({"email": user.email, "password": user.password, "workspace": name});
        let reply = app.anonymous().post(LOG_IN, body).await.expect(200);
        assert_eq!(reply.data()["user"]["role"], "viewer");
        let viewer = app.with_key(reply.data()["access_token"].as_str().unwrap());
        assert_eq!(viewer.post("/api/v1/projects", json!({"name": "p"})).await.status, 403);
    }
    // If one of them is suspended, only one choice is left.
    other.set_status(SettableStatus::Suspended).await;
    let reply = log_in(&app, &user.email, user.password).await.expect(200);
    assert_eq!(reply.data()["workspace"]["slug"], json!(one.workspace.slug));
}

#[tokio::test]
async fn login_validates_its_body() {
    let app = App::start().await;
    for (body, status, details) in [
        (json!({}), 400, &["email:required", "password:required"][..]),
        (json!({"email": 1, "password": "x"}), 400, &["email:invalid_type"]),
        (json!({"email": "a", "password": ["x"]}), 400, &["password:invalid_type"]),
        (json!({"email": "a", "password": "x", "otp": 1}), 400, &["otp:unknown_field"]),
        (json!({"email": "", "password": ""}), 422, &["email:required", "password:required"]),
    ] {
        let reply = app.anonymous().post(LOG_IN, body).await.expect(status);
        assert_eq!(reply.details(), details);
        assert!(!reply.text.contains("\"x\""));
    }
}

#[tokio::test]
async fn signing_out_ends_only_this_session() {
    let (app, tenant, user) = App::with_user(Role::Viewer).await;
    let other = app.log_in(&user, &user.workspace).await;
    assert!(works(&user.client).await && works(&other).await);
    let _ = user.client.post("/api/auth/logout", json!({})).await.expect(200);
    assert!(!works(&user.client).await, "immediately on the same instance");
    assert!(works(&other).await);
    assert_eq!(tenant.full_access().await.post("/api/auth/logout", json!({})).await.status, 403);
}

#[tokio::test]
async fn a_new_password_ends_every_session_in_every_workspace() {
    let app = App::start().await;
    let (one, other) = (app.workspace().await, app.workspace().await);
    let user = one.user(Role::Owner).await;
    other.join(&user.email, Role::Owner).await;
    let other_session = app.log_in(&user, &other.workspace.slug).await;
    assert!(works(&other_session).await);
    let path = "/api/auth/password";
    let change = |current: &str, new: Value| json!({"current_password": current, "new_password": new});
    for (body, details) in [
        (change("wrong horse battery", json!(NEW)), "current_password:incorrect"),
        (change(user.password, json!("short")), "new_password:too_short"),
        (change(user.password, text(201)), "new_password:too_long"),
        (change(user.password, json!("Password1234")), "new_password:too_common"),
    ] {
        assert_eq!(user.client.post(path, body).await.expect(422).details(), [details]);
    }
    assert!(works(&user.client).await);
    let _ = app.anonymous().post("/api/auth/password-resets", json!({"email": user.email})).await.expect(202);
    let open_link = app.inbox.token(&user.email, 1).await;
    let _ = user.client.post(path, change(user.password, json!(NEW))).await.expect(200);
    let reset = json!({"token": open_link, "new_password": "yet another battery"});
    let refused = app.anonymous().post("/api/auth/reset-password", reset).await.expect(422);
    assert_eq!(refused.details(), ["token:invalid_token"], "a link requested before is no longer valid");
    assert!(!works(&user.client).await && !works(&other_session).await);
    assert_eq!(log_in(&app, &user.email, user.password).await.status, 401);
    let body = json!({"email": user.email, "password": NEW, "workspace": one.workspace.slug});
    assert_eq!(app.anonymous().post(LOG_IN, body).await.status, 200);
}

async fn invite(owner: &TestUser, email: &str, role: &str) -> ApiResponse {
    owner.client.post("/api/settings/members", json!({"email": email, "role": role})).await
}

async fn accept(app: &App, token: &str, name: &str, password: &str) -> ApiResponse {
    let body = json!({"token": token, "name": name, "password": password});
    app.anonymous().post("/api/auth/accept-invitation", body).await
}

#[tokio::test]
async fn an_invitation_is_valid_once_and_for_seven_days() {
    let (app, _tenant, owner) = App::with_user(Role::Owner).await;
    let invited = invite(&owner, "new@example.com", "admin").await.expect(201);
    assert_members(invited.data(), &json!({"status": "invited", "joined_at": null, "name": "new@example.com"}));
    assert!(!invited.text.contains("svi_"), "the token is e-mailed and not shown");
    let token = app.inbox.token("new@example.com", 1).await;
    // Records cannot refer to a user who has not joined yet.
    let deal = json!({"title": "d", "assigned_to": invited.id()});
    assert_eq!(owner.client.post("/api/v1/crm/deals", deal.clone()).await.expect(422).code(), "validation_failed");
    assert_eq!(accept(&app, &token, "New", "short").await.expect(422).details(), ["password:too_short"]);
    assert_eq!(accept(&app, &token, "New", "letmeinletmein").await.expect(422).details(), ["password:too_common"]);
    let joined = accept(&app, &token, "New Person", NEW).await.expect(200);
    assert_eq!(joined.data()["user"]["name"], "New Person");
    let client = app.with_key(joined.data()["access_token"].as_str().unwrap());
    let members = client.get("/api/settings/members").await.expect(200);
    let me = members.data().as_array().unwrap().iter().find(|member| member["id"] == json!(invited.id())).unwrap();
    assert_eq!((&me["status"], &me["role"], &me["name"]), (&json!("active"), &json!("admin"), &json!("New Person")));
    assert_eq!(owner.client.post("/api/v1/crm/deals", deal).await.status, 201);
    assert_eq!(accept(&app, &token, "Again", NEW).await.expect(409).code(), "capability_consumed");
    assert_eq!(log_in(&app, "new@example.com", NEW).await.status, 200);
    assert_eq!(invite(&owner, "NEW@example.com", "viewer").await.expect(409).code(), "duplicate");
}

#[tokio::test]
async fn an_invitation_expires_is_replaced_or_withdrawn() {
    let (app, _tenant, owner) = App::with_user(Role::Owner).await;
    let refused = async |token: &str| {
        assert_eq!(accept(&app, token, "N", NEW).await.expect(422).details(), ["token:invalid_token"]);
    };
    for bad in ["x", "svi_", &"svi_x".repeat(20), owner.client.key().unwrap()] {
        refused(bad).await;
    }
    let _ = invite(&owner, "a@example.com", "member").await.expect(201);
    let first = app.inbox.token("a@example.com", 1).await;
    app.advance(Duration::minutes(10)).await;
    let replacement = invite(&owner, "a@example.com", "viewer").await.expect(201);
    let second = app.inbox.token("a@example.com", 2).await;
    refused(&first).await;
    let _ = owner.client.delete(&format!("/api/settings/members/{}", replacement.id())).await.expect(200);
    refused(&second).await;
    let _ = invite(&owner, "a@example.com", "viewer").await.expect(201);
    let third = app.inbox.token("a@example.com", 3).await;
    app.advance(Duration::days(7)).await;
    refused(&third).await;
}

#[tokio::test]
async fn a_user_with_an_account_accepts_with_its_password() {
    let app = App::start().await;
    let (one, other) = (app.workspace().await, app.workspace().await);
    let user = one.user(Role::Member).await;
    let owner = other.user(Role::Owner).await;
    let invited = invite(&owner, &user.email.to_uppercase(), "member").await.expect(201);
    assert_eq!(invited.data()["name"], json!(user.email), "a stranger's name is not revealed");
    let token = app.inbox.token(&user.email, 1).await;
    assert_eq!(accept(&app, &token, "Mallory", NEW).await.expect(422).details(), ["password:incorrect"]);
    let joined = accept(&app, &token, "Mallory", user.password).await.expect(200);
    assert_eq!(joined.data()["user"]["name"], "A member", "the name stays");
    assert!(works(&user.client).await);
}

#[tokio::test]
async fn a_forgotten_password_is_reset_with_an_e_mailed_link() {
    let (app, _tenant, user) = App::with_user(Role::Member).await;
    let ask = async |email: &str| {
        let reply = app.anonymous().post("/api/auth/password-resets", json!({ "email": email })).await.expect(202);
        reply.body
    };
    let set = async |token: &str, password: &str| {
        let body = json!({"token": token, "new_password": password});
        app.anonymous().post("/api/auth/reset-password", body).await
    };
    assert_eq!(ask(&user.email).await, ask("nobody@example.com").await);
    let first = app.inbox.token(&user.email, 1).await;
    // Requesting another link immediately does not invalidate the first one.
    let _ = ask(&user.email).await;
    app.advance(Duration::minutes(5)).await;
    let _ = ask(&user.email.to_uppercase()).await;
    let second = app.inbox.token(&user.email, 2).await;
    assert_eq!(app.inbox.to(&user.email).len(), 2);
    assert_eq!(set(&first, NEW).await.expect(422).details(), ["token:invalid_token"], "the newer one is used");
    assert_eq!(set(&second, "short").await.expect(422).details(), ["new_password:too_short"]);
    assert_eq!(set(&second, NEW).await.status, 200);
    expect_end(&user.client).await;
    assert_eq!(set(&second, NEW).await.expect(409).code(), "capability_consumed");
    assert_eq!(log_in(&app, &user.email, user.password).await.status, 401);
    assert_eq!(log_in(&app, &user.email, NEW).await.status, 200);
    let _ = ask(&user.email).await;
    let third = app.inbox.token(&user.email, 3).await;
    app.advance(Duration::hours(1)).await;
    assert_eq!(set(&third, NEW).await.expect(422).details(), ["token:invalid_token"]);
    assert!(app.inbox.to("nobody@example.com").is_empty());
}

#[tokio::test]
async fn of_two_concurrent_password_changes_one_succeeds() {
    let (app, tenant) = App::with_workspace().await;
    for _ in 0..3 {
        let user = tenant.user(Role::Member).await;
        let second = app.log_in(&user, &user.workspace).await;
        let set = async |client: &Client, new: &str| {
            let body = json!({"current_password": user.password, "new_password": new});
            client.post("/api/auth/password", body).await.status
        };
        let mut statuses = <[u16; 2]>::from(tokio::join!(set(&user.client, NEW), set(&second, "yet another battery")));
        statuses.sort_unstable();
        assert!(matches!(statuses, [200, 401 | 422]), "{statuses:?}");
    }
}

#[tokio::test]
async fn one_time_tokens_are_used_once_under_concurrency() {
    let (app, _tenant, owner) = App::with_user(Role::Owner).await;
    let _ = invite(&owner, "a@example.com", "member").await.expect(201);
    let token = app.inbox.token("a@example.com", 1).await;
    let body = json!({"token": token, "name": "N", "password": NEW});
    let requests = (0..6).map(|_| app.anonymous().request("POST", "/api/auth/accept-invitation").json(&body));
    let replies = send_in_parallel(requests).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 1);
    for reply in replies.iter().filter(|reply| reply.status != 200) {
        assert!(matches!((reply.status, reply.code()), (409, "capability_consumed") | (422, _)), "{}", reply.text);
    }
}
