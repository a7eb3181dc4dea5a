//! The route of scripts, styles and icons.

use std::future::ready;

use actix_web::{HttpRequest, HttpResponse};
use domain::limits::Class;
use http_core::admission::AuthScheme;
use http_core::errors::HttpError;
use http_core::request_context::RequestContext;
use http_core::{AppState, Operation};

use crate::errors;

/// Assets need no session and count towards no rate limit.
pub(crate) const OPERATION: Operation =
    Operation::page(assets::ROUTE, None, AuthScheme::Anonymous, Class::Console, |request, state| {
        Box::pin(ready(show(&request, &state)))
    });

fn show(request: &HttpRequest, state: &AppState) -> HttpResponse {
    RequestContext::of(request).set_route(assets::PATTERN);
    assets::respond(request).unwrap_or_else(|| errors::respond(&HttpError::UnknownRoute, request, state))
}
