//! Members, accounts, sign-in and second factors.

use domain::identity::accounts::TotpSecret;
use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Client, Tenant, TestUser};
use time::Duration;

use super::Recorder;

const NEW_PASSWORD: &str = "a new horse battery";

pub(super) async fn record(recorder: &Recorder, app: &App, tenant: &Tenant) {
    let owner = tenant.user(Role::Owner).await.client;
    members(recorder, app, &owner).await;
    let user = tenant.user(Role::Member).await;
    account(recorder, app, &user).await;
    second_factor(recorder, app, tenant).await;
}

async fn members(recorder: &Recorder, app: &App, owner: &Client) {
    let list = "/api/settings/members";
    let email = "sam@lighthouse.example";
    let member = recorder.post(owner, list, json!({ "email": email, "role": "member" })).await.id();
    recorder.get(owner, list).await;
    let accepted = json!({ "token": app.inbox.token(email, 1).await, "name": "Sam Reed", "password": NEW_PASSWORD });
    recorder.post(&app.anonymous(), "/api/auth/accept-invitation", accepted).await;
    let member = format!("{list}/{member}");
    recorder.patch(owner, &member, json!({ "role": "admin" })).await;
    recorder.delete(owner, &member).await;
}

async fn account(recorder: &Recorder, app: &App, user: &TestUser) {
    let (anonymous, credentials) = (app.anonymous(), json!({ "email": user.email, "password": user.password }));
    let other = recorder.post(&anonymous, "/api/auth/login", credentials).await;
    let other = app.with_key(other.data()["access_token"].as_str().unwrap());
    recorder.get(&user.client, "/api/account").await;
    recorder.patch(&user.client, "/api/account", json!({ "name": "Alex Kim" })).await;
    let sessions = recorder.get(&user.client, "/api/account/sessions").await;
    let sessions = sessions.data().as_array().unwrap();
    let other_session = sessions.iter().find(|session| session["current"] == false).unwrap();
    recorder.delete(&user.client, &format!("/api/account/sessions/{}", other_session["id"].as_str().unwrap())).await;
    drop(other);
    recorder.post(&anonymous, "/api/auth/password-resets", json!({ "email": user.email })).await;
    let reset = json!({ "token": app.inbox.token(&user.email, 1).await, "new_password": NEW_PASSWORD });
    recorder.post(&anonymous, "/api/auth/reset-password", reset).await;
    let credentials_after = json!({ "email": user.email, "password": NEW_PASSWORD });
    // A changed password ends all sessions, so signing out needs a new one.
    let sign_in = async || {
        let login = recorder.post(&anonymous, "/api/auth/login", credentials_after.clone()).await;
        app.with_key(login.data()["access_token"].as_str().unwrap())
    };
    recorder.post(&sign_in().await, "/api/auth/logout", json!({})).await;
    let change = json!({ "current_password": NEW_PASSWORD, "new_password": "yet another horse battery" });
    recorder.post(&sign_in().await, "/api/auth/password", change).await;
}

async fn second_factor(recorder: &Recorder, app: &App, tenant: &Tenant) {
    let user = tenant.user(Role::Member).await;
    let route = "/api/account/second-factor";
    let setup = recorder.post(&user.client, route, json!({})).await;
    let secret = TotpSecret::parse(setup.data()["secret"].as_str().unwrap()).unwrap();
    let code = json!({ "code": secret.code_at(app.ports.clock.now()) });
    recorder.post(&user.client, &format!("{route}/confirm"), code).await;
    let credentials = json!({ "email": user.email, "password": user.password });
    let pending = recorder.post(&app.anonymous(), "/api/auth/login", credentials).await;
    // A code works only once.
    app.advance(Duration::seconds(30)).await;
    let token = &pending.data()["second_factor"]["token"];
    let second = json!({ "token": token, "code": secret.code_at(app.ports.clock.now()) });
    recorder.post(&app.anonymous(), "/api/auth/second-factor", second).await;
    recorder.send(user.client.request("DELETE", route).json(&json!({ "password": user.password }))).await;
}
