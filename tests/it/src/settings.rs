//! The workspace's settings and its usage.

use domain::identity::workspaces::{PlanChange, Role};
use domain::limits::{LimitName, Plan};
use serde_json::{Value, json};
use test_support::{ApiResponse, App, assert_members, eventually};

const WORKSPACE: &str = "/api/settings/workspace";
const USAGE: &str = "/api/settings/usage";

#[tokio::test]
async fn settings_are_read_and_changed() {
    let (_app, tenant, owner) = App::with_user(Role::Owner).await;
    let stored = owner.client.get(WORKSPACE).await.expect(200);
    let version = stored.data()["version"].as_i64().unwrap();
    assert_eq!(
        *stored.data(),
        json!({
            "id": tenant.workspace.id, "slug": tenant.workspace.slug, "name": tenant.workspace.name, "plan": "starter",
            "status": "active", "default_currency": "USD", "kb_language": "english", "widget_enabled": false,
            "widget_origins": [], "help_centre_enabled": true, "help_centre_pictures": false, "time_zone": "UTC", "time_locked_until": null, "time_overlaps_allowed": false, "require_second_factor": false, "notify_requesters": false, "allowed_networks": [], "version": version, "created_at": stored.data()["created_at"], "updated_at": stored.data()["updated_at"],
        })
    );
    assert_eq!(stored.header("etag"), format!("\"{version}\""));
    let known = owner.client.request("GET", WORKSPACE).header("If-None-Match", format!("\"{version}\""));
    assert_eq!(ApiResponse::of(known).await.status, 304);
    let change = json!({
        "name": "Acme", "default_currency": "CHF", "kb_language": "german", "widget_enabled": true,
        "widget_origins": ["https://help.example.com", "http://localhost:3000"], "help_centre_enabled": false,
        "help_centre_pictures": true,
    });
    let changed = owner.client.patch(WORKSPACE, change.clone()).await.expect(200);
    for (member, value) in change.as_object().unwrap() {
        assert_eq!(&changed.data()[member], value);
    }
    assert_eq!(changed.header("etag"), format!("\"{}\"", version + 1));
    // Immediately for the user who changed it.
    let deal = owner.client.post("/api/v1/crm/deals", json!({"title": "d"})).await.expect(201);
    assert_eq!(deal.data()["currency"], "CHF");
    let same = owner.client.patch(WORKSPACE, change).await.expect(200);
    assert_eq!(same.header("etag"), changed.header("etag"));
    let stale = owner.client.request("PATCH", WORKSPACE).header("If-Match", "\"1\"").json(&json!({"name": "x"}));
    assert_eq!(ApiResponse::of(stale).await.expect(409).code(), "concurrent_update");
    let reset = json!({"default_currency": null, "widget_enabled": null, "widget_origins": null, "help_centre_enabled": null,
        "help_centre_pictures": null});
    let reset = owner.client.patch(WORKSPACE, reset).await.expect(200);
    assert_members(reset.data(), &json!({"default_currency": "USD", "widget_enabled": false, "widget_origins": []}));
    assert_members(reset.data(), &json!({"help_centre_enabled": true, "help_centre_pictures": false}));
    let reset = owner.client.patch(WORKSPACE, json!({"kb_language": null})).await.expect(200);
    assert_eq!(reset.data()["kb_language"], "english");
    for (member, value, status, detail) in [
        ("widget_origins", json!(["http://localhost:3000", "*"]), 422, "widget_origins[1]:invalid_origin"),
        ("kb_language", json!("German"), 400, "kb_language:invalid_value"),
        ("plan", json!("enterprise"), 400, "plan:unknown_field"),
        ("slug", json!("x"), 400, "slug:unknown_field"),
    ] {
        assert_eq!(owner.client.patch(WORKSPACE, json!({ member: value })).await.expect(status).details(), [detail]);
    }
}

#[tokio::test]
async fn usage_reports_requests_quota_and_windows() {
    let app = App::start().await;
    let tenant = app.workspace_of(Plan::Professional).await;
    let owner = tenant.user(Role::Owner).await;
    let key = tenant.full_access().await;
    for number in 0..3 {
        let _ = key.post("/api/v1/crm/contacts", json!({"email": format!("a{number}@example.com")})).await.expect(201);
    }
    let _ = key.post("/api/v1/crm/contacts", json!({"email": "a0@example.com"})).await.expect(409);
    let _ = key.post("/api/v1/crm/deals", json!({"title": "d"})).await.expect(201);
    let _ = key.post("/api/v1/projects", json!({"name": "p"})).await.expect(201);
    let usage = owner.client.get(USAGE).await.expect(200);
    assert_eq!(usage.data()["plan"], "professional");
    let quota = &usage.data()["crm_quota"];
    assert_eq!(quota["limit"], 100_000, "rolled-back records do not count, and a project is not a CRM record");
    assert_eq!(quota["used"], 4, "rolled-back records do not count, and a project is not a CRM record");
    assert_eq!(quota["remaining"], 99_996, "rolled-back records do not count, and a project is not a CRM record");
    assert!(quota["resets_at"].as_str().unwrap().ends_with("-01T00:00:00.000000Z"));
    let windows = usage.data()["limits"].as_array().unwrap();
    let limits: Vec<_> =
        windows.iter().map(|one| (one["class"].as_str().unwrap(), one["limit"].as_u64().unwrap())).collect();
    assert_eq!(limits[..2], [("read", 500), ("write", 250)]);
    assert_eq!(windows[0]["remaining"], 499, "the session's own window, with this request");
    eventually("requests are written", async || {
        owner.client.get(USAGE).await.data()["requests"]["today"].as_u64().unwrap() >= 7
    })
    .await;
}

#[tokio::test]
async fn an_unlimited_plan_still_reports_usage() {
    let app = App::start().await;
    let tenant = app.workspace_of(Plan::Enterprise).await;
    let owner = tenant.user(Role::Owner).await;
    let _ = owner.client.post("/api/v1/crm/deals", json!({"title": "d"})).await.expect(201);
    let quota = owner.client.get(USAGE).await.expect(200).data()["crm_quota"].clone();
    assert_eq!((&quota["limit"], &quota["used"], &quota["remaining"]), (&Value::Null, &json!(1), &Value::Null));
    // A smaller plan counts records created before it.
    let limits = vec![(LimitName::CrmQuotaPerMonth, Some(2))];
    let _tenant = tenant.change_plan(PlanChange { plan: Some(Plan::Starter), limits }).await;
    let _ = owner.client.post("/api/v1/crm/deals", json!({"title": "e"})).await.expect(201);
    assert_eq!(owner.client.post("/api/v1/crm/deals", json!({"title": "f"})).await.status, 429);
}
