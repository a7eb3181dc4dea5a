//! Time entries, timers, approval, rates and totals.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::Tenant;

use super::Recorder;

pub(super) async fn record(recorder: &Recorder, tenant: &Tenant) {
    let owner = tenant.user(Role::Owner).await;
    let client = &owner.client;
    let project = client.post("/api/v1/projects", json!({ "name": "Opening" })).await.expect(201).id();
    let rates = "/api/settings/time-rates";
    let rate = json!({ "member_id": owner.id, "project_id": project, "rate": 95, "currency": "EUR" });
    recorder.post(client, rates, rate).await;
    recorder.get(client, rates).await;
    let entries = "/api/v1/time/entries";
    let entry = json!({
        "project_id": project, "date": "2027-01-04", "seconds": 5_400, "note": "Plan of the first fortnight",
    });
    let id = recorder.post(client, entries, entry).await.id();
    let entry = format!("{entries}/{id}");
    recorder.get(client, &format!("{entries}?from=2027-01-01&to=2027-01-31&limit=10")).await;
    recorder.get(client, &entry).await;
    recorder.patch(client, &entry, json!({ "seconds": 7_200 })).await;
    recorder.get(client, &format!("{entry}/history?limit=2")).await;
    recorder.delete(client, &entry).await;
    recorder.post(client, &format!("{entry}/restore"), json!({})).await;
    let timer = json!({ "project_id": project, "note": "Call with the builder" });
    recorder.post(client, &format!("{entries}/start"), timer).await;
    recorder.post(client, &format!("{entries}/stop"), json!({})).await;
    for step in ["submit", "reject", "approve", "export"] {
        recorder.post(client, &format!("{entries}/{step}"), json!({ "ids": [id] })).await;
    }
    recorder.get(client, "/api/v1/time/summary?group_by=project&from=2027-01-01&to=2027-01-31").await;
    let target = json!({ "member_id": owner.id, "project_id": project });
    recorder.post(client, &format!("{rates}/remove"), target).await;
}
