//! The steps of a sign-in must be taken in order, and no step extends the time of earlier ones (interface 26.6, 26.70).

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Browser, Screen, Tenant, TestUser};
use time::Duration;

use super::first_minutes::{second_factor, send_password};

async fn shared_user(app: &App) -> (TestUser, Tenant, Tenant) {
    let (one, two) = (app.workspace().await, app.workspace().await);
    let user = one.user(Role::Member).await;
    let _ = two.join(&user.email, Role::Owner).await;
    (user, one, two)
}

async fn choose(browser: &Browser, screen: &Screen, tenant: &Tenant) -> Screen {
    browser.submit(screen, "/sign-in/workspace", &[("workspace", &tenant.workspace.slug)]).await
}

/// Sends the fields of one form to another.
async fn send_to(browser: &Browser, screen: &Screen, from: &str, to: &str, extra: (&str, &str)) -> u16 {
    let mut fields = screen.fields_of(from);
    fields.push((extra.0.to_owned(), extra.1.to_owned()));
    browser.send(browser.post(to, &fields)).await.status
}

#[tokio::test]
async fn a_sign_in_that_waits_for_a_code_accepts_no_workspace_and_gets_no_extra_tries() {
    let app = App::start().await;
    let (user, one, two) = shared_user(&app).await;
    let secret = second_factor(&app, &user).await;
    let browser = app.browser();
    let prompt = send_password(&browser, &user, "/").await.expect(200);
    let prompt = choose(&browser, &prompt, &one).await.expect(200);
    for _ in 0..4 {
        let _ = browser.submit(&prompt, "/sign-in/code", &[("code", "000000")]).await.expect(422);
    }
    app.advance(Duration::minutes(1)).await;
    let slug = two.workspace.slug.as_str();
    let refused = send_to(&browser, &prompt, "/sign-in/code", "/sign-in/workspace", ("workspace", slug)).await;
    assert_eq!(refused, 422, "it waits for a code");
    let last = browser.submit(&prompt, "/sign-in/code", &[("code", "000000")]).await.expect(422);
    assert!(last.html().contains("id=\"code-error\""), "the fifth: {}", last.html());
    let code = secret.code_at(app.ports.clock.now());
    let expired = browser.submit(&prompt, "/sign-in/code", &[("code", &code)]).await.expect(422);
    assert!(expired.html().contains("Sign in again") && browser.session().is_none(), "{}", expired.html());
}

#[tokio::test]
async fn a_sign_in_that_waits_for_a_workspace_accepts_no_code() {
    let app = App::start().await;
    let (user, one, _two) = shared_user(&app).await;
    let browser = app.browser();
    let prompt = send_password(&browser, &user, "/").await.expect(200);
    let status = send_to(&browser, &prompt, "/sign-in/workspace", "/sign-in/code", ("code", "000000")).await;
    assert_eq!((status, browser.session()), (422, None));
    let fields = prompt.fields_of("/sign-in/workspace");
    let token = &fields.iter().find(|(name, _)| name == "token").unwrap().1;
    let by_api = json!({"token": token, "code": "000000"});
    let by_api = app.anonymous().post("/api/auth/second-factor", by_api).await.expect(422);
    assert_eq!(by_api.details(), ["token:invalid_token"]);
    let _ = choose(&browser, &prompt, &one).await.expect(200);
    assert!(browser.session().is_some(), "it still waits for a workspace");
}

#[tokio::test]
async fn the_steps_of_a_sign_in_share_its_five_minutes() {
    let app = App::start().await;
    let (user, one, _two) = shared_user(&app).await;
    let secret = second_factor(&app, &user).await;
    let browser = app.browser();
    let prompt = send_password(&browser, &user, "/").await.expect(200);
    app.advance(Duration::minutes(4)).await;
    let prompt = choose(&browser, &prompt, &one).await.expect(200);
    app.advance(Duration::minutes(1)).await;
    let code = secret.code_at(app.ports.clock.now());
    let expired = browser.submit(&prompt, "/sign-in/code", &[("code", &code)]).await.expect(422);
    assert!(expired.html().contains("Sign in again") && browser.session().is_none(), "{}", expired.html());
}

/// Signs in, turns on a second factor, and switches to another workspace, which asks for a code.
async fn switching(app: &App) -> (Browser, TestUser, Screen, String) {
    let (user, _, two) = shared_user(app).await;
    let browser = app.browser_of(&user).await;
    app.advance(Duration::hours(1)).await;
    let secret = second_factor(app, &user).await;
    let list = browser.open("/workspaces").await.expect(200);
    let prompt = browser.submit(&list, "/workspaces/switch", &[("workspace", &two.workspace.slug)]).await.expect(200);
    assert!(prompt.has_form("/sign-in/code"), "{}", prompt.html());
    let code = secret.code_at(app.ports.clock.now());
    (browser, user, prompt, code)
}

#[tokio::test]
async fn a_code_does_not_extend_the_previous_session() {
    let app = App::start().await;
    let (browser, _user, prompt, code) = switching(&app).await;
    let before = browser.session();
    let _ = browser.submit(&prompt, "/sign-in/code", &[("code", &code)]).await.expect(200);
    assert_ne!(browser.session(), before);
    app.advance(Duration::hours(10)).await;
    assert_eq!(browser.open("/account").await.expect(200).address, "/account");
    app.advance(Duration::hours(1)).await;
    assert!(browser.open("/account").await.address.starts_with("/sign-in"), "twelve hours after the password");
}

#[tokio::test]
async fn a_code_does_not_revive_an_ended_session() {
    let app = App::start().await;
    let (browser, user, prompt, code) = switching(&app).await;
    let sessions = user.client.get("/api/account/sessions").await.expect(200);
    for one in sessions.body["data"].as_array().unwrap().iter().filter(|one| one["current"] == false) {
        let _ = user.client.delete(&format!("/api/account/sessions/{}", one["id"].as_str().unwrap())).await;
    }
    assert!(browser.open("/account").await.address.starts_with("/sign-in"));
    let refused = browser.submit(&prompt, "/sign-in/code", &[("code", &code)]).await.expect(422);
    refused.assert_contains(&["Sign in again"]);
}
