//! What an operation declares, and the frame that runs it.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use actix_web::rt::time::timeout;
use actix_web::{HttpRequest, HttpResponse, web};
use domain::kernel::idempotency::Answer;
use domain::limits::Class;
use futures_util::FutureExt;
use log_context::Context;

use crate::AppState;
use crate::admission::Admission;
use crate::body::Body;
use crate::call::Call;
use crate::conditions::Headers;
use crate::errors::{Failure, Surface};
use crate::exchange::Exchange;
use crate::idempotency::IdempotencyKey;
use crate::operation::{method_of, pattern_of};
use crate::path::PathIds;
use crate::query::Query;

/// One method on one route.
pub trait Endpoint: Sized + 'static {
    /// Method and pattern, such as `GET /api/v1/projects`.
    const ROUTE: &'static str;
    /// What kind of request it counts as; bulk ones have a longer deadline too.
    const CLASS: Class = class_of(Self::ROUTE);
    /// The class that it counts in by workspace and address too, beside the credential's own.
    const PUBLIC_CLASS: Option<Class> = None;
    /// Whether it counts by the client's address, with a good credential too.
    const COUNTS_BY_ADDRESS: bool = false;
    /// What the caller must be allowed to do, or [`Open`](crate::admission::Open).
    type Access: Admission;
    /// The ids in the path.
    type Path: PathIds;
    /// The query parameters; all others are refused.
    type Query: Query;
    /// The headers that it obeys.
    type Headers: Headers;
    /// The body.
    type Body: Body;

    /// Does it. The call has passed every check that needs no record.
    fn handle(call: Call<Self>) -> impl Future<Output = Result<HttpResponse, Failure>>;
}

/// What a method counts as, unless an operation says something else.
const fn class_of(route: &'static str) -> Class {
    match method_of(route).as_bytes() {
        b"GET" => Class::Read,
        _ => Class::Write,
    }
}

/// An operation that happens at most once for an idempotency key.
pub trait Action: Endpoint<Headers = IdempotencyKey> {
    /// What it makes.
    type Made: Send + 'static;

    /// The answer for what was made, whether it goes out now or is kept for later.
    fn answer(made: &Self::Made) -> Answer;
}

/// Runs an operation for a request.
pub(crate) async fn run<E: Endpoint>(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    Exchange::of(&request).set_route(pattern_of(E::ROUTE));
    let answer = guarded(&request, state.settings.deadline_of(E::CLASS), async {
        let call = Call::<E>::receive(&request, state.get_ref()).await?;
        E::handle(call).await
    });
    Context::current().with_operation(E::ROUTE).scope(answer).await
}

/// Answers with what `work` comes to, in any case: when it fails, takes too long or panics.
pub async fn guarded<F>(request: &HttpRequest, deadline: Duration, work: F) -> HttpResponse
where
    F: Future<Output = Result<HttpResponse, Failure>>,
{
    // What a panic leaves behind is this request's alone: the exchange holds no borrow while nobody polls.
    let caught = timeout(deadline, AssertUnwindSafe(work).catch_unwind()).await;
    let result = match caught {
        Ok(Ok(result)) => result,
        Ok(Err(panic)) => Err(Failure::Panicked(words_of(panic.as_ref()))),
        Err(_) => Err(Failure::Deadline(deadline)),
    };
    result.unwrap_or_else(|failure| {
        let exchange = Exchange::of(request);
        failure.log();
        if let Failure::Domain(domain::Error::RateLimited(standing)) = &failure {
            exchange.set_standing(*standing);
        }
        failure.respond(Surface::of(request.match_info().as_str()), &exchange.request_id)
    })
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no words").to_owned()
}
