//! Keys and scopes: every operation × every way a credential can be bad, × every scope, × another workspace's records.

use domain::access::{Level, Scope};
use http_actix::OPERATIONS;
use kit::{App, Client, Reply};
use serde_json::json;
use time::Duration;

use crate::support::NOWHERE;

/// The pattern of an operation with an id that nothing has in it.
fn path_of(pattern: &str) -> String {
    let mut path = String::new();
    for segment in pattern.split('/').skip(1) {
        path.push('/');
        path.push_str(if segment.starts_with('{') { NOWHERE } else { segment });
    }
    path
}

async fn call(client: &Client, method: &str, pattern: &str) -> Reply {
    let request = client.request(method, &path_of(pattern));
    let request = if matches!(method, "POST" | "PATCH") { request.json(&json!({"nope": 1})) } else { request };
    Reply::of(request).await
}

#[test]
fn the_table_has_the_whole_contract() {
    let mut found: Vec<_> =
        OPERATIONS.iter().map(|operation| format!("{} {}", operation.method, operation.pattern)).collect();
    found.sort();
    let mut expected = vec![
        "GET /api/v1/crm/contacts",
        "POST /api/v1/crm/contacts",
        "GET /api/v1/crm/deals",
        "POST /api/v1/crm/deals",
        "GET /api/v1/crm/deals/{deal_id}",
        "PATCH /api/v1/crm/deals/{deal_id}",
        "DELETE /api/v1/crm/deals/{deal_id}",
        "GET /api/v1/projects",
        "POST /api/v1/projects",
        "GET /api/v1/projects/{project_id}",
        "PATCH /api/v1/projects/{project_id}",
        "DELETE /api/v1/projects/{project_id}",
        "GET /api/v1/issues",
        "POST /api/v1/issues",
        "GET /api/v1/issues/{issue_id}",
        "PATCH /api/v1/issues/{issue_id}",
        "DELETE /api/v1/issues/{issue_id}",
        "GET /api/v1/projects/{project_id}/cycles",
        "POST /api/v1/projects/{project_id}/cycles",
        "GET /api/v1/projects/{project_id}/issues",
        "GET /api/v1/issues/{issue_id}/comments",
        "POST /api/v1/issues/{issue_id}/comments",
        "POST /api/v1/issues/bulk-update",
    ];
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[tokio::test]
async fn every_bad_credential_gets_the_same_401() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (expired, _) = tenant.expiring(Duration::seconds(1)).await;
    app.clock.advance(Duration::seconds(2));
    let (revoked, id) = tenant.expiring(Duration::days(1)).await;
    let _ = revoked.get("/api/v1/projects").await.expect(200);
    tenant.revoke(id).await;
    let good = tenant.full_access().await.key().map(ToOwned::to_owned).unwrap();
    let mut broken = good.clone();
    broken.replace_range(20..21, if &good[20..21] == "a" { "b" } else { "a" });
    // Well-formed and with a good checksum, but nobody's.
    let unknown = domain::api_keys::PlainKey::generate(&domain::testing::SequenceRandom::default());
    let clients = [
        ("none", app.anonymous()),
        ("malformed", app.with_key("nope")),
        ("broken checksum", app.with_key(&broken)),
        ("unknown", app.with_key(unknown.reveal())),
        ("expired", expired),
        ("revoked", revoked),
    ];
    for operation in OPERATIONS {
        for (name, client) in &clients {
            let reply = call(client, operation.method, operation.pattern).await;
            assert_eq!(
                (reply.status, reply.code()),
                (401, "unauthorized"),
                "{name}: {} {}",
                operation.method,
                operation.pattern
            );
            assert_eq!(reply.header("www-authenticate"), "Bearer", "{name}");
            assert_eq!(
                reply.body["error"]["message"],
                "a valid API key is needed: send it as Authorization: Bearer <API_KEY>"
            );
            assert_eq!(reply.header("x-api-version"), "v1");
        }
    }
}

#[tokio::test]
async fn the_header_has_one_form() {
    let app = App::start().await;
    let key = app.workspace().await.full_access().await.key().map(ToOwned::to_owned).unwrap();
    for (header, status) in [
        (format!("Bearer {key}"), 200),
        (format!("bearer {key}"), 200),
        (format!("Basic {key}"), 401),
        (key.clone(), 401),
        (format!("Bearer {key} x"), 401),
        ("Bearer".to_owned(), 401),
        (String::new(), 401),
    ] {
        let request = app.anonymous().request("GET", "/api/v1/projects").header("Authorization", &header);
        assert_eq!(Reply::of(request).await.status, status, "{}", header.replace(&key, "KEY"));
    }
    let in_query = app.anonymous().get(&format!("/api/v1/projects?api_key={key}")).await;
    assert_eq!(in_query.status, 401);
}

#[tokio::test]
async fn every_operation_needs_exactly_its_scopes() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    for scope in Scope::all() {
        let client = tenant.with_scopes(&[&scope.to_string()]).await;
        for operation in OPERATIONS {
            let missing: Vec<_> = operation
                .scopes
                .iter()
                .filter(|needed| {
                    !(needed.area == scope.area && (needed.level == scope.level || scope.level == Level::Write))
                })
                .map(ToString::to_string)
                .collect();
            let reply = call(&client, operation.method, operation.pattern).await;
            let what = format!("{scope}: {} {}", operation.method, operation.pattern);
            if missing.is_empty() {
                assert!(!matches!(reply.status, 401 | 403), "{what}: {}", reply.text);
            } else {
                assert_eq!((reply.status, reply.code()), (403, "forbidden"), "{what}");
                for name in &missing {
                    assert!(reply.body["error"]["message"].as_str().unwrap().contains(name), "{what}: {}", reply.text);
                }
                assert_eq!(reply.details().len(), missing.len(), "{what}");
            }
        }
    }
}

#[tokio::test]
async fn a_projects_tasks_need_both_scopes() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let path = format!("/api/v1/projects/{NOWHERE}/issues");
    assert_eq!(tenant.with_scopes(&["projects.read", "issues.read"]).await.get(&path).await.status, 404);
    assert_eq!(tenant.with_scopes(&["projects.write", "issues.write"]).await.get(&path).await.status, 404);
    assert_eq!(tenant.with_scopes(&["projects.write"]).await.get(&path).await.status, 403);
}
