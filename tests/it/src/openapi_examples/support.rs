//! Customer tickets, the portal, the widget, the knowledge base and the tool API.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Client, Tenant, simple_kinds};

use super::Recorder;
use super::records::changes;
use crate::all_callers::{PAGE, enable_widget};

pub(super) async fn record(recorder: &Recorder, app: &App, tenant: &Tenant) {
    let owner = tenant.user(Role::Owner).await.client;
    let key = tenant.full_access().await;
    articles(recorder, &owner).await;
    recorder.get(&key, "/api/public/kb/search?q=descale").await;
    for kind in simple_kinds() {
        let record = format!("{}/{}", kind.path, recorder.post(&key, kind.path, (kind.body)(1)).await.id());
        changes(recorder, &key, kind.path, &record, (kind.body)(2)).await;
    }
    tickets(recorder, app, tenant, &key).await;
    enable_widget(&owner).await;
    let widget = format!("/api/widget/{}", tenant.workspace.id);
    let question = json!({ "name": "Jonas Weber", "email": "jonas@example.org", "subject": "Do you repair grinders?" });
    let from_page = |method: &str, path: &str| owner.request(method, &format!("{widget}{path}")).header("Origin", PAGE);
    recorder.send(from_page("POST", "/tickets").json(&question)).await;
    recorder.send(from_page("GET", "/kb/search?q=descale")).await;
    let event = json!({ "event": "timesheet.closed", "payload": { "minutes": 45 } });
    recorder.post(&key, "/api/modules/time/events", event).await;
    tools(recorder, &key).await;
}

async fn articles(recorder: &Recorder, owner: &Client) {
    let list = "/api/settings/kb/articles";
    let article = json!({
        "title": "How to descale the machine", "body": "Fill the tank with the solution, then press *Clean*.",
        "status": "published", "tags": ["care"],
    });
    let article = format!("{list}/{}", recorder.post(owner, list, article).await.id());
    recorder.get(owner, list).await;
    recorder.get(owner, &article).await;
    recorder.patch(owner, &article, json!({ "tags": ["care", "espresso"] })).await;
    let other = recorder.post(owner, list, json!({ "title": "Old prices", "body": "From 2025." })).await.id();
    recorder.delete(owner, &format!("{list}/{other}")).await;
}

async fn tickets(recorder: &Recorder, app: &App, tenant: &Tenant, key: &Client) {
    let email = "mona@lighthouse.example";
    let ticket = json!({
        "name": "Mona Okafor", "email": email, "subject": "The steam wand drips",
        "description": "Since yesterday, even when it is closed.", "type": "incident",
    });
    let created = recorder.post(key, "/api/public/tickets", ticket).await;
    let reference = created.data()["reference"].as_str().unwrap().to_owned();
    recorder.get(key, &format!("/api/public/tickets?email={email}")).await;
    recorder.get(key, &format!("/api/public/tickets/{reference}")).await;
    let link = format!("/api/public/tickets/{reference}/tracking-links");
    let link = recorder.post(key, &link, json!({})).await;
    let anonymous = app.anonymous();
    let session = json!({ "token": link.data()["token"] });
    let session = recorder.post(&anonymous, "/api/portal/sessions", session).await;
    let customer = app.with_key(session.data()["token"].as_str().unwrap());
    recorder.get(&customer, "/api/portal/ticket").await;
    recorder.post(&customer, "/api/portal/ticket/replies", json!({ "body": "It stopped. Thank you!" })).await;
    let new_link = json!({ "workspace_id": tenant.workspace.id, "reference": reference, "email": email });
    recorder.post(&anonymous, "/api/portal/magic-links", new_link).await;
}

async fn tools(recorder: &Recorder, key: &Client) {
    recorder.get(key, "/api/mcp/session").await;
    recorder.get(key, "/api/mcp/tools/list?features=support").await;
    recorder.post(key, "/api/mcp/tools/list", json!({ "features": ["support"] })).await;
    let call = json!({ "name": "list_contacts", "arguments": { "search": "mona" } });
    recorder.post(key, "/api/mcp/tools/call", call).await;
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let accept = "application/json, text/event-stream";
    recorder.send(key.request("POST", "/api/mcp").header("Accept", accept).json(&ping)).await;
}
