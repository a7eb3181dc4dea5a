//! Custom headers of webhooks: sent, never shown, and not to another host.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::App;

use crate::tools::run;

const WEBHOOKS: &str = "/api/settings/webhooks";

#[tokio::test]
async fn custom_headers_are_sent_and_their_values_never_shown() {
    let (_app, tenant, hook) = App::with_receiver().await;
    let owner = tenant.user(Role::Owner).await.client;
    let headers = json!({"Authorization": "Bearer hidden-1", "X-Gateway-Key": " hidden-2 "});
    let body = json!({"module": "crm", "url": hook.url, "events": ["*"], "headers": headers});
    let created = owner.post(WEBHOOKS, body).await.expect(201);
    let shown = json!({"Authorization": null, "X-Gateway-Key": null});
    let path = format!("{WEBHOOKS}/{}", created.id());
    let send = async |count: usize| {
        let _ = owner.post(&format!("{path}/test"), json!({})).await.expect(202);
        hook.wait_for(count).await.pop().unwrap()
    };
    let delivery = send(1).await;
    assert_eq!((delivery.header("authorization"), delivery.header("x-gateway-key")), ("Bearer hidden-1", "hidden-2"));
    assert!(delivery.header("x-service-signature").starts_with("sha256="));
    // Sending back what was read changes nothing: null stands for the stored value.
    let same = owner.patch(&path, json!({"headers": shown})).await.expect(200);
    assert_eq!((&same.data()["headers"], &same.data()["version"]), (&shown, &json!(1)));
    let change = json!({"headers": {"authorization": null, "X-New": "hidden-3"}});
    let changed = owner.patch(&path, change).await.expect(200);
    assert_eq!(changed.data()["headers"], json!({"authorization": null, "X-New": null}));
    let delivery = send(2).await;
    let values = ["authorization", "x-new", "x-gateway-key"].map(|name| delivery.header(name));
    assert_eq!(values, ["Bearer hidden-1", "hidden-3", ""]);
    let unknown = owner.patch(&path, json!({"headers": {"X-Never": null}})).await.expect(422);
    assert_eq!(unknown.details(), ["headers.X-Never:required"]);
    let key = crate::webhook_reach::manager(
        &tenant,
        &["deals.read", "contacts.read", "crm.read"],
        &["read_deals", "read_contacts", "read_companies"],
    )
    .await;
    let stored = run(&key, "get_webhook", json!({"id": created.id()})).await;
    assert_eq!(stored["headers"], json!({"authorization": null, "X-New": null}));
    for text in [
        created.text,
        changed.text,
        owner.get(&path).await.text,
        owner.get(WEBHOOKS).await.text,
        owner.get("/api/settings/audit-log?limit=100").await.text,
        owner.get(&format!("{path}/deliveries")).await.text,
        stored.to_string(),
    ] {
        assert!(!text.contains("hidden"), "{text}");
    }
    let none = owner.patch(&path, json!({"headers": null})).await.expect(200);
    assert_eq!(none.data()["headers"], json!({}));
    assert_eq!(send(3).await.header("authorization"), "");
}

/// A user who changes the target must not obtain values that others stored for the old one.
#[tokio::test]
async fn another_host_gets_no_stored_header() {
    let (_app, tenant, hook) = App::with_receiver().await;
    let owner = tenant.user(Role::Owner).await;
    let body =
        json!({"module": "crm", "url": "https://example.com/hook", "events": ["*"], "headers": {"X-Key": "hidden"}});
    let created = owner.client.post(WEBHOOKS, body).await.expect(201);
    let path = format!("{WEBHOOKS}/{}", created.id());
    let moved = json!({"url": "https://example.com:443/other"});
    let stored = owner.client.patch(&path, moved).await.expect(200);
    assert_eq!(stored.data()["headers"], json!({"X-Key": null}), "the same scheme, host and port");
    for url in [&*hook.url, "https://example.com:8443/other", "http://example.com/other"] {
        let change = json!({"url": url, "headers": {"X-Key": null}});
        let refused = owner.client.patch(&path, change).await.expect(422);
        assert_eq!(refused.details(), ["headers.X-Key:required"], "{url}");
        assert!(refused.text.contains("another scheme, host or port"), "{}", refused.text);
    }
    let moved = owner.client.patch(&path, json!({"url": hook.url})).await.expect(200);
    assert_eq!(moved.data()["headers"], json!({}));
    let _ = owner.client.post(&format!("{path}/test"), json!({})).await.expect(202);
    assert_eq!(hook.wait_for(1).await[0].header("x-key"), "");
    let anew = json!({"url": "https://example.org/hook", "headers": {"X-Key": "other"}});
    assert_eq!(owner.client.patch(&path, anew).await.expect(200).data()["headers"], json!({"X-Key": null}));
    let log = owner.client.get("/api/settings/audit-log?limit=100").await;
    let updates = log.body["data"].as_array().unwrap().iter().filter(|it| it["action"] == "webhook.updated");
    let names: Vec<&Value> = updates.map(|it| &it["details"]["headers"]).collect();
    assert_eq!(names, [&json!(["X-Key"]), &json!([]), &json!(["X-Key"])], "newest first");
}
