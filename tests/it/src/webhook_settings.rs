//! Webhooks in settings.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, assert_members};
use time::Duration;

use crate::support::{UNKNOWN_ID, bad, broken, check_members, statuses_in_parallel};

const WEBHOOKS: &str = "/api/settings/webhooks";

fn minimal() -> Value {
    json!({"module": "projects", "url": "https://example.com/hook", "events": ["task.created"]})
}

#[tokio::test]
async fn a_webhook_is_created_read_changed_and_deleted() {
    let (_app, _tenant, owner) = App::with_user(Role::Owner).await;
    let project = owner.client.create("/api/v1/projects", json!({"name": "P"})).await;
    let mut body = minimal();
    body["description"] = json!("Ours");
    body["scope"] = json!({"project_id": project});
    body["events"] = json!(["task.deleted", "issue.created", "task.deleted"]);
    let created = owner.client.post(WEBHOOKS, body).await.expect(201);
    let id = created.id();
    let secret = created.data()["secret"].as_str().unwrap().to_owned();
    assert!(secret.starts_with("whsec_") && secret.len() == 50);
    assert_eq!(created.header("location"), format!("{WEBHOOKS}/{id}"));
    assert_eq!(
        *created.data(),
        json!({
            "secret": secret, "id": id, "group_id": null, "module": "projects", "url": "https://example.com/hook",
            "description": "Ours", "events": ["task.created", "task.deleted"], "scope": {"project_id": project},
            "enabled": true, "disabled_reason": null, "failing_since": null, "overlap_ends_at": null, "version": 1,
            "created_at": created.data()["created_at"], "updated_at": created.data()["created_at"],
            "created_by": {"type": "user", "id": owner.id}, "maker": {"type": "user", "id": owner.id},
            "creator_gone": false, "headers": {},
        })
    );
    let path = format!("{WEBHOOKS}/{id}");
    let stored = owner.client.get(&path).await.expect(200);
    assert_eq!((stored.header("etag"), stored.text.contains("secret")), ("\"1\"", false));
    let change = json!({"url": "https://example.com/other", "scope": null, "enabled": false, "events": ["*"]});
    let changed = owner.client.patch(&path, change).await.expect(200);
    assert_members(changed.data(), &json!({"url": "https://example.com/other", "scope": null, "enabled": false}));
    assert_members(changed.data(), &json!({"events": ["*"]}));
    let stale = owner.client.request("PATCH", &path).header("If-Match", "\"1\"").json(&json!({"description": "x"}));
    assert_eq!(ApiResponse::of(stale).await.expect(409).code(), "concurrent_update");
    for (patch, status) in [
        (json!({}), 422),
        (json!({"module": "support"}), 422),
        (json!({"module": "projects"}), 200),
        (json!({"events": ["ticket.created"]}), 422),
        (json!({"scope": {"contract_id": project}}), 422),
        (json!({"secret": "x"}), 400),
    ] {
        assert_eq!(owner.client.patch(&path, patch.clone()).await.status, status, "{patch}");
    }
    assert_eq!(owner.client.get(WEBHOOKS).await.expect(200).ids(), std::slice::from_ref(&id));
    assert!(!owner.client.get("/api/settings/audit-log").await.text.contains("whsec_"));
    let deleted = owner.client.delete(&path).await.expect(200);
    assert_eq!(*deleted.data(), json!({"id": id, "deleted": true}));
    for reply in [owner.client.get(&path).await, owner.client.delete(&path).await] {
        assert_eq!(reply.status, 404);
    }
    assert!(owner.client.get(WEBHOOKS).await.expect(200).ids().is_empty());
}

#[tokio::test]
async fn every_member_of_a_webhook_is_validated() {
    let (_app, _, owner) = App::with_user(Role::Owner).await;
    let cases = vec![
        bad("module", json!("Projects"), &["module:invalid_value"]),
        broken("url", json!("https://u:p@example.com"), &["url:invalid_target"]),
        broken("events", json!([]), &["events:required"]),
        broken("events", json!(["task.created", "ticket.created"]), &["events[1]:unknown_event"]),
        broken("events", json!(vec!["task.created"; 51]), &["events:too_many"]),
        bad("scope", json!("x"), &["scope:invalid_type"]),
        bad("scope", json!({}), &["scope:invalid_value"]),
        bad("scope", json!({"project_id": "x"}), &["scope.project_id:invalid_uuid"]),
        broken("scope", json!({"contract_id": UNKNOWN_ID}), &["scope:unknown_scope"]),
        broken("scope", json!({"project_id": UNKNOWN_ID}), &["scope.project_id:not_found"]),
        bad("secret", json!("x"), &["secret:unknown_field"]),
        broken("headers", json!({"x-service-event": "v"}), &["headers.x-service-event:reserved_name"]),
    ];
    check_members(&owner.client, WEBHOOKS, &minimal(), None, cases).await;
}

#[tokio::test]
async fn a_workspace_has_at_most_a_hundred() {
    let app = App::start().await;
    let owner = app.workspace().await.user(Role::Owner).await.client;
    let statuses = statuses_in_parallel((0..104).map(|_| owner.request("POST", WEBHOOKS).json(&minimal()))).await;
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 100, "{statuses:?}");
    assert!(statuses.iter().all(|status| matches!(status, 201 | 409)), "{statuses:?}");
}

#[tokio::test]
async fn a_new_secret_and_the_previous_one_both_sign_during_the_overlap() {
    let (app, tenant, hook) = App::with_receiver().await;
    let owner = tenant.user(Role::Owner).await.client;
    let mut body = minimal();
    body["url"] = json!(hook.url);
    let created = owner.post(WEBHOOKS, body).await.expect(201);
    let path = format!("{WEBHOOKS}/{}", created.id());
    let secret_of =
        |reply: &ApiResponse| domain::webhooks::PlainSecret::parse(reply.data()["secret"].as_str().unwrap()).unwrap();
    let first = secret_of(&created);
    let rotated = owner.post(&format!("{path}/rotate-secret"), json!({"overlap_seconds": 3600})).await.expect(200);
    let second = secret_of(&rotated);
    assert_ne!(first, second);
    assert!(rotated.data()["overlap_ends_at"].is_string());
    let send = async |count: usize| {
        let _ = owner.post(&format!("{path}/test"), json!({})).await.expect(202);
        hook.wait_for(count).await.pop().unwrap()
    };
    let event = send(1).await;
    let time: i64 = event.header("x-service-timestamp").parse().unwrap();
    let signed =
        |secret, event: &test_support::Received, time| domain::webhooks::sign(secret, time, event.text.as_bytes());
    assert_eq!(event.event(), "webhook.test");
    assert_eq!(event.header("x-service-signature"), signed(&first, &event, time));
    assert_eq!(event.header("x-service-signature-next"), signed(&second, &event, time));
    assert_eq!(event.header("webhook-signature").split(' ').count(), 2);
    app.advance(Duration::hours(1)).await;
    let owner = tenant.user(Role::Owner).await.client;
    let _ = owner.post(&format!("{path}/test"), json!({})).await.expect(202);
    let event = hook.wait_for(2).await.pop().unwrap();
    let time: i64 = event.header("x-service-timestamp").parse().unwrap();
    assert_eq!(event.header("x-service-signature"), signed(&second, &event, time));
    assert_eq!(event.header("x-service-signature-next"), "");
    let at_once = owner.post(&format!("{path}/rotate-secret"), json!({"overlap_seconds": 0})).await.expect(200);
    assert_eq!(at_once.data()["overlap_ends_at"], Value::Null);
    for (bad, status) in
        [(json!({"overlap_seconds": -1}), 422), (json!({"overlap_seconds": "1"}), 400), (json!([]), 400)]
    {
        assert_eq!(owner.post(&format!("{path}/rotate-secret"), bad).await.status, status);
    }
}

/// The request has no body or media type. Three secrets sign; a fourth has to wait.
#[tokio::test]
async fn a_rotation_needs_no_body_and_keeps_all_valid_secrets() {
    let (app, tenant, hook) = App::with_receiver().await;
    let owner = tenant.user(Role::Owner).await.client;
    let mut body = minimal();
    body["url"] = json!(hook.url);
    let created = owner.post(WEBHOOKS, body).await.expect(201);
    let path = format!("{WEBHOOKS}/{}", created.id());
    let rotate = format!("{path}/rotate-secret");
    let secret_of =
        |reply: &ApiResponse| domain::webhooks::PlainSecret::parse(reply.data()["secret"].as_str().unwrap()).unwrap();
    let mut secrets = vec![secret_of(&created)];
    secrets.push(secret_of(&ApiResponse::of(owner.request("POST", &rotate)).await.expect(200)));
    let wrong = owner.request("POST", &rotate).header("Content-Type", "text/plain").body("{}");
    assert_eq!(ApiResponse::of(wrong).await.status, 415);
    let third = owner.post(&rotate, json!({"overlap_seconds": 60})).await.expect(200);
    secrets.push(secret_of(&third));
    assert!(third.data()["overlap_ends_at"].as_str() > third.data()["updated_at"].as_str());
    let refused = owner.post(&rotate, json!({})).await.expect(409);
    assert_eq!(refused.code(), "conflict");
    let delivered = async |count: usize| {
        let _ = owner.post(&format!("{path}/test"), json!({})).await.expect(202);
        let delivery = hook.wait_for(count).await.pop().unwrap();
        let time: i64 = delivery.header("x-service-timestamp").parse().unwrap();
        let signature_by = |secret| domain::webhooks::sign(secret, time, delivery.text.as_bytes());
        let id = delivery.header("x-service-delivery-id");
        let standard = |secret| domain::webhooks::sign_standard(secret, id, time, delivery.text.as_bytes());
        let signatures: Vec<_> = secrets.iter().map(|secret| (signature_by(secret), standard(secret))).collect();
        (delivery.clone(), signatures)
    };
    let (delivery, signatures) = delivered(1).await;
    assert_eq!(delivery.header("x-service-signature"), signatures[0].0);
    assert_eq!(delivery.header("x-service-signature-next"), format!("{},{}", signatures[1].0, signatures[2].0));
    let standard: Vec<_> = signatures.iter().map(|(_, standard)| standard.as_str()).collect();
    assert_eq!(delivery.header("webhook-signature"), standard.join(" "));
    // The overlap of the second one ends first, which allows another.
    app.advance(Duration::seconds(60)).await;
    let (delivery, signatures) = delivered(2).await;
    assert_eq!(delivery.header("x-service-signature"), signatures[0].0);
    assert_eq!(delivery.header("x-service-signature-next"), signatures[2].0);
    let _ = owner.post(&rotate, json!({})).await.expect(200);
    assert_eq!(owner.post(&rotate, json!({})).await.status, 409);
    // Replacing all secrets at once is always possible, such as after a leak.
    let last = owner.post(&rotate, json!({"overlap_seconds": 0})).await.expect(200);
    assert_eq!(last.data()["overlap_ends_at"], Value::Null);
}

/// One request, URL and secret create a webhook for each module.
#[tokio::test]
async fn one_request_creates_webhooks_for_several_modules() {
    let (_app, tenant, hook) = App::with_receiver().await;
    let owner = tenant.user(Role::Owner).await.client;
    let body = json!({"modules": ["crm", "support"], "url": hook.url, "events": ["deal.created", "ticket.created"]});
    let created = owner.post(WEBHOOKS, body.clone()).await.expect(201);
    let other = created.data()["others"][0].clone();
    assert_eq!((&created.data()["module"], &created.data()["events"]), (&json!("crm"), &json!(["deal.created"])));
    assert_eq!((&other["module"], &other["events"]), (&json!("support"), &json!(["ticket.created"])));
    assert_eq!((&created.data()["group_id"], &other["group_id"]), (&json!(created.id()), &json!(created.id())));
    assert!(other.get("secret").is_none());
    let client = tenant.full_access().await;
    let _ = client.post("/api/v1/crm/deals", json!({"title": "D"})).await.expect(201);
    let _ = client.post("/api/v1/issues", json!({"kind": "ticket", "title": "T"})).await.expect(201);
    let mut received = hook.wait_for(2).await;
    received.sort_by_key(|one| one.event().to_owned());
    let modules: Vec<_> = received.iter().map(|one| one.header("x-service-module")).collect();
    assert_eq!(modules, ["crm", "support"]);
    let secret = domain::webhooks::PlainSecret::parse(created.data()["secret"].as_str().unwrap()).unwrap();
    for one in &received {
        let time: i64 = one.header("x-service-timestamp").parse().unwrap();
        assert_eq!(one.header("x-service-signature"), domain::webhooks::sign(&secret, time, one.text.as_bytes()));
    }
    for (change, field) in [
        (json!({"modules": []}), "modules:required"),
        (json!({"modules": null}), "module:required"),
        (json!({"modules": ["crm", "support", "crm"]}), "modules[2]:repeated"),
        (json!({"module": "crm"}), "modules:one_of"),
        (json!({"events": ["deal.created"]}), "events:required"),
        (json!({"events": ["deal.created", "task.created"]}), "events[1]:unknown_event"),
        (json!({"scope": {"project_id": UNKNOWN_ID}}), "scope:unknown_scope"),
    ] {
        let mut refused = body.clone();
        refused.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let reply = owner.post(WEBHOOKS, refused).await;
        assert!(reply.status >= 400 && reply.details().contains(&field.to_owned()), "{change}: {:?}", reply.details());
    }
}

/// Changes of shared values apply to the whole group, which can be deleted in one request.
#[tokio::test]
async fn a_group_shares_its_url_headers_and_secret() {
    let (_app, tenant) = App::with_workspace().await;
    let owner = tenant.user(Role::Owner).await.client;
    let body = json!({"modules": ["crm", "support"], "url": "https://one.invalid/", "events": ["*"], "headers": {"X-Key": "abcdef"}});
    let created = owner.post(WEBHOOKS, body).await.expect(201);
    let path = format!("{WEBHOOKS}/{}", created.id());
    let other = format!("{WEBHOOKS}/{}", created.data()["others"][0]["id"].as_str().unwrap());
    let other_webhook = async || owner.get(&other).await.expect(200).data().clone();
    assert_eq!(other_webhook().await["headers"], json!({"X-Key": null}));
    let moved = owner.patch(&path, json!({"url": "https://two.invalid/", "description": "own"})).await.expect(200);
    assert!(moved.data()["secret"].is_string());
    let followed = other_webhook().await;
    assert_eq!((&followed["url"], &followed["version"]), (&json!("https://two.invalid/"), &json!(2)));
    assert_eq!((&followed["headers"], &followed["description"]), (&json!({}), &Value::Null));
    let _ = owner.post(&format!("{path}/rotate-secret"), json!({})).await.expect(200);
    assert!(other_webhook().await["overlap_ends_at"].is_string(), "it has the new secret too");
    let _ = owner.patch(&path, json!({"enabled": false})).await.expect(200);
    assert_eq!((&other_webhook().await["enabled"], &other_webhook().await["version"]), (&json!(true), &json!(3)));
    // A key that may not read tickets cannot make changes that affect their webhook.
    let map = json!({"read_contacts": true, "read_companies": true, "read_deals": true, "update_webhooks": true, "read_webhooks": true});
    let key = tenant.key(json!({"scopes": ["contacts.read", "crm.read", "deals.read"], "permissions": map})).await.0;
    assert_eq!(key.patch(&path, json!({"url": "https://three.invalid/"})).await.expect(403).code(), "forbidden");
    let _ = key.patch(&path, json!({"description": "mine"})).await.expect(200);
    let stale = owner.request("DELETE", &format!("{path}/group")).header("If-Match", "\"99\"");
    assert_eq!(ApiResponse::of(stale).await.expect(409).code(), "concurrent_update");
    let deleted = owner.delete(&format!("{path}/group")).await.expect(200);
    assert_eq!(deleted.data()["deleted"], true);
    assert_eq!((owner.get(&path).await.status, owner.get(&other).await.status), (404, 404));
    assert_eq!(owner.delete(&format!("{path}/group")).await.status, 404);
    let log = owner.get("/api/settings/audit-log?limit=100").await.expect(200);
    let entries = log.data().as_array().unwrap().iter();
    let of_webhooks: Vec<_> = entries.filter(|one| one["action"].as_str().unwrap().starts_with("webhook.")).collect();
    let groups = of_webhooks.iter().map(|one| &one["details"]["group_id"]);
    assert!(groups.into_iter().all(|group| *group == created.data()["id"]), "{of_webhooks:?}");
    let count_of = |action: &str| of_webhooks.iter().filter(|one| one["action"] == action).count();
    // The rotation gives both webhooks a new secret, and the new host gives the changed one another.
    assert_eq!(["created", "secret_rotated", "deleted"].map(|verb| count_of(&format!("webhook.{verb}"))), [2, 3, 2]);
}
