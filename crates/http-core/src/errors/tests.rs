use super::*;
use actix_web::body::to_bytes;
use actix_web::http::StatusCode;
use domain::kernel::RateLimitStatus;
use serde_json::{Value, json};

fn exceeded() -> RateLimitStatus {
    RateLimitStatus {
        limit: 10,
        remaining: 0,
        reset_at: 1_800_000_000,
        retry_after: 7,
        exceeded: true,
        is_shared: false,
    }
}

#[actix_web::test]
async fn limits_and_quotas_are_flat_on_every_surface() {
    for surface in [Surface::Rest, Surface::Flat] {
        let response = HttpError::Domain(Error::RateLimited(exceeded())).respond(surface, "r-1");
        assert_eq!(response.headers().get(RETRY_AFTER).unwrap(), "7");
        let expected = json!({
            "error": "rate_limit_exceeded",
            "message": "too many requests: try again in 7 s",
            "retry_after": 7,
            "request_id": "r-1",
        });
        assert_eq!(body_of(response).await, expected);
    }
}

async fn body_of(response: HttpResponse) -> Value {
    let bytes = to_bytes(response.into_body()).await.ok().unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

#[test]
fn every_error_has_its_status() {
    let store = |error| HttpError::Domain(Error::Store(error));
    for (failure, status, code) in [
        (HttpError::Domain(Error::InvalidJson(String::new())), 400, "invalid_json"),
        (HttpError::Domain(Error::malformed("a", "unknown_field", "m")), 400, "unknown_field"),
        (HttpError::Domain(Error::malformed("a", "unknown_parameter", "m")), 400, "unknown_parameter"),
        (HttpError::Domain(Error::malformed("a", "invalid_uuid", "m")), 400, "invalid_value"),
        (HttpError::Domain(Error::invalid("a", "too_long", "m")), 422, "validation_failed"),
        (HttpError::Domain(Error::Unauthorized), 401, "unauthorized"),
        (HttpError::Domain(Error::MissingScopes(vec![])), 403, "forbidden"),
        (HttpError::Domain(Error::NotFound("deal")), 404, "not_found"),
        (HttpError::UnknownRoute, 404, "not_found"),
        (HttpError::MethodNotAllowed("GET".into()), 405, "method_not_allowed"),
        (HttpError::Domain(Error::Conflict(String::new())), 409, "conflict"),
        (HttpError::Domain(Error::Overlap { day: time::Date::MIN, existing_id: uuid::Uuid::nil() }), 409, "conflict"),
        (HttpError::Domain(Error::duplicate("email")), 409, "duplicate"),
        (store(StoreError::Duplicate { field: "email" }), 409, "duplicate"),
        (HttpError::Domain(Error::InvalidStateChange(String::new())), 409, "invalid_state_change"),
        (HttpError::Domain(Error::ConcurrentUpdate { current: 1 }), 409, "concurrent_update"),
        (HttpError::Domain(Error::IdempotencyConflict("x")), 409, "idempotency_conflict"),
        (HttpError::PayloadTooLarge { max_bytes: 1 }, 413, "payload_too_large"),
        (HttpError::UnsupportedMediaType("x"), 415, "unsupported_media_type"),
        (HttpError::Domain(Error::InvalidLogin), 401, "unauthorized"),
        (HttpError::Domain(Error::SessionNeeded), 403, "forbidden"),
        (HttpError::Domain(Error::RoleNeeded), 403, "forbidden"),
        (HttpError::Domain(Error::Forbidden(String::new())), 403, "forbidden"),
        (HttpError::Domain(Error::CapabilityConsumed("x")), 409, "capability_consumed"),
        (HttpError::Domain(Error::RateLimited(exceeded())), 429, "rate_limit_exceeded"),
        (HttpError::Domain(Error::QuotaExceeded { limit: 1, retry_after: 9 }), 429, "quota_exceeded"),
        (HttpError::Domain(Error::TooManyAudited { limit: 9, retry_after: 9 }), 429, "rate_limit_exceeded"),
        (HttpError::Domain(Error::TooManyEmails { reason: "x", retry_after: 9 }), 429, "rate_limit_exceeded"),
        (HttpError::Domain(Error::ResponseBudgetExceeded { limit: 1, retry_after: 9 }), 429, "quota_exceeded"),
        (store(StoreError::Internal("x".into())), 500, "internal"),
        (HttpError::Panicked("x".into()), 500, "internal"),
        (store(StoreError::Busy), 503, "unavailable"),
        (store(StoreError::TimedOut), 503, "unavailable"),
        (HttpError::Domain(Error::SearchTooSlow), 503, "unavailable"),
        (store(StoreError::Contended), 503, "unavailable"),
        (store(StoreError::Unavailable("x".into())), 503, "unavailable"),
        (HttpError::Deadline(Duration::ZERO), 503, "unavailable"),
    ] {
        let response = failure.respond(Surface::Rest, "r");
        assert_eq!((response.status().as_u16(), failure.code().as_str()), (status, code), "{failure:?}");
        assert_eq!(response.headers().contains_key(RETRY_AFTER), status == 503 || status == 429);
        assert_eq!(response.headers().contains_key(WWW_AUTHENTICATE), status == 401);
        assert_eq!(response.headers().contains_key(ALLOW), status == 405);
    }
}

#[actix_web::test]
async fn each_surface_has_its_envelope() {
    let failure = HttpError::Domain(Error::invalid("tags[3]", "too_long", "m"));
    let message = "some values are not valid; see details";
    assert_eq!(
        body_of(failure.respond(Surface::Rest, "r-1")).await,
        json!({"error": {
            "code": "validation_failed",
            "message": message,
            "details": [{"field": "tags[3]", "code": "too_long", "message": "m"}],
            "request_id": "r-1",
        }})
    );
    assert_eq!(
        body_of(HttpError::UnknownRoute.respond(Surface::Rest, "r-1")).await,
        json!({"error": {"code": "not_found", "message": "there is no such route", "request_id": "r-1"}})
    );
    assert_eq!(
        body_of(HttpError::UnknownRoute.respond(Surface::Flat, "r-1")).await,
        json!({"error": "not_found", "message": "there is no such route", "request_id": "r-1"})
    );
}

#[actix_web::test]
async fn the_flat_envelope_has_its_own_code_for_forbidden() {
    let failure = HttpError::Domain(Error::SessionNeeded);
    for (surface, path) in [(Surface::Rest, "/error/code"), (Surface::Flat, "/error")] {
        let expected = if surface == Surface::Rest { "forbidden" } else { "permission_denied" };
        let response = failure.respond(surface, "r-1");
        assert_eq!(response.status(), StatusCode::FORBIDDEN);
        assert_eq!(body_of(response).await.pointer(path), Some(&json!(expected)));
    }
    let failure = HttpError::Domain(Error::malformed("limit", "invalid_value", "m"));
    let expected = json!({
        "error": "invalid_value",
        "message": failure.message(),
        "details": [{"field": "limit", "code": "invalid_value", "message": "m"}],
        "request_id": "r-1",
    });
    assert_eq!(body_of(failure.respond(Surface::Flat, "r-1")).await, expected);
}

#[actix_web::test]
async fn internal_error_texts_are_not_disclosed() {
    for failure in [
        HttpError::Domain(Error::Store(StoreError::Internal("secret".into()))),
        HttpError::Domain(Error::Store(StoreError::Unavailable("secret".into()))),
        HttpError::Panicked("secret".into()),
    ] {
        assert!(!body_of(failure.respond(Surface::Rest, "r")).await.to_string().contains("secret"));
    }
}

#[test]
fn the_path_determines_the_surface() {
    for (path, flat) in
        [("/api/mcp", true), ("/api/mcp/x", true), ("/api/mcpx", false), ("/api/v1/x", false), ("/", false)]
    {
        assert_eq!(Surface::of(path) == Surface::Flat, flat, "{path}");
    }
}
