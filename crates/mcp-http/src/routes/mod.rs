//! `/api/mcp`: the plain HTTP endpoints, and Streamable HTTP.

mod call_tool;
mod described;
mod list_tools;
mod session;
mod streamable_http;

use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::rt::time::timeout;
use domain::Error;
use domain::identity::access::{AccessRequirement, Caller, Credential};
use domain::limits::Class;
use http_core::admission::admit_caller;
use http_core::errors::HttpError;
use http_core::{AppState, Operation, Routes};

pub static ROUTES: Routes = Routes { operations: OPERATIONS, pages: &[], not_found: None };

/// Sessions are credentials as well; [`check_key`] refuses them.
const ANY_KEY: Option<AccessRequirement> = Some(AccessRequirement::Credential);

pub const OPERATIONS: &[Operation] = &[
    Operation::raw(session::ROUTE, ANY_KEY, Class::Read, |request, state| Box::pin(session::answer(request, state)))
        .described(described::session),
    Operation::raw(list_tools::GET, ANY_KEY, Class::Read, |request, state| {
        Box::pin(list_tools::answer(request, state, false))
    })
    .described(described::list_by_query),
    Operation::raw(list_tools::POST, ANY_KEY, Class::Read, |request, state| {
        Box::pin(list_tools::answer(request, state, true))
    })
    .with_body()
    .described(described::list_by_body),
    Operation::raw(call_tool::ROUTE, ANY_KEY, Class::Write, |request, state| {
        Box::pin(call_tool::answer(request, state))
    })
    .with_body()
    .with_idempotency_key()
    .described(described::call),
    Operation::raw(streamable_http::ROUTE, ANY_KEY, Class::Write, |request, state| {
        Box::pin(streamable_http::answer(request, state))
    })
    .with_body()
    .described(described::streamable_http),
];

/// Admits a request with an API key, counted in a class; sessions cannot use tools.
async fn admit_key(request: &HttpRequest, state: &AppState, class: Class) -> Result<Caller, HttpError> {
    let caller = admit_caller(request, state, class).await?;
    check_key(&caller)?;
    Ok(caller)
}

fn check_key(caller: &Caller) -> Result<(), Error> {
    match caller.credential() {
        Credential::Key(_) => Ok(()),
        Credential::Session { .. } => Err(Error::KeyNeeded),
    }
}

/// Runs `work` with a deadline.
async fn with_deadline<T, E: Into<HttpError>>(
    bound: Duration,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, HttpError> {
    match timeout(bound, work).await {
        Ok(result) => result.map_err(Into::into),
        Err(_) => Err(HttpError::Deadline(bound)),
    }
}
