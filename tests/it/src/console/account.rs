//! The user's account in the console: profile, appearance, password, second factor and sessions.

use domain::identity::accounts::{TotpSecret, sign_in_link};
use domain::identity::workspaces::{self, DemoMember, NewDemo, NewWorkspace, Role};
use domain::limits::Plan;
use domain::testing;
use serde_json::json;
use test_support::{App, Browser, Screen};

const ACCOUNT: &str = "/account";
const SECURITY: &str = "/account/security";
/// The demo workspace of a test, and its owner.
const DEMO: &str = "demo-of-one";
pub(super) const DEMO_OWNER: &str = "owner@demo.example";

#[tokio::test]
async fn every_member_changes_their_name_and_notifications() {
    let (app, tenant) = App::with_workspace().await;
    for role in [Role::Owner, Role::Viewer] {
        let user = tenant.user(role).await;
        let browser = app.browser_of(&user).await;
        let page = browser.open(ACCOUNT).await.expect(200);
        assert!(page.html().contains(&user.email), "{}", page.html());
        let values = [("name", "<b>Ann</b>"), ("notify_replies", "false")];
        let saved = browser.submit(&page, ACCOUNT, &values).await.expect(200);
        saved.assert_contains(&["Your account is saved"]);
        assert!(!saved.html().contains("<b>Ann"), "{}", saved.html());
        let stored = user.client.get("/api/account").await.expect(200);
        assert_eq!((&stored.data()["name"], &stored.data()["notify_replies"]), (&json!("<b>Ann</b>"), &json!(false)));
        let long = "x".repeat(121);
        let refused = browser.submit(&saved, ACCOUNT, &[("name", &long)]).await.expect(422);
        refused.assert_contains(&["id=\"name-error\""]);
        assert_eq!(refused.value_of(ACCOUNT, "name"), Some(long));
    }
}

#[tokio::test]
async fn a_browser_keeps_its_colour_mode_and_time_zone() {
    let (_app, _tenant, browser) = App::with_browser(Role::Viewer).await;
    browser.set_cookie("tz", "Asia%2FTokyo");
    let page = browser.open(ACCOUNT).await.expect(200);
    let values = [("theme", "dark"), ("zone", "Europe/Berlin")];
    let saved = browser.submit(&page, "/account/appearance", &values).await.expect(200);
    saved.assert_contains(&["data-theme=\"dark\""]);
    assert!(saved.html().contains(" Europe/Berlin\">"), "times are in the chosen zone: {}", saved.html());
    assert_eq!(saved.value_of("/account/appearance", "zone").as_deref(), Some("Europe/Berlin"));
    let values = [("theme", "nonsense"), ("zone", "../etc/passwd")];
    let usual = browser.submit(&saved, "/account/appearance", &values).await.expect(200);
    usual.assert_contains(&["data-theme=\"system\"", " Asia/Tokyo\">"]);
}

#[tokio::test]
async fn a_new_password_needs_the_old_one_and_ends_all_sessions() {
    let (app, tenant, user) = App::with_user(Role::Member).await;
    let browser = app.browser_of(&user).await;
    let page = browser.open(SECURITY).await.expect(200);
    let wrong = [("current_password", "not my password"), ("new_password", "another horse battery")];
    let refused = browser.submit(&page, "/account/password", &wrong).await.expect(422);
    refused.assert_contains(&["id=\"current_password-error\""]);
    assert!(!refused.html().contains("another horse battery"), "{}", refused.html());
    let right = [("current_password", user.password), ("new_password", "another horse battery")];
    let changed = browser.submit(&page, "/account/password", &right).await.expect(200);
    assert_eq!(changed.address, "/sign-in");
    changed.assert_contains(&["Your password is changed"]);
    assert_eq!(user.client.get("/api/v1/me").await.status, 401);
    let _ = app.browser().sign_in(&user.email, "another horse battery", &tenant.workspace.slug).await;
}

/// The owner of a demo workspace, who signed in by a link and has no password, on Home.
pub(super) async fn without_password(app: &App) -> (Browser, Screen) {
    let owner = DemoMember { email: DEMO_OWNER.to_owned(), name: "Owner".to_owned(), role: Role::Owner };
    let workspace = NewWorkspace { slug: DEMO.to_owned(), name: "Demo".to_owned(), plan: Plan::Starter };
    let made_at = app.ports.clock.now();
    let new = NewDemo { workspace, default_currency: "EUR".to_owned(), members: vec![owner], made_at };
    let (workspace, _) = workspaces::create_demo(&app.ports, &testing::operator(), &new).await.unwrap();
    let link = sign_in_link::issue(&app.ports, &testing::operator(), &workspace, DEMO_OWNER).await.unwrap();
    let browser = app.browser();
    let page = browser.open(&format!("/sign-in/link/{}", link.reveal())).await.expect(200);
    let home = browser.submit(&page, "/sign-in/link", &[]).await.expect(200);
    (browser, home)
}

#[tokio::test]
async fn a_user_without_a_password_can_set_one_and_sign_in_with_it() {
    let app = App::start().await;
    let (browser, home) = without_password(&app).await;
    home.assert_contains(&["href=\"/account/security\">Set a password"]);
    let security = browser.open("/account/security").await.expect(200);
    assert!(!security.has_form("/account/password"), "there is no password to change: {}", security.html());
    let (own_email, other) = ("Mara@Example.com", app.workspace().await.user(Role::Member).await.email);
    assert!(security.html().contains(DEMO_OWNER), "it says whose address is replaced: {}", security.html());
    let short = [("email", own_email), ("new_password", "short")];
    let refused = browser.submit(&security, "/account/first-password", &short).await.expect(422);
    refused.assert_contains(&["id=\"new_password-error\""]);
    assert!(refused.fields_of("/account/first-password").contains(&("email".to_owned(), own_email.to_owned())));
    let chosen = "a long and new password";
    let taken = [("email", &*other.to_uppercase()), ("new_password", chosen)];
    let refused = browser.submit(&refused, "/account/first-password", &taken).await.expect(422);
    refused.assert_contains(&["belongs to another account"]);
    let values = [("email", own_email), ("new_password", chosen)];
    let set = browser.submit(&refused, "/account/first-password", &values).await.expect(200);
    assert!(set.address == "/sign-in" && set.html().contains("Your password is set"), "{}", set.html());
    let home = browser.sign_in("mara@example.com", chosen, DEMO).await.expect(200);
    assert!(browser.open("/account").await.expect(200).html().contains(own_email));
    assert!(!home.html().contains("Set a password"), "{}", home.html());
    // From now on a new password requires the current one, whichever form is sent.
    let security = browser.open("/account/security").await.expect(200);
    assert!(security.has_form("/account/password") && !security.has_form("/account/first-password"));
    let mut forged = security.fields_of("/sign-out");
    forged.push(("email".to_owned(), "thief@example.com".to_owned()));
    forged.push(("new_password".to_owned(), "another long password".to_owned()));
    assert_eq!(browser.send(browser.post("/account/first-password", &forged)).await.status, 422);
    let _ = browser.sign_in("mara@example.com", chosen, DEMO).await.expect(200);
}

#[tokio::test]
async fn a_second_factor_is_set_up_with_a_code_and_turned_off_with_the_password() {
    let (app, _tenant, user) = App::with_user(Role::Owner).await;
    let browser = app.browser_of(&user).await;
    let page = browser.open(SECURITY).await.expect(200);
    let set_up = browser.submit(&page, "/account/second-factor", &[]).await.expect(200);
    let confirm = "/account/second-factor/confirm";
    let secret = set_up.value_of(confirm, "_secret").unwrap();
    set_up.assert_contains(&["<svg class=\"qr-code", "otpauth://totp/"]);
    let wrong = browser.submit(&set_up, confirm, &[("code", "12345")]).await.expect(422);
    wrong.assert_contains(&["id=\"code-error\""]);
    assert_eq!(wrong.value_of(confirm, "_secret").as_deref(), Some(&*secret), "the same secret is shown again");
    // A secret that another form sends is never shown.
    let theirs = ["JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", "x", ""];
    for other in theirs {
        let values = [("code", "12345"), ("_secret", other), ("_url", "otpauth://totp/x?secret=JBSWY3DPEHPK3PXP")];
        let refused = browser.submit(&wrong, confirm, &values).await.expect(422);
        let html = refused.html();
        assert!(!html.contains("qr-code") && !html.contains("JBSWY3DP") && !html.contains(&secret), "{html}");
    }
    let code = TotpSecret::parse(&secret).unwrap().code_at(app.ports.clock.now());
    let on = browser.submit(&wrong, confirm, &[("code", &code)]).await.expect(200);
    let codes = on.html().split("id=\"recovery-codes\"").nth(1).and_then(|rest| rest.split("</code>").next()).unwrap();
    assert_eq!(codes.lines().count(), 10, "{codes}");
    let page = browser.open(SECURITY).await.expect(200);
    page.assert_contains(&["10 recovery codes are left"]);
    assert!(!page.html().contains(&secret), "{}", page.html());

    let remove = "/account/second-factor/remove";
    let refused = browser.submit(&page, remove, &[("password", "not my password")]).await.expect(422);
    refused.assert_contains(&["id=\"password-error\""]);
    let off = browser.submit(&refused, remove, &[("password", user.password)]).await.expect(200);
    assert!(off.html().contains("The second factor is switched off") && off.has_form("/account/second-factor"));
}

#[tokio::test]
async fn users_who_must_have_a_second_factor_can_only_set_it_up() {
    let (app, tenant, owner) = App::with_user(Role::Owner).await;
    let browser = app.browser_of(&owner).await;
    let page = browser.open(SECURITY).await.expect(200);
    let set_up = browser.submit(&page, "/account/second-factor", &[]).await.expect(200);
    let confirm = "/account/second-factor/confirm";
    let secret = TotpSecret::parse(&set_up.value_of(confirm, "_secret").unwrap()).unwrap();
    let code = secret.code_at(app.ports.clock.now());
    let _ = browser.submit(&set_up, confirm, &[("code", &code)]).await.expect(200);
    let admin = tenant.signed_in(Role::Admin).await;
    let settings = browser.open("/settings").await.expect(200);
    let _ = browser.submit(&settings, "/settings", &[("require_second_factor", "true")]).await.expect(200);
    let _ = admin.open("/settings").await.expect(403);
    let page = admin.open(SECURITY).await.expect(200);
    page.assert_contains(&["requires a second factor for owners and admins"]);
}

#[tokio::test]
async fn sessions_are_shown_and_ended_one_by_one_or_all() {
    let (app, tenant, user) = App::with_user(Role::Member).await;
    let browser = app.browser_of(&user).await;
    let other = app.browser_of(&user).await;
    let page = browser.open(SECURITY).await.expect(200);
    page.assert_contains(&["This session", "127.0.0.1"]);
    let sessions = user.client.get("/api/account/sessions").await.expect(200);
    let current = sessions.data().as_array().unwrap().iter().find(|one| one["current"] == true).unwrap()["id"].clone();
    let action = format!("/account/sessions/{}/end", current.as_str().unwrap());
    let ended = browser.submit(&page, &action, &[]).await.expect(200);
    ended.assert_contains(&["The session has ended"]);
    assert_eq!(user.client.get("/api/v1/me").await.status, 401);
    let _ = other.open(ACCOUNT).await.expect(200);
    let outsider = tenant.signed_in(Role::Owner).await;
    let mut forged = outsider.open(SECURITY).await.fields_of("/account/sessions/end-all");
    forged.retain(|(name, _)| name == "_token");
    assert_eq!(outsider.send(outsider.post(&action, &forged)).await.status, 404);

    let signed_out = browser.submit(&ended, "/account/sessions/end-all", &[]).await.expect(200);
    assert_eq!(signed_out.address, "/sign-in");
    signed_out.assert_contains(&["signed out everywhere"]);
    assert!(other.open(ACCOUNT).await.address.starts_with("/sign-in"));
}

#[tokio::test]
async fn the_second_factor_is_part_of_security_and_errors_keep_the_navigation() {
    let (_app, _tenant, browser) = App::with_browser(Role::Viewer).await;
    let security = browser.open(SECURITY).await.expect(200);
    let new = browser.submit(&security, "/account/second-factor", &[]).await.expect(200);
    new.assert_contains(&["href=\"/account/security\" aria-current=\"page\""]);
    assert!(!new.html().contains("href=\"/account\" aria-current=\"page\""), "{}", new.html());
    let refused = browser.open("/settings/members").await;
    assert_eq!(refused.response.status, 403);
    assert!(refused.html().contains("href=\"/contacts\"") && refused.has_form("/sign-out"), "{}", refused.html());
}
