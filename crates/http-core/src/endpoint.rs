//! The declaration of an operation, the checked request that it receives, and the code that runs it.

use std::borrow::Cow;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use actix_web::rt::time::timeout;
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse};
use domain::ErrorCode;
use domain::kernel::idempotency::IdempotentRequest;
pub use domain::kernel::idempotency::StoredResponse;
use domain::kernel::input::Problems;
use domain::ports::Ports;
use futures_util::FutureExt;
use telemetry::log_context::Context;

use crate::admission::Admission;
use crate::body::{self, Body};
use crate::conditions::Headers;
use crate::description::{Answer, Described};
use crate::errors::{HttpError, Surface};
use crate::idempotency::{IdempotencyKey, fingerprint};
use crate::limit_policy::{LimitPolicy, RoutePattern};
use crate::path::PathIds;
use crate::query::{self, Query};
use crate::request_context::RequestContext;
use crate::state::AppState;

pub type HandlerResult = Result<HttpResponse, HttpError>;

pub type ResponseFuture = Pin<Box<dyn Future<Output = HttpResponse>>>;

/// One method on one route.
pub trait Endpoint: Sized + 'static {
    /// Method and pattern, such as `GET /api/v1/projects`.
    const ROUTE: &'static str;
    /// Whether it is beyond the supported contract (interface 19.9).
    const IS_ADDITIONAL: bool = false;
    /// The errors of its use case that do not follow from the parts below.
    const ERRORS: &'static [ErrorCode] = &[];
    /// The rate-limit class, and what requests are counted by.
    const LIMITS: LimitPolicy = LimitPolicy::for_route(Self::ROUTE);
    /// How long the handler may wait on purpose before it responds, in addition to the deadline of its class. All its other
    /// work must meet the deadline.
    const HOLDS: Duration = Duration::ZERO;
    /// What the caller must be allowed to do, or [`Anonymous`](crate::admission::Anonymous).
    type Access: Admission;
    type Path: PathIds;
    /// The query parameters; all others are rejected.
    type Query: Query + Described;
    /// The headers that the operation reads.
    type Headers: Headers + Described;
    type Body: Body;
    /// The successful responses.
    type Answer: Answer;

    /// Its operation id in the OpenAPI document, such as `deals_create`: its module and type.
    fn id() -> String {
        id_of(std::any::type_name::<Self>())
    }

    /// Its title in the OpenAPI document: what it does, in the imperative.
    fn summary() -> Cow<'static, str>;

    /// Handles a request that has passed every check that needs no record.
    fn handle(call: EndpointRequest<Self>) -> impl Future<Output = HandlerResult>;
}

/// An operation that is idempotent per `Idempotency-Key`.
pub trait Action: Endpoint<Headers = IdempotencyKey> {
    /// The result of the use case.
    type Output: Send + 'static;

    /// Renders the result; also used for the response that is stored for replays.
    fn response(output: &Self::Output) -> StoredResponse;
}

/// A request that has passed every check that needs no record.
pub struct EndpointRequest<E: Endpoint> {
    pub ports: Arc<Ports>,
    /// Proof that the caller is allowed to call this operation.
    pub permit: <E::Access as Admission>::Granted,
    pub path: E::Path,
    pub query: E::Query,
    pub headers: E::Headers,
    pub body: E::Body,
    pub(crate) request: HttpRequest,
    raw: Bytes,
}

impl<E: Endpoint> EndpointRequest<E> {
    /// Runs the checks in order and returns the first failure. Route and method have already matched.
    pub(crate) async fn receive(request: &HttpRequest, state: &AppState) -> Result<Self, HttpError> {
        let permit = E::Access::admit(request, state, E::LIMITS).await?;
        let raw = body::receive_as(E::Body::PRESENCE, request).await?;
        let mut problems = Problems::in_context(&state.ports);
        let path = E::Path::read(request, &mut problems);
        let query = query::read::<E::Query>(request.query_string(), &mut problems);
        let headers = E::Headers::read(request.headers(), &mut problems);
        // Last, because it reports the problems of all parts: no part is used unless every part is valid.
        let body = E::Body::read(&raw, problems)?;
        Ok(Self { ports: Arc::clone(&state.ports), permit, path, query, headers, body, request: request.clone(), raw })
    }
}

impl<A: Action> EndpointRequest<A> {
    /// The idempotency data of the request, if the client sent a key.
    pub fn idempotency(&self) -> Option<IdempotentRequest<A::Output>> {
        let key = self.headers.0.clone()?;
        let request = &self.request;
        let parts = [request.method().as_str().as_bytes(), request.path().as_bytes(), &self.raw];
        Some(IdempotentRequest { key, route: A::ROUTE, fingerprint: fingerprint(parts), render: A::response })
    }
}

/// The handler of an operation.
pub(crate) fn run<E: Endpoint>(request: HttpRequest, state: web::Data<AppState>) -> ResponseFuture {
    let deadline = state.settings.deadline_of(E::LIMITS.class);
    let work = Box::pin(receive_and_handle::<E>(request.clone(), state, deadline));
    Box::pin(respond_to(request, E::ROUTE, deadline + E::HOLDS, work))
}

async fn receive_and_handle<E: Endpoint>(
    request: HttpRequest,
    state: web::Data<AppState>,
    deadline: Duration,
) -> HandlerResult {
    let received = timeout(deadline, EndpointRequest::<E>::receive(&request, state.get_ref())).await;
    E::handle(received.unwrap_or(Err(HttpError::Deadline(deadline)))?).await
}

/// The part of every operation that is not generic, so that it is compiled once.
async fn respond_to(
    request: HttpRequest,
    route: &'static str,
    deadline: Duration,
    work: Pin<Box<dyn Future<Output = HandlerResult>>>,
) -> HttpResponse {
    RequestContext::of(&request).set_route(RoutePattern::parse(route).pattern);
    Context::current().with_operation(route).scope(run_guarded(&request, deadline, work)).await
}

/// Runs `work` and always produces a response, even if `work` fails, exceeds the deadline or panics.
pub async fn run_guarded<F>(request: &HttpRequest, deadline: Duration, work: F) -> HttpResponse
where
    F: Future<Output = Result<HttpResponse, HttpError>>,
{
    let exchange = RequestContext::of(request);
    let respond =
        |failure: HttpError| failure.respond(Surface::of(request.match_info().as_str()), &exchange.request_id);
    run_guarded_with(request, deadline, work, respond).await
}

/// Like [`run_guarded`], but the caller renders errors.
pub async fn run_guarded_with<F>(
    request: &HttpRequest,
    deadline: Duration,
    work: F,
    respond: impl FnOnce(HttpError) -> HttpResponse,
) -> HttpResponse
where
    F: Future<Output = Result<HttpResponse, HttpError>>,
{
    let result = timeout(deadline, catch_panic(work)).await;
    result.unwrap_or(Err(HttpError::Deadline(deadline))).unwrap_or_else(|failure| {
        let exchange = RequestContext::of(request);
        failure.log();
        if failure.is_busy() {
            exchange.is_shed.set(true);
        }
        if let HttpError::Domain(domain::Error::RateLimited(rate_limit)) = &failure {
            exchange.set_rate_limit(*rate_limit);
        }
        respond(failure)
    })
}

/// Runs `work` and turns a panic into an error.
pub async fn catch_panic<T>(work: impl Future<Output = Result<T, HttpError>>) -> Result<T, HttpError> {
    // Unwind safe: a panic can only affect this request's context, which holds no borrow between polls.
    match AssertUnwindSafe(work).catch_unwind().await {
        Ok(result) => result,
        Err(panic) => Err(HttpError::Panicked(panic_message(panic.as_ref()))),
    }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}

/// `http_actix::routes::issues::comments::List` is `issues_comments_list`.
fn id_of(path: &str) -> String {
    let path = path.split_once("::routes::").map_or(path, |(_, rest)| rest);
    let mut id = String::with_capacity(path.len() + 4);
    for (index, part) in path.split("::").enumerate() {
        if index > 0 {
            id.push('_');
        }
        for (position, character) in part.char_indices() {
            if character.is_ascii_uppercase() && position > 0 {
                id.push('_');
            }
            id.push(character.to_ascii_lowercase());
        }
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_id_is_its_module_and_type() {
        assert_eq!(id_of("http_actix::routes::issues::comments::List"), "issues_comments_list");
        assert_eq!(id_of("http_actix::routes::auth::LogIn"), "auth_log_in");
    }
}
