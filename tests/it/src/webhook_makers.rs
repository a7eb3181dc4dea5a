//! Webhooks whose creator is removed, and notifications about webhooks.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, Client, TestUser, assert_members, eventually};
use time::Duration;

use crate::database::execute;
use crate::tools::run;
use crate::webhook_deliveries::wait_until;

const WEBHOOKS: &str = "/api/settings/webhooks";
const KEYS: &str = "/api/settings/api-keys";

/// A new key that manages webhooks of deals, with its id.
async fn manager(owner: &Client, app: &App, expires_at: Option<String>) -> (Client, String) {
    let permissions =
        json!({"read_deals": true, "read_webhooks": true, "create_webhooks": true, "update_webhooks": true});
    let mut body = json!({"name": "Sync", "scopes": ["deals.read"], "permissions": permissions});
    if let Some(expires_at) = expires_at {
        body["expires_at"] = json!(expires_at);
    }
    let created = owner.post(KEYS, body).await.expect(201);
    (app.with_key(created.data()["key"].as_str().unwrap()), created.id())
}

fn new(url: &str) -> Value {
    json!({"module": "crm", "url": url, "events": ["deal.won"]})
}

async fn entries(owner: &Client, action: &str) -> Vec<Value> {
    let log = owner.get("/api/settings/audit-log?limit=100").await.expect(200);
    log.body["data"].as_array().unwrap().iter().filter(|it| it["action"] == action).cloned().collect()
}

/// The subjects of a user's e-mails, except those about new devices.
fn subjects(app: &App, user: &TestUser) -> Vec<String> {
    let emails = app.inbox.to(&user.email);
    emails.iter().map(|email| email.subject().to_owned()).filter(|subject| subject.contains("ebhook")).collect()
}

async fn expect_emails(app: &App, user: &TestUser, count: usize) {
    eventually("the e-mail arrives", async || subjects(app, user).len() >= count).await;
    assert_eq!(subjects(app, user).len(), count, "once: {:?}", subjects(app, user));
}

#[tokio::test]
async fn a_webhook_continues_when_its_key_is_revoked_and_the_owners_are_notified() {
    let (app, tenant, hook) = App::with_receiver().await;
    let (owner, admin) = (tenant.user(Role::Owner).await, tenant.user(Role::Admin).await);
    let (key, id) = manager(&owner.client, &app, None).await;
    let created = key.post(WEBHOOKS, new(&hook.url)).await.expect(201);
    let path = format!("{WEBHOOKS}/{}", created.id());
    assert_members(created.data(), &json!({"maker": {"type": "api_key", "id": id}, "creator_gone": false}));
    let _ = owner.client.post(&format!("{KEYS}/{id}/revoke"), json!({})).await.expect(200);
    let shown = owner.client.get(&path).await.expect(200);
    assert_eq!((&shown.data()["creator_gone"], &shown.data()["enabled"]), (&json!(true), &json!(true)));
    assert_eq!(owner.client.get(WEBHOOKS).await.data()[0]["creator_gone"], true);
    expect_emails(&app, &owner, 1).await;
    let text = app.inbox.to(&owner.email).into_iter().find(|it| it.subject().contains("ebhook")).unwrap();
    assert!(text.text().contains(&created.id()) && text.text().contains("127.0.0.1"), "{}", text.text());
    assert!(!text.text().contains("/hook"), "a path may be a secret");
    assert!(subjects(&app, &admin).is_empty(), "owners only");
    let entries_found = entries(&owner.client, "webhook.creator_gone").await;
    assert_eq!(entries_found.len(), 1);
    assert_eq!(entries_found[0]["actor"]["type"], "system");
    assert_eq!(entries_found[0]["subject"]["id"], json!(created.id()));
    // The webhook still delivers.
    let deals = tenant.full_access().await;
    let deal = deals.create("/api/v1/crm/deals", json!({"title": "D"})).await;
    let _ = deals.patch(&format!("/api/v1/crm/deals/{deal}"), json!({"status": "closed_won"})).await.expect(200);
    assert_eq!(hook.wait_for(1).await[0].event(), "deal.won");
    // Saving it makes the user its creator, even if nothing else changes.
    let adopted = admin.client.patch(&path, json!({"events": ["deal.won"]})).await.expect(200);
    let maker = json!({"type": "user", "id": admin.id});
    assert_eq!((&adopted.data()["maker"], &adopted.data()["creator_gone"]), (&maker, &json!(false)));
    assert_eq!((&adopted.data()["version"], &adopted.data()["created_by"]["type"]), (&json!(2), &json!("api_key")));
    let saved = owner.client.patch(&path, json!({"events": ["deal.won"]})).await.expect(200);
    assert_eq!((&saved.data()["version"], &saved.data()["maker"]), (&json!(2), &maker), "nothing changes");
    let _ = owner.client.post(&format!("{path}/rotate-secret"), json!({})).await.expect(200);
    assert_eq!(owner.client.get(&path).await.data()["maker"]["id"], json!(owner.id));
}

/// Rows from old releases have no maker: their creator counts as the maker.
#[tokio::test]
async fn the_maker_of_a_webhook_from_an_old_release_is_its_creator() {
    let (app, _tenant, owner) = App::with_user(Role::Owner).await;
    let (key, id) = manager(&owner.client, &app, None).await;
    let by_key = key.create(WEBHOOKS, new("https://example.com/key")).await;
    let by_user = owner.client.create(WEBHOOKS, new("https://example.com/user")).await;
    execute(&app, "UPDATE webhook_subscriptions SET maker_type = NULL, maker_id = NULL");
    let notices = async |hook: &str| {
        let shown = owner.client.get(&format!("{WEBHOOKS}/{hook}")).await.expect(200);
        assert_eq!(shown.data()["maker"], shown.data()["created_by"]);
        shown.data()["creator_gone"] == true
    };
    assert!(!notices(&by_key).await && !notices(&by_user).await);
    let _ = owner.client.post(&format!("{KEYS}/{id}/revoke"), json!({})).await.expect(200);
    assert!(notices(&by_key).await && !notices(&by_user).await);
    expect_emails(&app, &owner, 1).await;
}

#[tokio::test]
async fn owners_are_notified_once_when_the_key_expires() {
    let (app, _tenant, owner) = App::with_user(Role::Owner).await;
    let expiry = domain::kernel::input::format_timestamp(app.ports.clock.now() + Duration::hours(1));
    let (key, id) = manager(&owner.client, &app, Some(expiry)).await;
    let hook = run(&key, "create_webhook", new("https://example.com/hook")).await["id"].clone();
    let path = format!("{WEBHOOKS}/{}", hook.as_str().unwrap());
    assert_eq!(owner.client.get(&path).await.data()["creator_gone"], false);
    app.advance(Duration::hours(1)).await;
    assert_eq!(owner.client.get(&path).await.data()["creator_gone"], true);
    expect_emails(&app, &owner, 1).await;
    // Its revocation sends no further e-mail.
    let _ = owner.client.post(&format!("{KEYS}/{id}/revoke"), json!({})).await.expect(200);
    let (other, revoked) = manager(&owner.client, &app, None).await;
    let _ = other.post(WEBHOOKS, new("https://example.com/other")).await.expect(201);
    let _ = owner.client.post(&format!("{KEYS}/{revoked}/revoke"), json!({})).await.expect(200);
    expect_emails(&app, &owner, 2).await;
    assert_eq!(entries(&owner.client, "webhook.creator_gone").await.len(), 2);
}

#[tokio::test]
async fn a_removed_member_is_no_longer_a_maker_and_neither_are_their_revoked_keys() {
    let (app, tenant) = App::with_workspace().await;
    let (owner, admin) = (tenant.user(Role::Owner).await, tenant.user(Role::Admin).await);
    let contracts = json!({"module": "contracts", "url": "https://example.com/hook", "events": ["*"]});
    let of_admin = admin.client.create(WEBHOOKS, contracts).await;
    let of_deals = admin.client.create(WEBHOOKS, new("https://example.com/deals")).await;
    let (key, _) = manager(&admin.client, &app, None).await;
    let of_key = key.create(WEBHOOKS, new("https://example.com/key")).await;
    let notices = async || {
        let listed = owner.client.get(WEBHOOKS).await.expect(200);
        let rows = listed.body["data"].as_array().unwrap().clone();
        rows.iter()
            .filter(|it| it["creator_gone"] == true)
            .map(|it| it["id"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(notices().await, Vec::<String>::new());
    // Members may read records, but not contracts.
    let member = format!("/api/settings/members/{}", admin.id);
    let _ = owner.client.patch(&member, json!({"role": "member"})).await.expect(200);
    assert_eq!(notices().await, std::slice::from_ref(&of_admin));
    let _ = owner.client.delete(&format!("{member}?revoke_keys=true")).await.expect(200);
    assert_eq!(notices().await, [of_key, of_deals, of_admin], "newest first");
    expect_emails(&app, &owner, 1).await;
    assert_eq!(entries(&owner.client, "webhook.creator_gone").await.len(), 3, "one e-mail for all");
}

#[tokio::test]
async fn owners_and_admins_are_notified_of_failing_and_disabled_webhooks() {
    let (app, tenant, hook) = App::with_receiver().await;
    let (owner, admin) = (tenant.user(Role::Owner).await, tenant.user(Role::Admin).await);
    let member = tenant.user(Role::Member).await;
    let id = owner.client.create(WEBHOOKS, new(&hook.url)).await;
    let path = format!("{WEBHOOKS}/{id}");
    hook.answer(404);
    let _ = owner.client.post(&format!("{path}/test"), json!({})).await.expect(202);
    wait_until(&owner.client, &id, "failed").await;
    app.advance(Duration::hours(24)).await;
    let client = app.log_in(&owner, &owner.workspace).await;
    for user in [&owner, &admin] {
        expect_emails(&app, user, 1).await;
    }
    let failing = entries(&client, "webhook.failing").await;
    assert_eq!((failing.len(), &failing[0]["actor"]["type"]), (1, &json!("system")));
    assert_eq!((&failing[0]["subject"]["id"], &failing[0]["details"]["host"]), (&json!(id), &json!("127.0.0.1")));
    hook.answer(410);
    let _ = client.post(&format!("{path}/test"), json!({})).await.expect(202);
    eventually("it is disabled", async || client.get(&path).await.data()["disabled_reason"] == "gone").await;
    // Enabling it immediately does not suppress the e-mail.
    let _ = client.patch(&path, json!({"enabled": true})).await.expect(200);
    for user in [&owner, &admin] {
        expect_emails(&app, user, 2).await;
        let last = app.inbox.to(&user.email).into_iter().rfind(|it| it.subject().contains("ebhook")).unwrap();
        assert!(last.text().contains(&id) && last.text().contains("410"), "{}", last.text());
    }
    let disabled = entries(&client, "webhook.disabled").await;
    assert_eq!((disabled.len(), &disabled[0]["details"]["reason"]), (1, &json!("gone")));
    assert!(subjects(&app, &member).is_empty());
}
