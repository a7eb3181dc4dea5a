//! Which webhooks a key can access, and what happens when one is pointed at another host.

use domain::identity::access::AccessRequirement;
use domain::identity::workspaces::Role;
use domain::tools::ToolPermission;
use http_actix::OPERATIONS;
use http_core::Operation;
use serde_json::{Value, json};
use test_support::{App, Client, Tenant, eventually};

use crate::access::call;
use crate::tools::run;

const WEBHOOKS: &str = "/api/settings/webhooks";
const CALL: &str = "/api/mcp/tools/call";
const URL: &str = "https://example.com/hook";

/// A key that manages webhooks and reads according to the scopes and these permissions.
pub(crate) async fn manager(tenant: &Tenant, scopes: &[&str], reads: &[&str]) -> Client {
    let webhooks = ["read_webhooks", "create_webhooks", "update_webhooks", "delete_webhooks"];
    let map: serde_json::Map<_, _> =
        reads.iter().chain(&webhooks).map(|name| ((*name).to_owned(), json!(true))).collect();
    tenant.key(json!({"scopes": scopes, "permissions": map})).await.0
}

async fn tool(client: &Client, name: &str, arguments: Value) -> test_support::ApiResponse {
    client.post(CALL, json!({"name": name, "arguments": arguments})).await
}

#[tokio::test]
async fn a_key_subscribes_only_to_events_that_it_may_read() {
    let (_app, tenant) = App::with_workspace().await;
    let planner = manager(&tenant, &["planning.read"], &[]).await;
    let seller = manager(&tenant, &["deals.read", "crm.read", "issues.read"], &["read_deals", "read_tasks"]).await;
    for (client, module, events, missing) in [
        (&planner, "crm", json!(["*"]), Some("read_contacts and read_companies and read_deals")),
        (&planner, "projects", json!(["issue.created"]), Some("read_tasks")),
        (&planner, "scheduling", json!(["*"]), Some("the scope bookings.read")),
        (&planner, "planning", json!(["*"]), None),
        (&seller, "crm", json!(["deal.won", "deal.lost"]), None),
        // The scope is not enough: the key's permission map excludes companies.
        (&seller, "crm", json!(["deal.won", "company.created"]), Some("read_companies")),
        (&seller, "projects", json!(["task.created"]), None),
        (&seller, "projects", json!(["task.comment_added"]), Some("read_comments on tasks")),
        // Access to a deal includes its comments.
        (&seller, "crm", json!(["deal.comment_added", "deal.comment_updated", "deal.comment_deleted"]), None),
        (&seller, "crm", json!(["company.comment_added"]), Some("read_companies")),
        (&seller, "contracts", json!(["*"]), Some("the session of an owner or admin")),
    ] {
        let body = json!({"module": module, "url": URL, "events": events});
        let reply = tool(client, "create_webhook", body).await;
        let Some(missing) = missing else {
            assert_eq!((reply.status, &reply.body["isError"]), (200, &json!(false)), "{events}: {}", reply.text);
            continue;
        };
        assert_eq!((reply.status, &reply.body["error"]), (403, &json!("permission_denied")), "{}", reply.text);
        let message = reply.body["message"].as_str().unwrap();
        assert!(
            message.contains("events") && message.contains(&format!("it needs {missing} to read them")),
            "{message}"
        );
    }
    // The same in the settings, in the REST envelope.
    let body = json!({"module": "crm", "url": URL, "events": ["deal.won", "contact.created"]});
    let refused = seller.post(WEBHOOKS, body).await.expect(403);
    assert_eq!(refused.code(), "forbidden");
    assert!(refused.text.contains("it needs read_contacts to read them"), "{}", refused.text);
    // A change cannot add events that the key may not read either.
    let own_hook = run(&seller, "list_webhooks", json!({})).await["data"][0]["id"].clone();
    let reply = tool(&seller, "update_webhook", json!({"id": own_hook, "events": ["*"]})).await;
    assert_eq!(reply.status, 403, "{}", reply.text);
}

#[tokio::test]
async fn a_webhook_without_access_looks_missing() {
    let (_app, tenant) = App::with_workspace().await;
    let owner = tenant.user(Role::Owner).await.client;
    let body = json!({"module": "crm", "url": URL, "events": ["deal.won", "contact.created"]});
    let hook = owner.create(WEBHOOKS, body).await;
    let delivery = owner.post(&format!("{WEBHOOKS}/{hook}/test"), json!({})).await.expect(202).id();
    let contacts = manager(&tenant, &["contacts.read"], &["read_contacts"]).await;
    let change = json!({"id": hook, "url": "https://evil.example/hook"});
    for (name, arguments) in [
        ("get_webhook", json!({"id": hook})),
        ("update_webhook", change),
        ("delete_webhook", json!({"id": hook})),
        ("rotate_webhook_secret", json!({"id": hook})),
        ("test_webhook", json!({"id": hook})),
        ("list_webhook_deliveries", json!({"webhook_id": hook})),
        ("get_webhook_delivery", json!({"id": delivery})),
        ("redeliver_webhook", json!({"id": delivery})),
    ] {
        let reply = tool(&contacts, name, arguments).await.expect(200);
        let text = reply.body["content"][0]["text"].as_str().unwrap();
        assert!(reply.body["isError"] == json!(true) && text.contains("not_found"), "{name}: {}", reply.text);
    }
    assert_eq!(run(&contacts, "list_webhooks", json!({})).await["data"], json!([]));
    assert_eq!(owner.get(&format!("{WEBHOOKS}/{hook}")).await.data()["url"], json!(URL));
    // The past of a webhook stays inaccessible when an owner restricts it.
    let deals = tenant.full_access().await;
    let deal = deals.create("/api/v1/crm/deals", json!({"title": "Pilot"})).await;
    let _ = deals.patch(&format!("/api/v1/crm/deals/{deal}"), json!({"status": "closed_won"})).await.expect(200);
    let _ = owner.patch(&format!("{WEBHOOKS}/{hook}"), json!({"events": ["contact.created"]})).await.expect(200);
    let past = owner.get(&format!("{WEBHOOKS}/{hook}/deliveries?event=deal.won")).await.ids();
    for name in ["get_webhook_delivery", "redeliver_webhook"] {
        let reply = tool(&contacts, name, json!({"id": past[0]})).await.expect(200);
        assert!(reply.body["isError"] == json!(true) && reply.text.contains("not_found"), "{name}: {}", reply.text);
    }
    assert_eq!(run(&contacts, "get_webhook_delivery", json!({"id": delivery})).await["event"], json!("webhook.test"));
}

/// A key with the permissions uses the routes as a session does, within what it may read.
#[tokio::test]
async fn a_key_manages_webhooks_in_the_settings() {
    let (_app, tenant, receiver) = App::with_receiver().await;
    let key = manager(&tenant, &["deals.read"], &["read_deals"]).await;
    let body = json!({"module": "crm", "url": receiver.url, "events": ["deal.won"]});
    let created = key.post(WEBHOOKS, body).await.expect(201);
    let path = format!("{WEBHOOKS}/{}", created.id());
    assert_eq!((&created.data()["maker"]["type"], created.data()["secret"].is_string()), (&json!("api_key"), true));
    let listed = key.get(WEBHOOKS).await.expect(200);
    assert_eq!(listed.ids(), [created.id()]);
    // The limits are the same as for sessions: reads have the plan's limit, writes half of it.
    let limit = |reply: &test_support::ApiResponse| reply.header("x-ratelimit-limit").parse::<u64>().unwrap();
    assert_eq!(limit(&created) * 2, limit(&listed));
    let _ = key.patch(&path, json!({"description": "Ours"})).await.expect(200);
    let _ = key.post(&format!("{path}/rotate-secret"), json!({})).await.expect(200);
    let test = key.post(&format!("{path}/test"), json!({})).await.expect(202).id();
    receiver.wait_for(1).await;
    assert_eq!(key.get(&format!("{path}/deliveries")).await.expect(200).ids(), std::slice::from_ref(&test));
    assert_eq!(key.get(&format!("{WEBHOOKS}/deliveries/{test}")).await.expect(200).id(), test);
    // A webhook whose events it may not read does not exist for it.
    let owner = tenant.user(Role::Owner).await.client;
    let all = owner.create(WEBHOOKS, json!({"module": "crm", "url": URL, "events": ["*"]})).await;
    assert_eq!(key.get(&format!("{WEBHOOKS}/{all}")).await.status, 404);
    assert_eq!(key.delete(&format!("{WEBHOOKS}/{all}")).await.status, 404);
    let _ = key.delete(&path).await.expect(200);
    // Other settings are not accessible, and no scope gives access to them.
    assert_eq!(key.get("/api/settings/members").await.status, 403);
    let refused = tenant.full_access().await.get(WEBHOOKS).await.expect(403);
    assert!(refused.text.contains("read_webhooks"), "{}", refused.text);
}

/// Each webhook route requires exactly one permission of the key's map, and no scope grants it.
#[tokio::test]
async fn every_permission_gives_access_to_exactly_its_routes() {
    let (_app, tenant) = App::with_workspace().await;
    let of_grants =
        |operation: &&Operation| matches!(operation.needs, Some(AccessRequirement::AdministratorOrGrant(_)));
    assert_eq!(OPERATIONS.iter().filter(of_grants).count(), 15);
    for granted in ToolPermission::ALL.iter().copied() {
        let permissions = json!({ granted.as_str(): true });
        let client = tenant.key(json!({"preset": "full_access", "permissions": permissions})).await.0;
        for operation in OPERATIONS.iter().filter(of_grants) {
            let context = format!("{granted}: {} {}", operation.method, operation.pattern);
            let reply = call(&client, operation).await;
            if operation.needs == Some(AccessRequirement::AdministratorOrGrant(granted)) {
                assert!(!matches!(reply.status, 401 | 403), "{context}: {}", reply.text);
                continue;
            }
            assert_eq!((reply.status, reply.code()), (403, "forbidden"), "{context}");
            let Some(AccessRequirement::AdministratorOrGrant(needed)) = operation.needs else { continue };
            assert!(reply.text.contains(needed.as_str()), "{context}: {}", reply.text);
        }
    }
}

#[tokio::test]
async fn another_host_gets_another_secret_and_the_owners_are_notified() {
    let (app, tenant, receiver) = App::with_receiver().await;
    let (owner, second) = (tenant.user(Role::Owner).await, tenant.user(Role::Owner).await);
    let admin = tenant.user(Role::Admin).await;
    let body = json!({"module": "crm", "url": URL, "events": ["deal.won"]});
    let created = owner.client.post(WEBHOOKS, body).await.expect(201);
    let path = format!("{WEBHOOKS}/{}", created.id());
    let stored = admin.client.patch(&path, json!({"url": "https://EXAMPLE.com:8443/other"})).await.expect(200);
    assert_eq!(stored.data().get("secret"), None, "the same host");
    // A rotation in progress ends: only the reader of the response knows the secret of the new host.
    let _ = admin.client.post(&format!("{path}/rotate-secret"), json!({})).await.expect(200);
    let moved = admin.client.patch(&path, json!({"url": receiver.url})).await.expect(200);
    let secret = moved.data()["secret"].as_str().unwrap().to_owned();
    assert_eq!((moved.data()["overlap_ends_at"].clone(), moved.header("etag")), (Value::Null, "\"4\""));
    assert_ne!(moved.data()["secret"], created.data()["secret"]);
    assert!(!owner.client.get(&path).await.text.contains("whsec_"));
    let _ = admin.client.post(&format!("{path}/test"), json!({})).await.expect(202);
    let event = receiver.wait_for(1).await.pop().unwrap();
    let secret = domain::webhooks::PlainSecret::parse(&secret).unwrap();
    let time: i64 = event.header("x-service-timestamp").parse().unwrap();
    let signature = domain::webhooks::sign(&secret, time, event.text.as_bytes());
    assert_eq!((event.header("x-service-signature"), event.header("x-service-signature-next")), (&*signature, ""));
    let log = owner.client.get("/api/settings/audit-log?limit=100").await;
    let entries = log.body["data"].as_array().unwrap();
    let details = json!({"reason": "host_changed", "from": "example.com", "to": "127.0.0.1"});
    assert!(
        entries.iter().any(|it| it["action"] == "webhook.secret_rotated" && it["details"] == details),
        "{}",
        log.text
    );
    for recipient in [&owner, &second] {
        eventually("each owner is notified", async || !app.inbox.to(&recipient.email).is_empty()).await;
        let email = app.inbox.to(&recipient.email).remove(0);
        assert!(email.text().contains("Previous host: example.com\nNew host: 127.0.0.1\n"), "{}", email.text());
        assert!(!email.text().contains("whsec_"));
    }
    assert!(app.inbox.to(&admin.email).is_empty());
    // The same in tools, which never store the response for an idempotency key.
    let key = manager(&tenant, &["deals.read"], &["read_deals"]).await;
    let arguments = json!({"id": created.id(), "url": "https://example.org/hook"});
    let updated = run(&key, "update_webhook", arguments.clone()).await;
    assert!(updated["secret"].as_str().unwrap().starts_with("whsec_"), "{updated}");
    assert_eq!(run(&key, "update_webhook", arguments).await.get("secret"), None);
}
