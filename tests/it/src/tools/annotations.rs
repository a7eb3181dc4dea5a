//! Tools have the same effects as REST: the same events, quota and audit log.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, Receiver};

use super::calls::{call, create, run, with_all_tools};
use crate::quota::tenant_with;

#[tokio::test]
async fn changes_by_tools_emit_events() {
    let app = App::delivering().await;
    let tenant = app.workspace().await;
    let (client, key) = {
        let client = with_all_tools(&tenant).await;
        let session = client.get(super::calls::SESSION).await.expect(200);
        (client, session.body["key"]["id"].clone())
    };
    let hook = Receiver::start().await;
    for module in ["crm", "projects", "support"] {
        let new = json!({"module": module, "url": hook.url, "events": ["*"]});
        let _ = run(&client, "create_webhook", new).await;
    }
    let mut expected = Vec::new();
    for (noun, new, change) in [
        ("company", json!({"name": "c"}), Some(json!({"name": "d"}))),
        ("contact", json!({"email": "c@example.com"}), Some(json!({"city": "Oslo"}))),
        ("deal", json!({"title": "d"}), Some(json!({"value": 5}))),
        ("project", json!({"name": "p"}), Some(json!({"progress": 5}))),
        ("task", json!({"title": "t"}), Some(json!({"estimate_hours": 1}))),
        ("ticket", json!({"title": "t"}), Some(json!({"description": "d"}))),
    ] {
        let id = create(&client, &format!("create_{noun}"), new).await;
        expected.push(format!("{noun}.created"));
        let Some(mut change) = change else { continue };
        change["id"] = json!(id);
        let _ = run(&client, &format!("update_{noun}"), change.clone()).await;
        expected.push(format!("{noun}.updated"));
        // The same change again has no effect and emits nothing.
        let _ = run(&client, &format!("update_{noun}"), change).await;
        if matches!(noun, "task" | "ticket") {
            let visible = if noun == "ticket" { json!("public") } else { Value::Null };
            let comment = json!({"issue_id": id, "body": "b", "visibility": visible});
            let _ = create(&client, "add_comment", comment).await;
            expected.push(format!("{noun}.comment_added"));
            let bulk = json!({"issueIds": [id], "patch": {"add_labels": ["x"]}});
            let _ = run(&client, "bulk_update_issues", bulk).await;
            expected.push(format!("{noun}.updated"));
        }
        if noun == "project" {
            let cycle = json!({"project_id": id, "name": "c", "start_date": "2030-01-01", "end_date": "2030-01-02"});
            let _ = create(&client, "create_cycle", cycle).await;
            expected.push("cycle.created".to_owned());
        }
        if noun != "ticket" {
            let _ = run(&client, &format!("delete_{noun}"), json!({ "id": id })).await;
            expected.push(format!("{noun}.deleted"));
        }
        if noun == "project" {
            expected.push("cycle.deleted".to_owned());
        }
    }
    let received = hook.wait_for(expected.len()).await;
    let mut events: Vec<_> = received.iter().map(|one| one.event().to_owned()).collect();
    events.sort();
    expected.sort();
    assert_eq!(events, expected);
    for one in &received {
        assert_eq!(
            one.body["payload"]["actor"],
            json!({"type": "api_key", "id": key, "name": "test"}),
            "{}",
            one.event()
        );
    }
    let company = received.iter().find(|one| one.event() == "company.updated").unwrap();
    assert_eq!(company.body["payload"]["changes"], json!({"name": {"from": "c", "to": "d"}}));
    assert_eq!(company.body["payload"]["data"]["name"], "d");
}

#[tokio::test]
async fn webhook_tools_send_and_are_in_the_audit_log() {
    let app = App::delivering().await;
    let tenant = app.workspace().await;
    let client = with_all_tools(&tenant).await;
    let key = client.get(super::calls::SESSION).await.expect(200).body["key"]["id"].clone();
    let owner = tenant.user(Role::Owner).await;
    let hook = Receiver::start().await;
    let new = json!({"module": "crm", "url": hook.url, "events": ["deal.created"]});
    let created = run(&client, "create_webhook", new).await;
    let (id, secret) = (created["id"].clone(), created["secret"].as_str().unwrap());
    assert!(secret.starts_with("whsec_"));
    let stored = run(&client, "get_webhook", json!({ "id": id })).await;
    assert!(!stored.to_string().contains(&secret[6..]), "shown only once");
    let _ = run(&client, "update_webhook", json!({"id": id, "description": "x"})).await;
    let rotated = run(&client, "rotate_webhook_secret", json!({"id": id, "overlap_seconds": 0})).await;
    assert_ne!(rotated["secret"], created["secret"]);
    let test = create(&client, "test_webhook", json!({ "id": id })).await;
    let deliveries = hook.wait_for(1).await;
    assert_eq!((deliveries[0].event(), deliveries[0].header("x-service-delivery-id")), ("webhook.test", &*test));
    let is_recorded = async |attempts: u64| {
        test_support::eventually("it is recorded", async || {
            let filter = json!({"webhook_id": id, "state": ["succeeded"]});
            let listed = run(&client, "list_webhook_deliveries", filter).await["data"].clone();
            listed[0]["attempt_count"] == json!(attempts) && listed[1].is_null() && listed[0]["webhook_id"] == id
        })
        .await;
    };
    is_recorded(1).await;
    let redelivery = run(&client, "redeliver_webhook", json!({ "id": test })).await;
    assert_eq!((&redelivery["id"], redelivery["redelivered_at"].is_string()), (&json!(test), true));
    let deliveries = hook.wait_for(2).await;
    assert_eq!((deliveries[1].header("x-service-delivery-id"), &deliveries[1].text), (&*test, &deliveries[0].text));
    is_recorded(2).await;
    let delivery = run(&client, "get_webhook_delivery", json!({ "id": test })).await;
    assert_eq!((&delivery["attempts"][0]["status"], &delivery["body"]["event"]), (&json!(200), &json!("webhook.test")));
    assert_eq!(delivery["attempts"][1]["manual"], true);
    let _ = run(&client, "delete_webhook", json!({ "id": id })).await;
    let log = owner.client.get("/api/settings/audit-log?limit=100").await.expect(200);
    let ours = log.data().as_array().unwrap().iter().filter(|entry| entry["subject"]["id"] == id);
    let actions: Vec<_> = ours
        .map(|entry| {
            assert_eq!((&entry["actor"]["type"], &entry["actor"]["id"]), (&json!("api_key"), &key), "{entry}");
            assert_eq!(entry["ip"], "127.0.0.1");
            entry["action"].as_str().unwrap()
        })
        .collect();
    for action in ["webhook.created", "webhook.updated", "webhook.secret_rotated", "webhook.deleted"] {
        assert!(actions.contains(&action), "{action} in {actions:?}");
    }
    assert!(!log.text.contains("whsec_"));
}

#[tokio::test]
async fn a_quota_is_exact_for_tools_and_rest_together() {
    let app = App::start().await;
    let tenant = tenant_with(&app, 30).await;
    let client = with_all_tools(&tenant).await;
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..60 {
        let client = client.clone();
        calls.spawn(async move {
            match number % 4 {
                0 => client.post("/api/v1/crm/deals", json!({"title": "d"})).await.status,
                1 => call(&client, "create_deal", json!({"title": "d"})).await.status,
                2 => call(&client, "create_company", json!({"name": "c"})).await.status,
                _ => call(&client, "create_contact", json!({"email": format!("c{number}@example.com")})).await.status,
            }
        });
    }
    let statuses = calls.join_all().await;
    assert_eq!(statuses.iter().filter(|status| matches!(status, 200 | 201)).count(), 30, "{statuses:?}");
    assert!(statuses.iter().all(|status| matches!(status, 200 | 201 | 429)), "{statuses:?}");
}
