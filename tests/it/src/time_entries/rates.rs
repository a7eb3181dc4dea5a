//! Rates of members: who sets them, which one applies, and who sees them.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, Client};

use super::{ENTRIES, duration, entry, entry_path, merged, step, task};
use crate::support::UNKNOWN_ID;

const RATES: &str = "/api/settings/time-rates";

async fn rate_of(client: &Client, id: &str) -> (Value, Value) {
    let entry = client.get(&entry_path(id)).await.expect(200).data().clone();
    (entry["rate"].clone(), entry["rate_currency"].clone())
}

#[tokio::test]
async fn an_entry_keeps_the_rate_from_when_it_was_logged() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (owner, ada) = (tenant.user(Role::Owner).await.client, tenant.user(Role::Member).await);
    let project = owner.post("/api/v1/projects", json!({"name": "p"})).await.expect(201).id();
    let task = task(&owner, Some(&project)).await;
    let without = entry(&ada.client, duration("2030-01-07", 60)).await.id();
    let general = json!({"member_id": ada.id, "rate": 100});
    let set = owner.post(RATES, general).await.expect(200);
    let expected = json!({"member_id": ada.id, "project_id": null, "rate": 100, "currency": "USD"});
    assert_eq!(set.data(), &expected, "in the currency of the workspace");
    let special = json!({"member_id": ada.id, "project_id": project, "rate": 120.5, "currency": "CHF"});
    assert_eq!(owner.post(RATES, special.clone()).await.expect(200).data(), &special);
    assert_eq!(owner.get(RATES).await.expect(200).data().as_array().map(Vec::len), Some(2));
    let in_general = entry(&ada.client, duration("2030-01-07", 60)).await.id();
    let in_project = entry(&ada.client, merged(duration("2030-01-07", 60), json!({"task_id": task}))).await.id();
    let raised = json!({"member_id": ada.id, "project_id": project, "rate": 130, "currency": "CHF"});
    let _ = owner.post(RATES, raised).await.expect(200);
    assert_eq!(rate_of(&owner, &without).await, (Value::Null, Value::Null));
    assert_eq!(rate_of(&owner, &in_general).await, (json!(100), json!("USD")));
    assert_eq!(rate_of(&owner, &in_project).await, (json!(120.5), json!("CHF")));
    // A removed rate does not apply to new entries.
    let target = json!({"member_id": ada.id, "project_id": project});
    let removed = owner.post(&format!("{RATES}/remove"), target.clone()).await.expect(200);
    assert_eq!(removed.body, json!({"data": {"done": true}}));
    assert_eq!(owner.post(&format!("{RATES}/remove"), target).await.expect(404).code(), "not_found");
    let later = entry(&ada.client, merged(duration("2030-01-07", 60), json!({"task_id": task}))).await.id();
    assert_eq!(rate_of(&owner, &later).await, (json!(100), json!("USD")));
    assert_eq!(rate_of(&owner, &in_project).await, (json!(120.5), json!("CHF")));
}

#[tokio::test]
async fn rates_are_for_owners_admins_and_the_member() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (owner, admin) = (tenant.user(Role::Owner).await.client, tenant.user(Role::Admin).await.client);
    let (ada, bob) = (tenant.user(Role::Member).await, tenant.user(Role::Member).await.client);
    let (key, viewer) = (tenant.full_access().await, tenant.user(Role::Viewer).await.client);
    let _ = owner.post(RATES, json!({"member_id": ada.id, "rate": 100, "currency": "EUR"})).await.expect(200);
    let id = entry(&ada.client, duration("2030-01-07", 60)).await.id();
    let shown = |client: &Client| {
        let client = client.clone();
        let path = format!("{ENTRIES}?member={}", ada.id);
        async move { client.get(&path).await.expect(200).body["data"][0]["rate"].clone() }
    };
    for client in [&owner, &admin, &ada.client] {
        assert_eq!(rate_of(client, &id).await, (json!(100), json!("EUR")));
        assert_eq!(shown(client).await, json!(100));
    }
    for client in [&bob, &viewer, &key] {
        assert_eq!(rate_of(client, &id).await, (Value::Null, Value::Null));
        assert_eq!(shown(client).await, Value::Null);
    }
    // Responses to changes, histories and events do not reveal it either.
    let changed = key.patch(&entry_path(&id), json!({"note": "n"})).await.expect(200);
    assert_eq!(changed.data()["rate"], Value::Null);
    let submitted = step(&key, "submit", &[&id]).await.expect(200);
    assert_eq!(submitted.data()[0]["rate"], Value::Null);
    for path in [format!("{}/history", entry_path(&id)), format!("/api/v1/events?record_id={id}")] {
        let events = owner.get(&path).await.expect(200);
        let all = events.body["data"].as_array().unwrap();
        assert!(!all.is_empty() && all.iter().all(|event| event["data"]["rate"].is_null()), "{}", events.text);
        assert!(!events.text.contains("EUR"), "{}", events.text);
    }
}

#[tokio::test]
async fn owners_set_rates() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (owner, admin) = (tenant.user(Role::Owner).await.client, tenant.user(Role::Admin).await.client);
    let ada = tenant.user(Role::Member).await;
    let rate = json!({"member_id": ada.id, "rate": 100});
    for client in [&admin, &ada.client, &tenant.full_access().await] {
        assert_eq!(client.post(RATES, rate.clone()).await.expect(403).code(), "forbidden");
    }
    let _ = owner.post(RATES, rate).await.expect(200);
    assert_eq!(admin.get(RATES).await.expect(200).data().as_array().map(Vec::len), Some(1));
    assert_eq!(ada.client.get(RATES).await.status, 403);
    let removal = json!({"member_id": ada.id});
    assert_eq!(admin.post(&format!("{RATES}/remove"), removal).await.expect(403).code(), "forbidden");
    for (body, status, details) in [
        (json!({"rate": 1}), 400, "member_id:required"),
        (json!({"member_id": ada.id}), 400, "rate:required"),
        (json!({"member_id": UNKNOWN_ID, "rate": 1}), 422, "member_id:not_found"),
        (json!({"member_id": ada.id, "project_id": UNKNOWN_ID, "rate": 1}), 422, "project_id:not_found"),
        (json!({"member_id": ada.id, "rate": 1.005}), 422, "rate:too_many_decimals"),
        (json!({"member_id": ada.id, "rate": -1}), 422, "rate:out_of_range"),
        (json!({"member_id": ada.id, "rate": 1_000_000}), 422, "rate:out_of_range"),
        (json!({"member_id": ada.id, "rate": 1, "currency": "euro"}), 422, "currency:invalid_currency"),
    ] {
        assert_eq!(owner.post(RATES, body).await.expect(status).details(), [details]);
    }
    let other = app.workspace().await.user(Role::Owner).await.client;
    assert!(other.get(RATES).await.expect(200).data().as_array().unwrap().is_empty());
}
