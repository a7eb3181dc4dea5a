//! Events for entries: in the log, in webhooks, and alongside events reported by other systems.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, AppOptions, Received, Receiver};

use super::{duration, entry, entry_path, start, step, stop};
use crate::webhook_events::subscribe;

#[tokio::test]
async fn every_change_emits_one_event() {
    let app = App::start_as(AppOptions { delivers: true, ..AppOptions::default() }).await;
    let (tenant, hook) = (app.workspace().await, Receiver::start().await);
    subscribe(&tenant, &hook, "time", json!(["*"])).await;
    let (owner, ada) = (tenant.user(Role::Owner).await.client, tenant.user(Role::Member).await);
    let id = entry(&ada.client, duration("2030-01-07", 60)).await.id();
    let _ = ada.client.patch(&entry_path(&id), json!({"note": "n"})).await.expect(200);
    let _ = ada.client.patch(&entry_path(&id), json!({"note": "n"})).await.expect(200);
    for name in ["submit", "reject", "submit", "approve", "export"] {
        let _ = step(&owner, name, &[&id]).await.expect(200);
    }
    let timer = start(&ada.client, json!({})).await.expect(201).id();
    let _ = stop(&ada.client, json!({})).await.expect(200);
    let _ = ada.client.delete(&entry_path(&timer)).await.expect(200);
    let _ = ada.client.post(&format!("{}/restore", entry_path(&timer)), json!({})).await.expect(200);
    let expected = [
        "time_entry.approved",
        "time_entry.created",
        "time_entry.created",
        "time_entry.deleted",
        "time_entry.rejected",
        "time_entry.restored",
        "time_entry.started",
        "time_entry.stopped",
        "time_entry.submitted",
        "time_entry.submitted",
        "time_entry.updated",
        "time_entry.updated",
    ];
    let received = hook.wait_for(expected.len()).await;
    let mut names: Vec<_> = received.iter().map(Received::event).collect();
    names.sort_unstable();
    assert_eq!(names, expected);
    let stopped = received.iter().find(|one| one.event() == "time_entry.stopped").unwrap();
    let payload = &stopped.body["payload"];
    assert_eq!(stopped.header("x-service-module"), "time");
    assert_eq!(payload["changes"]["status"], json!({"from": "running", "to": "stopped"}));
    assert_eq!((&payload["data"]["id"], &payload["actor"]["id"]), (&json!(timer), &json!(ada.id)));
    let log = owner.get("/api/v1/events?module=time&limit=100").await.expect(200);
    let logged: Vec<_> = log.body["data"].as_array().unwrap().iter().map(|event| event["event"].clone()).collect();
    assert_eq!(logged.len(), expected.len(), "{logged:?}");
    assert_eq!(logged[..2], ["time_entry.created", "time_entry.updated"]);
}

#[tokio::test]
async fn other_systems_report_other_events_of_the_module() {
    let app = App::start_as(AppOptions { delivers: true, ..AppOptions::default() }).await;
    let (tenant, hook) = (app.workspace().await, Receiver::start().await);
    subscribe(&tenant, &hook, "time", json!(["timesheet.closed", "time_entry.created"])).await;
    let key = tenant.full_access().await;
    let report = async |event: &str| key.post("/api/modules/time/events", json!({"event": event, "payload": 1})).await;
    for name in ["time_entry.created", "time_entry.billed"] {
        assert_eq!(report(name).await.expect(422).details(), ["event:invalid_event"], "{name}");
    }
    let _ = report("timesheet.closed").await.expect(202);
    let _ = report("timesheet.opened").await.expect(202);
    let _ = entry(&tenant.user(Role::Member).await.client, duration("2030-01-07", 60)).await;
    let received = hook.wait_for(2).await;
    let mut names: Vec<_> = received.iter().map(Received::event).collect();
    names.sort_unstable();
    assert_eq!(names, ["time_entry.created", "timesheet.closed"]);
    let unknown = json!({"module": "time", "url": hook.url, "events": ["time_entry.billed"]});
    let refused = tenant.user(Role::Owner).await.client.post("/api/settings/webhooks", unknown).await.expect(422);
    assert_eq!(refused.details(), ["events[0]:unknown_event"]);
}

#[tokio::test]
async fn a_key_reads_the_events_of_its_scope() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let _ = entry(&tenant.user(Role::Member).await.client, duration("2030-01-07", 60)).await;
    let visible = async |scope: &str| {
        let client = tenant.with_scopes(&[scope]).await;
        let log = client.get("/api/v1/events").await.expect(200);
        log.body["data"].as_array().unwrap().iter().map(|event| event["event"].clone()).collect::<Vec<Value>>()
    };
    assert_eq!(visible("time.read").await, [json!("time_entry.created")]);
    assert!(visible("projects.read").await.is_empty());
}
