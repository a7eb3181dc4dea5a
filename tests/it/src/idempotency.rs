//! `Idempotency-Key` on every POST.

use domain::identity::workspaces::Role;
use domain::kernel::idempotency::ResponseBudget;
use http_core::admission::AuthScheme;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, AppOptions, Client, simple_kinds};
use time::Duration;

use crate::all_callers::intake;
use crate::support::send_in_parallel;
use crate::time_entries::ENTRIES;
use crate::tools::call_once;

async fn send(client: &Client, path: &str, key: &str, body: &Value) -> ApiResponse {
    ApiResponse::of(client.request("POST", path).header("Idempotency-Key", key).json(body)).await
}

async fn posts(client: &Client) -> Vec<(String, Value, Value)> {
    let project = client.create("/api/v1/projects", json!({"name": "p"})).await;
    let issue = client.create("/api/v1/issues", json!({"kind": "task", "title": "t"})).await;
    let company = client.create("/api/v1/crm/companies", json!({"name": "c"})).await;
    let deal = client.create("/api/v1/crm/deals", json!({"title": "d"})).await;
    let webhook = json!({"module": "crm", "url": "https://hooks.invalid/", "events": ["*"]});
    let webhook = client.post("/api/settings/webhooks", webhook).await.id();
    let replay = |since: &str| json!({"since": since, "dry_run": true});
    let day = |day: &str| json!({"name": "c", "start_date": day, "end_date": day});
    vec![
        ("/api/v1/crm/contacts".to_owned(), json!({"email": "a@example.com"}), json!({"email": "b@example.com"})),
        ("/api/v1/crm/deals".to_owned(), json!({"title": "d", "value": 0.1}), json!({"title": "e"})),
        ("/api/v1/crm/companies".to_owned(), json!({"name": "c"}), json!({"name": "d"})),
        (format!("/api/v1/crm/companies/{company}/comments"), json!({"body": "b"}), json!({"body": "c"})),
        (format!("/api/v1/crm/deals/{deal}/comments"), json!({"body": "b"}), json!({"body": "c"})),
        ("/api/v1/projects".to_owned(), json!({"name": "p"}), json!({"name": "q"})),
        (format!("/api/v1/projects/{project}/cycles"), day("2030-01-01"), day("2030-01-02")),
        ("/api/v1/issues".to_owned(), json!({"kind": "ticket", "title": "t"}), json!({"kind": "task", "title": "t"})),
        (format!("/api/v1/issues/{issue}/comments"), json!({"body": "b"}), json!({"body": "c"})),
        (
            "/api/modules/time/events".to_owned(),
            json!({"event": "entry.created", "payload": {"a": 1}}),
            json!({"event": "entry.created", "payload": {"a": 2}}),
        ),
        (
            "/api/settings/members".to_owned(),
            json!({"email": "m@example.com", "role": "member"}),
            json!({"email": "n@example.com", "role": "viewer"}),
        ),
        (
            "/api/operator/workspaces".to_owned(),
            json!({"name": "New", "slug": "new", "owner_email": "o@example.com"}),
            json!({"name": "New", "slug": "newer"}),
        ),
        (
            format!("/api/settings/webhooks/{webhook}/replay"),
            replay("2000-01-01T00:00:00Z"),
            replay("2001-01-01T00:00:00Z"),
        ),
        ("/api/public/tickets".to_owned(), intake("a@example.com"), intake("b@example.com")),
        ("/api/settings/kb/articles".to_owned(), json!({"title": "a"}), json!({"title": "b"})),
        (
            "/api/v1/issues/bulk-update".to_owned(),
            json!({"issueIds": [issue], "patch": {"priority": "low"}}),
            json!({"issueIds": [issue], "patch": {"priority": "high"}}),
        ),
    ]
}

/// Each approval step requires the previous one.
async fn posts_of_time(client: &Client) -> Vec<(String, Value, Value)> {
    let hour = |date: &str| json!({"date": date, "seconds": 3_600});
    let entry = client.post(ENTRIES, hour("2030-01-07")).await.id();
    let mut posts = vec![
        (ENTRIES.to_owned(), hour("2030-01-08"), hour("2030-01-09")),
        (format!("{ENTRIES}/start"), json!({"note": "a"}), json!({"note": "b"})),
        (format!("{ENTRIES}/stop"), json!({}), json!({"member_id": null})),
    ];
    for step in ["submit", "reject", "approve", "export"] {
        posts.push((format!("{ENTRIES}/{step}"), json!({"ids": [entry]}), json!({"ids": [entry, entry]})));
    }
    posts
}

#[tokio::test]
async fn a_repeated_request_gets_the_first_response_and_another_body_a_conflict() {
    let (_app, tenant) = App::with_workspace().await;
    let client = tenant.operator(Role::Owner).await.client;
    let of_simple_kinds = simple_kinds().into_iter().map(|kind| (kind.path.to_owned(), (kind.body)(1), (kind.body)(2)));
    let posts = [posts(&client).await, posts_of_time(&client).await, of_simple_kinds.collect()].concat();
    // Operations without a body are tested elsewhere: their bodies cannot conflict.
    // `portal.rs` and `widget.rs` test customer operations.
    let keyed = |operation: &&http_core::Operation| {
        operation.takes_idempotency_key && operation.has_body && operation.auth_scheme == AuthScheme::Caller
    };
    let known: Vec<_> = http_actix::OPERATIONS.iter().filter(keyed).collect();
    assert_eq!(known.len(), posts.len(), "a new POST needs a row above");
    let user = client;
    for (path, body, other) in posts {
        let another = async || {
            if path.starts_with("/api/public/") {
                tenant.full_access().await
            } else {
                tenant.operator(Role::Owner).await.client
            }
        };
        let key = another().await;
        let client = if path.starts_with("/api/public/") { &key } else { &user };
        let first = send(client, &path, "k", &body).await;
        assert!(first.status < 300, "{path}: {}", first.text);
        assert_eq!(first.header("idempotent-replayed"), "");
        let repeated = send(client, &path, "k", &body).await;
        assert_eq!((repeated.status, &repeated.text), (first.status, &first.text), "{path}");
        assert_eq!(repeated.header("location"), first.header("location"), "{path}");
        assert_eq!(repeated.header("idempotent-replayed"), "true", "{path}");
        assert_ne!(repeated.header("x-request-id"), first.header("x-request-id"));
        let conflict = send(client, &path, "k", &other).await.expect(409);
        assert_eq!(conflict.code(), "idempotency_conflict", "{path}");
        // Idempotency keys are per credential.
        let fresh = send(&another().await, &path, "k", &other).await;
        assert_eq!(fresh.header("idempotent-replayed"), "", "{path}");
    }
}

#[tokio::test]
async fn a_response_with_a_secret_is_never_stored() {
    let app = App::start().await;
    let client = app.workspace().await.user(Role::Owner).await.client;
    let body = json!({"name": "k", "preset": "crm"});
    let first = send(&client, "/api/settings/api-keys", "k", &body).await.expect(201);
    let repeated = send(&client, "/api/settings/api-keys", "k", &body).await.expect(201);
    assert_ne!((first.id(), &first.data()["key"]), (repeated.id(), &repeated.data()["key"]));
    assert_eq!(repeated.header("idempotent-replayed"), "");
}

#[tokio::test]
async fn errors_are_not_stored_and_responses_for_one_day() {
    let (app, client) = App::with_client().await;
    let path = "/api/v1/crm/deals";
    for body in [
        json!({"title": ""}),
        json!({"title": "d", "contact_id": crate::support::UNKNOWN_ID}),
        json!({"title": "d", "nope": 1}),
    ] {
        assert!(send(&client, path, "k", &body).await.status >= 400);
    }
    let first = send(&client, path, "k", &json!({"title": "d"})).await.expect(201);
    app.advance(Duration::hours(23)).await;
    assert_eq!(send(&client, path, "k", &json!({"title": "d"})).await.id(), first.id());
    app.advance(Duration::hours(2)).await;
    let later = send(&client, path, "k", &json!({"title": "other"})).await.expect(201);
    assert_ne!(later.id(), first.id());
    assert_eq!(send(&client, path, "k", &json!({"title": "other"})).await.id(), later.id());
}

#[tokio::test]
async fn a_key_is_printable_and_bounded() {
    let (_app, client) = App::with_client().await;
    for (key, status) in [
        ("x".repeat(255), 201),
        ("x".repeat(256), 400),
        (String::new(), 400),
        ("a b~!".to_owned(), 201),
        ("ä".to_owned(), 400),
    ] {
        let reply = send(&client, "/api/v1/crm/deals", &key, &json!({"title": "d"})).await;
        assert_eq!(reply.status, status, "{key}");
    }
}

#[tokio::test]
async fn concurrent_requests_create_one_record() {
    let (_app, client) = App::with_client().await;
    for round in 0..5 {
        let create = |_| {
            let request = client.request("POST", "/api/v1/crm/deals").header("Idempotency-Key", format!("k{round}"));
            request.json(&json!({"title": "d"}))
        };
        for reply in send_in_parallel((0..8).map(create)).await {
            assert!(reply.status == 201 || reply.code() == "idempotency_conflict", "{}", reply.text);
        }
        assert_eq!(client.get("/api/v1/crm/deals").await.ids().len(), round + 1);
    }
}

#[tokio::test]
async fn stored_responses_are_limited_per_workspace_and_requests_above_have_no_effect() {
    let options = AppOptions { response_budget: ResponseBudget(10_000), ..AppOptions::default() };
    let app = App::start_as(options).await;
    let (tenant, other) = (app.workspace().await, app.workspace().await);
    let (client, others) = (tenant.full_access().await, other.full_access().await);
    let body = json!({"title": "d"});
    let mut stored = 0;
    let refused = loop {
        let reply = send(&client, "/api/v1/crm/deals", &format!("k{stored}"), &body).await;
        if reply.status != 201 {
            break reply;
        }
        stored += 1;
    };
    assert!((5..20).contains(&stored), "{stored}");
    assert_eq!((refused.status, &refused.body["error"]), (429, &json!("quota_exceeded")), "{}", refused.text);
    let wait: i64 = refused.header("Retry-After").parse().unwrap();
    assert!((1..=25 * 3_600).contains(&wait), "{wait}");
    let count = async || client.get("/api/v1/crm/deals?limit=100").await.data().as_array().map(Vec::len);
    assert_eq!(count().await, Some(stored), "nothing was created");
    // Another key of the workspace shares the budget; a request without an idempotency key needs none.
    let second = tenant.full_access().await;
    assert_eq!(send(&second, "/api/v1/crm/deals", "other", &body).await.status, 429);
    let _ = client.post("/api/v1/crm/deals", body.clone()).await.expect(201);
    let replayed = send(&client, "/api/v1/crm/deals", "k0", &body).await.expect(201);
    assert_eq!(replayed.header("Idempotent-Replayed"), "true");
    let _ = send(&others, "/api/v1/crm/deals", "k", &body).await.expect(201);
    // Tools share it too.
    let called = call_once(&client, "tool", "create_deal", &body).await;
    assert_eq!((called.status, &called.body["error"]), (429, &json!("quota_exceeded")), "{}", called.text);
    assert_eq!(count().await, Some(stored + 1));
}
