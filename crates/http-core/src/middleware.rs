//! The middleware of every request: request id, common headers, the unread rest of the body, the log line.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::ConnectionType;
use actix_web::http::Method;
use actix_web::http::header::{CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING};
use actix_web::middleware::Next;
use actix_web::{HttpMessage, HttpRequest, web};
use domain::identity::access::Credential;
use telemetry::log_context::Context;
use telemetry::traces::{RequestOutcome, RequestSpan};
use uuid::Uuid;

use crate::answers::{self, Reservation};
use crate::body::discard;
use crate::connections::{self, Connection, RequestInFlight};
use crate::errors::{HttpError, Surface};
use crate::final_response::FinalResponse;
use crate::guards::Guards;
use crate::refusal_log::Refusal;
use crate::request_context::RequestContext;
use crate::{AppState, cross_origin, health, rendering, security_headers, workspace_address};

const REQUEST_SECONDS: &str = "http_request_duration_seconds";
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const API_VERSION: HeaderName = HeaderName::from_static("x-api-version");
const RATE_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const RATE_LIMIT_REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RATE_LIMIT_RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const TRACE_PARENT: HeaderName = HeaderName::from_static("traceparent");
const MAX_REQUEST_ID_LENGTH: usize = 128;

/// Describes the metrics of the surfaces to the installed recorder.
pub fn describe_metrics() {
    metrics::describe_histogram!(
        REQUEST_SECONDS,
        metrics::Unit::Seconds,
        "Time from a request's headers to its response, in seconds"
    );
    connections::describe_metrics();
    answers::describe_metrics();
    rendering::describe_metrics();
}

/// Wraps every route. Everything logged while the request is handled carries its id.
pub(crate) async fn handle(
    state: web::Data<AppState>,
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    workspace_address::strip_workspace(&mut request);
    let request_id: Arc<str> =
        client_request_id(request.headers()).map_or_else(|| state.ports.ids.new_id().to_string().into(), Arc::from);
    let connection = request.conn_data::<Arc<Connection>>().map(Arc::clone);
    let in_flight = connection.as_ref().map(Connection::begin_request);
    let exchange = RequestContext::new(Arc::clone(&request_id), request.take_payload(), connection);
    let span = RequestSpan::begin(request.headers().get(TRACE_PARENT).and_then(|value| value.to_str().ok()));
    let line = RequestLog::begin(request.method(), span, Rc::clone(&exchange), Arc::clone(&state.guards));
    request.extensions_mut().insert(Rc::clone(&exchange));
    let context = Context::new([("request_id", request_id.into())]).with_span(line.span.as_ref().map(RequestSpan::ids));
    context.scope(respond(state, request, next, exchange, line, in_flight)).await
}

async fn respond(
    state: web::Data<AppState>,
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    exchange: Rc<RequestContext>,
    line: RequestLog,
    in_flight: Option<RequestInFlight>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let response = next.call(request).await?.map_into_boxed_body();
    let (mut response, memory) = settle(&state, response, &exchange);
    // The router also matches the decoded path: `/%61pi` is `/api`.
    let path = response.request().match_info().as_str();
    let (in_api, in_version_1) = (is_below(path, "/api"), is_below(path, "/api/v1"));
    // A client that is refused because of load also loses its connection, unless that connection is a proxy's.
    if exchange.is_shed.get() && exchange.connection.as_ref().is_some_and(|connection| !connection.is_shared()) {
        response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
    }
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(&exchange.request_id) {
        headers.insert(REQUEST_ID, value);
    }
    security_headers::write(headers, state.ports.settings.public_url.starts_with("https://"));
    if in_api {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if in_version_1 {
        headers.insert(API_VERSION, HeaderValue::from_static("v1"));
    }
    if let Some(rate_limit) = exchange.rate_limit.get() {
        headers.insert(RATE_LIMIT, rate_limit.limit.into());
        headers.insert(RATE_LIMIT_REMAINING, rate_limit.remaining.into());
        headers.insert(RATE_LIMIT_RESET, rate_limit.reset_at.into());
    }
    cross_origin::write(&exchange.origin.borrow(), headers);
    let finished = discard(&exchange, response.request().headers(), &state.settings).await;
    let chunked = response.request().headers().contains_key(TRANSFER_ENCODING);
    let cut_after = (chunked && !finished).then_some(state.settings.disconnect_timeout);
    line.outcome.set(Some((response.status().as_u16(), size_of(&response))));
    if line.refusal().is_some_and(|kind| kind != Refusal::Unavailable) {
        state.guards.pace.pause().await;
    }
    Ok(response.map_body(|_, answer| FinalResponse::new(answer, memory, in_flight, cut_after)))
}

fn size_of<B: MessageBody>(response: &ServiceResponse<B>) -> Option<u64> {
    match response.response().body().size() {
        BodySize::Sized(size) => Some(size),
        BodySize::None => Some(0),
        BodySize::Stream => None,
    }
}

/// Settles the response's reservation to its actual size. A read that does not fit is still refused; the response to
/// anything else reports a change that was made, so it is sent.
fn settle(
    state: &AppState,
    response: ServiceResponse,
    exchange: &RequestContext,
) -> (ServiceResponse, Option<Reservation>) {
    let (Some(mut memory), Some(size)) = (exchange.memory.take(), size_of(&response)) else {
        return (response, None);
    };
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let is_read = response.request().method() == Method::GET;
    if !is_read {
        memory.set(size);
        return (response, Some(memory));
    }
    if response.status().is_success() {
        state.guards.estimates.learn(memory.owner.workspace(), exchange.route.get(), size);
    }
    if memory.settle(size).is_ok() {
        return (response, Some(memory));
    }
    (busy_response(response.request().clone(), exchange), None)
}

fn busy_response(request: HttpRequest, exchange: &RequestContext) -> ServiceResponse {
    exchange.is_shed.set(true);
    let failure = HttpError::Busy;
    let response = failure.respond(Surface::of(request.match_info().as_str()), &exchange.request_id);
    ServiceResponse::new(request, response)
}

/// The request id that the client sent, if it is valid.
fn client_request_id(headers: &HeaderMap) -> Option<&str> {
    let text = headers.get(REQUEST_ID)?.to_str().ok()?;
    let is_valid = (1..=MAX_REQUEST_ID_LENGTH).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    is_valid.then_some(text)
}

fn is_below(path: &str, root: &str) -> bool {
    path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Writes the request's log line when dropped, and so even if the client disconnects before the response.
struct RequestLog {
    begun: Instant,
    method: &'static str,
    /// `None` if traces are not exported.
    span: Option<RequestSpan>,
    /// Status, and the size of the body in bytes unless it is streamed.
    outcome: Cell<Option<(u16, Option<u64>)>>,
    exchange: Rc<RequestContext>,
    guards: Arc<Guards>,
}

impl RequestLog {
    fn begin(method: &Method, span: Option<RequestSpan>, exchange: Rc<RequestContext>, guards: Arc<Guards>) -> Self {
        Self { begun: Instant::now(), method: known_method(method), span, outcome: Cell::new(None), exchange, guards }
    }

    /// The kind of refusal, if the response is one.
    fn refusal(&self) -> Option<Refusal> {
        if self.exchange.is_shed.get() {
            return Some(Refusal::Busy);
        }
        match self.outcome.get()?.0 {
            401 => Some(Refusal::Credential),
            403 if self.exchange.caller.get().is_none() => Some(Refusal::Credential),
            404 if self.exchange.route.get() == "-" => Some(Refusal::Route),
            405 => Some(Refusal::Route),
            429 => Some(Refusal::Limit),
            503 => Some(Refusal::Unavailable),
            _ => None,
        }
    }
}

impl Drop for RequestLog {
    fn drop(&mut self) {
        let (code, bytes) = self.outcome.get().unzip();
        let refusal = self.refusal();
        let level = match code {
            Some(500..) if refusal.is_none_or(|kind| kind == Refusal::Unavailable) => log::Level::Error,
            // Load balancers and scrapers request these every few seconds.
            Some(200) if health::is_probe(self.exchange.route.get()) => log::Level::Debug,
            _ => log::Level::Info,
        };
        let status = code.map_or_else(|| "-".to_owned(), |code| code.to_string());
        let (route, duration, request_id) =
            (self.exchange.route.get(), self.begun.elapsed(), &*self.exchange.request_id);
        // Patterns, methods and statuses are bounded sets: clients cannot add label values.
        metrics::histogram!(REQUEST_SECONDS, "method" => self.method, "route" => route, "status" => status.clone())
            .record(duration);
        let caller = self.exchange.caller.get();
        let workspace = text_of(caller.map(|(workspace, _)| workspace.0));
        let ids = self.span.as_ref().map(RequestSpan::ids);
        if let Some(span) = self.span.take() {
            let workspace = workspace.as_deref();
            span.end(&RequestOutcome { method: self.method, route, status: code, workspace, request_id });
        }
        if refusal.is_some_and(|kind| !self.guards.refusals.admits(kind)) {
            return;
        }
        let (key, user) = match caller {
            Some((_, Credential::Key(id))) => (Some(id.0), None),
            Some((_, Credential::Session { user, .. })) => (None, Some(user.0)),
            None => (None, None),
        };
        let (key, user) = (text_of(key), text_of(user));
        let duration_ms = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        // In an empty context, so that the id is not repeated: after a disconnect the whole future is dropped.
        Context::default().with_span(ids).enter(|| {
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
        for (text, is_valid) in [
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
            assert_eq!(client_request_id(&headers).is_some(), is_valid, "{text}");
        }
        assert_eq!(client_request_id(&HeaderMap::new()), None);
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
