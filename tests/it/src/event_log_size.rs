//! How much changes add to the event log, and the limit per workspace and day.

use domain::identity::workspaces::PlanChange;
use domain::limits::LimitName;
use serde_json::{Value, json};
use test_support::{App, Client, eventually};
use time::Duration;

use crate::database::{execute, number};
use crate::webhook_deliveries::{owner, wait_until};
use crate::webhook_events::subscribe;

/// A description of maximum length in four-byte characters, without repetitions that could be compressed. The characters are from a
/// script that separates words by spaces: for other scripts, the search index stores pairs of characters.
fn longest_description(seed: u64) -> String {
    let numbers = std::iter::successors(Some(seed), |number| {
        Some(number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407))
    });
    numbers
        .skip(1)
        .map(|number| char::from_u32(0x1_2000 + (number >> 33) as u32 % 0x39a).unwrap())
        .take(50_000)
        .collect()
}

async fn task(client: &Client, description: &str) -> String {
    let body = json!({"kind": "task", "title": "Long", "description": description});
    client.create("/api/v1/issues", body).await
}

/// The bytes of the database, after a vacuum.
fn size(app: &App) -> i64 {
    execute(app, "VACUUM");
    number(app, "pg_database_size(current_database())")
}

#[tokio::test]
async fn a_small_change_of_a_large_record_adds_little() {
    let (app, client) = App::with_client().await;
    let path = format!("/api/v1/issues/{}", task(&client, &longest_description(1)).await);
    let before = size(&app);
    for round in 0..250 {
        let priority = if round % 2 == 0 { "low" } else { "high" };
        let _ = client.patch(&path, json!({"priority": priority})).await.expect(200);
    }
    let added = size(&app) - before;
    assert!(added <= 2 << 20, "{added} bytes");
}

/// The same for every kind with long members.
#[tokio::test]
async fn long_members_of_each_kind_are_stored_once() {
    let (app, client) = App::with_client().await;
    let long: String = longest_description(2).chars().take(10_000).collect();
    let fields = json!({"long": long});
    for (collection, body, changes) in [
        ("/api/v1/crm/companies", json!({"name": "A", "notes": long}), ["phone", "1", "2"]),
        (
            "/api/v1/crm/deals",
            json!({"title": "A", "description": long, "custom_fields": fields}),
            ["source", "1", "2"],
        ),
        ("/api/v1/projects", json!({"name": "A", "description": long}), ["priority", "low", "high"]),
    ] {
        let path = format!("{collection}/{}", client.create(collection, body).await);
        let chunks = "SELECT coalesce(sum(octet_length(content)), 0) FROM event_chunks";
        let (chunks_before, before) = (number(&app, chunks), size(&app));
        assert!(chunks_before > 0, "{collection}");
        for round in 0..200 {
            let _ = client.patch(&path, json!({changes[0]: changes[1 + round % 2]})).await.expect(200);
        }
        assert_eq!(number(&app, chunks), chunks_before, "{collection}");
        let added = size(&app) - before;
        assert!(added <= 2 << 20, "{collection}: {added} bytes");
    }
}

/// Deliveries and the log contain the values of the event, even if the record changed since.
#[tokio::test]
async fn long_values_arrive_complete() {
    let (app, tenant, hook) = App::with_receiver().await;
    let webhook = subscribe(&tenant, &hook, "projects", json!(["*"])).await.id();
    let client = tenant.full_access().await;
    let (first, second) = (longest_description(3), longest_description(4));
    hook.answer(500);
    let id = task(&client, &first).await;
    let path = format!("/api/v1/issues/{id}");
    let created = hook.wait_for(1).await[0].clone();
    let _ = client.patch(&path, json!({"description": second})).await.expect(200);
    let _ = client.patch(&path, json!({"priority": "urgent"})).await.expect(200);
    hook.wait_for(3).await;
    hook.answer(200);
    app.advance(Duration::seconds(6)).await;
    let received = hook.wait_for(6).await;
    let of_creation: Vec<_> = received.iter().filter(|one| one.event() == "task.created").collect();
    assert!(of_creation.len() >= 2 && of_creation.iter().all(|one| one.text == created.text));
    let body: Value = serde_json::from_str(&created.text).unwrap();
    assert_eq!(body["payload"]["data"]["description"], json!(first));
    let log = client.get(&format!("/api/v1/events?record_id={id}")).await.expect(200);
    let events = log.body["data"].as_array().unwrap();
    assert_eq!(events.len(), 3);
    assert_eq!((&events[0]["data"]["description"], &events[2]["data"]["description"]), (&json!(first), &json!(second)));
    assert_eq!(events[1]["changes"]["description"], json!({"from": first, "to": second}));
    let history = client.get(&format!("{path}/history")).await.expect(200);
    let newest_first: Vec<_> = events.iter().rev().map(|event| &event["data"]).collect();
    assert_eq!(
        history.body["data"].as_array().unwrap().iter().map(|event| &event["data"]).collect::<Vec<_>>(),
        newest_first
    );
    wait_until(&owner(&tenant).await, &webhook, "succeeded").await;
}

/// The size of an event page is limited by the bytes sent, not by the bytes stored.
#[tokio::test]
async fn a_page_of_events_with_long_values_is_bounded() {
    let (_app, client) = App::with_client().await;
    let id = task(&client, &longest_description(5)).await;
    for round in 0..40 {
        let priority = if round % 2 == 0 { "low" } else { "high" };
        let _ = client.patch(&format!("/api/v1/issues/{id}"), json!({"priority": priority})).await.expect(200);
    }
    let base = format!("/api/v1/events?record_id={id}&limit=100");
    let (mut path, mut events) = (base.clone(), 0);
    loop {
        let page = client.get(&path).await.expect(200);
        assert!(page.text.len() <= 5 << 20, "{}", page.text.len());
        events += page.body["data"].as_array().unwrap().len();
        if page.body["pagination"]["hasMore"] == false {
            break;
        }
        path = format!("{base}&cursor={}", page.body["pagination"]["nextCursor"].as_str().unwrap());
    }
    assert_eq!(events, 41);
}

#[tokio::test]
async fn a_workspace_above_its_event_limit_cannot_change_anything_until_the_next_day() {
    let (app, tenant) = App::with_workspace().await;
    let limit = |value| PlanChange { plan: None, limits: vec![(LimitName::EventBytesPerDay, Some(value))] };
    let tenant = tenant.change_plan(limit(100_000)).await;
    let client = tenant.full_access().await;
    let id = task(&client, &longest_description(6)).await;
    let path = format!("/api/v1/issues/{id}");
    eventually("changes are refused", async || {
        client.post("/api/v1/crm/deals", json!({"title": "One more"})).await.status == 429
    })
    .await;
    let refused = client.patch(&path, json!({"priority": "high"})).await.expect(429);
    assert_eq!(refused.body["error"], "quota_exceeded");
    assert!(refused.body["message"].as_str().unwrap().contains("100000 bytes"), "{}", refused.body);
    let retry_after: i64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=86_400).contains(&retry_after), "{retry_after}");
    assert_eq!(client.get(&path).await.status, 200);
    // Another workspace is not affected, and a higher limit applies immediately.
    let other = app.workspace().await.full_access().await;
    let _ = other.post("/api/v1/crm/deals", json!({"title": "Yes"})).await.expect(201);
    let tenant = tenant.change_plan(limit(10_000_000)).await;
    let client = tenant.full_access().await;
    eventually("changes are accepted", async || client.patch(&path, json!({"priority": "high"})).await.status == 200)
        .await;
}

/// A project was deleted within the limit, so the deletion of its records is announced even above it.
#[tokio::test]
async fn records_deleted_with_a_project_are_announced_even_above_the_event_limit() {
    let app = App::start().await;
    let limit = PlanChange { plan: None, limits: vec![(LimitName::EventBytesPerDay, Some(100_000))] };
    let tenant = app.workspace().await.change_plan(limit).await;
    let client = tenant.full_access().await;
    let id = task(&client, &longest_description(7)).await;
    eventually("changes are refused", async || {
        client.post("/api/v1/crm/deals", json!({"title": "One more"})).await.status == 429
    })
    .await;
    let hidden = format!(
        "UPDATE issues SET deleted_at = now() WHERE id = '{id}';
         INSERT INTO cascades (workspace_id, project_id, project_version, record_id, kind, version, verb)
             SELECT workspace_id, id, 2, id, 'task', version + 1, 'deleted' FROM issues WHERE id = '{id}'"
    );
    execute(&app, &hidden);
    let events = format!("/api/v1/events?event=task.deleted&record_id={id}");
    eventually("it is announced", async || client.get(&events).await.expect(200).data()[0].is_object()).await;
}
