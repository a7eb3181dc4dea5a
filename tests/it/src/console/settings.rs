//! Settings in the console: the workspace, its members and its usage; and who sees any of it.

use console::OPERATIONS;
use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, AppOptions, Screen};

use super::account::{DEMO_OWNER, without_password};
use crate::database::execute;
use crate::support::path_of;

const SETTINGS: &str = "/settings";
const MEMBERS: &str = "/settings/members";
const MARKUP: &str = "<img src=x onerror=alert(1)>";

/// The error next to a field.
fn error_of(screen: &Screen, name: &str) -> String {
    let begin = format!("id=\"{name}-error\">");
    let rest = screen.html().split(&begin).nth(1).unwrap_or_else(|| panic!("no error of {name}: {}", screen.html()));
    rest.split("</div>").next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn only_admins_open_settings_and_only_operators_open_operator_pages() {
    let (_app, tenant) = App::with_workspace().await;
    for (role, administers) in [(Role::Owner, true), (Role::Admin, true), (Role::Member, false), (Role::Viewer, false)]
    {
        let browser = tenant.signed_in(role).await;
        let account = browser.open("/account").await.expect(200);
        assert_eq!(account.html().contains("href=\"/settings\""), administers, "{role}");
        assert!(!account.html().contains("href=\"/operator\""), "{role}");
        for operation in OPERATIONS {
            let is_operators = operation.pattern.starts_with("/operator");
            if !is_operators && (administers || !operation.pattern.starts_with("/settings")) {
                continue;
            }
            let path = path_of(operation.pattern);
            let response = browser.send(browser.request(operation.method, &path)).await;
            assert_eq!(response.status, 403, "{role}: {} {path}", operation.method);
        }
    }
}

#[tokio::test]
async fn contacts_that_share_an_address_are_listed() {
    let (app, tenant) = App::with_workspace().await;
    let (client, browser) = (tenant.full_access().await, tenant.signed_in(Role::Admin).await);
    let title = "Contacts that share an e-mail address";
    let mut ids = Vec::new();
    for email in ["a@example.com", "b@example.com"] {
        let created = client.post("/api/v1/crm/contacts", json!({ "email": email })).await.expect(201);
        ids.push(created.body["id"].as_str().unwrap().to_owned());
    }
    assert!(!browser.open(SETTINGS).await.expect(200).html().contains(title));
    // A leftover from an earlier release.
    let shared = "UPDATE contacts SET email = 'a@example。com', email_key = 'a@example.com ' || id WHERE email = 'b@example.com'";
    execute(&app, shared);
    let page = browser.open(SETTINGS).await.expect(200);
    let link = format!("<a class=\"break\" href=\"/contacts/{}\">a@example。com</a>", ids[1]);
    assert!(page.html().contains(title) && page.html().contains(&link), "{}", page.html());
    assert!(!page.html().contains(&ids[0]), "{}", page.html());
}

#[tokio::test]
async fn the_workspace_is_changed_and_errors_are_next_to_their_fields() {
    let (_app, tenant, browser) = App::with_browser(Role::Admin).await;
    let page = browser.open(SETTINGS).await.expect(200);
    let saved = browser.submit(&page, SETTINGS, &[("name", MARKUP), ("default_currency", "CHF")]).await.expect(200);
    saved.assert_contains(&["The settings are saved"]);
    assert!(!saved.html().contains(MARKUP) && saved.html().contains("&#60;img"), "{}", saved.html());
    let client = tenant.user(Role::Owner).await.client;
    let stored = client.get("/api/settings/workspace").await.expect(200);
    assert_eq!((&stored.data()["name"], &stored.data()["default_currency"]), (&json!(MARKUP), &json!("CHF")));

    let wrong = [("default_currency", "XX"), ("allowed_networks", "10.0.0.1/8"), ("name", "Acme")];
    let refused = browser.submit(&saved, SETTINGS, &wrong).await.expect(422);
    assert!(!error_of(&refused, "default_currency").is_empty());
    assert!(error_of(&refused, "allowed_networks").contains("host bits"));
    assert!(refused.fields_of(SETTINGS).contains(&("name".to_owned(), "Acme".to_owned())), "typed text is kept");
    let networks = [("allowed_networks", "203.0.113.0/24")];
    let shut_out = browser.submit(&saved, SETTINGS, &networks).await.expect(422);
    assert!(error_of(&shut_out, "allowed_networks").contains("lock yourself out"));

    // The form is outdated: the settings were saved since.
    let conflict = browser.submit(&page, SETTINGS, &[("name", "Late")]).await.expect(409);
    conflict.assert_contains(&["role=\"alert\""]);
    let stored = client.get("/api/settings/workspace").await.expect(200);
    assert_eq!(stored.data()["name"], json!(MARKUP));
}

#[tokio::test]
async fn only_an_owner_deletes_the_workspace_and_must_type_its_name() {
    let (app, tenant) = App::with_workspace().await;
    let slug = tenant.workspace.slug.clone();
    let (owner, key) = (tenant.user(Role::Owner).await, tenant.full_access().await);
    let browser = app.browser_of(&owner).await;
    let page = browser.open(SETTINGS).await.expect(200);
    let admin = tenant.signed_in(Role::Admin).await;
    let of_admin = admin.open(SETTINGS).await.expect(200);
    assert!(!of_admin.has_form("/settings/delete"));
    let mut forged = of_admin.fields_of(SETTINGS);
    forged.push(("slug".to_owned(), slug.clone()));
    let refused = admin.send(admin.post("/settings/delete", &forged)).await;
    assert_eq!(refused.status, 403, "{}", refused.text);
    assert!(refused.text.contains("Only an owner can delete the workspace"), "{}", refused.text);

    let refused = browser.submit(&page, "/settings/delete", &[("slug", "another")]).await.expect(422);
    assert!(error_of(&refused, "slug").contains("must be the slug of this workspace"));
    let _ = key.get("/api/v1/me").await.expect(200);
    let deleted = browser.submit(&refused, "/settings/delete", &[("slug", &slug)]).await.expect(200);
    assert_eq!(deleted.address, "/sign-in");
    deleted.assert_contains(&["The workspace is deleted"]);
    assert_eq!(key.get("/api/v1/me").await.status, 401);
    assert!(browser.open(SETTINGS).await.address.starts_with("/sign-in"));
}

#[tokio::test]
async fn members_are_invited_changed_and_removed_with_their_keys() {
    let (app, tenant, owner) = App::with_user(Role::Owner).await;
    let browser = app.browser_of(&owner).await;
    let page = browser.open(MEMBERS).await.expect(200);
    assert!(!page.html().contains("<details class=\"card mb-3\" open>"), "{}", page.html());
    let steps = browser.open("/").await.expect(200);
    let inviting = format!("{MEMBERS}?invite=true");
    assert!(steps.links().contains(&inviting), "{}", steps.html());
    let open = browser.open(&inviting).await.expect(200);
    open.assert_contains(&["<details class=\"card mb-3\" open>"]);
    let wrong = browser.submit(&page, MEMBERS, &[("email", "nobody"), ("role", "viewer")]).await.expect(422);
    assert!(!error_of(&wrong, "email").is_empty());
    let fields = wrong.fields_of(MEMBERS);
    assert!(fields.contains(&("email".to_owned(), "nobody".to_owned())), "{fields:?}");
    assert!(fields.contains(&("role".to_owned(), "viewer".to_owned())), "{fields:?}");
    let occupied = browser.submit(&page, MEMBERS, &[("email", &owner.email), ("role", "viewer")]).await.expect(422);
    assert!(!error_of(&occupied, "email").is_empty());
    let invited = browser.submit(&page, MEMBERS, &[("email", "bo@example.com"), ("role", "viewer")]).await.expect(200);
    invited.assert_contains(&["Invited bo@example.com."]);
    // No mail server is configured, so the link is shown once.
    let token = app.inbox.token("bo@example.com", 1).await;
    invited.assert_contains(&[&format!("/accept-invitation#token={token}")]);
    assert!(!invited.address.contains(&token) && !browser.open(MEMBERS).await.expect(200).html().contains(&token));

    let leaver = tenant.user(Role::Admin).await;
    let key = leaver.client.post("/api/settings/api-keys", json!({"name": "k", "preset": "crm"})).await;
    let key = app.with_key(key.expect(201).data()["key"].as_str().unwrap());
    let page = browser.open(MEMBERS).await.expect(200);
    let path = format!("{MEMBERS}/{}", leaver.id);
    let changed = browser.submit(&page, &path, &[("role", "member")]).await.expect(200);
    changed.assert_contains(&["now has the role “Member”"]);
    assert_eq!(leaver.client.get("/api/v1/me").await.status, 401, "they sign in again");
    let stale = browser.submit(&page, &path, &[("role", "viewer")]).await.expect(422);
    stale.assert_contains(&["role=\"alert\""]);
    let removal = format!("{path}/remove");
    let removed = browser.submit(&changed, &removal, &[("revoke_keys", "true")]).await.expect(200);
    removed.assert_contains(&["the API key they created is revoked"]);
    assert_eq!(key.get("/api/v1/me").await.status, 401);
    assert!(!removed.has_form(&removal), "former members are not removed again");
}

#[tokio::test]
async fn an_invitation_link_is_shown_only_without_a_mail_server_and_never_for_existing_accounts() {
    let app = App::start_as(AppOptions { has_mail_server: true, ..AppOptions::default() }).await;
    let tenant = app.workspace().await;
    let browser = app.browser_of(&tenant.user(Role::Owner).await).await;
    let page = browser.open(MEMBERS).await.expect(200);
    let response = browser.submit(&page, MEMBERS, &[("email", "bo@example.com"), ("role", "viewer")]).await.expect(200);
    response.assert_contains(&["The invitation to bo@example.com is on its way"]);
    assert!(!response.html().contains("#token="), "{}", response.html());

    // The demo's owner has no password: with the link, the inviter could set it.
    let app = App::start().await;
    let _ = without_password(&app).await;
    let tenant = app.workspace().await;
    let browser = app.browser_of(&tenant.user(Role::Owner).await).await;
    let page = browser.open(MEMBERS).await.expect(200);
    let response = browser.submit(&page, MEMBERS, &[("email", DEMO_OWNER), ("role", "viewer")]).await.expect(200);
    response.assert_contains(&["The link is not shown here"]);
    assert!(!response.html().contains("#token="), "{}", response.html());
}

#[tokio::test]
async fn the_last_owner_stays_and_admins_cannot_change_owners() {
    let (app, tenant, owner) = App::with_user(Role::Owner).await;
    let browser = app.browser_of(&owner).await;
    let page = browser.open(MEMBERS).await.expect(200);
    let path = format!("{MEMBERS}/{}", owner.id);
    for (action, values) in [(path.clone(), vec![("role", "viewer")]), (format!("{path}/remove"), vec![])] {
        let refused = browser.submit(&page, &action, &values).await.expect(422);
        refused.assert_contains(&["A workspace must keep an owner"]);
    }
    let admin = tenant.signed_in(Role::Admin).await;
    let page = admin.open(MEMBERS).await.expect(200);
    assert!(!page.has_form(&path), "admins get no form to change an owner");
    assert!(!page.html().contains("value=\"owner\""), "nor to make one: {}", page.html());
    let mut forged = page.fields_of(MEMBERS);
    forged.retain(|(name, _)| name == "_token");
    forged.extend([("role".to_owned(), "viewer".to_owned()), ("_version".to_owned(), "1".to_owned())]);
    assert_eq!(admin.send(admin.post(&path, &forged)).await.status, 403);
}

#[tokio::test]
async fn usage_shows_the_remaining_limits_of_the_plan() {
    let app = App::start().await;
    let tenant = app.workspace_of(domain::limits::Plan::Starter).await;
    let key = tenant.full_access().await;
    let _ = key.post("/api/v1/crm/deals", json!({"title": "d"})).await.expect(201);
    let page = tenant.signed_in(Role::Owner).await.open("/settings/usage").await.expect(200);
    page.assert_contains(&["1 / 10,000", "Starter", "<svg class=\"meter meter-enough\"", "/ 100<"]);
}
