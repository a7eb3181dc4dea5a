//! The second factor: set-up, second step of a sign-in, recovery codes, and the requirement for owners and admins.

use domain::email::EmailMessage;
use domain::identity::access::AccessRequirement;
use domain::identity::accounts::{self, MAX_TRIES, RECOVERY_CODES, TotpSecret};
use domain::identity::workspaces::Role;
use domain::testing;
use http_actix::OPERATIONS;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client, TestUser, eventually};
use time::Duration;

use crate::support::path_of;

const ROUTE: &str = "/api/account/second-factor";
const FINISH: &str = "/api/auth/second-factor";

async fn log_in(app: &App, user: &TestUser) -> ApiResponse {
    app.anonymous().post("/api/auth/login", json!({"email": user.email, "password": user.password})).await
}

pub(crate) struct Authenticator {
    secret: TotpSecret,
    recovery: Vec<String>,
}

impl Authenticator {
    pub(crate) async fn of(app: &App, user: &TestUser) -> Self {
        let setup = user.client.post(ROUTE, json!({})).await.expect(201);
        let secret = TotpSecret::parse(setup.data()["secret"].as_str().unwrap()).unwrap();
        let code = json!({"code": secret.code_at(app.ports.clock.now())});
        let confirmed = user.client.post(&format!("{ROUTE}/confirm"), code).await.expect(200);
        let codes = confirmed.data()["recovery_codes"].as_array().unwrap();
        let recovery = codes.iter().map(|code| code.as_str().unwrap().to_owned()).collect();
        Self { secret, recovery }
    }

    /// An unused code: advances the clock by one step.
    fn next_code(&self, app: &App) -> String {
        app.clock.advance(Duration::seconds(30));
        self.secret.code_at(app.ports.clock.now())
    }

    /// A client with a new session.
    pub(crate) async fn sign_in(&self, app: &App, user: &TestUser) -> Client {
        let session = finish(app, &pending(app, user).await, &self.next_code(app)).await.expect(200);
        app.with_key(session.data()["access_token"].as_str().unwrap())
    }
}

/// The token of a sign-in that waits for a code.
async fn pending(app: &App, user: &TestUser) -> String {
    let reply = log_in(app, user).await.expect(200);
    assert!(reply.data()["access_token"].is_null() && reply.data().get("user").is_none(), "{}", reply.text);
    assert!(reply.data()["second_factor"]["expires_at"].is_string());
    let token = reply.data()["second_factor"]["token"].as_str().unwrap();
    assert!(token.starts_with("svf_"), "{token}");
    token.to_owned()
}

async fn finish(app: &App, token: &str, code: &str) -> ApiResponse {
    app.anonymous().post(FINISH, json!({"token": token, "code": code})).await
}

async fn actions(client: &Client) -> Vec<String> {
    let log = client.get("/api/settings/audit-log?limit=100").await.expect(200);
    log.data().as_array().unwrap().iter().map(|entry| entry["action"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_sign_in_requires_a_code_once_the_second_factor_is_on() {
    let (app, tenant) = App::with_workspace().await;
    let (owner, user) = (tenant.user(Role::Owner).await, tenant.user(Role::Member).await);
    let setup = user.client.post(ROUTE, json!({})).await.expect(201);
    let (secret, url) = (setup.data()["secret"].as_str().unwrap(), setup.data()["otpauth_url"].as_str().unwrap());
    assert!(secret.len() == 32 && url.starts_with("otpauth://totp/") && url.contains(secret), "{}", setup.text);
    assert!(log_in(&app, &user).await.expect(200).data()["access_token"].is_string(), "not before it is confirmed");
    let wrong = user.client.post(&format!("{ROUTE}/confirm"), json!({"code": "12345"})).await.expect(422);
    assert_eq!(wrong.details(), ["code:incorrect"]);

    let app_of_user = Authenticator::of(&app, &user).await;
    assert_eq!(app_of_user.recovery.len(), RECOVERY_CODES);
    for (path, body) in [(ROUTE.to_owned(), json!({})), (format!("{ROUTE}/confirm"), json!({"code": "123456"}))] {
        assert_eq!(user.client.post(&path, body).await.expect(409).code(), "conflict");
    }
    let account = user.client.get("/api/account").await.expect(200);
    let shown = &account.data()["second_factor"];
    assert_eq!((&shown["enabled"], &shown["recovery_codes_left"]), (&json!(true), &json!(10)));

    let token = pending(&app, &user).await;
    assert_eq!(app.with_key(&token).get("/api/account").await.status, 401, "the token is not a credential");
    let code = app_of_user.next_code(&app);
    let session = finish(&app, &token, &code).await.expect(200);
    assert_eq!((&session.data()["user"]["id"], session.data().get("second_factor")), (&json!(user.id), None));
    let client = app.with_key(session.data()["access_token"].as_str().unwrap());
    let _ = client.get("/api/v1/projects").await.expect(200);
    let reused = finish(&app, &token, &app_of_user.next_code(&app)).await.expect(422);
    assert_eq!(reused.details(), ["token:invalid_token"], "the token was used");
    let replayed = finish(&app, &pending(&app, &user).await, &code).await.expect(422);
    assert_eq!(replayed.details(), ["code:incorrect"], "the code was used");
    let acts = actions(&owner.client).await;
    for action in ["second_factor.enabled", "second_factor.failed", "session.started"] {
        assert!(acts.iter().any(|act| act == action), "{action}: {acts:?}");
    }
}

#[tokio::test]
async fn a_challenge_ends_after_five_tries_or_five_minutes() {
    let (app, _, user) = App::with_user(Role::Owner).await;
    let app_of_user = Authenticator::of(&app, &user).await;
    let token = pending(&app, &user).await;
    for _ in 0..MAX_TRIES {
        assert_eq!(finish(&app, &token, "000000").await.expect(422).details(), ["code:incorrect"]);
    }
    let right = app_of_user.next_code(&app);
    assert_eq!(finish(&app, &token, &right).await.expect(422).details(), ["token:invalid_token"]);
    let token = pending(&app, &user).await;
    app.advance(Duration::minutes(5)).await;
    let expired = finish(&app, &token, &app_of_user.next_code(&app)).await.expect(422);
    assert_eq!(expired.details(), ["token:invalid_token"]);
    for (body, status) in [
        (json!({"token": "x", "code": "123456"}), 422),
        (json!({"token": token}), 400),
        (json!({"code": "123456"}), 400),
        (json!({"token": 1, "code": "123456"}), 400),
    ] {
        assert_eq!(app.anonymous().post(FINISH, body).await.status, status);
    }
}

/// An attacker with only the password cannot keep guessing with new sign-ins; the user can still sign in.
#[tokio::test]
async fn tries_count_per_user_and_recovery_codes_still_work_once() {
    let (app, _, user) = App::with_user(Role::Owner).await;
    let app_of_user = Authenticator::of(&app, &user).await;
    for _ in 0..2 {
        let token = pending(&app, &user).await;
        for _ in 0..MAX_TRIES {
            assert_eq!(finish(&app, &token, "000000").await.status, 422);
        }
    }
    let refused = finish(&app, &pending(&app, &user).await, &app_of_user.next_code(&app)).await.expect(429);
    let wait: i64 = refused.header("retry-after").parse().unwrap();
    assert!((3_000..=3_600).contains(&wait), "{wait}");
    let recovery = app_of_user.recovery[0].to_uppercase();
    let session = finish(&app, &pending(&app, &user).await, &recovery).await.expect(200);
    let client = app.with_key(session.data()["access_token"].as_str().unwrap());
    let account = client.get("/api/account").await.expect(200);
    assert_eq!(account.data()["second_factor"]["recovery_codes_left"], 9);
    let again = finish(&app, &pending(&app, &user).await, &recovery).await.expect(422);
    assert_eq!(again.details(), ["code:incorrect"]);
    let code = app_of_user.next_code(&app);
    let _ = finish(&app, &pending(&app, &user).await, &code).await.expect(200);
}

#[tokio::test]
async fn neither_a_reset_nor_an_invitation_bypasses_the_second_factor() {
    let app = App::start().await;
    let (tenant, other) = (app.workspace().await, app.workspace().await);
    let user = tenant.user(Role::Owner).await;
    let host = other.user(Role::Owner).await;
    let app_of_user = Authenticator::of(&app, &user).await;
    let link_to = async |page: &str| {
        let part = format!("/{page}#token=");
        let found = || {
            let emails = app.inbox.to(&user.email);
            let text = emails.iter().map(EmailMessage::text).find(|text| text.contains(&part))?;
            text.split_once(&part).and_then(|(_, rest)| rest.split_whitespace().next().map(ToOwned::to_owned))
        };
        eventually(page, async || found().is_some()).await;
        found().unwrap()
    };
    let invitation = json!({"email": user.email, "role": "admin"});
    let _ = host.client.post("/api/settings/members", invitation).await.expect(201);
    let body = json!({"token": link_to("accept-invitation").await, "name": "x", "password": user.password});
    let joined = app.anonymous().post("/api/auth/accept-invitation", body).await.expect(200);
    assert!(joined.data()["access_token"].is_null(), "{}", joined.text);
    let token = joined.data()["second_factor"]["token"].as_str().unwrap();
    let session = finish(&app, token, &app_of_user.next_code(&app)).await.expect(200);
    assert_eq!(session.data()["workspace"]["id"], json!(other.workspace.id));

    let reset = app.anonymous().post("/api/auth/password-resets", json!({"email": user.email})).await;
    let _ = reset.expect(202);
    let body = json!({"token": link_to("reset-password").await, "new_password": "another horse battery"});
    let _ = app.anonymous().post("/api/auth/reset-password", body).await.expect(200);
    let body = json!({"email": user.email, "password": "another horse battery", "workspace": tenant.workspace.slug});
    let reply = app.anonymous().post("/api/auth/login", body).await.expect(200);
    assert!(reply.data()["access_token"].is_null(), "a reset only sets the password");
}

#[tokio::test]
async fn a_new_password_ends_sign_ins_that_wait_for_a_code() {
    let (app, _, user) = App::with_user(Role::Owner).await;
    let app_of_user = Authenticator::of(&app, &user).await;
    let token = pending(&app, &user).await;
    let change = json!({"current_password": user.password, "new_password": "another horse battery"});
    let _ = user.client.post("/api/auth/password", change).await.expect(200);
    let refused = finish(&app, &token, &app_of_user.next_code(&app)).await.expect(422);
    assert_eq!(refused.details(), ["token:invalid_token"]);
    let changed = json!({"email": user.email, "password": "another horse battery"});
    let reply = app.anonymous().post("/api/auth/login", changed).await.expect(200);
    assert!(reply.data()["access_token"].is_null(), "the second factor stays");
}

#[tokio::test]
async fn the_second_factor_is_turned_off_with_the_password_or_by_an_operator() {
    let (app, tenant) = App::with_workspace().await;
    let (owner, user) = (tenant.user(Role::Owner).await, tenant.user(Role::Member).await);
    let remove = async |body: Value| ApiResponse::of(user.client.request("DELETE", ROUTE).json(&body)).await;
    assert_eq!(remove(json!({"password": user.password})).await.status, 404);
    let _ = Authenticator::of(&app, &user).await;
    assert_eq!(remove(json!({"password": "not my password"})).await.expect(422).details(), ["password:incorrect"]);
    assert_eq!(remove(json!({})).await.status, 400);
    let _ = remove(json!({"password": user.password})).await.expect(200);
    assert!(log_in(&app, &user).await.expect(200).data()["access_token"].is_string());
    let _ = Authenticator::of(&app, &user).await;
    let reset = accounts::reset_second_factor(&app.ports, &testing::operator(), &user.email.to_uppercase()).await;
    assert_eq!(reset.unwrap().id, user.id);
    assert!(log_in(&app, &user).await.expect(200).data()["access_token"].is_string());
    assert!(accounts::reset_second_factor(&app.ports, &testing::operator(), &user.email).await.is_err());
    let acts = actions(&owner.client).await;
    let count = |action: &str| acts.iter().filter(|act| *act == action).count();
    assert_eq!(["enabled", "disabled", "reset"].map(|context| count(&format!("second_factor.{context}"))), [2, 1, 1]);
    for subject in ["Your second factor is switched on", "Your second factor is switched off"] {
        eventually(subject, async || app.inbox.to(&user.email).iter().any(|email| email.subject() == subject)).await;
    }
}

/// If it is required, an owner or admin without one can only reach their own account.
#[tokio::test]
async fn a_workspace_can_require_a_second_factor_for_owners_and_admins() {
    const WORKSPACE: &str = "/api/settings/workspace";
    let (app, tenant) = App::with_workspace().await;
    let (owner, admin) = (tenant.user(Role::Owner).await, tenant.user(Role::Admin).await);
    let (member, key) = (tenant.user(Role::Member).await, tenant.full_access().await);
    let demand = json!({"require_second_factor": true});
    let refused = owner.client.patch(WORKSPACE, demand.clone()).await.expect(422);
    assert_eq!(refused.details(), ["require_second_factor:needs_second_factor"]);
    let _ = Authenticator::of(&app, &owner).await;
    let changed = owner.client.patch(WORKSPACE, demand).await.expect(200);
    assert_eq!(changed.data()["require_second_factor"], true);
    for client in [&owner.client, &member.client, &key] {
        let _ = client.get("/api/v1/projects").await.expect(200);
    }
    for operation in OPERATIONS.iter().filter(|operation| operation.pattern != "/api/auth/logout") {
        let Some(needs) = operation.needs else { continue };
        let request = admin.client.request(operation.method, &path_of(operation.pattern));
        let request = if operation.has_body { request.json(&json!({"nope": 1})) } else { request };
        let reply = ApiResponse::of(request).await;
        let context = format!("{} {}: {}", operation.method, operation.pattern, reply.text);
        if needs == AccessRequirement::Session {
            assert!(![401, 403].contains(&reply.status), "{context}");
            continue;
        }
        assert_eq!((reply.status, reply.code()), (403, "forbidden"), "{context}");
        assert!(reply.text.contains("second factor") && reply.text.contains(ROUTE), "{context}");
    }
    assert_eq!(admin.client.get("/api/account").await.expect(200).data()["second_factor_needed"], true);
    let _ = Authenticator::of(&app, &admin).await;
    let _ = admin.client.get(WORKSPACE).await.expect(200);
    let account = admin.client.get("/api/account").await.expect(200);
    assert_eq!(account.data()["second_factor_needed"], false);
    let off = ApiResponse::of(admin.client.request("DELETE", ROUTE).json(&json!({"password": admin.password}))).await;
    let _ = off.expect(200);
    assert_eq!(admin.client.get("/api/v1/projects").await.status, 403, "at once");
}
