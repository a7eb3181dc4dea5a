//! Two surfaces in one pipeline, with raw operations.

use actix_web::{HttpRequest, HttpResponse, web};
use domain::identity::access::{AccessRequirement, Permission, ReadDeals};
use domain::limits::Class;

use crate::admission::{admit_caller, count_caller, count_only, identify};
use crate::endpoint::run_guarded;
use crate::request_context::RequestContext;
use crate::testing::{TestApp, anonymous};
use crate::{AppState, Operation, Page, Routes, body, operations};

const PATTERN: &str = "/api/mcp/echo";
const NEEDS: Option<AccessRequirement> = Some(ReadDeals::NEEDS);
const SURFACES: &[&Routes] = &[
    &Routes {
        operations: &[Operation::raw("POST /api/mcp/echo", NEEDS, Class::Write, |request, state| {
            Box::pin(echo(request, state))
        })
        .with_body()],
        pages: &[Page { pattern: "/hello", answer: |_| HttpResponse::Ok().body("hello") }],
        not_found: None,
    },
    &Routes {
        operations: &[Operation::raw("GET /api/mcp/echo", NEEDS, Class::Read, |request, state| {
            Box::pin(no_content(request, state))
        })],
        pages: &[],
        not_found: Some(|request, state| {
            Box::pin(async move {
                count_only(&request, &state).await;
                HttpResponse::NotFound().body("no such page")
            })
        }),
    },
];

/// An operation whose class depends on the body.
async fn echo(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    RequestContext::of(&request).set_route(PATTERN);
    run_guarded(&request, state.settings.deadline_of(Class::Bulk), async {
        let caller = identify(&request, &state).await?;
        let raw = body::receive(&request).await?;
        let class = if &raw[..] == b"\"bulk\"" { Class::Bulk } else { Class::Write };
        count_caller(&request, &state, &caller, class).await?;
        caller.permit::<ReadDeals>()?;
        Ok(HttpResponse::Ok().body(raw))
    })
    .await
}

async fn no_content(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    RequestContext::of(&request).set_route(PATTERN);
    run_guarded(&request, state.settings.deadline_of(Class::Read), async {
        admit_caller(&request, &state, Class::Read).await?.permit::<ReadDeals>()?;
        Ok(HttpResponse::NoContent().finish())
    })
    .await
}

#[actix_web::test]
async fn operations_of_two_surfaces_can_share_a_path() {
    let methods: Vec<_> = operations(SURFACES).map(|operation| (operation.method, operation.has_body)).collect();
    assert_eq!(methods, [("POST", true), ("GET", false)]);
    let app = TestApp::new(SURFACES);
    assert_eq!(app.answer(app.request("GET", PATTERN)).await.status, 204);
    let response = app.answer(app.request("PUT", PATTERN)).await;
    assert_eq!((response.status, response.header("allow")), (405, "POST, GET"));
    let page = app.answer(anonymous("GET", "/hello")).await;
    assert_eq!((page.status, &*page.text, page.header("x-ratelimit-limit")), (200, "hello", ""));
    assert_eq!(app.answer(anonymous("GET", "/api/v1/crm/deals")).await.status, 404);
    assert_eq!(app.answer(anonymous("GET", "/healthz")).await.status, 200);
    for path in [PATTERN, "/hello", "/healthz", "/nothing"] {
        assert_eq!(app.answer(app.request("GET", &format!("/w/acme{path}"))).await.status, 404, "{path}");
    }
}

#[actix_web::test]
async fn a_raw_operation_may_derive_its_class_from_the_body() {
    let app = TestApp::new(SURFACES);
    for (text, limit) in [("\"bulk\"", "1000000"), ("\"one\"", "500000")] {
        let response = app.answer(app.json("POST", PATTERN, text)).await;
        assert_eq!((response.status, &*response.text, response.header("x-ratelimit-limit")), (200, text, limit));
    }
    assert_eq!(app.answer(app.request("POST", PATTERN)).await.status, 415);
    let large = app.json("POST", PATTERN, &" ".repeat(body::MAX_BYTES + 1));
    assert_eq!(app.answer(large).await.status, 413);
}

#[actix_web::test]
async fn errors_of_a_raw_operation_use_the_flat_envelope() {
    let app = TestApp::with_scopes(SURFACES, &["time.read"]);
    let response = app.answer(anonymous("POST", PATTERN)).await;
    assert_eq!((response.status, response.header("www-authenticate")), (401, "Bearer"));
    assert_eq!((&response.json()["error"], response.header("x-ratelimit-limit")), (&"unauthorized".into(), "1000000"));
    for request in [app.request("GET", PATTERN), app.json("POST", PATTERN, "1")] {
        let refusal = app.answer(request).await;
        assert_eq!((refusal.status, &refusal.json()["error"]), (403, &"permission_denied".into()), "{}", refusal.text);
        assert_eq!(refusal.json()["details"][0]["code"], "missing_scope");
        assert_eq!(refusal.json()["request_id"], refusal.header("x-request-id"));
    }
}
