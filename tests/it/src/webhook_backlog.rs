//! Webhooks of a workspace that emits more events than its receivers accept.

use std::collections::BTreeSet;

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, AppOptions, Receiver, eventually};

const WEBHOOKS: &str = "/api/settings/webhooks";
const USAGE: &str = "/api/settings/usage";
const MAX_QUEUED: u32 = 60;

/// Large events for many webhooks are queued up to the limit and follow as receivers accept them; settings show
/// the backlog; every webhook gets every event once.
#[tokio::test]
async fn a_fan_out_is_limited_and_loses_nothing() {
    let bounded = || AppOptions { max_waiting_deliveries: MAX_QUEUED, ..AppOptions::default() };
    let app = App::start_as(bounded()).await;
    let (tenant, receiver) = (app.workspace().await, Receiver::start().await);
    let (owner, client) = (tenant.user(Role::Owner).await.client, tenant.full_access().await);
    let mut hooks = Vec::new();
    for _ in 0..20 {
        let body = json!({"module": "projects", "url": receiver.url, "events": ["task.updated"]});
        hooks.push(owner.create(WEBHOOKS, body).await);
    }
    // Sent before the flood by a dispatcher that then stops.
    let (mut sender, other) = (app.another(AppOptions { delivers: true, ..bounded() }).await, Receiver::start().await);
    let body = json!({"module": "crm", "url": other.url, "events": ["deal.won"]});
    let delivery = owner.create(WEBHOOKS, body).await;
    let delivery = owner.post(&format!("{WEBHOOKS}/{delivery}/test"), json!({})).await.expect(202).id();
    let delivery = format!("{WEBHOOKS}/deliveries/{delivery}");
    eventually("it is sent", async || owner.get(&delivery).await.data()["state"] == "succeeded").await;
    sender.crash_dispatcher();
    let description = "x".repeat(40_000);
    let mut tasks = Vec::new();
    for number in 0..10 {
        let task = json!({"kind": "task", "title": format!("T{number}"), "description": description});
        tasks.push(client.create("/api/v1/issues", task).await);
    }
    let change = json!({"issueIds": tasks, "patch": {"priority": "high"}});
    let _ = client.post("/api/v1/issues/bulk-update", change).await.expect(200);
    let usage = owner.get(USAGE).await.expect(200).data()["webhooks"].clone();
    assert_eq!((&usage["waiting"], &usage["behind"], &usage["max_waiting"]), (&json!(60), &json!(7), &json!(60)));
    assert!(usage["oldest_behind_at"].is_string());
    let path = format!("{WEBHOOKS}/{}/deliveries?limit=100", hooks[0]);
    let waiting = owner.get(&path).await.expect(200).ids();
    assert_eq!(waiting.len(), 3);
    let redelivery = owner.post(&format!("{delivery}/redeliver"), json!({})).await;
    assert_eq!((redelivery.status, redelivery.code()), (409, "conflict"), "{}", redelivery.text);
    let sender = app.another(AppOptions { delivers: true, ..bounded() }).await;
    // On a busy machine, an attempt may time out and be repeated.
    let distinct = || receiver.received().into_iter().map(|it| it.text).collect::<BTreeSet<_>>();
    eventually("all arrive, each with its own id", async || distinct().len() == 200).await;
    for hook in &hooks {
        let path = format!("{WEBHOOKS}/{hook}/deliveries?limit=100&state=succeeded");
        eventually("each webhook got each event", async || owner.get(&path).await.ids().len() == 10).await;
    }
    for text in distinct() {
        let body: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(body["payload"]["data"]["description"], json!(description));
    }
    let usage = owner.get(USAGE).await.expect(200).data()["webhooks"].clone();
    assert_eq!(usage, json!({"waiting": 0, "behind": 0, "max_waiting": 60, "oldest_behind_at": null}));
    drop(sender);
}
