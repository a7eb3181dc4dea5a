//! The audit log in the console: filters, the file, and who reads it.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::App;

use super::addresses::{address_in, signed_in, switch};

const LOG: &str = "/settings/audit-log";

#[tokio::test]
async fn the_log_is_filtered_by_action_actor_and_time() {
    let (app, tenant) = App::with_workspace().await;
    let (owner, admin) = (tenant.user(Role::Owner).await, tenant.user(Role::Admin).await);
    let markup = "<img src=x onerror=alert(1)>";
    for (user, name) in [(&owner, markup), (&admin, "of the admin")] {
        let _ = user.client.post("/api/settings/api-keys", json!({"name": name, "preset": "crm"})).await.expect(201);
    }
    let browser = app.browser_of(&owner).await;
    let all = browser.open(LOG).await.expect(200);
    all.assert_contains(&["API key created", "Signed in"]);
    assert!(!all.html().contains(markup) && all.html().contains("&#60;img"), "{}", all.html());
    let rows = |html: &str| html.split("<tbody>").nth(1).unwrap_or_default().to_owned();
    let created = browser.open(&format!("{LOG}?action=api_key.created")).await.expect(200);
    assert!(!rows(created.html()).contains("Signed in") && rows(created.html()).contains("of the admin"));
    let filtered = browser.open(&format!("{LOG}?action=api_key.created&actor_id={}", owner.id)).await.expect(200);
    assert!(!rows(filtered.html()).contains("of the admin") && rows(filtered.html()).contains("&#60;img"));
    // Removing the actor's chip removes the filter.
    filtered.assert_contains(&[&format!("href=\"{LOG}?action=api_key.created\"")]);
    let none = browser.open(&format!("{LOG}?until=2020-01-01T00%3A00")).await.expect(200);
    none.assert_contains(&["No entries match"]);
    let invalid = browser.open(&format!("{LOG}?action=nothing")).await.expect(400);
    invalid.assert_contains(&["<h1"]);

    let file = browser.send(browser.request("GET", &format!("{LOG}.csv?action=api_key.created"))).await;
    assert_eq!((file.status, file.header("content-type")), (200, "text/csv; charset=utf-8"), "{}", file.text);
    let lines: Vec<_> = file.text.lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(
        lines[0].trim_start_matches('\u{feff}').starts_with("time,action,") && lines[1].contains("of the admin"),
        "{lines:?}"
    );
}

#[tokio::test]
async fn the_previous_workspace_of_a_switch_is_named_only_to_its_members() {
    let app = App::start().await;
    let (one, two) = (app.workspace().await, app.workspace().await);
    let (user, other) = (one.user(Role::Member).await, two.user(Role::Owner).await);
    let _ = two.join(&user.email, Role::Owner).await;
    let browser = signed_in(&app, &user, &one).await;
    switch(&browser, &one, &two).await;
    let log = browser.open(&address_in(&two, LOG)).await.expect(200);
    let named = format!("<dt>From workspace</dt><dd>{}</dd>", one.workspace.name);
    assert!(log.html().contains(&named), "{}", log.html());
    let browser = signed_in(&app, &other, &two).await;
    let log = browser.open(&address_in(&two, LOG)).await.expect(200);
    let id = one.workspace.id.0.to_string();
    let start = format!("<dt>From workspace</dt><dd><details><summary>{}…</summary><code>{id}</code>", &id[..8]);
    assert!(log.html().contains(&start) && !log.html().contains(&named), "{}", log.html());
}

#[tokio::test]
async fn the_api_also_filters_the_log() {
    let (_app, tenant) = App::with_workspace().await;
    let (owner, admin) = (tenant.user(Role::Owner).await, tenant.user(Role::Admin).await);
    let log = "/api/settings/audit-log";
    let results = async |query: &str| owner.client.get(&format!("{log}?{query}")).await.expect(200).data().clone();
    let of_admin = results(&format!("actor_id={}", admin.id)).await;
    assert!(of_admin.as_array().unwrap().iter().all(|entry| entry["actor"]["id"] == json!(admin.id)), "{of_admin}");
    assert!(!of_admin.as_array().unwrap().is_empty());
    let two = results("action=session.started&action=member.created").await;
    assert_eq!(two.as_array().unwrap().len(), 4, "{two}");
    let newest = two[0]["created_at"].as_str().unwrap().to_owned();
    assert!(
        results(&format!("since={newest}")).await.as_array().unwrap().iter().any(|entry| entry["id"] == two[0]["id"])
    );
    assert!(
        !results(&format!("until={newest}")).await.as_array().unwrap().iter().any(|entry| entry["id"] == two[0]["id"])
    );
    for query in ["action=x", "actor_id=me", "since=yesterday", "actor=x"] {
        assert_eq!(owner.client.get(&format!("{log}?{query}")).await.status, 400, "{query}");
    }
}
