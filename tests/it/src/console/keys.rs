//! AI connections in the console: keys by preset, scopes, permissions and trial, shown once, changed and revoked.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Browser, Screen};

use crate::database::execute;

const KEYS: &str = "/settings/keys";
const MARKUP: &str = "<img src=x onerror=alert(1)>";

async fn create(browser: &Browser, values: &[(&str, &str)]) -> Screen {
    let page = browser.open("/settings/keys/new").await.expect(200);
    browser.submit(&page, KEYS, values).await
}

/// The text of the code in the element with this id.
fn code_of(screen: &Screen, id: &str) -> String {
    let rest = screen.html().split(&format!("id=\"{id}\"")).nth(1);
    let rest = rest.unwrap_or_else(|| panic!("no {id}: {}", screen.html()));
    let code = rest.split("<code>").nth(1).and_then(|rest| rest.split("</code>").next()).unwrap_or_default();
    html_escape::decode_html_entities(code).into_owned()
}

/// The address of the newest key's page.
async fn newest(browser: &Browser) -> String {
    let list = browser.open(KEYS).await.expect(200);
    let links = list.html().split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut keys = links.filter(|link| link.starts_with("/settings/keys/") && *link != "/settings/keys/new");
    keys.next().unwrap_or_else(|| panic!("no key: {}", list.html())).to_owned()
}

#[tokio::test]
async fn a_key_is_shown_once_with_configuration_for_clients_and_works() {
    let (app, tenant, browser) = App::with_browser(Role::Owner).await;
    let empty = browser.open(KEYS).await.expect(200);
    empty.assert_contains(&["No keys yet"]);
    let form = browser.open("/settings/keys/new").await.expect(200);
    let reports = form.html().split("Events of other programs").nth(1).unwrap();
    assert!(reports.contains("value=\"surveys.write\"") && !reports.contains("value=\"deals.write\""));
    let new = create(&browser, &[("name", MARKUP), ("preset", "crm")]).await.expect(200);
    assert!(!new.html().contains(MARKUP) && new.html().contains("&#60;img"), "{}", new.html());
    assert_eq!(new.response.header("cache-control"), "no-store");
    let key = code_of(&new, "key-secret");
    let me = app.with_key(&key).get("/api/v1/me").await.expect(200);
    assert_eq!(me.data()["credential"]["name"], json!(MARKUP), "{}", me.text);
    let service = &app.ports.settings.public_url;
    let slug = &tenant.workspace.slug;
    assert_eq!(code_of(&new, "curl"), format!("curl -H 'Authorization: Bearer {key}' {service}/api/v1/me"));
    for client in ["claude-desktop", "cursor", "openai", "http", "stdio"] {
        let text = code_of(&new, client);
        let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{client}: {error}"));
        assert!(text.contains(&key) && text.contains(service) && text.contains(slug), "{client}: {json}");
    }
    assert!(
        code_of(&new, "claude-code").starts_with(&format!("claude mcp add --transport http {slug} {service}/api/mcp"))
    );

    let page = browser.open(&newest(&browser).await).await.expect(200);
    assert!(!page.html().contains(&key), "only once: {}", page.html());
    assert!(code_of(&page, "cursor").contains("<API_KEY>"));
    assert!(!browser.open(KEYS).await.html().contains(&key));
}

#[tokio::test]
async fn scopes_permissions_and_trials_are_chosen_by_checkboxes() {
    let (app, _tenant, browser) = App::with_browser(Role::Admin).await;
    let values = [
        ("name", "custom"),
        ("preset", ""),
        ("scopes", "deals.write"),
        ("scopes", "contacts.read"),
        ("permission", "read_deals"),
        ("permission", "read_webhooks"),
        ("allowed_networks", "127.0.0.0/8, 2001:db8::/32"),
    ];
    let created = create(&browser, &values).await.expect(200);
    let key = app.with_key(&code_of(&created, "key-secret"));
    let _ = key.get("/api/v1/crm/deals").await.expect(200);
    let _ = key.post("/api/v1/crm/deals", json!({"title": "d"})).await.expect(403);
    assert_eq!(key.post("/api/v1/crm/contacts", json!({"email": "a@example.com"})).await.status, 403);
    let session = key.get("/api/mcp/session").await.expect(200);
    for (tool, allowed) in
        [("list_deals", true), ("create_deal", false), ("list_contacts", false), ("list_webhooks", true)]
    {
        assert_eq!(session.text.contains(&format!("\"{tool}\"")), allowed, "{tool}: {}", session.text);
    }
    let page = browser.open(&newest(&browser).await).await.expect(200);
    page.assert_contains(&["deals.write", "contacts.read", "read_webhooks", "127.0.0.0/8, 2001:db8::/32", "2 scopes"]);

    let trial =
        [("name", "t"), ("preset", "agent_trial"), ("trial_tool", "whoami"), ("trial_calls", "3"), ("scopes", "x")];
    let created = create(&browser, &trial).await.expect(200);
    assert!(code_of(&created, "curl").ends_with("/api/mcp/session"), "REST refuses trials");
    created.assert_contains(&["3 / 3"]);
    assert_eq!(app.with_key(&code_of(&created, "key-secret")).get("/api/v1/me").await.status, 403);
}

/// Whether the error summary links to these fields.
pub(super) fn leads_to_its_fields(page: &Screen, fields: &[&str]) {
    for field in fields {
        page.assert_contains(&[&format!("href=\"#field-{field}\""), &format!("id=\"field-{field}\"")]);
    }
}

#[tokio::test]
async fn a_refused_key_keeps_typed_text_and_reports_errors() {
    let (_app, _tenant, browser) = App::with_browser(Role::Owner).await;
    let values = [("name", ""), ("preset", "crm"), ("permission", "read_deals"), ("allowed_networks", "10.0.0.1/8")];
    let refused = create(&browser, &values).await.expect(422);
    refused.assert_contains(&["id=\"name-error\"", "id=\"allowed_networks-error\""]);
    leads_to_its_fields(&refused, &["name", "allowed_networks"]);
    let fields = refused.fields_of(KEYS);
    for field in [("preset", "crm"), ("permission", "read_deals"), ("allowed_networks", "10.0.0.1/8")] {
        assert!(fields.contains(&(field.0.to_owned(), field.1.to_owned())), "{field:?}: {fields:?}");
    }
    let none = create(&browser, &[("name", "n"), ("preset", "")]).await.expect(422);
    none.assert_contains(&["at least one scope is required"]);
    leads_to_its_fields(&none, &["scopes"]);
    let long = [("name", "n"), ("preset", "agent_trial"), ("trial_calls", "5000")];
    let long = create(&browser, &long).await.expect(422);
    long.assert_contains(&["between 1 and 1000"]);
    let past =
        create(&browser, &[("name", "n"), ("expiry", "date"), ("expires_at", "2020-01-01T00:00")]).await.expect(422);
    past.assert_contains(&["must be in the future"]);
    assert!(browser.open(KEYS).await.html().contains("No keys yet"));
}

#[tokio::test]
async fn a_key_is_renamed_bound_to_networks_and_revoked() {
    let (app, _tenant, browser) = App::with_browser(Role::Owner).await;
    let created = create(&browser, &[("name", "k")]).await.expect(200);
    let key = app.with_key(&code_of(&created, "key-secret"));
    let path = newest(&browser).await;
    let page = browser.open(&path).await.expect(200);
    let saved = browser.submit(&page, &path, &[("name", "Robot")]).await.expect(200);
    saved.assert_contains(&["Saved “Robot”"]);
    let wrong = browser.submit(&saved, &path, &[("allowed_networks", "here")]).await.expect(422);
    wrong.assert_contains(&["id=\"allowed_networks-error\""]);
    let refused = browser.submit(&page, &path, &[("name", "Late")]).await.expect(422);
    refused.assert_contains(&["role=\"alert\""]);
    let _ = browser.submit(&saved, &path, &[("allowed_networks", "203.0.113.0/24")]).await.expect(200);
    assert_eq!(key.get("/api/v1/me").await.status, 403, "from another network");
    let page = browser.open(&path).await.expect(200);
    let revoked = browser.submit(&page, &format!("{path}/revoke"), &[]).await.expect(200);
    revoked.assert_contains(&["Revoked “Robot”"]);
    assert_eq!(key.get("/api/v1/me").await.status, 401);
    let page = browser.open(&path).await.expect(200);
    assert!(!page.has_form(&path) && !page.has_form(&format!("{path}/revoke")), "{}", page.html());
}

#[tokio::test]
async fn permissions_of_an_earlier_key_are_confirmed_by_a_button() {
    let (app, tenant, browser) = App::with_browser(Role::Owner).await;
    let (client, id) = tenant.key(json!({"preset": "crm", "permissions": {"read_contacts": true}})).await;
    execute(&app, &format!("UPDATE api_keys SET narrows_rest = false WHERE id = '{id}'"));
    let _ = client.get("/api/v1/crm/deals").await.expect(200);
    let list = browser.open(KEYS).await.expect(200);
    list.assert_contains(&["Permissions not confirmed"]);
    let path = format!("{KEYS}/{id}");
    let page = browser.open(&path).await.expect(200);
    page.assert_contains(&["Restrict REST too"]);
    let saved = browser.submit(&page, &path, &[("narrows_rest", "true")]).await.expect(200);
    assert!(!saved.html().contains("Restrict REST too"), "{}", saved.html());
    assert!(!browser.open(KEYS).await.html().contains("Permissions not confirmed"));
    assert_eq!(client.get("/api/v1/crm/deals").await.status, 403);
    let _ = client.get("/api/v1/crm/contacts").await.expect(200);
}

#[tokio::test]
async fn a_form_that_is_sent_again_creates_no_second_key() {
    let (_app, _tenant, browser) = App::with_browser(Role::Owner).await;
    for (page, action, values) in [
        ("/settings/keys/new", KEYS, [("name", "Reports"), ("preset", "crm")]),
        ("/settings/support", "/settings/support/keys", [("name", "Shop"), ("access", "read")]),
    ] {
        let form = browser.open(page).await.expect(200);
        let created = browser.submit(&form, action, &values).await.expect(200);
        assert_eq!(created.address, action);
        let repeated = browser.submit(&form, action, &values).await.expect(200);
        assert_eq!(repeated.address, newest(&browser).await);
        repeated.assert_contains(&["already created"]);
        let list = browser.open(KEYS).await.expect(200);
        assert_eq!(list.html().matches(&format!(">{}<", values[0].1)).count(), 1, "{}", list.html());
    }
}
