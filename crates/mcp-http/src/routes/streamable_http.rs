//! `POST /api/mcp`: MCP's Streamable HTTP transport, without sessions. GET and DELETE only exist for sessions, so they
//! are 405.

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderMap, ORIGIN};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, web};
use domain::Error;
use domain::kernel::input::Problems;
use domain::limits::Class;
use domain::ports::{Ports, StoreError};
use http_core::admission::{count_caller, identify};
use http_core::endpoint::run_guarded;
use http_core::errors::HttpError;
use http_core::request_context::RequestContext;
use http_core::responses::REPLAYED;
use http_core::{AppState, body, query};

use super::{check_key, with_deadline};
use crate::listing::RequestedFeatures;
use crate::messages::Message;
use crate::transport;

pub(super) const ROUTE: &str = "POST /api/mcp";

pub(super) async fn answer(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    RequestContext::of(&request).set_route("/api/mcp");
    // Boxed, because the SDK's future is large.
    let work = Box::pin(async {
        let caller = identify(&request, &state).await?;
        let received = with_deadline(state.settings.deadline_of(Class::Write), body::receive(&request)).await;
        let received = received.map(Message::parse);
        let cost = received.as_ref().map_or(Class::Write.into(), |message| message.cost);
        count_caller(&request, &state, &caller, cost).await?;
        check_origin(request.headers(), &state.ports)?;
        check_key(&caller)?;
        let mut problems = Problems::default();
        let features = query::read::<RequestedFeatures>(request.query_string(), &mut problems);
        problems.into_result()?;
        let message = received?;
        let ports = std::sync::Arc::clone(&state.ports);
        let bound = state.settings.deadline_of(cost.class);
        let pending = with_deadline(bound, async {
            let answer = transport::answer(request.headers(), message, ports, caller, features).await;
            answer.map_err(|error| Error::from(StoreError::Internal(error)))
        });
        let transport_response = pending.await?;
        let status = StatusCode::from_u16(transport_response.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = HttpResponseBuilder::new(status);
        if let Some(kind) = &transport_response.content_type {
            response.insert_header((CONTENT_TYPE, kind.as_str()));
        }
        if transport_response.is_replayed {
            response.insert_header((REPLAYED, "true"));
        }
        Ok::<_, HttpError>(response.body(transport_response.body))
    });
    run_guarded(&request, state.settings.deadline_of(Class::Bulk), work).await
}

/// Rejects browser pages of other origins, even with a valid key. Clients other than browsers send no `Origin`.
fn check_origin(headers: &HeaderMap, ports: &Ports) -> Result<(), Error> {
    let public_url = ports.settings.public_url.trim_end_matches('/');
    let is_own = |origin: &[u8]| !public_url.is_empty() && origin == origin_of(public_url).as_bytes();
    if headers.get_all(ORIGIN).all(|origin| is_own(origin.as_bytes())) {
        return Ok(());
    }
    Err(Error::Forbidden("web pages of other origins cannot call tools".to_owned()))
}

/// Scheme, host and port of a URL.
fn origin_of(url: &str) -> &str {
    let host_start = url.find("://").map_or(0, |index| index + 3);
    let end = url[host_start..].find('/').map_or(url.len(), |index| host_start + index);
    &url[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_ends_before_the_path() {
        for (url, origin) in [
            ("https://work.example.com", "https://work.example.com"),
            ("https://work.example.com/base", "https://work.example.com"),
            ("http://[::1]:8080/x/y", "http://[::1]:8080"),
        ] {
            assert_eq!(origin_of(url), origin);
        }
    }
}
