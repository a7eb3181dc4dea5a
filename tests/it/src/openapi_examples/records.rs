//! Contacts, companies, deals, projects and issues.

use serde_json::json;
use test_support::{Client, Tenant};

use super::Recorder;

pub(super) async fn record(recorder: &Recorder, tenant: &Tenant) {
    let client = tenant.full_access().await;
    crm(recorder, &client).await;
    work(recorder, &client).await;
    for path in ["/api/v1/me", "/api/v1/members", "/api/v1/event-types", "/api/v1/events?limit=2"] {
        recorder.get(&client, path).await;
    }
}

async fn crm(recorder: &Recorder, client: &Client) {
    let company = json!({ "name": "Lighthouse Cafe", "domain": "lighthouse.example", "industry": "Hospitality" });
    let company = recorder.post(client, "/api/v1/crm/companies", company).await.id();
    let contact = json!({
        "first_name": "Mona", "last_name": "Okafor", "email": "mona@lighthouse.example", "phone": "+44 20 7946 0018",
        "company_id": company, "tags": ["owner"],
    });
    let contact = recorder.post(client, "/api/v1/crm/contacts", contact).await.id();
    recorder.get(client, "/api/v1/crm/contacts?search=mona&limit=10").await;
    let deal = json!({
        "title": "Espresso machine and service", "contact_id": contact, "company_id": company, "value": 18400,
        "currency": "EUR", "stage": "proposal", "expected_close_date": "2027-01-15",
    });
    let deal = recorder.post(client, "/api/v1/crm/deals", deal).await.id();
    for (list, id, change) in [
        ("/api/v1/crm/companies", company, json!({ "industry": "Cafes" })),
        ("/api/v1/crm/deals", deal, json!({ "stage": "negotiation", "probability": 70 })),
    ] {
        let record = format!("{list}/{id}");
        let texts = ["Asked for a second quote.", "Asked for a second quote, with delivery."];
        comment(recorder, client, &format!("{record}/comments"), texts).await;
        changes(recorder, client, list, &record, change).await;
    }
}

async fn comment(recorder: &Recorder, client: &Client, list: &str, [first, second]: [&str; 2]) {
    let comment = recorder.post(client, list, json!({ "body": first })).await.id();
    recorder.get(client, list).await;
    let comment = format!("{list}/{comment}");
    recorder.patch(client, &comment, json!({ "body": second })).await;
    recorder.delete(client, &comment).await;
}

/// Operations that all records have.
pub(super) async fn changes(recorder: &Recorder, client: &Client, list: &str, record: &str, change: serde_json::Value) {
    recorder.get(client, &format!("{list}?limit=10")).await;
    recorder.get(client, record).await;
    recorder.patch(client, record, change).await;
    recorder.get(client, &format!("{record}/history?limit=2")).await;
    recorder.delete(client, record).await;
    recorder.post(client, &format!("{record}/restore"), json!({})).await;
}

async fn work(recorder: &Recorder, client: &Client) {
    let project = recorder.post(client, "/api/v1/projects", json!({ "name": "New website" })).await.id();
    let project_path = format!("/api/v1/projects/{project}");
    let cycles = format!("{project_path}/cycles");
    let cycle = json!({ "name": "First fortnight", "start_date": "2027-01-04", "end_date": "2027-01-17" });
    let cycle = recorder.post(client, &cycles, cycle).await.id();
    recorder.get(client, &cycles).await;
    recorder.patch(client, &format!("{cycles}/{cycle}"), json!({ "end_date": "2027-01-18" })).await;
    let task = json!({
        "kind": "task", "title": "Photograph the shop", "project_id": project, "cycle_id": cycle, "priority": "high",
    });
    let task = recorder.post(client, "/api/v1/issues", task).await.id();
    let bulk = json!({ "issueIds": [task], "patch": { "status": "in_progress" } });
    recorder.post(client, "/api/v1/issues/bulk-update", bulk).await;
    recorder.get(client, &format!("{project_path}/issues")).await;
    let record = format!("/api/v1/issues/{task}");
    let texts = ["Tuesday morning has the best light.", "Wednesday morning has the best light."];
    comment(recorder, client, &format!("{record}/comments"), texts).await;
    changes(recorder, client, "/api/v1/issues", &record, json!({ "due_at": "2027-01-12T16:00:00Z" })).await;
    recorder.delete(client, &format!("{cycles}/{cycle}")).await;
    changes(recorder, client, "/api/v1/projects", &project_path, json!({ "status": "active" })).await;
}
