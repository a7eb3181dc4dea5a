//! Submitting, approving, rejecting and exporting, by role.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, Client};

use super::{ENTRIES, duration, entry, entry_path, start, step};
use crate::support::UNKNOWN_ID;

async fn status_of(client: &Client, id: &str) -> Value {
    client.get(&entry_path(id)).await.expect(200).data()["status"].clone()
}

#[tokio::test]
async fn an_entry_goes_from_work_to_invoice() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (admin, ada) = (tenant.user(Role::Admin).await.client, tenant.user(Role::Member).await.client);
    let one = entry(&ada, duration("2030-01-07", 60)).await.id();
    let two = entry(&ada, duration("2030-01-08", 60)).await.id();
    let submitted = step(&ada, "submit", &[&one, &two]).await.expect(200);
    let statuses: Vec<_> = submitted.data().as_array().unwrap().iter().map(|one| one["status"].clone()).collect();
    assert_eq!((submitted.ids().len(), statuses), (2, vec![json!("submitted"), json!("submitted")]));
    // She can still change it.
    let _ = ada.patch(&entry_path(&one), json!({"note": "n"})).await.expect(200);
    let _ = step(&admin, "reject", &[&two]).await.expect(200);
    assert_eq!(status_of(&ada, &two).await, "stopped");
    let _ = step(&admin, "approve", &[&one]).await.expect(200);
    for change in [json!({"note": "m"}), json!({"date": "2030-01-09"}), json!({"seconds": 1})] {
        let refused = ada.patch(&entry_path(&one), change).await.expect(409);
        assert_eq!(refused.code(), "invalid_state_change");
    }
    assert_eq!(ada.delete(&entry_path(&one)).await.expect(409).code(), "invalid_state_change");
    let _ = admin.patch(&entry_path(&one), json!({"note": "by an admin"})).await.expect(200);
    let early = step(&admin, "export", &[&two]).await.expect(409);
    assert_eq!(early.code(), "invalid_state_change");
    let _ = step(&admin, "export", &[&one]).await.expect(200);
    assert_eq!(status_of(&admin, &one).await, "exported");
    // Exported entries cannot be changed.
    for name in ["export", "submit", "approve", "reject"] {
        assert_eq!(step(&admin, name, &[&one]).await.expect(409).code(), "invalid_state_change", "{name}");
    }
    let _ = admin.delete(&entry_path(&one)).await.expect(200);
}

#[tokio::test]
async fn each_step_requires_its_role() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let ada = tenant.user(Role::Member).await.client;
    let id = entry(&ada, duration("2030-01-07", 60)).await.id();
    let (key, viewer) = (tenant.full_access().await, tenant.user(Role::Viewer).await.client);
    let other = tenant.user(Role::Member).await.client;
    for (name, client, status) in [
        ("submit", &other, 403),
        ("submit", &viewer, 403),
        ("submit", &ada, 200),
        ("approve", &ada, 403),
        ("approve", &other, 403),
        ("approve", &key, 403),
        ("reject", &ada, 403),
        ("reject", &key, 403),
        ("export", &ada, 403),
        ("export", &key, 409),
    ] {
        let reply = step(client, name, &[&id]).await;
        assert_eq!(reply.status, status, "{name}: {}", reply.text);
    }
    for role in [Role::Owner, Role::Admin] {
        let client = tenant.user(role).await.client;
        let _ = step(&client, "approve", &[&id]).await.expect(200);
        let _ = step(&client, "reject", &[&id]).await.expect(200);
    }
    let _ = step(&tenant.user(Role::Owner).await.client, "approve", &[&id]).await.expect(200);
    // A key of invoicing software exports entries, but cannot change approved ones.
    assert_eq!(key.patch(&entry_path(&id), json!({"note": "n"})).await.expect(409).code(), "invalid_state_change");
    let _ = step(&key, "export", &[&id]).await.expect(200);
}

#[tokio::test]
async fn a_step_applies_to_all_entries_or_none() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (owner, ada) = (tenant.user(Role::Owner).await.client, tenant.user(Role::Member).await.client);
    let one = entry(&ada, duration("2030-01-07", 60)).await.id();
    let running = start(&ada, json!({})).await.expect(201).id();
    assert_eq!(step(&owner, "approve", &[&one, &running]).await.expect(409).code(), "invalid_state_change");
    let unknown = step(&owner, "approve", &[&one, UNKNOWN_ID]).await.expect(422);
    assert_eq!(unknown.details(), ["ids[1]:not_found"]);
    assert_eq!(status_of(&owner, &one).await, "stopped");
    let foreign = app.workspace().await.user(Role::Owner).await.client;
    assert_eq!(step(&foreign, "approve", &[&one]).await.expect(422).details(), ["ids[0]:not_found"]);
    // A repeated id counts once.
    assert_eq!(step(&owner, "approve", &[&one, &one]).await.expect(200).ids(), std::slice::from_ref(&one));
    let path = format!("{ENTRIES}/approve");
    let many: Vec<_> = (0..501).map(|_| UNKNOWN_ID).collect();
    for (body, status, details) in [
        (json!({}), 400, "ids:required"),
        (json!({"ids": one}), 400, "ids:invalid_type"),
        (json!({"ids": ["x"]}), 400, "ids[0]:invalid_uuid"),
        (json!({"ids": many}), 422, "ids:too_many"),
        (json!({"ids": null}), 422, "ids:required"),
    ] {
        assert_eq!(owner.post(&path, body).await.expect(status).details(), [details]);
    }
    assert!(owner.post(&path, json!({"ids": []})).await.expect(200).ids().is_empty());
}
