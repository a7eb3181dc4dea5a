//! Redelivery, and when attempts may start.

use domain::webhooks::MAX_ATTEMPTS;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, AppOptions, Receiver, eventually};
use time::Duration;

use crate::database::execute;
use crate::support::send_in_parallel;
use crate::webhook_deliveries::{deliveries, owner, test_delivery, wait_until};
use crate::webhook_events::subscribe;

const WEBHOOKS: &str = "/api/settings/webhooks";

#[tokio::test]
async fn a_redelivery_is_the_same_delivery_with_a_longer_history() {
    let (app, tenant, hook) = App::with_receiver().await;
    let webhook = subscribe(&tenant, &hook, "crm", json!(["*"])).await.id();
    let client = owner(&tenant).await;
    hook.answer(404);
    let _ = tenant.full_access().await.post("/api/v1/crm/deals", json!({"title": "D"})).await.expect(201);
    let first = wait_until(&client, &webhook, "failed").await;
    let id = first["id"].as_str().unwrap();
    assert_eq!((&first["redelivered_at"], &first["failed_reason"]), (&Value::Null, &Value::Null));
    hook.answer(500);
    let path = format!("{WEBHOOKS}/deliveries/{id}/redeliver");
    let keyed =
        async || ApiResponse::of(client.request("POST", &path).header("Idempotency-Key", "k")).await.expect(202);
    let repeated = keyed().await;
    assert_eq!((repeated.id(), repeated.data()["redelivered_at"].is_string()), (id.to_owned(), true));
    hook.wait_for(2).await;
    hook.answer(200);
    let replayed = keyed().await;
    assert_eq!((&replayed.body, replayed.header("idempotent-replayed")), (&repeated.body, "true"));
    // Retries start over: the second of nine attempts waits 5 s again.
    app.advance(Duration::seconds(6)).await;
    let succeeded = wait_until(&client, &webhook, "succeeded").await;
    let received = hook.wait_for(3).await;
    assert!(received.iter().all(|one| one.text == received[0].text && one.header("x-service-delivery-id") == id));
    assert_eq!((received[0].header("x-service-event-id").len(), &first["event"]), (36, &json!("deal.created")));
    let history: Vec<_> = succeeded["attempts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["number"].as_u64().unwrap(), one["status"].as_u64().unwrap(), one["manual"] == true))
        .collect();
    assert_eq!(history, [(1, 404, false), (2, 500, true), (3, 200, true)]);
    assert_eq!(deliveries(&client, &webhook, "").await.len(), 1, "no other delivery");
    let _ = client.patch(&format!("{WEBHOOKS}/{webhook}"), json!({"enabled": false})).await.expect(200);
    assert_eq!(client.post(&path, json!({})).await.expect(409).code(), "invalid_state_change");
    let _ = client.delete(&format!("{WEBHOOKS}/{webhook}")).await.expect(200);
    assert_eq!(client.post(&path, json!({})).await.status, 404);
}

/// All parallel requests are accepted, but the delivery is sent once.
#[tokio::test]
async fn parallel_redeliveries_send_it_once() {
    let (mut app, tenant, hook) = App::with_receiver().await;
    let webhook = subscribe(&tenant, &hook, "crm", json!(["*"])).await.id();
    let client = owner(&tenant).await;
    let id = test_delivery(&client, &webhook).await.id();
    wait_until(&client, &webhook, "succeeded").await;
    // No dispatcher runs while they are requested.
    app.crash_dispatcher();
    let path = format!("{WEBHOOKS}/deliveries/{id}/redeliver");
    for reply in send_in_parallel((0..8).map(|_| client.request("POST", &path).json(&json!({})))).await {
        assert_eq!((reply.status, reply.id(), &reply.data()["state"]), (202, id.clone(), &json!("pending")));
    }
    let app = app.another(AppOptions { delivers: true, ..AppOptions::default() }).await;
    let tenant = app.tenant(tenant.workspace.clone());
    let client = owner(&tenant).await;
    let succeeded = wait_until(&client, &webhook, "succeeded").await;
    assert_eq!((&succeeded["attempt_count"], hook.received().len()), (&json!(2), 2));
}

/// A redelivery that is accepted while the delivery is being sent is not lost: another attempt follows.
#[tokio::test]
async fn a_redelivery_during_an_attempt_causes_another_attempt() {
    let app = App::delivering().await;
    let (tenant, hook) = (app.workspace().await, Receiver::hanging().await);
    let webhook = subscribe(&tenant, &hook, "crm", json!(["*"])).await.id();
    let client = owner(&tenant).await;
    let id = test_delivery(&client, &webhook).await.id();
    hook.wait_for(1).await;
    let retry = client.post(&format!("{WEBHOOKS}/deliveries/{id}/redeliver"), json!({})).await.expect(202);
    assert_eq!((&retry.data()["state"], retry.data()["redelivered_at"].is_string()), (&json!("delivering"), true));
    hook.answer(200);
    hook.wait_for(2).await;
    let is_done = async || {
        let shown = client.get(&format!("{WEBHOOKS}/deliveries/{id}")).await.expect(200).data().clone();
        shown["state"] == "succeeded" && shown["attempt_count"] == 2
    };
    eventually("both attempts are recorded", is_done).await;
    assert_eq!(hook.received().len(), 2, "once");
}

/// The history of one delivery cannot grow without limit.
#[tokio::test]
async fn the_number_of_redeliveries_is_limited() {
    let app = App::start().await;
    let (tenant, hook) = (app.workspace().await, Receiver::start().await);
    let webhook = subscribe(&tenant, &hook, "crm", json!(["*"])).await.id();
    let client = owner(&tenant).await;
    let id = test_delivery(&client, &webhook).await.id();
    let path = format!("{WEBHOOKS}/deliveries/{id}/redeliver");
    for (attempts, status) in [(MAX_ATTEMPTS - 8, 409), (MAX_ATTEMPTS - 9, 202)] {
        let update = format!(
            "UPDATE webhook_deliveries SET state = 'failed', attempts = {attempts}, finished_at = now(), \
             next_attempt_at = NULL WHERE id = '{id}'"
        );
        execute(&app, &update);
        assert_eq!(client.post(&path, json!({})).await.status, status, "{attempts}");
    }
}

/// After a webhook was disabled for a day, deliveries that were attempted before are not retried, and say why. Others are sent however
/// late, such as after an outage of all dispatchers or after the clock was ahead.
#[tokio::test]
async fn no_retry_is_sent_after_a_day_and_every_delivery_is_attempted() {
    let (mut app, tenant, hook) = App::with_receiver().await;
    let webhook = subscribe(&tenant, &hook, "crm", json!(["*"])).await.id();
    let path = format!("{WEBHOOKS}/{webhook}");
    hook.answer_with(503, "Retry-After: 3600\r\n");
    let deal = json!({"title": "D"});
    let _ = tenant.full_access().await.post("/api/v1/crm/deals", deal.clone()).await.expect(201);
    let client = owner(&tenant).await;
    wait_until(&client, &webhook, "retrying").await;
    let _ = client.patch(&path, json!({"enabled": false})).await.expect(200);
    app.advance(Duration::hours(25)).await;
    let client = owner(&tenant).await;
    hook.answer(200);
    let _ = client.patch(&path, json!({"enabled": true})).await.expect(200);
    let expired = wait_until(&client, &webhook, "failed").await;
    assert_eq!((&expired["failed_reason"], &expired["attempt_count"]), (&json!("expired"), &json!(1)));
    assert_eq!((expired["attempts"].as_array().unwrap().len(), hook.received().len()), (1, 1));
    // A redelivery starts a new day.
    let id = expired["id"].as_str().unwrap();
    let _ = client.post(&format!("{WEBHOOKS}/deliveries/{id}/redeliver"), json!({})).await.expect(202);
    assert_eq!(wait_until(&client, &webhook, "succeeded").await["failed_reason"], Value::Null);
    app.crash_dispatcher();
    let _ = tenant.full_access().await.post("/api/v1/crm/deals", deal).await.expect(201);
    app.advance(Duration::days(3)).await;
    let _ = tenant.full_access().await.post("/api/v1/crm/deals", json!({"title": "Ahead"})).await.expect(201);
    app.clock.advance(-Duration::days(2));
    assert_eq!(hook.received().len(), 2);
    let app = app.another(AppOptions { delivers: true, ..AppOptions::default() }).await;
    let received = hook.wait_for(4).await;
    assert!(received[2..].iter().any(|one| one.text.contains("Ahead")), "due in two days by the clock that was ahead");
    let tenant = app.tenant(tenant.workspace.clone());
    let client = owner(&tenant).await;
    eventually("both are recorded", async || deliveries(&client, &webhook, "?state=succeeded").await.len() == 3).await;
}

#[tokio::test]
async fn deliveries_for_a_disabled_webhook_end_after_thirty_days() {
    let app = App::start().await;
    let (tenant, hook) = (app.workspace().await, Receiver::start().await);
    let webhook = subscribe(&tenant, &hook, "crm", json!(["*"])).await.id();
    let client = owner(&tenant).await;
    let _ = client.post("/api/v1/crm/deals", json!({"title": "D"})).await.expect(201);
    let _ = client.patch(&format!("{WEBHOOKS}/{webhook}"), json!({"enabled": false})).await.expect(200);
    let id = deliveries(&client, &webhook, "").await[0]["id"].as_str().unwrap().to_owned();
    app.advance(Duration::days(30) + Duration::SECOND).await;
    // A dispatcher handles old deliveries when it starts.
    let app = app.another(AppOptions { delivers: true, ..AppOptions::default() }).await;
    let tenant = app.tenant(tenant.workspace.clone());
    let client = owner(&tenant).await;
    let path = format!("{WEBHOOKS}/deliveries/{id}");
    test_support::eventually("it is deleted", async || client.get(&path).await.status == 404).await;
    assert!(hook.received().is_empty());
}
