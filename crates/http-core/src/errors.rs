//! From failures to answers: one table of statuses, one envelope a surface.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, HttpResponseBuilder};
use domain::kernel::input::Problem;
use domain::ports::StoreError;
use domain::{Error, ErrorCode};
use serde::Serialize;

use crate::body::MAX_BYTES;

/// When a client may come back after a 503, in seconds.
const RETRY_AFTER_SECONDS: &str = "1";

/// Everything that can be answered besides success.
#[derive(Debug)]
pub enum Failure {
    /// What a use case answered.
    Domain(Error),
    /// Nothing has this path.
    UnknownRoute,
    /// The path is known and the method is not; the methods that are.
    MethodNotAllowed(String),
    /// The body is larger than [`MAX_BYTES`].
    PayloadTooLarge,
    /// The body is not announced as JSON; what would be right.
    UnsupportedMediaType(&'static str),
    /// It took longer than this.
    Deadline(Duration),
    /// The operation panicked; what it said.
    Panicked(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Domain(error)
    }
}

/// How errors look, and which words they use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// An object in `error`.
    Rest,
    /// A word in `error`.
    Flat,
}

impl Surface {
    /// The surface that a path belongs to.
    pub fn of(path: &str) -> Self {
        let below = path.strip_prefix("/api/mcp");
        if below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) { Self::Flat } else { Self::Rest }
    }

    /// The word for a code; the older envelope has one of its own.
    const fn word(self, code: ErrorCode) -> &'static str {
        match (self, code) {
            (Self::Flat, ErrorCode::Forbidden) => "permission_denied",
            _ => code.as_str(),
        }
    }
}

/// The status of every code.
const fn status_of(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::InvalidJson
        | ErrorCode::UnknownField
        | ErrorCode::UnknownParameter
        | ErrorCode::InvalidValue
        | ErrorCode::InvalidArguments => StatusCode::BAD_REQUEST,
        ErrorCode::Unauthorized => StatusCode::UNAUTHORIZED,
        ErrorCode::Forbidden => StatusCode::FORBIDDEN,
        ErrorCode::NotFound | ErrorCode::UnknownTool => StatusCode::NOT_FOUND,
        ErrorCode::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        ErrorCode::Conflict
        | ErrorCode::Duplicate
        | ErrorCode::InvalidStateChange
        | ErrorCode::ConcurrentUpdate
        | ErrorCode::CapabilityConsumed
        | ErrorCode::IdempotencyConflict => StatusCode::CONFLICT,
        ErrorCode::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorCode::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ErrorCode::RateLimitExceeded | ErrorCode::QuotaExceeded | ErrorCode::TrialQuotaExceeded => {
            StatusCode::TOO_MANY_REQUESTS
        }
        ErrorCode::ValidationFailed => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        ErrorCode::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}

#[derive(Serialize)]
struct RestEnvelope<'a> {
    error: RestError<'a>,
}

#[derive(Serialize)]
struct RestError<'a> {
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "<[Problem]>::is_empty")]
    details: &'a [Problem],
    request_id: &'a str,
}

#[derive(Serialize)]
struct FlatEnvelope<'a> {
    error: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "<[Problem]>::is_empty")]
    details: &'a [Problem],
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<i64>,
    request_id: &'a str,
}

impl Failure {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Domain(error) => error.code(),
            Self::UnknownRoute => ErrorCode::NotFound,
            Self::MethodNotAllowed(_) => ErrorCode::MethodNotAllowed,
            Self::PayloadTooLarge => ErrorCode::PayloadTooLarge,
            Self::UnsupportedMediaType(_) => ErrorCode::UnsupportedMediaType,
            Self::Deadline(_) => ErrorCode::Unavailable,
            Self::Panicked(_) => ErrorCode::Internal,
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Domain(error) => error.client_message(),
            Self::UnknownRoute => "there is no such route".to_owned(),
            Self::MethodNotAllowed(allowed) => format!("this route takes {allowed}"),
            Self::PayloadTooLarge => format!("the body must be at most {MAX_BYTES} bytes"),
            Self::UnsupportedMediaType(right) => (*right).to_owned(),
            Self::Deadline(_) => "the service cannot answer in time right now".to_owned(),
            Self::Panicked(_) => "something went wrong on our side".to_owned(),
        }
    }

    fn details(&self) -> Vec<Problem> {
        match self {
            Self::Domain(error) => error.details(),
            _ => Vec::new(),
        }
    }

    /// Puts into the log what the client does not get to see.
    pub(crate) fn log(&self) {
        match self {
            Self::Domain(Error::Store(error @ StoreError::Internal(_))) => {
                log::error!("the request failed: {error}");
            }
            Self::Domain(Error::Store(error)) if status_of(self.code()).is_server_error() => {
                log::warn!("the request could not be answered: {error}");
            }
            Self::Deadline(bound) => log::warn!("the request was given up after {} ms", bound.as_millis()),
            Self::Panicked(words) => log::error!("the request panicked: {words}"),
            _ => {}
        }
    }

    /// The answer.
    pub fn respond(&self, surface: Surface, request_id: &str) -> HttpResponse {
        let code = self.code();
        let mut response = HttpResponseBuilder::new(status_of(code));
        match code {
            ErrorCode::Unauthorized => drop(response.insert_header((WWW_AUTHENTICATE, "Bearer"))),
            ErrorCode::Unavailable => drop(response.insert_header((RETRY_AFTER, RETRY_AFTER_SECONDS))),
            _ => {}
        }
        if let Self::MethodNotAllowed(allowed) = self {
            response.insert_header((ALLOW, allowed.as_str()));
        }
        let retry_after = match self {
            Self::Domain(error) => error.retry_after(),
            _ => None,
        };
        if let Some(seconds) = retry_after {
            response.insert_header((RETRY_AFTER, seconds));
        }
        let (message, details) = (&*self.message(), &*self.details());
        // Limits and quotas have the flat form everywhere.
        let surface = if retry_after.is_some() { Surface::Flat } else { surface };
        let code = surface.word(code);
        match surface {
            Surface::Rest => response.json(RestEnvelope { error: RestError { code, message, details, request_id } }),
            Surface::Flat => response.json(FlatEnvelope { error: code, message, details, retry_after, request_id }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::body::to_bytes;
    use domain::kernel::Standing;
    use serde_json::{Value, json};

    fn exceeded() -> Standing {
        Standing { limit: 10, remaining: 0, reset_at: 1_800_000_000, retry_after: 7, exceeded: true }
    }

    #[actix_web::test]
    async fn limits_and_quotas_are_flat_on_every_surface() {
        for surface in [Surface::Rest, Surface::Flat] {
            let response = Failure::Domain(Error::RateLimited(exceeded())).respond(surface, "r-1");
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
    fn every_failure_has_its_status() {
        let store = |error| Failure::Domain(Error::Store(error));
        for (failure, status, code) in [
            (Failure::Domain(Error::InvalidJson(String::new())), 400, "invalid_json"),
            (Failure::Domain(Error::malformed("a", "unknown_field", "m")), 400, "unknown_field"),
            (Failure::Domain(Error::malformed("a", "unknown_parameter", "m")), 400, "unknown_parameter"),
            (Failure::Domain(Error::malformed("a", "invalid_uuid", "m")), 400, "invalid_value"),
            (Failure::Domain(Error::invalid("a", "too_long", "m")), 422, "validation_failed"),
            (Failure::Domain(Error::Unauthorized), 401, "unauthorized"),
            (Failure::Domain(Error::MissingScopes(vec![])), 403, "forbidden"),
            (Failure::Domain(Error::NotFound("deal")), 404, "not_found"),
            (Failure::UnknownRoute, 404, "not_found"),
            (Failure::MethodNotAllowed("GET".into()), 405, "method_not_allowed"),
            (Failure::Domain(Error::Conflict(String::new())), 409, "conflict"),
            (Failure::Domain(Error::Duplicate("email")), 409, "duplicate"),
            (store(StoreError::Duplicate { field: "email" }), 409, "duplicate"),
            (Failure::Domain(Error::InvalidStateChange(String::new())), 409, "invalid_state_change"),
            (Failure::Domain(Error::ConcurrentUpdate { current: 1 }), 409, "concurrent_update"),
            (Failure::Domain(Error::IdempotencyConflict("x")), 409, "idempotency_conflict"),
            (Failure::PayloadTooLarge, 413, "payload_too_large"),
            (Failure::UnsupportedMediaType("x"), 415, "unsupported_media_type"),
            (Failure::Domain(Error::BadLogin), 401, "unauthorized"),
            (Failure::Domain(Error::SessionNeeded), 403, "forbidden"),
            (Failure::Domain(Error::RoleNeeded), 403, "forbidden"),
            (Failure::Domain(Error::Forbidden(String::new())), 403, "forbidden"),
            (Failure::Domain(Error::CapabilityConsumed("x")), 409, "capability_consumed"),
            (Failure::Domain(Error::RateLimited(exceeded())), 429, "rate_limit_exceeded"),
            (Failure::Domain(Error::QuotaExceeded { limit: 1, retry_after: 9 }), 429, "quota_exceeded"),
            (store(StoreError::Internal("x".into())), 500, "internal"),
            (Failure::Panicked("x".into()), 500, "internal"),
            (store(StoreError::Busy), 503, "unavailable"),
            (store(StoreError::Contended), 503, "unavailable"),
            (store(StoreError::Unavailable("x".into())), 503, "unavailable"),
            (Failure::Deadline(Duration::ZERO), 503, "unavailable"),
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
        let failure = Failure::Domain(Error::invalid("tags[3]", "too_long", "m"));
        let message = "some values are not acceptable; see details";
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
            body_of(Failure::UnknownRoute.respond(Surface::Rest, "r-1")).await,
            json!({"error": {"code": "not_found", "message": "there is no such route", "request_id": "r-1"}})
        );
        assert_eq!(
            body_of(Failure::UnknownRoute.respond(Surface::Flat, "r-1")).await,
            json!({"error": "not_found", "message": "there is no such route", "request_id": "r-1"})
        );
    }

    #[actix_web::test]
    async fn the_flat_envelope_has_a_word_of_its_own_and_the_same_details() {
        let failure = Failure::Domain(Error::SessionNeeded);
        for (surface, word) in [(Surface::Rest, "/error/code"), (Surface::Flat, "/error")] {
            let expected = if surface == Surface::Rest { "forbidden" } else { "permission_denied" };
            let response = failure.respond(surface, "r-1");
            assert_eq!(response.status(), StatusCode::FORBIDDEN);
            assert_eq!(body_of(response).await.pointer(word), Some(&json!(expected)));
        }
        let failure = Failure::Domain(Error::malformed("limit", "invalid_value", "m"));
        let expected = json!({
            "error": "invalid_value",
            "message": failure.message(),
            "details": [{"field": "limit", "code": "invalid_value", "message": "m"}],
            "request_id": "r-1",
        });
        assert_eq!(body_of(failure.respond(Surface::Flat, "r-1")).await, expected);
    }

    #[actix_web::test]
    async fn internal_words_stay_inside() {
        for failure in [
            Failure::Domain(Error::Store(StoreError::Internal("secret".into()))),
            Failure::Domain(Error::Store(StoreError::Unavailable("secret".into()))),
            Failure::Panicked("secret".into()),
        ] {
            assert!(!body_of(failure.respond(Surface::Rest, "r")).await.to_string().contains("secret"));
        }
    }

    #[test]
    fn surfaces_go_by_path() {
        for (path, flat) in
            [("/api/mcp", true), ("/api/mcp/x", true), ("/api/mcpx", false), ("/api/v1/x", false), ("/", false)]
        {
            assert_eq!(Surface::of(path) == Surface::Flat, flat, "{path}");
        }
    }
}
