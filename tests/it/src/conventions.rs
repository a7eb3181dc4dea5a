//! Conventions of every route: headers, envelopes, unknown routes, parameters and members, the order of checks.

use domain::identity::workspaces::Role;
use http_actix::OPERATIONS;
use http_core::Operation;
use serde_json::json;
use test_support::{ApiResponse, App, simple_kinds};

use crate::all_callers::AllCallers;
use crate::support::path_of;

#[tokio::test]
async fn every_response_has_its_request_id_and_version() {
    let (_app, client) = AllCallers::start().await;
    for operation in OPERATIONS.iter().filter(|operation| operation.method != "OPTIONS") {
        let request = client.request(operation.method, &path_of(operation.pattern));
        let reply = ApiResponse::of(request).await;
        let version = if operation.pattern.starts_with("/api/v1/") { "v1" } else { "" };
        assert_eq!(reply.header("x-api-version"), version);
        assert_eq!(reply.header("x-request-id").len(), 36);
        assert_eq!(reply.header("content-type"), "application/json");
        if reply.status >= 400 {
            assert_eq!(reply.body["error"]["request_id"], reply.header("x-request-id"));
            assert!(!reply.body["error"]["message"].as_str().unwrap().is_empty());
        }
    }
    for (given, stored) in [
        ("abc-DEF_1.2", true),
        (&"x".repeat(128), true),
        (&"x".repeat(129), false),
        ("a b", false),
        ("a/b", false),
        ("ä", false),
    ] {
        let reply = ApiResponse::of(client.request("GET", "/api/v1/nope").header("X-Request-Id", given)).await;
        assert_eq!(reply.header("x-request-id") == given, stored, "{given}");
        assert_eq!(reply.body["error"]["request_id"], reply.header("x-request-id"));
    }
}

#[tokio::test]
async fn unknown_routes_are_404_and_wrong_methods_405_before_any_credential() {
    let app = App::start().await;
    let client = app.anonymous();
    for path in [
        "/api",
        "/api/v1",
        "/api/v1/",
        "/api/v1/nope",
        "/api/v1/crm",
        "/api/v1/crm/contacts/",
        "/api/v1/projects/",
        "/api/v2/projects",
        "/api-contacts",
        "/api-deals",
        "/api-issues",
        "/api-projects",
        "/api-ingest",
        "/api/v1/api-contacts",
        "//api/v1/projects",
        "/api/v1/crm/contacts/01890a5d-ac96-774b-bcce-b302099a8057",
        "/API/v1/projects",
        "/api/v1/projects%2f",
    ] {
        let reply = client.get(path).await;
        assert_eq!((reply.status, reply.code()), (404, "not_found"), "{path}: {}", reply.text);
    }
    let flat = client.get("/api/mcp/nope").await.expect(404);
    assert_eq!(flat.body["error"], "not_found");
    let mut patterns: Vec<_> = OPERATIONS.iter().map(|operation| operation.pattern).collect();
    patterns.dedup();
    for pattern in patterns {
        let mut allowed: Vec<_> = OPERATIONS
            .iter()
            .filter(|operation| operation.pattern == pattern)
            .map(|operation| operation.method)
            .collect();
        allowed.sort_unstable();
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"] {
            if allowed.contains(&method) {
                continue;
            }
            let reply = ApiResponse::of(client.request(method, &path_of(pattern))).await;
            assert_eq!((reply.status, reply.code()), (405, "method_not_allowed"), "{method} {pattern}: {}", reply.text);
            let mut methods: Vec<_> = reply.header("allow").split(", ").collect();
            methods.sort_unstable();
            assert_eq!(methods, allowed, "{method} {pattern}");
        }
    }
}

#[tokio::test]
async fn unknown_parameters_are_reported_on_every_route() {
    let (_app, client) = AllCallers::start().await;
    // A preflight has the same parameters as the actual request.
    for operation in OPERATIONS.iter().filter(|operation| operation.method != "OPTIONS") {
        // `q` is required.
        let is_search = operation.method == "GET" && operation.pattern.ends_with("/kb/search");
        let searched = match operation.pattern {
            "/api/v1/time/summary" => "&group_by=member&from=2030-01-01&to=2030-01-31",
            _ if is_search => "&q=a",
            _ => "",
        };
        let request =
            client.request(operation.method, &format!("{}?nope=1&sort=x{searched}", path_of(operation.pattern)));
        let request = if operation.has_body { request.json(&json!({})) } else { request };
        let reply = ApiResponse::of(request).await.expect(400);
        assert_eq!(reply.code(), "unknown_parameter", "{} {}", operation.method, operation.pattern);
        let details = reply.details();
        assert_eq!(&details[..2], ["nope:unknown_parameter", "sort:unknown_parameter"]);
    }
}

#[tokio::test]
async fn members_of_an_unexpected_body_are_reported() {
    let (_app, client) = AllCallers::start().await;
    let bare: Vec<_> =
        OPERATIONS.iter().filter(|operation| operation.method == "POST" && !operation.has_body).collect();
    // Restoring a record of a simple kind takes no body either.
    assert_eq!(bare.len(), 13 + simple_kinds().len());
    // The last request ends the session.
    let (logout, others): (Vec<&Operation>, Vec<&Operation>) =
        bare.into_iter().partition(|one| one.pattern.ends_with("/logout"));
    for operation in others.into_iter().chain(logout) {
        let request = || client.request("POST", &path_of(operation.pattern));
        let reply = ApiResponse::of(request().json(&json!({"x": 1, "y": {}}))).await.expect(400);
        assert_eq!(reply.details(), ["x:unknown_field", "y:unknown_field"], "{}", operation.pattern);
        for (text, code) in [("[]", "invalid_value"), ("{", "invalid_json")] {
            let broken = request().header("Content-Type", "application/json").body(text);
            assert_eq!(ApiResponse::of(broken).await.expect(400).code(), code, "{}", operation.pattern);
        }
        let other = request().header("Content-Type", "text/plain").body("x");
        assert_eq!(ApiResponse::of(other).await.status, 415, "{}", operation.pattern);
        let wide = request().json(&json!({"x": "x".repeat(1024 * 1024)}));
        assert_eq!(ApiResponse::of(wide).await.status, 413, "{}", operation.pattern);
        // Not found, or already signed out.
        for good in [request().json(&json!({})), request()] {
            assert!(matches!(ApiResponse::of(good).await.status, 200 | 201 | 401 | 404), "{}", operation.pattern);
        }
    }
}

#[tokio::test]
async fn bad_ids_in_paths_are_400_and_unknown_ones_404() {
    let app = App::start().await;
    let client = app.workspace().await.operator(Role::Owner).await.client;
    // Malformed ticket references and widget workspaces get the same response as unknown ones, to prevent enumeration.
    let with_id = |operation: &&Operation| {
        operation.pattern.contains('{')
            && !["{ticket_ref}", "/api/widget/"].iter().any(|part| operation.pattern.contains(part))
    };
    for operation in OPERATIONS.iter().filter(with_id) {
        let body = match operation.pattern.rsplit('/').next() {
            Some("{member_id}") => json!({"role": "viewer"}),
            Some("{workspace_id}") if operation.method == "DELETE" => json!({"slug": "w1"}),
            Some("{workspace_id}") => json!({"plan": "starter"}),
            Some("{key_id}") => json!({"name": "k"}),
            Some("{webhook_id}") => json!({"description": "d"}),
            Some("rotate-secret") => json!({}),
            Some("replay") => json!({"since": "2000-01-01T00:00:00Z"}),
            // A module is a fixed value, not a record.
            Some("events") => continue,
            Some("cycles") => json!({"name": "c", "start_date": "2030-01-01", "end_date": "2030-01-01"}),
            Some("comments" | "{comment_id}") => json!({"body": "b"}),
            Some("{company_id}") => json!({"name": "c"}),
            _ if operation.pattern.contains("projects") => json!({"name": "x"}),
            _ if operation.pattern.contains("time/entries") => json!({"note": "x"}),
            _ => simple_kinds()
                .into_iter()
                .find(|kind| operation.pattern.starts_with(kind.path))
                .map_or_else(|| json!({"title": "x"}), |kind| (kind.body)(1)),
        };
        let send = |path: String| {
            let request = client.request(operation.method, &path);
            ApiResponse::of(if operation.has_body { request.json(&body) } else { request })
        };
        let name = operation.pattern.split(['{', '}']).nth(1).unwrap();
        for bad in ["x", "1", "01890a5dac96774bbcceb302099a8057", "01890a5d-ac96-774b-bcce-b302099a805g", "%00", "%ff"]
        {
            let path = path_of(&operation.pattern.replace(&format!("{{{name}}}"), bad));
            let reply = send(path.clone()).await;
            assert_eq!(reply.status, 400, "{} {path}: {}", operation.method, reply.text);
            assert_eq!(reply.code(), "invalid_value", "{} {path}: {}", operation.method, reply.text);
            assert_eq!(reply.details(), [format!("{name}:invalid_uuid")], "{} {path}", operation.method);
        }
        let reply = send(path_of(operation.pattern)).await;
        assert_eq!((reply.status, reply.code()), (404, "not_found"), "{} {}", operation.method, operation.pattern);
    }
}

#[tokio::test]
async fn health_needs_no_key() {
    let app = App::start().await;
    for path in ["/healthz", "/readyz"] {
        let reply = app.anonymous().get(path).await.expect(200);
        assert_eq!(reply.header("x-api-version"), "");
    }
}
