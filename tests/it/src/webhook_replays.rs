//! Replays: past events, queued again for a webhook.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, AppOptions, Client, Received, Receiver, assert_members, eventually};
use time::Duration;

use crate::support::UNKNOWN_ID;
use crate::webhook_deliveries::{deliveries, owner};
use crate::webhook_events::subscribe;
use crate::webhook_reach::manager;

const WEBHOOKS: &str = "/api/settings/webhooks";
const DEALS: &str = "/api/v1/crm/deals";
/// Earlier than all events.
const ALL_TIME: &str = "2000-01-01T00:00:00Z";
const MAX_QUEUED: u32 = 60;

fn with_small_queue(delivers: bool) -> AppOptions {
    AppOptions { max_waiting_deliveries: MAX_QUEUED, delivers, ..AppOptions::default() }
}

async fn switch(client: &Client, webhook: &str, enabled: bool) {
    let _ = client.patch(&format!("{WEBHOOKS}/{webhook}"), json!({"enabled": enabled})).await.expect(200);
}

async fn make_deals(client: &Client, count: usize) {
    for number in 0..count {
        let _ = client.post(DEALS, json!({"title": format!("D{number}")})).await.expect(201);
    }
}

async fn replay(client: &Client, webhook: &str, body: Value) -> ApiResponse {
    client.post(&format!("{WEBHOOKS}/{webhook}/replay"), body).await
}

async fn get_replay(client: &Client, webhook: &str, replay: &str) -> Value {
    client.get(&format!("{WEBHOOKS}/{webhook}/replays/{replay}")).await.expect(200).data().clone()
}

/// Waits until a replay has a state.
async fn wait_until(client: &Client, webhook: &str, replay: &str, state: &str) -> Value {
    eventually(state, async || get_replay(client, webhook, replay).await["state"] == state).await;
    get_replay(client, webhook, replay).await
}

#[tokio::test]
async fn a_receiver_that_was_down_gets_missed_events() {
    let (app, tenant, hook) = App::with_receiver().await;
    let webhook = subscribe(&tenant, &hook, "crm", json!(["deal.created", "deal.won"])).await.id();
    let client = owner(&tenant).await;
    make_deals(&client, 1).await;
    hook.wait_for(1).await;
    switch(&client, &webhook, false).await;
    app.advance(Duration::hours(1)).await;
    let since = domain::kernel::input::format_timestamp(app.ports.clock.now());
    make_deals(&client, 2).await;
    let won_deal = client.create(DEALS, json!({"title": "Won"})).await;
    let won_deal = client.patch(&format!("{DEALS}/{won_deal}"), json!({"status": "closed_won"})).await.expect(200);
    let _ = client.post("/api/v1/crm/contacts", json!({"email": "a@example.com"})).await.expect(201);
    app.advance(Duration::hours(1)).await;
    let missed = json!({"since": since, "dry_run": true});
    let counted = replay(&client, &webhook, missed.clone()).await.expect(200);
    assert_eq!(*counted.data(), json!({"id": null, "matched": 4, "state": null}));
    switch(&client, &webhook, true).await;
    let narrowed = json!({"since": since, "dry_run": true, "events": ["deal.won"]});
    assert_eq!(replay(&client, &webhook, narrowed).await.expect(200).data()["matched"], 1);
    let path = format!("{WEBHOOKS}/{webhook}/replay");
    let keyed = async || {
        let request = client.request("POST", &path).header("Idempotency-Key", "k");
        ApiResponse::of(request.json(&json!({"since": since}))).await.expect(202)
    };
    let started = keyed().await;
    assert_eq!(*started.data(), json!({"id": started.id(), "matched": 4, "state": "running"}));
    assert_eq!((keyed().await.id(), keyed().await.header("idempotent-replayed")), (started.id(), "true"));
    let received = hook.wait_for(5).await;
    let done = wait_until(&client, &webhook, &started.id(), "completed").await;
    assert_eq!((&done["matched"], &done["queued"], &done["webhook_id"]), (&json!(4), &json!(4), &json!(webhook)));
    assert_eq!((&done["events"], &done["only_failed"], &done["until"]), (&Value::Null, &json!(false), &Value::Null));
    assert!(done["finished_at"].is_string() && done["created_by"]["type"] == "user");
    let mut ids: Vec<_> = received.iter().map(|it| it.header("x-service-delivery-id").to_owned()).collect();
    ids.sort();
    ids.dedup();
    assert_eq!((ids.len(), received.len()), (5, 5), "each once, with its own id");
    let delivery = received.iter().find(|it| it.event() == "deal.won").unwrap();
    assert_eq!(delivery.body["created_at"], won_deal.data()["updated_at"], "the event keeps its time");
    assert_eq!(delivery.body["id"], delivery.header("x-service-delivery-id"));
    let log = client.get("/api/v1/events?event=deal.won").await.expect(200);
    assert_eq!((&log.data()[0]["id"], &log.data()[1]), (&delivery.body["event_id"], &Value::Null));
    assert_eq!(delivery.body["event_id"], delivery.header("x-service-event-id"));
    let marked = deliveries(&client, &webhook, "").await;
    assert_eq!(marked.iter().filter(|it| it["replay_id"] == json!(started.id())).count(), 4);
    assert_eq!(client.get(&format!("{WEBHOOKS}/{webhook}/replays")).await.expect(200).body["data"], json!([done]));
    let log = client.get("/api/settings/audit-log?limit=100").await.expect(200);
    let entry = log.data().as_array().unwrap().iter().find(|it| it["action"] == "webhook.replayed").unwrap().clone();
    assert_eq!((&entry["subject"]["id"], &entry["details"]["matched"]), (&json!(webhook), &json!(4)));
    assert_eq!(entry["details"]["replay_id"], json!(started.id()));
}

#[tokio::test]
async fn only_failed_events_are_sent_again() {
    let (app, tenant, hook) = App::with_receiver().await;
    let webhook = subscribe(&tenant, &hook, "crm", json!(["*"])).await.id();
    let client = owner(&tenant).await;
    let all_are = async |state: &str, count| {
        let query = format!("?state={state}");
        eventually(state, async || deliveries(&client, &webhook, &query).await.len() == count).await;
    };
    make_deals(&client, 1).await;
    all_are("succeeded", 1).await;
    hook.answer(404);
    make_deals(&client, 2).await;
    all_are("failed", 2).await;
    hook.answer(200);
    app.advance(Duration::seconds(1)).await;
    let failed = json!({"since": ALL_TIME, "only_failed": true});
    let started = replay(&client, &webhook, failed.clone()).await.expect(202);
    assert_eq!(started.data()["matched"], 2);
    wait_until(&client, &webhook, &started.id(), "completed").await;
    all_are("succeeded", 3).await;
    assert_eq!(hook.received().len(), 5);
    let nothing = replay(&client, &webhook, failed).await.expect(202);
    assert_eq!((&nothing.data()["matched"], &nothing.data()["state"]), (&json!(0), &json!("completed")));
}

/// While a replay waits for room in the queue, new events are sent immediately. A cancelled replay queues nothing more.
#[tokio::test]
async fn a_replay_uses_half_of_the_queue_and_can_be_cancelled() {
    let app = App::start_as(with_small_queue(false)).await;
    let (tenant, hook) = (app.workspace().await, Receiver::start().await);
    let client = owner(&tenant).await;
    make_deals(&client, 50).await;
    let webhook = subscribe(&tenant, &hook, "crm", json!(["*"])).await.id();
    let id = replay(&client, &webhook, json!({"since": ALL_TIME})).await.expect(202).id();
    let second = replay(&client, &webhook, json!({"since": ALL_TIME})).await.expect(409);
    assert_eq!(second.code(), "conflict");
    // Events without room wait.
    hook.answer(500);
    let sender = app.another(with_small_queue(true)).await;
    eventually("half of the queue is used", async || get_replay(&client, &webhook, &id).await["queued"] == 30).await;
    hook.wait_for(30).await;
    let _ = client.post(DEALS, json!({"title": "New"})).await.expect(201);
    let is_new = |it: &Received| it.body["payload"]["data"]["title"] == "New";
    eventually("it does not wait", async || hook.received().iter().any(is_new)).await;
    let running = get_replay(&client, &webhook, &id).await;
    assert_members(&running, &json!({"state": "running", "queued": 30, "matched": 50}));
    let path = format!("{WEBHOOKS}/{webhook}/replays/{id}/cancel");
    let cancelled = client.post(&path, json!({})).await.expect(200);
    assert_eq!((&cancelled.data()["state"], &cancelled.data()["queued"]), (&json!("cancelled"), &json!(30)));
    assert_eq!(client.post(&path, json!({})).await.expect(200).data(), cancelled.data(), "it stays as it is");
    hook.answer(200);
    app.advance(Duration::minutes(1)).await;
    let query = "?state=succeeded&limit=100";
    eventually("queued deliveries are sent", async || deliveries(&client, &webhook, query).await.len() == 31).await;
    // Another replay starts and completes once there is room.
    let next = replay(&client, &webhook, json!({"since": ALL_TIME, "events": ["deal.created"]})).await.expect(202);
    assert_eq!(next.data()["matched"], 51);
    wait_until(&client, &webhook, &next.id(), "completed").await;
    eventually("all are sent", async || deliveries(&client, &webhook, query).await.len() == 31 + 51).await;
    let too_late =
        client.post(&format!("{WEBHOOKS}/{webhook}/replays/{}/cancel", next.id()), json!({})).await.expect(409);
    assert_eq!(too_late.code(), "invalid_state_change");
    drop(sender);
}

/// If a dispatcher is killed during a replay, the next one continues, and every event is queued once.
#[tokio::test]
async fn a_replay_survives_its_dispatcher() {
    let app = App::start_as(with_small_queue(false)).await;
    let (tenant, hook) = (app.workspace().await, Receiver::start().await);
    let client = owner(&tenant).await;
    make_deals(&client, 70).await;
    let webhook = subscribe(&tenant, &hook, "crm", json!(["*"])).await.id();
    let id = replay(&client, &webhook, json!({"since": ALL_TIME})).await.expect(202).id();
    let mut killed = app.another(with_small_queue(true)).await;
    eventually("it is under way", async || get_replay(&client, &webhook, &id).await["queued"] != 0).await;
    killed.crash_dispatcher();
    let between = get_replay(&client, &webhook, &id).await["queued"].as_u64().unwrap();
    assert!(between > 0);
    // Its claimed deliveries are due again a minute later.
    app.clock.advance(Duration::minutes(2));
    let senders = [app.another(with_small_queue(true)).await, app.another(with_small_queue(true)).await];
    let completed = wait_until(&client, &webhook, &id, "completed").await;
    assert_eq!((&completed["queued"], &completed["matched"]), (&json!(70), &json!(70)));
    let query = "?state=succeeded&limit=100";
    eventually("all are sent", async || deliveries(&client, &webhook, query).await.len() == 70).await;
    assert_eq!(deliveries(&client, &webhook, "?limit=100").await.len(), 70, "one delivery each");
    let mut titles: Vec<_> =
        hook.received().iter().map(|it| it.body["payload"]["data"]["title"].as_str().unwrap().to_owned()).collect();
    titles.sort();
    titles.dedup();
    assert_eq!(titles.len(), 70);
    drop(senders);
}

#[tokio::test]
async fn invalid_replays_are_refused() {
    let app = App::start().await;
    let (tenant, hook) = (app.workspace().await, Receiver::start().await);
    let client = owner(&tenant).await;
    make_deals(&client, 1).await;
    let webhook = subscribe(&tenant, &hook, "crm", json!(["deal.created", "deal.won"])).await.id();
    for (body, status, field) in [
        (json!({}), 400, "since"),
        (json!({"since": "yesterday"}), 400, "since"),
        (json!({"since": ALL_TIME, "nope": 1}), 400, "nope"),
        (json!({"since": ALL_TIME, "only_failed": "yes"}), 400, "only_failed"),
        (json!({"since": ALL_TIME, "until": ALL_TIME}), 422, "until"),
        (json!({"since": "9999-01-01T00:00:00Z"}), 422, "since"),
        (json!({"since": ALL_TIME, "events": []}), 422, "events"),
        (json!({"since": ALL_TIME, "events": ["deal.won", "deal.lost"]}), 422, "events[1]"),
        (json!({"since": ALL_TIME, "events": ["*"]}), 422, "events[0]"),
        (json!({"since": ALL_TIME, "events": ["task.created"]}), 422, "events[0]"),
    ] {
        let reply = replay(&client, &webhook, body.clone()).await.expect(status);
        assert_eq!(reply.body["error"]["details"][0]["field"], field, "{body}: {}", reply.text);
    }
    let good = json!({"since": ALL_TIME});
    switch(&client, &webhook, false).await;
    assert_eq!(replay(&client, &webhook, good.clone()).await.expect(409).code(), "invalid_state_change");
    switch(&client, &webhook, true).await;
    // Callers who may not read its events do not find it.
    let seller = manager(&tenant, &["contacts.read"], &["read_contacts"]).await;
    let id = replay(&client, &webhook, good.clone()).await.expect(202).id();
    assert_eq!(replay(&seller, &webhook, good.clone()).await.status, 404);
    for path in [format!("{webhook}/replays"), format!("{webhook}/replays/{id}")] {
        assert_eq!(seller.get(&format!("{WEBHOOKS}/{path}")).await.status, 404, "{path}");
    }
    assert_eq!(seller.post(&format!("{WEBHOOKS}/{webhook}/replays/{id}/cancel"), json!({})).await.status, 404);
    assert_eq!(client.get(&format!("{WEBHOOKS}/{webhook}/replays/{UNKNOWN_ID}")).await.status, 404);
    // A replay belongs to its webhook.
    let other = subscribe(&tenant, &hook, "crm", json!(["*"])).await.id();
    assert_eq!(client.get(&format!("{WEBHOOKS}/{other}/replays/{id}")).await.status, 404);
    // A workspace may have five running replays.
    let _ = replay(&client, &other, good.clone()).await.expect(202);
    for _ in 0..3 {
        let more = subscribe(&tenant, &hook, "crm", json!(["*"])).await.id();
        let _ = replay(&client, &more, good.clone()).await.expect(202);
    }
    let sixth = subscribe(&tenant, &hook, "crm", json!(["*"])).await.id();
    let refused = replay(&client, &sixth, good.clone()).await.expect(409);
    assert_eq!(refused.code(), "conflict");
    // The replay of a deleted webhook has ended and frees its slot.
    let _ = client.delete(&format!("{WEBHOOKS}/{webhook}")).await.expect(200);
    assert_eq!(client.get(&format!("{WEBHOOKS}/{webhook}/replays/{id}")).await.status, 404);
    let _ = replay(&client, &sixth, good).await.expect(202);
}

/// A webhook whose maker can no longer read its events continues, but cannot be replayed.
#[tokio::test]
async fn a_replay_needs_a_maker() {
    let app = App::start().await;
    let (tenant, hook) = (app.workspace().await, Receiver::start().await);
    let (client, other) = (owner(&tenant).await, tenant.user(Role::Admin).await);
    make_deals(&client, 1).await;
    let body = json!({"module": "crm", "url": hook.url, "events": ["deal.created"]});
    let webhook = other.client.create(WEBHOOKS, body).await;
    let _ = client.delete(&format!("/api/settings/members/{}", other.id)).await.expect(200);
    let good = json!({"since": ALL_TIME});
    let refused = replay(&client, &webhook, good.clone()).await.expect(409);
    assert_eq!(refused.code(), "invalid_state_change", "{}", refused.text);
    let _ = client.patch(&format!("{WEBHOOKS}/{webhook}"), json!({"description": "Mine"})).await.expect(200);
    let _ = replay(&client, &webhook, good).await.expect(202);
}
