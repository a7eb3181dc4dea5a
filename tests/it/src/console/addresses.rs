//! The workspace in the address, several workspaces in one browser, and typed text (interface 26.30, 26.34 to 26.36).

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Browser, Tenant, TestUser};

pub(super) fn address_in(tenant: &Tenant, path: &str) -> String {
    format!("/w/{}{path}", tenant.workspace.slug)
}

fn session_of(tenant: &Tenant) -> String {
    format!("__Host-session-{}", tenant.workspace.slug)
}

/// A signed-in browser that uses addresses unchanged.
pub(super) async fn signed_in(app: &App, user: &TestUser, tenant: &Tenant) -> Browser {
    let browser = app.browser().literally();
    let home = browser.sign_in(&user.email, user.password, &tenant.workspace.slug).await;
    assert_eq!(home.address, address_in(tenant, ""));
    browser
}

/// Switches from one workspace to another, as in another tab.
pub(super) async fn switch(browser: &Browser, from: &Tenant, to: &Tenant) {
    let list = browser.open(&address_in(from, "/workspaces")).await.expect(200);
    let choice = [("workspace", to.workspace.slug.as_str())];
    let home = browser.submit(&list, &address_in(from, "/workspaces/switch"), &choice).await.expect(200);
    assert_eq!(home.address, address_in(to, ""));
}

#[tokio::test]
async fn text_typed_in_one_workspace_is_saved_there_while_another_tab_is_in_another() {
    let app = App::start().await;
    let (one, two) = (app.workspace().await, app.workspace().await);
    let user = one.user(Role::Member).await;
    let _ = two.join(&user.email, Role::Owner).await;
    let browser = signed_in(&app, &user, &one).await;
    let half_typed = browser.open(&address_in(&one, "/companies/new")).await.expect(200);
    switch(&browser, &one, &two).await;
    let companies = address_in(&one, "/companies");
    let fields = half_typed.fields_with(&companies, &[("name", "Acme Roasters")]);
    let saved = browser.send(browser.post(&companies, &fields)).await.expect(303);
    assert!(saved.header("location").starts_with(&format!("{companies}/")), "{}", saved.header("location"));

    // Changes in a workspace are reported there.
    let notice = "alert-success";
    let other_page = browser.open(&address_in(&two, "/companies")).await.expect(200);
    assert!(!other_page.html().contains(notice) && !other_page.html().contains("Acme"), "{}", other_page.html());
    let record = browser.open(saved.header("location")).await.expect(200);
    assert!(record.html().contains(notice) && record.html().contains("Acme Roasters"), "{}", record.html());

    // The menu lists workspaces with a session, and signing out ends the session of the current workspace.
    let list = browser.open(&address_in(&one, "/workspaces")).await.expect(200);
    assert!(list.links().contains(&address_in(&two, "")), "{:?}", list.links());
    let out = browser.submit(&list, &address_in(&one, "/sign-out"), &[]).await.expect(200);
    assert_eq!((&*out.address, browser.cookie(&session_of(&one))), ("/sign-in", None));
    assert_eq!(browser.open(&address_in(&two, "/companies")).await.expect(200).address, address_in(&two, "/companies"));
}

#[tokio::test]
async fn a_colleagues_link_opens_its_workspace_or_offers_to_open_it() {
    let app = App::start().await;
    let (one, two, foreign) = (app.workspace().await, app.workspace().await, app.workspace().await);
    let user = one.user(Role::Member).await;
    let _ = two.join(&user.email, Role::Member).await;
    let browser = signed_in(&app, &user, &one).await;
    let (link, switch) = (address_in(&two, "/companies?search=x"), address_in(&one, "/workspaces/switch"));
    let offer = browser.open(&link).await.expect(403);
    offer.assert_contains(&[&format!("Open in {}", two.workspace.name)]);
    let arrived = browser.submit(&offer, &switch, &[]).await.expect(200);
    assert_eq!(arrived.address, link);
    assert!(browser.cookie(&session_of(&one)).is_some(), "the other session continues");

    // Only its members learn whether a workspace exists.
    let mut pages = Vec::new();
    for slug in [foreign.workspace.slug.as_str(), "nobody-here"] {
        let page = browser.open(&format!("/w/{slug}/companies")).await.expect(403);
        assert!(!page.has_form(&switch) && !page.html().contains("Open in"), "{}", page.html());
        pages.push((page.links().join(" ").replace(slug, "*"), page.html().contains(&foreign.workspace.name)));
        let visitor = app.browser().literally().open(&format!("/w/{slug}/companies")).await.expect(200);
        assert_eq!(visitor.address, format!("/sign-in?next=%2Fw%2F{slug}%2Fcompanies"));
    }
    assert_eq!(pages[0], pages[1]);
    assert!(!pages[0].1);

    // Signing in leads to the workspace of the link without asking which one.
    let visitor = app.browser().literally();
    let page = visitor.open(&link).await.expect(200);
    let values = [("email", &*user.email), ("password", user.password)];
    assert_eq!(visitor.submit(&page, "/sign-in", &values).await.expect(200).address, link);
}

#[tokio::test]
async fn typed_text_survives_the_end_of_the_session() {
    let (app, tenant, user) = App::with_user(Role::Member).await;
    let browser = signed_in(&app, &user, &tenant).await;
    let companies = address_in(&tenant, "/companies");
    let page = browser.open(&address_in(&tenant, "/companies/new")).await.expect(200);
    let other = browser.open(&address_in(&tenant, "/companies/new")).await.expect(200);
    browser.set_cookie(&session_of(&tenant), "svs_ended");
    let typed = [("name", "Long <typed>"), ("description", "two\r\nlines"), ("new_password", "never kept")];
    let kept = browser.submit(&page, &companies, &typed).await.expect(403);
    kept.assert_contains(&["Long &#60;typed&#62;", "target=\"_blank\""]);
    assert!(!kept.html().contains("never kept"), "passwords must be typed again");
    assert_eq!(kept.value_of(&companies, "description").as_deref(), Some("two\r\nlines"));
    assert_eq!(kept.response.header("x-sign-in"), "/sign-in");

    // After signing in again, the form is submitted at once; from an old page, only after confirmation.
    let _ = browser.sign_in(&user.email, user.password, &tenant.workspace.slug).await;
    let saved = browser.submit(&kept, &companies, &[]).await.expect(200);
    assert!(saved.address.starts_with(&format!("{companies}/")) && saved.html().contains("Long &#60;typed&#62;"));
    let second = browser.submit(&other, &companies, &[("name", "Once more")]).await.expect(403);
    assert!(second.html().contains("You have signed in again") && !second.html().contains("target=\"_blank\""));
    let saved = browser.submit(&second, &companies, &[]).await.expect(200);
    assert!(saved.address.starts_with(&format!("{companies}/")) && saved.html().contains("Once more"));
}

#[tokio::test]
async fn another_user_saves_typed_text_only_after_confirming() {
    let (app, tenant) = App::with_workspace().await;
    let (ann, ben) = (tenant.user(Role::Member).await, tenant.user(Role::Member).await);
    let _ = ben.client.patch("/api/account", json!({"name": "Ben Né"})).await.expect(200);
    let browser = signed_in(&app, &ann, &tenant).await;
    let companies = address_in(&tenant, "/companies");
    let page = browser.open(&address_in(&tenant, "/companies/new")).await.expect(200);
    browser.set_cookie(&session_of(&tenant), "svs_ended");
    let held_form = browser.submit(&page, &companies, &[("name", "Acme")]).await.expect(403);
    let ended = page.fields_of(&companies);
    let ended = browser.send(browser.post(&companies, &ended).header("HX-Request", "true")).await.expect(401);
    let _ = browser.sign_in(&ben.email, ben.password, &tenant.workspace.slug).await;

    // From the kept page, and from one that was open before Ben signed in.
    let mut prompts = Vec::new();
    for form in [&held_form, &page] {
        let one = browser.submit(form, &companies, &[("name", "Acme")]).await.expect(403);
        one.assert_contains(&["Send as Ben Né", "Another person"]);
        prompts.push(one);
    }
    // Scripts learn who is signed in, and also ask.
    for token in [ended.header("x-form-token"), page.value_of(&companies, "_token").unwrap().as_str()] {
        let request = browser.post(&companies, &[("name".to_owned(), "Acme".to_owned())]);
        let refused =
            browser.send(request.header("HX-Request", "true").header("X-Form-Token", token)).await.expect(403);
        assert_eq!(refused.header("x-now-signed-in"), "Ben%20N%C3%A9");
        assert!(!refused.header("x-form-token").is_empty());
    }
    let results = tenant.full_access().await.get("/api/v1/crm/companies").await.expect(200);
    assert_eq!(results.data(), &json!([]));
    let saved = browser.submit(&prompts[0], &companies, &[]).await.expect(200);
    assert!(saved.address.starts_with(&format!("{companies}/")), "{}", saved.address);
}

#[tokio::test]
async fn scripts_learn_that_the_session_ended_and_get_the_token_of_a_new_one() {
    let (app, tenant, user) = App::with_user(Role::Member).await;
    let browser = signed_in(&app, &user, &tenant).await;
    let companies = address_in(&tenant, "/companies");
    let form = browser.open(&address_in(&tenant, "/companies/new")).await.expect(200);
    let fields = form.fields_with(&companies, &[("name", "Acme"), ("_token", "of-another-session")]);
    let form_request = || browser.post(&companies, &fields).header("HX-Request", "true");
    let refused = browser.send(form_request()).await.expect(403);
    let fresh = refused.header("x-form-token").to_owned();
    assert!(!fresh.is_empty());
    let retry = browser.send(form_request().header("X-Form-Token", &fresh)).await.expect(200);
    assert!(retry.header("hx-redirect").starts_with(&format!("{companies}/")), "{:?}", retry.headers);

    // Other sites learn nothing, and their forms are not kept.
    let foreign =
        browser.request("POST", &companies).header("Origin", "https://evil.example").header("HX-Request", "true");
    let foreign = foreign.header("Content-Type", "application/x-www-form-urlencoded").body("name=Evil");
    let foreign = browser.send(foreign).await.expect(403);
    assert!(foreign.header("x-form-token").is_empty() && !foreign.text.contains("Evil"), "{}", foreign.text);

    browser.set_cookie(&session_of(&tenant), "svs_ended");
    for request in [form_request(), browser.request("GET", &companies).header("HX-Request", "true")] {
        let ended = browser.send(request).await.expect(401);
        assert!(ended.header("x-sign-in").starts_with("/sign-in?next="), "{:?}", ended.headers);
    }
}

#[tokio::test]
async fn old_addresses_and_old_sessions_lead_to_the_workspace() {
    let (app, tenant, user) = App::with_user(Role::Member).await;
    let browser = signed_in(&app, &user, &tenant).await;
    for (old, new) in [("/companies?search=x", "/companies?search=x"), ("/", "")] {
        assert_eq!(browser.open(old).await.expect(200).address, address_in(&tenant, new));
    }
    let companies = address_in(&tenant, "/companies");
    let fields = browser.open(&address_in(&tenant, "/companies/new")).await.expect(200).fields_of(&companies);
    let held_form =
        browser.send(browser.post("/companies", &[fields, vec![("name".to_owned(), "Old".to_owned())]].concat()));
    let held_form = test_support::Screen { address: companies.clone(), response: held_form.await.expect(403) };
    let saved = browser.submit(&held_form, &companies, &[]).await.expect(200);
    assert!(saved.address.starts_with(&format!("{companies}/")), "{}", saved.address);

    let former = app.browser().literally();
    former.set_cookie("__Host-session", user.client.key().unwrap());
    assert_eq!(former.open("/companies").await.expect(200).address, companies);
    assert_eq!(former.cookie("__Host-session"), None);
    assert_eq!(former.cookie(&session_of(&tenant)).as_deref(), user.client.key());
}

#[tokio::test]
async fn old_addresses_lead_to_a_live_session() {
    let app = App::start().await;
    let (one, two) = (app.workspace().await, app.workspace().await);
    let user = one.user(Role::Member).await;
    let _ = two.join(&user.email, Role::Member).await;
    let browser = signed_in(&app, &user, &one).await;
    switch(&browser, &one, &two).await;
    assert_eq!(browser.open("/companies").await.expect(200).address, address_in(&two, "/companies"));
    browser.set_cookie(&session_of(&two), "svs_ended");
    for (old, new) in [("/companies", "/companies"), ("/", "")] {
        assert_eq!(browser.open(old).await.expect(200).address, address_in(&one, new));
    }
    browser.set_cookie(&session_of(&one), "svs_ended");
    assert!(browser.open("/companies").await.expect(200).address.starts_with("/sign-in"));
}

#[tokio::test]
async fn a_session_under_the_name_of_another_workspace_opens_nothing() {
    let app = App::start().await;
    let (one, two) = (app.workspace().await, app.workspace().await);
    let user = one.user(Role::Member).await;
    let browser = app.browser().literally();
    browser.set_cookie(&session_of(&two), user.client.key().unwrap());
    for tenant in [&two, &one] {
        let page = browser.open(&address_in(tenant, "/companies")).await.expect(200);
        assert!(page.address.starts_with("/sign-in"), "{}", page.address);
    }
    assert_eq!(browser.cookie(&session_of(&one)), None);
    let home = browser.sign_in(&user.email, user.password, &one.workspace.slug).await;
    assert_eq!(home.address, address_in(&one, ""));
}

#[tokio::test]
async fn a_link_to_a_foreign_workspace_is_explained_after_signing_in() {
    let app = App::start().await;
    let (own, foreign) = (app.workspace().await, app.workspace().await);
    let user = own.user(Role::Member).await;
    let message = "Your link leads to a workspace that you are not a member of, or that does not exist.";
    let values = [("email", &*user.email), ("password", user.password)];
    for (slug, is_own) in [(&*foreign.workspace.slug, false), ("nobody-here", false), (&*own.workspace.slug, true)] {
        let visitor = app.browser().literally();
        let page = visitor.open(&format!("/w/{slug}/companies")).await.expect(200);
        let arrived = visitor.submit(&page, "/sign-in", &values).await.expect(200);
        assert_eq!(arrived.address, address_in(&own, if is_own { "/companies" } else { "" }));
        assert_eq!(arrived.html().contains(message), !is_own, "{}", arrived.html());
    }
}

#[tokio::test]
async fn a_browser_keeps_ten_sessions() {
    let (app, first, user) = App::with_user(Role::Member).await;
    let browser = signed_in(&app, &user, &first).await;
    let (mut others, mut tokens) = (Vec::new(), Vec::new());
    for _ in 0..10 {
        let tenant = app.workspace().await;
        let _ = tenant.join(&user.email, Role::Viewer).await;
        switch(&browser, &first, &tenant).await;
        tokens.push(browser.cookie(&session_of(&tenant)).unwrap());
        others.push(tenant);
    }
    assert!(browser.cookie(&session_of(&first)).is_some(), "the session of that page is kept");
    assert_eq!(browser.cookie(&session_of(&others[0])), None);
    assert!(others[1..].iter().all(|one| browser.cookie(&session_of(one)).is_some()));
    // The session above the limit has ended, and is no longer listed.
    for (token, status) in [(&tokens[0], 401), (&tokens[1], 200)] {
        assert_eq!(app.with_key(token).get("/api/account").await.status, status);
    }
}

#[tokio::test]
async fn a_workspaces_address_contains_only_its_pages() {
    let (app, tenant, user) = App::with_user(Role::Owner).await;
    let browser = signed_in(&app, &user, &tenant).await;
    let asset = browser
        .open("/sign-in")
        .await
        .html()
        .split("href=\"")
        .find(|rest| rest.starts_with("/assets/"))
        .unwrap()
        .to_owned();
    let asset = asset.split('"').next().unwrap();
    let help = format!("/kb/{}", tenant.workspace.slug);
    for path in
        ["/api/v1/crm/companies", "/sign-in", "/set-up", "/docs", "/healthz", "/w/x", "//evil.example", asset, &help]
    {
        assert_eq!(browser.send(browser.request("GET", &address_in(&tenant, path))).await.status, 404, "{path}");
    }
    for path in ["", "/", "/companies"] {
        assert_eq!(browser.send(browser.request("GET", &address_in(&tenant, path))).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn a_slug_in_capitals_leads_to_the_page() {
    let (app, tenant, user) = App::with_user(Role::Member).await;
    let browser = signed_in(&app, &user, &tenant).await;
    let page = "/deals?stage=proposal";
    let shouted = format!("/w/{}{page}", tenant.workspace.slug.to_uppercase());
    let redirect = browser.send(browser.request("GET", &shouted)).await.expect(303);
    assert_eq!(redirect.header("location"), address_in(&tenant, page));
    assert_eq!(browser.open(&shouted).await.expect(200).address, address_in(&tenant, page));
    let _ = browser.open(&address_in(&tenant, "/Deals")).await.expect(404);
}
