//! Support settings in the console: what customers may use, and keys for tickets.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Browser, Screen};

const SUPPORT: &str = "/settings/support";
const KEYS: &str = "/settings/support/keys";
const MARKUP: &str = "<img src=x onerror=alert(1)>";

async fn open_page(browser: &Browser) -> Screen {
    browser.open(SUPPORT).await.expect(200)
}

#[tokio::test]
async fn the_widget_is_enabled_for_pages_and_its_form_can_be_copied() {
    let (_app, tenant, browser) = App::with_browser(Role::Admin).await;
    let before = open_page(&browser).await;
    assert!(!before.html().contains("/api/widget/"), "{}", before.html());
    let values = [
        ("widget_enabled", "true"),
        ("widget_origins", "https://help.example.com, https://shop.example.com"),
        ("kb_language", "german"),
        ("notify_requesters", "true"),
        ("help_centre_enabled", "false"),
    ];
    let saved = browser.submit(&before, SUPPORT, &values).await.expect(200);
    saved.assert_contains(&["The settings are saved"]);
    let id = tenant.workspace.id.to_string();
    saved.assert_contains(&[&format!("/api/widget/{id}/tickets")]);
    assert!(!saved.html().contains("/kb/"), "the help centre is off: {}", saved.html());
    for (name, value) in values {
        let shown = saved.value_of(SUPPORT, name).unwrap_or_default();
        assert!(shown == value || (name == "help_centre_enabled" && shown == "false"), "{name}: {shown}");
    }
    let api = tenant.user(Role::Owner).await.client.get("/api/settings/workspace").await.expect(200);
    assert_eq!(api.data()["widget_origins"], json!(["https://help.example.com", "https://shop.example.com"]));
    let on = browser.submit(&saved, SUPPORT, &[("help_centre_enabled", "true")]).await.expect(200);
    on.assert_contains(&[&format!("/kb/{}", tenant.workspace.slug)]);

    let refused =
        browser.submit(&on, SUPPORT, &[("widget_origins", "https://help.example.com/path")]).await.expect(422);
    refused.assert_contains(&["must be a lowercase origin"]);
    assert_eq!(refused.value_of(SUPPORT, "widget_origins").as_deref(), Some("https://help.example.com/path"));
    // The form is outdated: the settings were saved since.
    let conflict = browser.submit(&before, SUPPORT, &[("kb_language", "french")]).await.expect(409);
    let resolved = browser.submit(&conflict, SUPPORT, &[("_choice.kb_language", "mine")]).await.expect(200);
    assert_eq!(resolved.value_of(SUPPORT, "kb_language").as_deref(), Some("french"));
}

#[tokio::test]
async fn a_ticket_key_is_created_shown_once_used_and_listed_until_it_is_revoked() {
    let (app, tenant, browser) = App::with_browser(Role::Owner).await;
    let _ = tenant.with_scopes(&["deals.read"]).await;
    let page = open_page(&browser).await;
    page.assert_contains(&["No ticket key is in use"]);
    let created = browser.submit(&page, KEYS, &[("name", MARKUP), ("access", "write")]).await.expect(200);
    let shown = created.html().split("<code>").nth(1).and_then(|rest| rest.split("</code>").next()).unwrap().to_owned();
    assert!(created.html().contains("/api/public/tickets") && !created.html().contains(MARKUP), "{}", created.html());
    let key = app.with_key(&shown);
    let ticket = json!({"name": "Bo", "email": "bo@example.com", "subject": "Help"});
    let _ = key.post("/api/public/tickets", ticket.clone()).await.expect(201);
    let _ = key.get("/api/v1/crm/deals").await.expect(403);

    let listed = open_page(&browser).await;
    assert!(!listed.html().contains(&shown) && !listed.html().contains(MARKUP), "{}", listed.html());
    listed.assert_contains(&["&#60;img src=x", "tickets.write"]);
    assert!(!listed.html().contains("deals.read"), "{}", listed.html());
    let reader = browser.submit(&listed, KEYS, &[("name", "Reader"), ("access", "read")]).await.expect(200);
    let shown = reader.html().split("<code>").nth(1).and_then(|rest| rest.split("</code>").next()).unwrap();
    let _ = app.with_key(shown).get("/api/public/tickets").await.expect(200);
    let _ = app.with_key(shown).post("/api/public/tickets", ticket).await.expect(403);

    let of_it = |screen: &Screen| {
        let links = screen.html().split("href=\"").filter_map(|rest| rest.split('"').next());
        links.filter(|link| link.starts_with("/settings/keys/")).map(str::to_owned).collect::<Vec<_>>()
    };
    let links = of_it(&open_page(&browser).await);
    assert_eq!(links.len(), 2, "{links:?}");
    let key_page = browser.open(&links[0]).await.expect(200);
    let _ = browser.submit(&key_page, &format!("{}/revoke", links[0]), &[]).await.expect(200);
    assert_eq!(of_it(&open_page(&browser).await), links[1..], "revoked keys are not in use");

    let refused = browser.submit(&page, KEYS, &[("name", ""), ("access", "read")]).await.expect(422);
    refused.assert_contains(&["name-error"]);
    let past = [("name", "Kept name"), ("expires_at", "2001-01-01T00:00"), ("access", "read")];
    let refused = browser.submit(&page, KEYS, &past).await.expect(422);
    refused.assert_contains(&["must be in the future", "Kept name"]);
    assert_eq!(refused.value_of(KEYS, "access").as_deref(), Some("read"));
}

/// Concurrent changes: values that only one user changed are kept, and for conflicts the second one chooses.
#[tokio::test]
async fn the_second_of_two_conflicting_editors_chooses() {
    let (_app, tenant) = App::with_workspace().await;
    let (ann, bob) = (tenant.signed_in(Role::Owner).await, tenant.signed_in(Role::Admin).await);
    let (first, second) = (open_page(&ann).await, open_page(&bob).await);
    let _ = ann.submit(&first, SUPPORT, &[("kb_language", "german")]).await.expect(200);
    let _ = bob.submit(&second, SUPPORT, &[("notify_requesters", "false")]).await.expect(200);
    let both = open_page(&bob).await;
    assert_eq!(both.fields_of(SUPPORT).into_iter().find(|(name, _)| name == "kb_language").unwrap().1, "german");
    let _ = ann.submit(&open_page(&ann).await, SUPPORT, &[("kb_language", "french")]).await.expect(200);
    let choice = bob.submit(&both, SUPPORT, &[("kb_language", "spanish"), ("help_centre_enabled", "true")]).await;
    let choice = choice.expect(409);
    choice.assert_contains(&["French", "Spanish", "_choice.kb_language"]);
    assert!(!choice.html().contains("_choice.help_centre_enabled"), "{}", choice.html());
    let unchosen = bob.submit(&choice, SUPPORT, &[]).await.expect(409);
    let _ = bob.submit(&unchosen, SUPPORT, &[("_choice.kb_language", "mine")]).await.expect(200);
    let settings = tenant.user(Role::Owner).await.client.get("/api/settings/workspace").await.expect(200);
    let shown = ["kb_language", "help_centre_enabled", "notify_requesters"].map(|name| settings.data()[name].clone());
    assert_eq!(shown, [json!("spanish"), json!(true), json!(false)]);
    // The page of the workspace saves in the same way.
    let (first, second) = (ann.open("/settings").await.expect(200), bob.open("/settings").await.expect(200));
    let _ = ann.submit(&first, "/settings", &[("name", "Hers")]).await.expect(200);
    let choice = bob.submit(&second, "/settings", &[("name", "His")]).await.expect(409);
    let resolved = bob.submit(&choice, "/settings", &[("_choice.name", "theirs")]).await.expect(200);
    resolved.assert_contains(&["value=\"Hers\""]);
}

#[tokio::test]
async fn support_settings_are_for_owners_and_admins() {
    let (_app, tenant) = App::with_workspace().await;
    for role in [Role::Owner, Role::Admin] {
        let _ = tenant.signed_in(role).await.open(SUPPORT).await.expect(200);
    }
    for role in [Role::Member, Role::Viewer] {
        let browser = tenant.signed_in(role).await;
        let _ = browser.open(SUPPORT).await.expect(403);
        let token = browser.open("/").await.fields_of("/sign-out");
        for action in [SUPPORT, KEYS] {
            assert_eq!(browser.send(browser.post(action, &token)).await.status, 403, "{role} {action}");
        }
    }
}
