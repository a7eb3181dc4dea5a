//! `ETag`, `If-Match`, `If-None-Match`, and versions.

use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client};

use crate::support::statuses_in_parallel;

/// Records with a PATCH but no GET route: path, change, and stored values.
async fn parts(client: &Client) -> Vec<(String, Value, Value)> {
    let mut parts = Vec::new();
    for (parent, new) in [
        ("/api/v1/crm/companies", json!({"name": "c"})),
        ("/api/v1/crm/deals", json!({"title": "d"})),
        ("/api/v1/issues", json!({"kind": "ticket", "title": "t"})),
    ] {
        let comments = format!("{parent}/{}/comments", client.post(parent, new).await.id());
        let comment = client.post(&comments, json!({"body": "b"})).await.id();
        parts.push((format!("{comments}/{comment}"), json!({"body": "c"}), json!({"body": "b"})));
    }
    let project = client.create("/api/v1/projects", json!({"name": "p"})).await;
    let cycles = format!("/api/v1/projects/{project}/cycles");
    let days = json!({"name": "c", "start_date": "2030-01-01", "end_date": "2030-01-02"});
    let cycle = client.post(&cycles, days.clone()).await.id();
    parts.push((format!("{cycles}/{cycle}"), json!({"name": "d"}), days));
    parts
}

#[tokio::test]
async fn records_without_a_get_route_have_versions_too() {
    let (_app, client) = App::with_client().await;
    for (path, change, same) in parts(&client).await {
        let patch = |tag: &str| ApiResponse::of(client.request("PATCH", &path).json(&change).header("If-Match", tag));
        let unchanged = client.patch(&path, same).await.expect(200);
        assert_eq!((unchanged.header("etag"), &unchanged.data()["version"]), ("\"1\"", &json!(1)), "{path}");
        assert_eq!(patch("\"2\"").await.expect(409).code(), "concurrent_update", "{path}");
        assert_eq!(patch("\"1\"").await.expect(200).header("etag"), "\"2\"", "{path}");
        assert_eq!(client.patch(&path, json!({})).await.expect(422).details(), [":empty_patch"], "{path}");
        let delete = |tag: &str| ApiResponse::of(client.request("DELETE", &path).header("If-Match", tag));
        assert_eq!(delete("\"1\"").await.expect(409).code(), "concurrent_update", "{path}");
        let id = path.rsplit('/').next().unwrap();
        assert_eq!(*delete("\"2\"").await.expect(200).data(), json!({"id": id, "deleted": true}), "{path}");
        assert_eq!(client.delete(&path).await.status, 404, "{path}");
        assert_eq!(client.patch(&path, change.clone()).await.status, 404, "{path}");
    }
}

async fn records(client: &Client) -> Vec<(String, Value, Value)> {
    let deal = client.create("/api/v1/crm/deals", json!({"title": "d"})).await;
    let project = client.create("/api/v1/projects", json!({"name": "p"})).await;
    let issue = client.create("/api/v1/issues", json!({"kind": "task", "title": "t"})).await;
    let company = client.create("/api/v1/crm/companies", json!({"name": "c"})).await;
    vec![
        (format!("/api/v1/crm/deals/{deal}"), json!({"title": "e"}), json!({"title": "d"})),
        (format!("/api/v1/crm/companies/{company}"), json!({"name": "d"}), json!({"name": "c"})),
        (format!("/api/v1/projects/{project}"), json!({"name": "q"}), json!({"name": "p"})),
        (format!("/api/v1/issues/{issue}"), json!({"title": "u"}), json!({"title": "t"})),
    ]
}

#[tokio::test]
async fn a_change_requires_the_version_in_if_match() {
    let (_app, client) = App::with_client().await;
    for (path, change, _) in records(&client).await {
        let patch = |tag: &str| client.request("PATCH", &path).json(&change).header("If-Match", tag);
        assert_eq!(client.get(&path).await.header("etag"), "\"1\"");
        for tag in ["\"2\"", "W/\"1\"", "\"x\"", "\"2\", \"3\""] {
            let reply = ApiResponse::of(patch(tag)).await.expect(409);
            assert_eq!(reply.code(), "concurrent_update", "{path} {tag}");
        }
        for tag in ["1", "x", "", "\"1"] {
            assert_eq!(ApiResponse::of(patch(tag)).await.status, 400, "{path} {tag}");
        }
        assert_eq!(ApiResponse::of(patch("\"1\"")).await.expect(200).header("etag"), "\"2\"");
        assert_eq!(ApiResponse::of(patch("\"1\"")).await.status, 409, "even when nothing would change");
        assert_eq!(ApiResponse::of(patch("\"1\", \"2\"")).await.status, 200);
        assert_eq!(ApiResponse::of(patch("*")).await.status, 200);
        let delete = |tag: &str| client.request("DELETE", &path).header("If-Match", tag);
        assert_eq!(ApiResponse::of(delete("\"1\"")).await.expect(409).code(), "concurrent_update");
        assert_eq!(ApiResponse::of(delete("\"2\"")).await.status, 200);
    }
}

#[tokio::test]
async fn an_equal_patch_changes_nothing() {
    let (_app, client) = App::with_client().await;
    for (path, _, same) in records(&client).await {
        let before = client.get(&path).await;
        let after = client.patch(&path, same).await.expect(200);
        assert_eq!(before.body, after.body);
        assert_eq!(after.header("etag"), "\"1\"");
    }
}

#[tokio::test]
async fn an_unchanged_version_is_304() {
    let (_app, client) = App::with_client().await;
    for (path, change, _) in records(&client).await {
        let get = |tag: &str| client.request("GET", &path).header("If-None-Match", tag);
        for tag in ["\"1\"", "W/\"1\"", "*", "\"7\", \"1\""] {
            let reply = ApiResponse::of(get(tag)).await.expect(304);
            assert_eq!((reply.text.as_str(), reply.header("etag")), ("", "\"1\""), "{path} {tag}");
        }
        assert_eq!(ApiResponse::of(get("\"2\"")).await.status, 200);
        let _ = client.patch(&path, change).await.expect(200);
        assert_eq!(ApiResponse::of(get("\"1\"")).await.status, 200);
    }
}

#[tokio::test]
async fn of_many_concurrent_changes_of_a_version_one_succeeds() {
    let (_app, client) = App::with_client().await;
    for (path, ..) in records(&client).await {
        let member = if path.contains("projects") || path.contains("companies") { "name" } else { "title" };
        let change = |number| {
            let request = client.request("PATCH", &path).header("If-Match", "\"1\"");
            request.json(&json!({ member: format!("n{number}") }))
        };
        let statuses = statuses_in_parallel((0..8).map(change)).await;
        assert_eq!(statuses, [200, 409, 409, 409, 409, 409, 409, 409], "{path}");
    }
}
