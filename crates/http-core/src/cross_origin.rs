//! CORS headers. Only the widget's routes let pages of other origins read a response.

use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, HeaderMap, HeaderValue, ORIGIN, VARY,
};
use actix_web::{HttpRequest, HttpResponse};

use crate::conditions::only_value;
use crate::request_context::Origin;

/// How long a browser may cache a preflight response.
const MAX_AGE_SECONDS: &str = "600";
const EXPOSED: &str =
    "Idempotent-Replayed, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id";

/// The `Origin` of a request; `None` if it is absent or repeated.
pub(crate) fn origin_of(request: &HttpRequest) -> Option<&str> {
    only_value(request.headers(), &ORIGIN)?.to_str().ok()
}

/// Writes the CORS headers. Credentials are never allowed: the service uses no cookies.
pub(crate) fn write(origin: &Origin, headers: &mut HeaderMap) {
    match origin {
        Origin::Irrelevant => return,
        Origin::Refused => {}
        Origin::Allowed(origin) => {
            if let Ok(origin) = HeaderValue::from_str(origin) {
                headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
                headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
            }
        }
    }
    headers.insert(VARY, HeaderValue::from_static("Origin"));
}

/// The response to a preflight from an allowed page; `method` is the only allowed method.
pub fn preflight(method: &'static str) -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header((ACCESS_CONTROL_ALLOW_METHODS, method))
        .insert_header((ACCESS_CONTROL_ALLOW_HEADERS, "Content-Type, Idempotency-Key, X-Request-Id"))
        .insert_header((ACCESS_CONTROL_MAX_AGE, MAX_AGE_SECONDS))
        .finish()
}
