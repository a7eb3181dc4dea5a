//! Operators in the console: all workspaces, their plans, limits and states.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Browser, Tenant};

const LIST: &str = "/operator";

async fn operator_of(app: &App, tenant: &Tenant) -> Browser {
    app.browser_of(&tenant.operator(Role::Viewer).await).await
}

#[tokio::test]
async fn workspaces_are_found_created_and_limited() {
    let app = App::start().await;
    let (tenant, other) = (app.workspace().await, app.workspace().await);
    let browser = operator_of(&app, &tenant).await;
    let list = browser.open(LIST).await.expect(200);
    list.assert_contains(&["href=\"/operator\" aria-current=\"page\"", &other.workspace.slug]);
    let results = browser.open(&format!("{LIST}?search={}", other.workspace.slug)).await.expect(200);
    assert!(results.html().contains(&other.workspace.slug), "{}", results.html());
    assert!(browser.open(&format!("{LIST}?status=deleted")).await.html().contains("No workspaces match"));

    let new = browser.open("/operator/new").await.expect(200);
    let refused = browser.submit(&new, LIST, &[("name", "Acme"), ("slug", "Not A Slug")]).await.expect(422);
    refused.assert_contains(&["id=\"slug-error\""]);
    let taken = [("name", "Acme"), ("slug", &*other.workspace.slug)];
    let refused = browser.submit(&new, LIST, &taken).await.expect(422);
    refused.assert_contains(&["id=\"slug-error\">this short name is taken"]);
    let values = [("name", "<i>Acme</i>"), ("slug", "acme-1"), ("plan", "starter"), ("owner_email", "o@example.com")];
    let created = browser.submit(&new, LIST, &values).await.expect(200);
    created.assert_contains(&["to its owner, o@example.com, was written to a file"]);
    assert!(!created.html().contains("<i>Acme"), "{}", created.html());
    assert!(!app.inbox.token("o@example.com", 1).await.is_empty());

    let path = created.address.clone();
    let limits = [("plan", "professional"), ("requests_per_minute", "7"), ("emails_per_hour", "0")];
    let saved = browser.submit(&created, &path, &limits).await.expect(200);
    let fields = saved.fields_of(&path);
    for field in
        [("plan", "professional"), ("requests_per_minute", "7"), ("emails_per_hour", "0"), ("crm_quota_per_month", "")]
    {
        assert!(fields.contains(&(field.0.to_owned(), field.1.to_owned())), "{field:?}: {fields:?}");
    }
    let wrong = browser.submit(&saved, &path, &[("requests_per_minute", "0")]).await.expect(422);
    wrong.assert_contains(&["id=\"requests_per_minute-error\""]);
    let reset = browser.submit(&saved, &path, &[("requests_per_minute", "")]).await.expect(200);
    assert!(reset.fields_of(&path).contains(&("requests_per_minute".to_owned(), String::new())));
}

#[tokio::test]
async fn a_workspace_is_suspended_deleted_and_restored() {
    let app = App::start().await;
    let (tenant, other) = (app.workspace().await, app.workspace().await);
    let key = other.full_access().await;
    let browser = operator_of(&app, &tenant).await;
    let path = format!("{LIST}/{}", other.workspace.id);
    let page = browser.open(&path).await.expect(200);
    let suspended = browser.submit(&page, &path, &[("status", "suspended")]).await.expect(200);
    suspended.assert_contains(&[": Suspended."]);
    assert_ne!(key.get("/api/v1/me").await.status, 200);
    let stale = browser.submit(&page, &path, &[("status", "active")]).await.expect(422);
    stale.assert_contains(&["role=\"alert\""]);
    let _ = browser.submit(&suspended, &path, &[("status", "active")]).await.expect(200);
    let _ = key.get("/api/v1/me").await.expect(200);

    let page = browser.open(&path).await.expect(200);
    let delete = format!("{path}/delete");
    let refused = browser.submit(&page, &delete, &[("slug", "another")]).await.expect(422);
    refused.assert_contains(&["id=\"slug-error\""]);
    let deleted = browser.submit(&page, &delete, &[("slug", &other.workspace.slug)]).await.expect(200);
    assert!(deleted.html().contains("It can be restored for 30 days") && !deleted.has_form(&path));
    assert_ne!(key.get("/api/v1/me").await.status, 200);
    let restored = browser.submit(&deleted, &format!("{path}/restore"), &[]).await.expect(200);
    restored.assert_contains(&["Restored “"]);
    let _ = key.get("/api/v1/me").await.expect(200);

    // Operators cannot lock themselves out.
    let own_page = format!("{LIST}/{}", tenant.workspace.id);
    let page = browser.open(&own_page).await.expect(200);
    let refused = browser.submit(&page, &own_page, &[("status", "suspended")]).await.expect(422);
    refused.assert_contains(&["sign in to another one first"]);
    let log = other.user(Role::Owner).await.client.get("/api/settings/audit-log?action=workspace.deleted").await;
    assert_eq!(log.data()[0]["actor"]["type"], json!("system"), "{}", log.text);
}
