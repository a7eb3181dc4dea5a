//! Signing in step by step, set-up, links, forgotten passwords, and switching workspaces (interface 26.1 to 26.8, 26.70,
//! 26.72).

use domain::identity::accounts::{TotpSecret, sign_in_link};
use domain::identity::set_up;
use domain::identity::workspaces::Role;
use domain::testing;
use http_core::{HttpSettings, TrustedProxies};
use serde_json::json;
use test_support::{App, Browser, Screen, Tenant, TestUser};
use time::Duration;

const NEW_PASSWORD: &str = "a new and long password";

pub(super) async fn send_password(browser: &Browser, user: &TestUser, next: &str) -> Screen {
    let page = browser.open("/sign-in").await.expect(200);
    browser.submit(&page, "/sign-in", &[("email", &user.email), ("password", user.password), ("next", next)]).await
}

pub(super) async fn second_factor(app: &App, user: &TestUser) -> TotpSecret {
    let setup = user.client.post("/api/account/second-factor", json!({})).await.expect(201);
    let secret = TotpSecret::parse(setup.data()["secret"].as_str().unwrap()).unwrap();
    let code = json!({"code": secret.code_at(app.ports.clock.now())});
    let _ = user.client.post("/api/account/second-factor/confirm", code).await.expect(200);
    app.advance(Duration::seconds(60)).await;
    secret
}

async fn link_for(tenant: &Tenant, app: &App, email: &str) -> String {
    let link = sign_in_link::issue(&app.ports, &testing::operator(), &tenant.workspace, email).await.unwrap();
    link.reveal().to_owned()
}

#[tokio::test]
async fn a_code_follows_the_password_and_no_secret_is_in_an_address() {
    let (app, _tenant, user) = App::with_user(Role::Member).await;
    let secret = second_factor(&app, &user).await;
    let browser = app.browser();
    let prompt = send_password(&browser, &user, "/companies?search=x").await.expect(200);
    assert_eq!((prompt.address.as_str(), browser.session()), ("/sign-in", None));
    let code =
        prompt.html().split('<').find(|element| element.contains("one-time-code")).unwrap_or_default().to_owned();
    assert!(code.contains(" autofocus"), "{code}");
    let wrong = browser.submit(&prompt, "/sign-in/code", &[("code", "000000")]).await.expect(422);
    wrong.assert_contains(&["id=\"code-error\""]);
    let code = secret.code_at(app.ports.clock.now());
    let arrived = browser.submit(&wrong, "/sign-in/code", &[("code", &code)]).await.expect(200);
    assert_eq!(arrived.address, "/companies?search=x");
    assert!(browser.session().is_some());
    // The token is used up.
    let other = app.browser();
    let _ = other.open("/sign-in").await;
    let second_prompt = send_password(&other, &user, "/").await.expect(200);
    app.advance(Duration::minutes(6)).await;
    let reused =
        other.submit(&second_prompt, "/sign-in/code", &[("code", &secret.code_at(app.ports.clock.now()))]).await;
    assert!(reused.expect(422).html().contains("Sign in again"));
}

#[tokio::test]
async fn a_member_of_several_workspaces_chooses_without_the_password() {
    let app = App::start().await;
    let (one, two, foreign) = (app.workspace().await, app.workspace().await, app.workspace().await);
    let user = one.user(Role::Member).await;
    let _ = two.join(&user.email, Role::Owner).await;
    let browser = app.browser();
    let page = browser.open("/sign-in").await.expect(200);
    assert!(!page.html().contains("name=\"workspace\""), "it is requested only when needed");
    let wrong = [("email", &*user.email), ("password", "wrong-password-1")];
    let refused = browser.submit(&page, "/sign-in", &wrong).await.expect(422);
    let offered = format!("value=\"{}\"", one.workspace.slug);
    assert!(!refused.html().contains(&offered), "only users with the password learn the workspaces");

    let prompt = send_password(&browser, &user, "/companies").await.expect(200);
    for tenant in [&one, &two] {
        prompt.assert_contains(&[&format!("value=\"{}\"", tenant.workspace.slug)]);
    }
    assert!(!prompt.html().contains(user.password) && browser.session().is_none());
    let foreign_choice = [("workspace", foreign.workspace.slug.as_str())];
    let _ = browser.submit(&prompt, "/sign-in/workspace", &foreign_choice).await.expect(422);
    let chosen = [("workspace", two.workspace.slug.as_str())];
    let arrived = browser.submit(&prompt, "/sign-in/workspace", &chosen).await.expect(200);
    assert_eq!(arrived.address, "/companies");
    assert!(arrived.html().contains(&two.workspace.name));
    let _ = app.browser().open("/sign-in").await;
    let second = browser.submit(&prompt, "/sign-in/workspace", &chosen).await;
    assert_ne!(second.response.status, 200, "the choice works once");

    // A second factor is still required.
    let secret = second_factor(&app, &user).await;
    let browser = app.browser();
    let prompt = send_password(&browser, &user, "/").await.expect(200);
    let prompt = browser.submit(&prompt, "/sign-in/workspace", &chosen).await.expect(200);
    assert!(browser.session().is_none());
    let code = secret.code_at(app.ports.clock.now());
    let arrived = browser.submit(&prompt, "/sign-in/code", &[("code", &code)]).await.expect(200);
    assert!(arrived.address == "/" && arrived.html().contains(&two.workspace.name));
}

#[tokio::test]
async fn a_user_switches_between_workspaces_and_signs_out_everywhere() {
    let app = App::start().await;
    let (one, two, foreign) = (app.workspace().await, app.workspace().await, app.workspace().await);
    let user = one.user(Role::Member).await;
    let _ = two.join(&user.email, Role::Owner).await;
    let browser = app.browser_of(&user).await;
    let before = browser.session().unwrap();
    let list = browser.open("/workspaces").await.expect(200);
    let offers = |slug: &str| list.html().contains(&format!("value=\"{slug}\""));
    assert!(offers(&two.workspace.slug) && !offers(&foreign.workspace.slug), "{}", list.html());
    let refused = browser.submit(&list, "/workspaces/switch", &[("workspace", &foreign.workspace.slug)]).await;
    let _ = refused.expect(404);
    let switched = browser.submit(&list, "/workspaces/switch", &[("workspace", &two.workspace.slug)]).await.expect(200);
    assert!(switched.address == "/" && switched.html().contains(&two.workspace.name), "{}", switched.html());
    let former = app.browser();
    former.set_session(&before);
    let still = former.open("/companies").await.expect(200);
    assert!(still.html().contains(&one.workspace.name), "the previous session continues");

    let other_browser = app.browser_of(&user).await;
    let account = browser.open("/account/security").await.expect(200);
    let out = browser.submit(&account, "/account/sessions/end-all", &[]).await.expect(200);
    assert_eq!(out.address, "/sign-in", "{}", out.html());
    assert!(other_browser.open("/companies").await.address.starts_with("/sign-in"));
}

#[tokio::test]
async fn an_operator_creates_their_own_workspace_and_enters_it() {
    let (app, tenant) = App::with_workspace().await;
    let operator = tenant.operator(Role::Owner).await;
    let browser = app.browser_of(&operator).await;
    let page = browser.open("/workspaces/new").await.expect(200);
    let typed = [("name", "<img src=x onerror=alert(1)>"), ("slug", "No Slug")];
    let refused = browser.submit(&page, "/workspaces", &typed).await.expect(422);
    refused.assert_contains(&["id=\"slug-error\""]);
    assert!(refused.fields_of("/workspaces").contains(&("name".to_owned(), typed[0].1.to_owned())), "kept");
    let created = browser.submit(&refused, "/workspaces", &[("slug", "own-one")]).await.expect(200);
    assert!(created.address == "/" && created.html().contains("You are its owner"), "{}", created.html());
    assert!(!created.html().contains("<img src=x"), "{}", created.html());
    let list = browser.open("/workspaces").await.expect(200);
    let former = format!("href=\"/w/{}\"", tenant.workspace.slug);
    assert!(list.html().contains(&former) && !list.html().contains("<img src=x"), "{}", list.html());
    let _ = browser.open("/settings/members").await.expect(200);

    for role in [Role::Owner, Role::Viewer] {
        let other = tenant.signed_in(role).await;
        let _ = other.open("/workspaces/new").await.expect(403);
        assert!(!other.open("/workspaces").await.expect(200).html().contains("/workspaces/new"), "{role}");
    }
}

#[tokio::test]
async fn the_first_page_of_an_installation_creates_its_first_workspace() {
    let app = App::start().await;
    let browser = app.browser();
    let first = browser.open("/companies").await.expect(200);
    assert_eq!(first.address, "/set-up");
    let field = first.html().split('<').find(|element| element.contains("id=\"field-code\"")).unwrap_or_default();
    assert!(field.contains(" autofocus"), "{field}");
    let code = set_up::issue_code(&app.ports, &testing::operator(), "here").await.unwrap().unwrap();
    let fields_with = |code: &str| {
        [
            ("code", code.to_owned()),
            ("workspace_name", "Acme".to_owned()),
            ("slug", "acme".to_owned()),
            ("name", "Ann Lee".to_owned()),
            ("email", "ann@example.com".to_owned()),
            ("password", NEW_PASSWORD.to_owned()),
        ]
    };
    let send = async |page: &Screen, code: &str| {
        let pairs = fields_with(code);
        let values: Vec<_> = pairs.iter().map(|(name, value)| (*name, value.as_str())).collect();
        browser.submit(page, "/set-up", &values).await
    };
    let refused = send(&first, "svu_wrong").await.expect(422);
    refused.assert_contains(&["id=\"code-error\""]);
    let kept_fields = refused.fields_of("/set-up");
    assert!(kept_fields.contains(&("email".to_owned(), "ann@example.com".to_owned())), "{kept_fields:?}");
    assert!(!refused.html().contains(NEW_PASSWORD), "passwords must be typed again");
    let home = send(&refused, code.reveal()).await.expect(200);
    assert!(home.address == "/" && home.html().contains("Acme"), "{}", home.html());
    let _ = browser.open("/settings/members").await.expect(200);

    // The set-up cannot be repeated.
    let other = app.browser();
    assert_eq!(other.open("/set-up").await.expect(200).address, "/sign-in");
    let page = other.open("/sign-in").await.expect(200);
    let mut fields = page.fields_of("/sign-in");
    fields.extend(fields_with(code.reveal()).map(|(name, value)| (name.to_owned(), value)));
    assert_eq!(other.send(other.post("/set-up", &fields)).await.status, 409);
}

#[tokio::test]
async fn a_link_signs_in_once_and_then_says_how_to_get_another() {
    let trusted_proxies = TrustedProxies::parse(["127.0.0.1"]).unwrap();
    let app = App::start_with(HttpSettings { trusted_proxies, ..HttpSettings::default() }).await;
    let tenant = app.workspace().await;
    let user = tenant.user(Role::Owner).await;
    let token = link_for(&tenant, &app, &user.email).await;
    let path = format!("/sign-in/link/{token}");
    let browser = app.browser();
    let afar = browser.request("GET", &path).header("X-Forwarded-For", "203.0.113.7");
    let afar = browser.send(afar).await;
    assert!(afar.status == 403 && afar.text.contains("on the machine that runs the service"), "{}", afar.text);
    // A request through a proxy whose header is not trusted may come from anywhere.
    let proxied = browser.send(browser.request("GET", &path).header("X-Real-IP", "203.0.113.7")).await;
    assert!(proxied.status == 403 && proxied.text.contains("SERVICE_TRUSTED_PROXIES"), "{}", proxied.text);
    // Opening the link does not use it up.
    let _ = browser.open(&path).await.expect(200);
    let page = browser.open(&path).await.expect(200);
    assert!(page.html().contains(&tenant.workspace.name) && browser.session().is_none());
    let home = browser.submit(&page, "/sign-in/link", &[]).await.expect(200);
    assert!(home.address == "/" && browser.session().is_some());
    let other = app.browser();
    let second = other.open(&path).await;
    assert_eq!(second.response.status, 409, "{}", second.html());
    second.assert_contains(&["workspace-service user sign-in-link"]);
    for wrong in ["svo_nonsense", "%3Cimg%20src=x%3E"] {
        let page = other.open(&format!("/sign-in/link/{wrong}")).await.expect(422);
        assert!(page.html().contains("sign-in-link --workspace") && !page.html().contains("<img src=x"));
    }
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_by_an_e_mailed_link() {
    let (app, tenant, user) = App::with_user(Role::Member).await;
    let browser = app.browser();
    let page = browser.open("/forgotten-password").await.expect(200);
    let refused = browser.submit(&page, "/forgotten-password", &[("email", "nobody")]).await.expect(422);
    refused.assert_contains(&["id=\"email-error\""]);
    let mut messages = Vec::new();
    for email in [&*user.email, "nobody@example.com"] {
        let response = browser.submit(&page, "/forgotten-password", &[("email", email)]).await.expect(200);
        assert_eq!(response.address, "/sign-in");
        messages.push(response.html().contains("This service has no mail server"));
    }
    assert_eq!(messages, [true, true], "the answer is always the same");
    let token = app.inbox.token(&user.email, 1).await;

    let page = browser.open("/reset-password").await.expect(200);
    assert!(page.html().contains("Open the link in the e-mail again"), "without scripts the page says what to do");
    let short = [("token", &*token), ("new_password", "short")];
    let refused = browser.submit(&page, "/reset-password", &short).await.expect(422);
    refused.assert_contains(&["id=\"new_password-error\""]);
    assert!(refused.fields_of("/reset-password").contains(&("token".to_owned(), token.clone())), "the token is kept");
    let values = [("new_password", NEW_PASSWORD)];
    let home = browser.submit(&refused, "/reset-password", &values).await.expect(200);
    assert!(home.address == "/sign-in" && home.html().contains("new password is set"), "{}", home.html());
    let second = browser.submit(&refused, "/reset-password", &values).await;
    assert!(second.response.status >= 400, "the link works once");
    let _ = browser.sign_in(&user.email, NEW_PASSWORD, &tenant.workspace.slug).await;
}

#[test]
fn guesses_count_as_sign_ins() {
    for operation in console::OPERATIONS {
        let guesses = [
            "/sign-in",
            "/sign-in/workspace",
            "/sign-in/code",
            "/sign-in/link",
            "/reset-password",
            "/accept-invitation",
        ];
        if operation.method == "POST" && guesses.contains(&operation.pattern) {
            assert_eq!(operation.limits.class, domain::limits::Class::Critical, "{}", operation.pattern);
        }
    }
}
