//! Security headers of every route and page, defined in one table.

use http_core::operations;
use test_support::{ApiResponse, App, SURFACES};

use crate::support::path_of;

const DENY_ALL: &str = "default-src 'none'; frame-ancestors 'none'";
const COMMON: [(&str, &str); 2] = [
    ("x-content-type-options", "nosniff"),
    // The public URL of the tests is https.
    ("strict-transport-security", "max-age=31536000"),
];
const DATA: [(&str, &str); 2] =
    [("content-security-policy", DENY_ALL), ("cross-origin-resource-policy", "same-origin")];
const PAGE: [(&str, &str); 3] = [
    ("x-frame-options", "DENY"),
    ("cross-origin-opener-policy", "same-origin"),
    ("permissions-policy", "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"),
];

/// Directives that every page's policy must contain.
const STRICT: [&str; 3] = ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"];
const LOOSE: [&str; 4] = ["unsafe-inline", "unsafe-eval", "*", "http:"];

/// Only console pages send forms to this host, and send it their origin.
const CONSOLE: (&str, &str) = ("form-action 'self'", "same-origin");
const OTHERS: (&str, &str) = ("form-action 'none'", "no-referrer");

fn check(context: &str, reply: &ApiResponse) {
    let is_page = reply.header("content-type").starts_with("text/html");
    if !is_page {
        assert_eq!(reply.header("referrer-policy"), OTHERS.1, "{context}");
    }
    let kind = if is_page { &PAGE[..] } else { &DATA[..] };
    for (name, value) in COMMON.iter().chain(kind) {
        assert_eq!(reply.header(name), *value, "{name} of {context}");
    }
    if is_page {
        let policy = reply.header("content-security-policy");
        let parts: Vec<_> = policy.split(';').map(str::trim).collect();
        for part in STRICT {
            assert!(parts.contains(&part), "{part} of {context}: {policy}");
        }
        let (forms, referrer) = if parts.contains(&CONSOLE.0) { CONSOLE } else { OTHERS };
        assert!(parts.contains(&forms), "{forms} of {context}: {policy}");
        assert_eq!(reply.header("referrer-policy"), referrer, "{context}");
        for part in LOOSE {
            assert!(!policy.contains(part), "{part} of {context}: {policy}");
        }
        assert_eq!(reply.header("cache-control"), "no-store", "{context}");
    }
}

#[tokio::test]
async fn every_route_and_page_has_the_headers_in_the_table() {
    let (app, full) = App::with_client().await;
    let operations: Vec<_> = operations(SURFACES).collect();
    assert!(operations.iter().any(|operation| operation.pattern == "/sign-in"), "console pages are checked too");
    for operation in operations {
        let (method, path) = (operation.method, path_of(operation.pattern));
        for client in [&app.anonymous(), &full] {
            check(&format!("{method} {path}"), &ApiResponse::of(client.request(method, &path)).await);
        }
    }
    let listed = full.get("/api/v1/crm/deals").await.expect(200);
    check("a list", &listed);
    for page in ["/portal", "/accept-invitation", "/reset-password", "/sign-in", "/forgotten-password"] {
        for method in ["GET", "HEAD"] {
            let reply = ApiResponse::of(app.anonymous().request(method, page)).await;
            assert!(reply.header("content-type").starts_with("text/html"), "{method} {page}");
            check(&format!("{method} {page}"), &reply);
        }
    }
    for path in ["/", "/healthz", "/readyz", "/metrics", "/api", "/api/v1/nothing", "/%61pi/v1/x"] {
        check(path, &ApiResponse::of(app.anonymous().request("GET", path)).await);
    }
}
