//! Workspace settings, erasures, and operator actions.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Tenant};

use super::Recorder;

pub(super) async fn record(recorder: &Recorder, app: &App, tenant: &Tenant) {
    let owner = tenant.user(Role::Owner).await.client;
    recorder.get(&owner, "/api/settings/workspace").await;
    recorder.patch(&owner, "/api/settings/workspace", json!({ "default_currency": "GBP" })).await;
    recorder.get(&owner, "/api/settings/usage").await;
    let keys = "/api/settings/api-keys";
    let key = json!({ "name": "Website form", "preset": "read_only" });
    let key = format!("{keys}/{}", recorder.post(&owner, keys, key).await.id());
    recorder.get(&owner, keys).await;
    recorder.patch(&owner, &key, json!({ "name": "Website" })).await;
    recorder.post(&owner, &format!("{key}/revoke"), json!({})).await;
    recorder.get(&owner, "/api/settings/audit-log?limit=3").await;
    let person = json!({ "first_name": "Ines", "last_name": "Moreau", "email": "ines@example.org" });
    recorder.post(&tenant.full_access().await, "/api/v1/crm/contacts", person).await;
    let erasure = recorder.post(&owner, "/api/settings/erasures", json!({ "email": "ines@example.org" })).await;
    recorder.get(&owner, &format!("/api/settings/erasures/{}", erasure.id())).await;
    operator(recorder, app).await;
}

async fn operator(recorder: &Recorder, app: &App) {
    let operator = app.workspace().await.operator(Role::Owner).await.client;
    let list = "/api/operator/workspaces";
    let new = json!({ "name": "Harbour Books", "slug": "harbour-books", "plan": "starter" });
    let created = recorder.post(&operator, list, new).await;
    let workspace = format!("{list}/{}", created.id());
    recorder.get(&operator, list).await;
    recorder.get(&operator, &workspace).await;
    recorder.patch(&operator, &workspace, json!({ "plan": "professional" })).await;
    let confirmed = json!({ "slug": "harbour-books" });
    recorder.send(operator.request("DELETE", &workspace).json(&confirmed)).await;
}
