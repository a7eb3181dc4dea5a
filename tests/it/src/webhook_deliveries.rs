//! Attempts, retries and their history.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, AppOptions, Client, Receiver, Tenant, eventually};
use time::Duration;

use crate::tools::run;
use crate::webhook_events::subscribe;

const WEBHOOKS: &str = "/api/settings/webhooks";

/// A signed-in owner; sessions expire when a test moves the clock far.
pub(crate) async fn owner(tenant: &Tenant) -> Client {
    tenant.user(Role::Owner).await.client
}

pub(crate) async fn deliveries(client: &Client, webhook: &str, query: &str) -> Vec<Value> {
    let reply = client.get(&format!("{WEBHOOKS}/{webhook}/deliveries{query}")).await.expect(200);
    reply.data().as_array().unwrap().clone()
}

/// Waits until the newest delivery is in a state.
pub(crate) async fn wait_until(client: &Client, webhook: &str, state: &str) -> Value {
    eventually(state, async || deliveries(client, webhook, "").await.first().is_some_and(|one| one["state"] == state))
        .await;
    let id = deliveries(client, webhook, "").await[0]["id"].as_str().unwrap().to_owned();
    client.get(&format!("{WEBHOOKS}/deliveries/{id}")).await.expect(200).data().clone()
}

pub(crate) async fn test_delivery(client: &Client, webhook: &str) -> ApiResponse {
    client.post(&format!("{WEBHOOKS}/{webhook}/test"), json!({})).await.expect(202)
}

/// A test shows what an event looks like, and cannot be mistaken for one.
#[tokio::test]
async fn a_test_contains_a_sample_of_a_subscribed_event() {
    let (_app, tenant, hook) = App::with_receiver().await;
    let webhook = subscribe(&tenant, &hook, "projects", json!(["task.created"])).await.id();
    let client = owner(&tenant).await;
    let path = format!("{WEBHOOKS}/{webhook}/test");
    let _ = client.post(&path, json!({"event": "issue.created"})).await.expect(202);
    let delivery = &hook.wait_for(1).await[0];
    let types = client.get("/api/v1/event-types").await.expect(200);
    let known = types.data().as_array().unwrap().iter().find(|it| it["event"] == "task.created").unwrap().clone();
    let payload = &delivery.body["payload"];
    assert_eq!((delivery.event(), &payload["sample_of"]), ("webhook.test", &json!("task.created")));
    assert_eq!((&payload["data"], &payload["module"]), (&known["example"]["data"], &json!("projects")));
    assert_eq!((delivery.body.get("event_id"), delivery.header("x-service-event-id")), (None, ""));
    for event in ["task.updated", "deal.won", "booking.made", "*"] {
        let refused = client.post(&path, json!({ "event": event })).await.expect(422);
        assert_eq!(refused.details(), ["event:unknown_event"], "{event}");
    }
    let message = |refused: &ApiResponse| refused.body["error"]["details"][0]["message"].to_string();
    let all = client.post(&path, json!({"event": "*"})).await.expect(422);
    assert!(message(&all).contains("* stands for all"), "{}", all.text);
    let empty = client.post(&path, json!({"event": ""})).await.expect(422);
    assert_eq!(empty.details(), ["event:required"]);
    assert!(message(&empty).contains("such as task.created, or left out"), "{}", empty.text);
    let _ = client.post(&path, json!({"event": null})).await.expect(202);
}

#[tokio::test]
async fn a_failure_is_retried_on_schedule_until_it_succeeds() {
    let (app, tenant, hook) = App::with_receiver().await;
    let webhook = subscribe(&tenant, &hook, "crm", json!(["*"])).await.id();
    hook.answer(500);
    let client = owner(&tenant).await;
    let _ = tenant.full_access().await.post("/api/v1/crm/deals", json!({"title": "D"})).await.expect(201);
    hook.wait_for(1).await;
    let waiting = wait_until(&client, &webhook, "retrying").await;
    assert_eq!((&waiting["attempt_count"], waiting["next_attempt_at"].is_string()), (&json!(1), true));
    // Not before it is due.
    app.advance(Duration::seconds(4)).await;
    let _ = test_delivery(&client, &webhook).await;
    hook.wait_for(2).await;
    app.advance(Duration::seconds(2)).await;
    hook.wait_for(3).await;
    eventually("three failures are recorded", async || {
        let waiting = deliveries(&client, &webhook, "?state=retrying").await;
        let attempts = |event| waiting.iter().find(|one| one["event"] == event).map(|one| one["attempt_count"].clone());
        attempts("deal.created") == Some(json!(2)) && attempts("webhook.test").is_some()
    })
    .await;
    hook.answer(200);
    app.advance(Duration::seconds(40)).await;
    let received = hook.wait_for(5).await;
    let of_the_deal: Vec<_> = received.iter().filter(|one| one.event() == "deal.created").collect();
    assert!(of_the_deal.windows(2).all(|pair| pair[0].text == pair[1].text), "the same body byte for byte");
    assert!(of_the_deal.windows(2).all(|pair| {
        pair[0].header("x-service-delivery-id") == pair[1].header("x-service-delivery-id")
            && pair[0].header("x-service-signature") != pair[1].header("x-service-signature")
    }));
    eventually("both are done", async || deliveries(&client, &webhook, "?state=succeeded").await.len() == 2).await;
    let deal = &deliveries(&client, &webhook, "?event=deal.created").await[0];
    let id = deal["id"].as_str().unwrap();
    let whole = client.get(&format!("{WEBHOOKS}/deliveries/{id}")).await.expect(200);
    let attempts = whole.data()["attempts"].as_array().unwrap();
    assert_eq!(attempts.iter().map(|one| one["status"].as_u64().unwrap()).collect::<Vec<_>>(), [500, 500, 200]);
    assert_eq!(attempts.iter().map(|one| one["number"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(attempts.iter().all(|one| one["response"] == "ok" && one["error"].is_null()));
    assert_eq!((&whole.data()["body"]["id"], &whole.data()["body"]["event"]), (&json!(id), &json!("deal.created")));
    assert_eq!(deliveries(&client, &webhook, "?state=failed&state=cancelled").await.len(), 0);
    assert_eq!(client.get(&format!("{WEBHOOKS}/{webhook}/deliveries?state=nope")).await.status, 400);
}

#[tokio::test]
async fn a_permanent_failure_ends_the_delivery_and_410_disables_the_webhook() {
    let (_app, tenant, hook) = App::with_receiver().await;
    let webhook = subscribe(&tenant, &hook, "crm", json!(["*"])).await.id();
    let client = owner(&tenant).await;
    hook.answer(404);
    let _ = test_delivery(&client, &webhook).await;
    let failed = wait_until(&client, &webhook, "failed").await;
    assert_eq!((&failed["attempt_count"], failed["finished_at"].is_string()), (&json!(1), true));
    hook.answer(410);
    let _ = test_delivery(&client, &webhook).await;
    let path = format!("{WEBHOOKS}/{webhook}");
    eventually("it is disabled", async || client.get(&path).await.data()["disabled_reason"] == "gone").await;
    assert_eq!(client.get(&path).await.data()["enabled"], false);
    let _ = tenant.full_access().await.post("/api/v1/crm/deals", json!({"title": "D"})).await.expect(201);
    assert_eq!(deliveries(&client, &webhook, "").await.len(), 2, "nothing more is queued");
    hook.answer(200);
    let enabled = client.patch(&path, json!({"enabled": true})).await.expect(200);
    assert_eq!(enabled.data()["disabled_reason"], Value::Null);
    let _ = tenant.full_access().await.post("/api/v1/crm/deals", json!({"title": "D"})).await.expect(201);
    wait_until(&client, &webhook, "succeeded").await;
}

/// A row has every member of a delivery except body and attempts. The filter accepts aliases.
#[tokio::test]
async fn a_row_shows_the_whole_delivery_and_aliases_find_it() {
    let app = App::start().await;
    let (tenant, hook) = (app.workspace().await, Receiver::start().await);
    let webhook = subscribe(&tenant, &hook, "projects", json!(["issue.created"])).await.id();
    let client = owner(&tenant).await;
    let _ = client.post("/api/v1/issues", json!({"kind": "task", "title": "T"})).await.expect(201);
    for (event, count) in [("task.created", 1), ("issue.created", 1), ("issue.deleted", 0), ("webhook.test", 0)] {
        assert_eq!(deliveries(&client, &webhook, &format!("?event={event}")).await.len(), count, "{event}");
    }
    let row = deliveries(&client, &webhook, "").await.remove(0);
    let mut whole = client.get(&format!("{WEBHOOKS}/deliveries/{}", row["id"].as_str().unwrap())).await.expect(200);
    let whole = whole.body["data"].as_object_mut().unwrap();
    assert!(whole.remove("body").is_some() && whole.remove("attempts").is_some());
    assert_eq!(row, Value::Object(whole.clone()));
    let names: Vec<_> = whole.keys().map(String::as_str).collect();
    let expected = [
        "attempt_count",
        "created_at",
        "event",
        "event_id",
        "failed_reason",
        "finished_at",
        "id",
        "next_attempt_at",
        "redelivered_at",
        "replay_id",
        "state",
        "webhook_id",
    ];
    assert_eq!(names, expected);
    let key = crate::webhook_reach::manager(&tenant, &["issues.read"], &["read_tasks"]).await;
    let listed = run(&key, "list_webhook_deliveries", json!({"webhook_id": webhook, "event": "issue.created"})).await;
    assert_eq!(listed["data"][0], row);
}

#[tokio::test]
async fn queued_deliveries_of_a_deleted_webhook_are_cancelled() {
    let app = App::start().await;
    let (tenant, hook) = (app.workspace().await, Receiver::start().await);
    let webhook = subscribe(&tenant, &hook, "crm", json!(["*"])).await.id();
    let client = owner(&tenant).await;
    let queued = test_delivery(&client, &webhook).await.id();
    let path = format!("{WEBHOOKS}/deliveries/{queued}");
    assert_eq!(client.get(&path).await.expect(200).data()["state"], "pending");
    let _ = client.delete(&format!("{WEBHOOKS}/{webhook}")).await.expect(200);
    assert_eq!(client.get(&path).await.expect(200).data()["state"], "cancelled");
}

/// Nothing is lost when a dispatcher dies: its leases expire, and another one takes over.
#[tokio::test]
async fn a_crash_loses_nothing() {
    let (mut app, mut tenant, hook) = App::with_receiver().await;
    subscribe(&tenant, &hook, "crm", json!(["*"])).await;
    let mut expected = 0;
    for round in 0..4 {
        let client = tenant.full_access().await;
        for number in 0..40 {
            let title = json!({"title": format!("{round} {number}")});
            let _ = client.post("/api/v1/crm/deals", title).await.expect(201);
            expected += 1;
        }
        // Crashes the dispatcher during the attempt.
        app.crash_dispatcher();
        app.clock.advance(Duration::seconds(61));
        app = app.another(AppOptions { delivers: true, ..AppOptions::default() }).await;
        tenant = app.tenant(tenant.workspace);
    }
    let distinct = || {
        let ids = hook.received().into_iter().map(|one| one.header("x-service-delivery-id").to_owned());
        ids.collect::<std::collections::BTreeSet<_>>().len()
    };
    eventually("all deliveries arrived", async || distinct() == expected).await;
    let titles: std::collections::BTreeSet<_> =
        hook.received().iter().map(|one| one.body["payload"]["data"]["title"].to_string()).collect();
    assert_eq!(titles.len(), expected);
}
