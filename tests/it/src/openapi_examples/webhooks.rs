//! Webhooks, their deliveries and replays.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Receiver, Tenant};

use super::Recorder;
use crate::webhook_deliveries::wait_until;

const LIST: &str = "/api/settings/webhooks";

pub(super) async fn record(recorder: &Recorder, tenant: &Tenant) {
    let owner = tenant.user(Role::Owner).await.client;
    let hook = Receiver::start().await;
    let new = json!({ "module": "crm", "url": hook.url, "events": ["deal.created", "deal.won"] });
    let id = recorder.post(&owner, LIST, new).await.id();
    let webhook = format!("{LIST}/{id}");
    recorder.get(&owner, LIST).await;
    recorder.get(&owner, &webhook).await;
    recorder.patch(&owner, &webhook, json!({ "events": ["*"] })).await;
    recorder.post(&owner, &format!("{webhook}/test"), json!({})).await;
    let delivery = wait_until(&owner, &id, "succeeded").await["id"].as_str().unwrap().to_owned();
    recorder.get(&owner, &format!("{webhook}/deliveries")).await;
    let delivery = format!("{LIST}/deliveries/{delivery}");
    recorder.get(&owner, &delivery).await;
    recorder.post(&owner, &format!("{delivery}/redeliver"), json!({})).await;
    recorder.post(&owner, &format!("{webhook}/rotate-secret"), json!({ "overlap_seconds": 3600 })).await;
    recorder.delete(&owner, &webhook).await;
    let several =
        json!({ "modules": ["crm", "support"], "url": hook.url, "events": ["deal.created", "ticket.created"] });
    let first = owner.post(LIST, several).await.expect(201).id();
    recorder.delete(&owner, &format!("{LIST}/{first}/group")).await;
    replays(recorder).await;
}

async fn replays(recorder: &Recorder) {
    // Nothing is delivered here, so a replay lasts until it is cancelled.
    let (_app, tenant) = App::with_workspace().await;
    let owner = &tenant.user(Role::Owner).await.client;
    let _ = tenant.full_access().await.post("/api/v1/crm/deals", json!({ "title": "Grinder" })).await.expect(201);
    let hook = Receiver::start().await;
    let new = json!({ "module": "crm", "url": hook.url, "events": ["deal.created"] });
    let webhook = format!("{LIST}/{}", owner.post(LIST, new).await.expect(201).id());
    let replay = json!({ "since": "2026-01-01T00:00:00Z", "events": ["deal.created"] });
    let replay = recorder.post(owner, &format!("{webhook}/replay"), replay).await.id();
    recorder.get(owner, &format!("{webhook}/replays")).await;
    let replay = format!("{webhook}/replays/{replay}");
    recorder.get(owner, &replay).await;
    recorder.post(owner, &format!("{replay}/cancel"), json!({})).await;
}
