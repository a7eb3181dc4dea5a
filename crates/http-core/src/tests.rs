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
            Box::pin(silence(request, state))
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

/// Its class depends on the body.
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

async fn silence(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    RequestContext::of(&request).set_route(PATTERN);
    run_guarded(&request, state.settings.deadline_of(Class::Read), async {
        admit_caller(&request, &state, Class::Read).await?.permit::<ReadDeals>()?;
        Ok(HttpResponse::NoContent().finish())
    })
    .await
}

#[actix_web::test]
async fn surfaces_share_paths_and_their_405() {
    let methods: Vec<_> = operations(SURFACES).map(|operation| (operation.method, operation.has_body)).collect();
    assert_eq!(methods, [("POST", true), ("GET", false)]);
    let world = TestApp::new(SURFACES);
    assert_eq!(world.answer(world.request("GET", PATTERN)).await.status, 204);
    let refused = world.answer(world.request("PUT", PATTERN)).await;
    assert_eq!((refused.status, refused.header("allow")), (405, "POST, GET"));
    let page = world.answer(anonymous("GET", "/hello")).await;
    assert_eq!((page.status, &*page.text, page.header("x-ratelimit-limit")), (200, "hello", ""));
    assert_eq!(world.answer(anonymous("GET", "/api/v1/crm/deals")).await.status, 404);
    assert_eq!(world.answer(anonymous("GET", "/healthz")).await.status, 200);
    for path in [PATTERN, "/hello", "/healthz", "/nothing"] {
        assert_eq!(world.answer(world.request("GET", &format!("/w/acme{path}"))).await.status, 404, "{path}");
    }
}

#[actix_web::test]
async fn a_raw_operation_may_derive_its_class_from_the_body() {
    let world = TestApp::new(SURFACES);
    for (text, limit) in [("\"bulk\"", "1000000"), ("\"one\"", "500000")] {
        let reply = world.answer(world.json("POST", PATTERN, text)).await;
        assert_eq!((reply.status, &*reply.text, reply.header("x-ratelimit-limit")), (200, text, limit));
    }
    assert_eq!(world.answer(world.request("POST", PATTERN)).await.status, 415);
    let large = world.json("POST", PATTERN, &" ".repeat(body::MAX_BYTES + 1));
    assert_eq!(world.answer(large).await.status, 413);
}

#[actix_web::test]
async fn a_raw_operation_fails_in_its_envelope() {
    let world = TestApp::with_scopes(SURFACES, &["time.read"]);
    let bare = world.answer(anonymous("POST", PATTERN)).await;
    assert_eq!((bare.status, bare.header("www-authenticate")), (401, "Bearer"));
    assert_eq!((&bare.json()["error"], bare.header("x-ratelimit-limit")), (&"unauthorized".into(), "1000000"));
    for request in [world.request("GET", PATTERN), world.json("POST", PATTERN, "1")] {
        let refused = world.answer(request).await;
        assert_eq!((refused.status, &refused.json()["error"]), (403, &"permission_denied".into()), "{}", refused.text);
        assert_eq!(refused.json()["details"][0]["code"], "missing_scope");
        assert_eq!(refused.json()["request_id"], refused.header("x-request-id"));
    }
}
