//! `/api/widget`: requests without a key from the pages in `widget_origins`.

use domain::identity::workspaces::{Role, SettableStatus};
use domain::limits::Plan;
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client};
use time::Duration;

use crate::all_callers::{PAGE, enable_widget, intake, issue_of};
use crate::support::UNKNOWN_ID;

fn tickets(workspace: &str) -> String {
    format!("/api/widget/{workspace}/tickets")
}

fn search(workspace: &str) -> String {
    format!("/api/widget/{workspace}/kb/search?q=printer")
}

fn post(client: &Client, workspace: &str) -> RequestBuilder {
    client.request("POST", &tickets(workspace)).json(&intake("ada@example.org"))
}

async fn from_page(request: RequestBuilder, origin: &str) -> ApiResponse {
    ApiResponse::of(request.header("Origin", origin)).await
}

#[tokio::test]
async fn an_allowed_page_opens_tickets_and_searches() {
    let (app, tenant) = App::with_workspace().await;
    let (owner, workspace) = (tenant.user(Role::Owner).await.client, tenant.workspace.id.to_string());
    enable_widget(&owner).await;
    let article = json!({"title": "Printer <b>", "body": "Turn the printer on.", "status": "published"});
    let _ = owner.post("/api/settings/kb/articles", article).await.expect(201);
    let anonymous = app.anonymous();
    let created = from_page(post(&anonymous, &workspace), PAGE).await.expect(201);
    assert_eq!((&created.data()["status"], &created.data()["type"]), (&json!("open"), &json!("question")));
    assert_eq!(created.header("location"), "", "a visitor could not use it");
    let reference = created.data()["reference"].as_str().unwrap();
    let issue = owner.get(&format!("/api/v1/issues/{}", issue_of(&owner, reference).await)).await.expect(200);
    assert_eq!(issue.data()["created_by"], json!({"type": "system", "id": null}));
    let results = from_page(anonymous.request("GET", &search(&workspace)), PAGE).await.expect(200);
    assert_eq!(results.body["data"][0]["title"].as_str(), Some("Printer <b>"));
    assert_eq!(results.body["data"].as_array().unwrap().len(), 1);
    assert!(results.body["data"][0]["excerpt"].as_str().unwrap().contains("<mark>printer</mark>"));
    let bad = anonymous.request("POST", &tickets(&workspace)).json(&json!({"name": ""}));
    for reply in [created, results, from_page(bad, PAGE).await.expect(400)] {
        assert_eq!((reply.header("access-control-allow-origin"), reply.header("vary")), (PAGE, "Origin"));
        assert_eq!(reply.header("access-control-allow-credentials"), "");
        assert!(reply.header("access-control-expose-headers").contains("Retry-After"));
    }
    // The limits are the same as for the intake.
    let mut long = intake("ada@example.org");
    long["subject"] = Value::String("x".repeat(501));
    let refused = from_page(anonymous.request("POST", &tickets(&workspace)).json(&long), PAGE).await.expect(422);
    assert_eq!(refused.details(), ["subject:too_long"]);
}

#[tokio::test]
async fn all_other_requests_get_the_same_403() {
    let app = App::start().await;
    let (tenant, off, deleted) = (app.workspace().await, app.workspace().await, app.workspace().await);
    for one in [&tenant, &off, &deleted] {
        enable_widget(&one.user(Role::Owner).await.client).await;
    }
    let owner = off.user(Role::Owner).await.client;
    let _ = owner.patch("/api/settings/workspace", json!({"widget_enabled": false})).await.expect(200);
    deleted.set_status(SettableStatus::Suspended).await;
    let (good, off, deleted) =
        (tenant.workspace.id.to_string(), off.workspace.id.to_string(), deleted.workspace.id.to_string());
    let mut answers = Vec::new();
    for (workspace, origin) in [
        (&*good, "https://evil.example.com"),
        (&good, "https://help.example.com.evil.example.com"),
        (&good, "HTTPS://HELP.EXAMPLE.COM"),
        (&good, "http://help.example.com"),
        (&good, "https://help.example.com:8443"),
        (&good, "null"),
        (&good, ""),
        (&off, PAGE),
        (&deleted, PAGE),
        (UNKNOWN_ID, PAGE),
        ("nope", PAGE),
        (&tenant.workspace.slug, PAGE),
    ] {
        // A key or a malformed body changes nothing.
        let full = tenant.full_access().await;
        let wrong = app.anonymous().request("POST", &tickets(workspace)).body("{");
        for request in [post(&app.anonymous(), workspace), post(&full, workspace), wrong] {
            answers.push(from_page(request, origin).await);
        }
        for method in ["GET", "OPTIONS"] {
            answers.push(from_page(app.anonymous().request(method, &search(workspace)), origin).await);
        }
    }
    answers.push(ApiResponse::of(post(&app.anonymous(), &good)).await);
    answers.push(from_page(post(&app.anonymous(), &good).header("Origin", PAGE), PAGE).await);
    for reply in answers {
        assert_eq!((reply.status, reply.code()), (403, "forbidden"), "{}", reply.text);
        assert_eq!(reply.body["error"]["message"], "this page is not allowed to use the workspace's widget");
        assert_eq!((reply.header("access-control-allow-origin"), reply.header("vary")), ("", "Origin"));
    }
}

#[tokio::test]
async fn only_these_two_routes_answer_preflights() {
    let (app, tenant) = App::with_workspace().await;
    enable_widget(&tenant.user(Role::Owner).await.client).await;
    let workspace = tenant.workspace.id.to_string();
    for (path, method) in [(tickets(&workspace), "POST"), (search(&workspace), "GET")] {
        let request = app.anonymous().request("OPTIONS", &path).header("Access-Control-Request-Method", method);
        let reply = from_page(request, PAGE).await.expect(204);
        assert_eq!(reply.text, "");
        assert_eq!((reply.header("access-control-allow-origin"), reply.header("vary")), (PAGE, "Origin"));
        assert_eq!(reply.header("access-control-allow-methods"), method);
        assert!(reply.header("access-control-allow-headers").contains("Content-Type"));
    }
    for path in ["/api/public/tickets", "/api/portal/ticket", "/api/v1/projects", "/api/auth/login"] {
        let reply = from_page(app.anonymous().request("OPTIONS", path), PAGE).await.expect(405);
        assert_eq!((reply.header("access-control-allow-origin"), reply.header("vary")), ("", ""), "{path}");
    }
}

#[tokio::test]
async fn an_idempotency_key_belongs_to_the_address() {
    let (app, tenant) = App::with_workspace().await;
    enable_widget(&tenant.user(Role::Owner).await.client).await;
    let workspace = tenant.workspace.id.to_string();
    let send = async || from_page(post(&app.anonymous(), &workspace).header("Idempotency-Key", "k"), PAGE).await;
    let (first, repeated) = (send().await.expect(201), send().await.expect(201));
    assert_eq!((&repeated.text, repeated.header("idempotent-replayed")), (&first.text, "true"));
    let other = app.anonymous().request("POST", &tickets(&workspace)).json(&intake("bob@example.org"));
    let conflict = from_page(other.header("Idempotency-Key", "k"), PAGE).await.expect(409);
    assert_eq!(conflict.code(), "idempotency_conflict");
}

#[tokio::test]
async fn the_widget_has_the_limits_of_the_public_routes() {
    let app = App::with_real_limits().await;
    app.begin_window(Duration::HOUR).await;
    let tenant = app.workspace_of(Plan::Starter).await;
    let owner = tenant.user(Role::Owner).await.client;
    enable_widget(&owner).await;
    let workspace = tenant.workspace.id.to_string();
    let key = tenant.full_access().await;
    let _ = key.post("/api/public/tickets", intake("ada@example.org")).await.expect(201);
    for remaining in (0..9).rev() {
        // Preflights do not count here.
        let _ = from_page(app.anonymous().request("OPTIONS", &tickets(&workspace)), PAGE).await.expect(204);
        let created = from_page(post(&app.anonymous(), &workspace), PAGE).await.expect(201);
        assert_eq!(created.header("x-ratelimit-limit"), "10");
        assert_eq!(created.header("x-ratelimit-remaining"), &*remaining.to_string());
    }
    let refused = from_page(post(&app.anonymous(), &workspace), PAGE).await.expect(429);
    assert_eq!(refused.header("access-control-allow-origin"), PAGE, "the page may read it");
    for _ in 0..5 {
        let _ = from_page(app.anonymous().request("GET", &search(&workspace)), PAGE).await.expect(200);
    }
    assert_eq!(from_page(app.anonymous().request("GET", &search(&workspace)), PAGE).await.status, 429);
    assert_eq!(key.get("/api/public/kb/search?q=a").await.status, 429, "counted together");
    // Guessing workspace ids is limited too.
    for _ in 0..10 {
        assert_eq!(from_page(post(&app.anonymous(), UNKNOWN_ID), PAGE).await.status, 403);
    }
    assert_eq!(from_page(post(&app.anonymous(), UNKNOWN_ID), PAGE).await.status, 429);
}
