//! The middleware of every request: request id, common headers, the unread rest of the body, the log line.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{
    CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::middleware::Next;
use actix_web::{HttpMessage, web};
use domain::identity::access::Credential;
use log_context::Context;
use uuid::Uuid;

use crate::body::{FinalResponse, discard};
use crate::request_context::RequestContext;
use crate::{AppState, cross_origin};

const REQUEST_SECONDS: &str = "http_request_duration_seconds";
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const API_VERSION: HeaderName = HeaderName::from_static("x-api-version");
const RATE_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const RATE_LIMIT_REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RATE_LIMIT_RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const MAX_REQUEST_ID_LENGTH: usize = 128;

/// Describes the metrics of the surfaces to the installed recorder.
pub fn describe_metrics() {
    metrics::describe_histogram!(
        REQUEST_SECONDS,
        metrics::Unit::Seconds,
        "Time from a request's headers to its response, in seconds"
    );
}

/// Wraps every route. Everything logged while the request is handled carries its id.
pub(crate) async fn around(
    state: web::Data<AppState>,
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let request_id: Arc<str> =
        sent_id(request.headers()).map_or_else(|| state.ports.ids.new_id().to_string().into(), Arc::from);
    let exchange = RequestContext::new(Arc::clone(&request_id), request.take_payload());
    let line = RequestLog::begin(request.method(), Rc::clone(&exchange));
    request.extensions_mut().insert(Rc::clone(&exchange));
    let context = Context::new([("request_id", request_id.into())]);
    context.scope(answered(state, request, next, exchange, line)).await
}

async fn answered(
    state: web::Data<AppState>,
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    exchange: Rc<RequestContext>,
    line: RequestLog,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let mut response = next.call(request).await?;
    // Decoded, as the router sees it: `/%61pi` is `/api`.
    let path = response.request().match_info().as_str();
    let (in_api, in_version_1) = (is_below(path, "/api"), is_below(path, "/api/v1"));
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(&exchange.request_id) {
        headers.insert(REQUEST_ID, value);
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if in_api {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if in_version_1 {
        headers.insert(API_VERSION, HeaderValue::from_static("v1"));
    }
    if let Some(rate_limit) = exchange.rate_limit() {
        headers.insert(RATE_LIMIT, rate_limit.limit.into());
        headers.insert(RATE_LIMIT_REMAINING, rate_limit.remaining.into());
        headers.insert(RATE_LIMIT_RESET, rate_limit.reset_at.into());
    }
    cross_origin::write(&exchange.origin(), headers);
    let finished = discard(&exchange, response.request().headers(), &state.settings).await;
    let chunked = response.request().headers().contains_key(TRANSFER_ENCODING);
    let cut_after = (chunked && !finished).then_some(state.settings.disconnect_timeout);
    let size = match response.response().body().size() {
        BodySize::Sized(size) => Some(size),
        BodySize::None => Some(0),
        BodySize::Stream => None,
    };
    line.answered.set(Some((response.status().as_u16(), size)));
    Ok(response.map_body(|_, answer| FinalResponse::new(answer.boxed(), cut_after)))
}

/// The client's request id, if it is valid.
fn sent_id(headers: &HeaderMap) -> Option<&str> {
    let text = headers.get(REQUEST_ID)?.to_str().ok()?;
    let good = (1..=MAX_REQUEST_ID_LENGTH).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    good.then_some(text)
}

fn is_below(path: &str, root: &str) -> bool {
    path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Writes the request's log line when dropped, so also if the client disconnects before the response.
struct RequestLog {
    begun: Instant,
    method: &'static str,
    /// Status, and the size of the body in bytes unless it is streamed.
    answered: Cell<Option<(u16, Option<u64>)>>,
    exchange: Rc<RequestContext>,
}

impl RequestLog {
    fn begin(method: &Method, exchange: Rc<RequestContext>) -> Self {
        Self { begun: Instant::now(), method: known_method(method), answered: Cell::new(None), exchange }
    }
}

impl Drop for RequestLog {
    fn drop(&mut self) {
        let (code, bytes) = self.answered.get().unzip();
        let level = if code.is_some_and(|code| code >= 500) { log::Level::Error } else { log::Level::Info };
        let status = code.map_or_else(|| "-".to_owned(), |code| code.to_string());
        let caller = self.exchange.caller();
        let workspace = text_of(caller.map(|(workspace, _)| workspace.0));
        let (key, user) = match caller {
            Some((_, Credential::Key(id))) => (Some(id.0), None),
            Some((_, Credential::Session { user, .. })) => (None, Some(user.0)),
            None => (None, None),
        };
        let (key, user) = (text_of(key), text_of(user));
        let (route, took, request_id) = (self.exchange.route(), self.begun.elapsed(), &*self.exchange.request_id);
        let duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        // Patterns, methods and statuses are bounded sets: clients cannot add label values.
        metrics::histogram!(REQUEST_SECONDS, "method" => self.method, "route" => route, "status" => status.clone())
            .record(took);
        // In an empty context, which would otherwise repeat the id: after a disconnect the whole future is dropped.
        Context::default().enter(|| {
            log::log!(
                target: "request",
                level,
                message = "request",
                method = self.method,
                route = route,
                status = code,
                duration_ms = duration_ms,
                bytes = bytes.flatten(),
                workspace_id = workspace.as_deref(),
                key_id = key.as_deref(),
                user_id = user.as_deref(),
                request_id = request_id;
                "method={} route={route} status={status} duration_ms={duration_ms} workspace={} key={} user={} request_id={request_id}",
                self.method,
                id_or_dash(workspace.as_deref()),
                id_or_dash(key.as_deref()),
                id_or_dash(user.as_deref()),
            );
        });
    }
}

fn text_of(id: Option<Uuid>) -> Option<String> {
    id.map(|id| id.to_string())
}

fn id_or_dash(id: Option<&str>) -> &str {
    id.unwrap_or("-")
}

/// The method, or `-` for a non-standard one.
fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        Method::TRACE => "TRACE",
        Method::CONNECT => "CONNECT",
        _ => "-",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn client_request_ids_are_validated() {
        for (text, good) in [
            ("abc-DEF_1.2", true),
            ("x", true),
            (&*"x".repeat(128), true),
            (&*"x".repeat(129), false),
            ("", false),
            ("a b", false),
            ("a/b", false),
            ("\u{e4}", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(REQUEST_ID, HeaderValue::from_bytes(text.as_bytes()).unwrap());
            assert_eq!(sent_id(&headers).is_some(), good, "{text}");
        }
        assert_eq!(sent_id(&HeaderMap::new()), None);
    }

    #[test]
    fn is_below_compares_whole_segments() {
        for (path, below) in
            [("/api", true), ("/api/", true), ("/api/v1", true), ("/api-contacts", false), ("/", false)]
        {
            assert_eq!(is_below(path, "/api"), below, "{path}");
        }
    }
}
