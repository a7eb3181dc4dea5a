//! The routes of the surfaces, and their registration in an actix application.

use actix_web::http::header::ACCEPT;
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::from_fn;
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, Resource, guard};
use domain::identity::access::Credential;

use crate::admission::{AuthScheme, count_only, group_of};
use crate::endpoint::run_guarded;
use crate::errors::{HttpError, Surface};
use crate::operation::{Handler, Operation};
use crate::request_context::RequestContext;
use crate::state::AppState;
use crate::workspace_address::outside_workspaces;
use crate::{health, middleware};

/// The routes of one surface.
#[derive(Debug, Clone, Copy)]
pub struct Routes {
    /// If two patterns match a path, the earlier one wins.
    pub operations: &'static [Operation],
    pub pages: &'static [Page],
    /// The page for browsers that open an unknown address. Its handler counts the request.
    pub not_found: Option<Handler>,
}

/// A public, static page in the binary, such as the documentation. Like a probe, it counts in no rate limit of the interface;
/// [`PagePace`](crate::page_pace::PagePace) throttles it.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    pub pattern: &'static str,
    pub answer: fn(&HttpRequest) -> HttpResponse,
}

/// All operations of all surfaces, in order of registration.
pub fn operations(surfaces: &'static [&'static Routes]) -> impl Iterator<Item = &'static Operation> {
    surfaces.iter().flat_map(|routes| routes.operations)
}

/// Registers all surfaces in an application. They answer every path, so register them last.
pub fn configure(config: &mut ServiceConfig, state: AppState, surfaces: &'static [&'static Routes]) {
    let has_metrics = state.settings.has_public_metrics;
    config.app_data(web::Data::new(state));
    // A `ServiceConfig` cannot have middleware; an empty scope can.
    let scope = web::scope("").wrap(from_fn(middleware::handle));
    config.service(scope.configure(|config| register(config, surfaces, has_metrics)));
}

/// Registers the operations, the probes, the pages, and 404 for everything else.
fn register(config: &mut ServiceConfig, surfaces: &'static [&'static Routes], has_metrics: bool) {
    let mut patterns: Vec<&'static str> = Vec::new();
    for operation in operations(surfaces) {
        if !patterns.contains(&operation.pattern) {
            patterns.push(operation.pattern);
        }
    }
    for pattern in patterns {
        let mut resource = web::resource(pattern);
        let mut allowed = Vec::new();
        let same_pattern = || operations(surfaces).filter(|operation| operation.pattern == pattern);
        if !same_pattern().all(|operation| operation.auth_scheme == AuthScheme::Browser) {
            resource = outside_workspaces(resource);
        }
        for operation in same_pattern() {
            resource = resource.route(operation.route());
            allowed.push(if operation.shows_page { "GET, HEAD" } else { operation.method });
        }
        config.service(with_allowed_methods(resource, pattern, allowed.join(", "), true));
    }
    for (pattern, route) in health::probes(has_metrics) {
        let resource = outside_workspaces(web::resource(pattern)).route(route);
        config.service(with_allowed_methods(resource, pattern, "GET".to_owned(), false));
    }
    for page in surfaces.iter().flat_map(|routes| routes.pages) {
        // actix omits the body of a HEAD response.
        let route = web::route().guard(guard::Any(guard::Get()).or(guard::Head()));
        let route = route.to(move |request: HttpRequest, state: web::Data<AppState>| serve_page(page, request, state));
        let resource = outside_workspaces(web::resource(page.pattern)).route(route);
        config.service(with_allowed_methods(resource, page.pattern, "GET, HEAD".to_owned(), false));
    }
    let not_found = surfaces.iter().find_map(|routes| routes.not_found);
    let unknown = move |request: HttpRequest, state: web::Data<AppState>| unknown(request, state, not_found);
    config.default_service(web::to(unknown));
}

async fn serve_page(page: &'static Page, request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    let exchange = RequestContext::of(&request);
    exchange.set_route(page.pattern);
    let answer = (page.answer)(&request);
    if request.method() == Method::HEAD || answer.status() == StatusCode::NOT_MODIFIED {
        return answer;
    }
    match state.guards.pages.wait_for_turn(group_of(&request, &state)).await {
        Ok(()) => answer,
        Err(failure) => {
            if failure.is_busy() {
                exchange.is_shed.set(true);
            }
            failure.respond(Surface::Rest, &exchange.request_id)
        }
    }
}

/// Answers 405 to all other methods. HEAD and OPTIONS are not added implicitly: only pages have HEAD. Requests to probes
/// and to each [`Page`] do not count.
fn with_allowed_methods(resource: Resource, pattern: &'static str, allowed: String, counts: bool) -> Resource {
    resource.default_service(web::to(move |request: HttpRequest, state: web::Data<AppState>| {
        let failure = HttpError::MethodNotAllowed(allowed.clone());
        async move {
            RequestContext::of(&request).set_route(pattern);
            if counts {
                refuse(request, &state, |_| failure).await
            } else {
                failure.respond(Surface::Rest, &RequestContext::of(&request).request_id)
            }
        }
    }))
}

async fn unknown(request: HttpRequest, state: web::Data<AppState>, page: Option<Handler>) -> HttpResponse {
    let opens_page = request.method() == Method::GET && !request.path().starts_with("/api") && accepts_html(&request);
    match page {
        Some(page) if opens_page => page(request, state).await,
        _ => refuse(request, &state, not_found_error).await,
    }
}

/// Says what tools can do and REST cannot (interface 7.2). Documents and SDKs use the same wording.
const ONE_CONTACT: &str = "one contact is read, changed and deleted with the tools get_contact, update_contact and \
    delete_contact, over POST /api/mcp/tools/call";

/// The variant for members, whose access tokens cannot call tools.
const ONE_CONTACT_OF_MEMBERS: &str = "one contact is read, changed and deleted in the console, or by an API key with the \
    tools get_contact, update_contact and delete_contact";

fn not_found_error(request: &HttpRequest) -> HttpError {
    match request.path().strip_prefix("/api/v1/crm/contacts/") {
        Some(contact) if !contact.is_empty() => {
            let is_session = matches!(RequestContext::of(request).caller.get(), Some((_, Credential::Session { .. })));
            HttpError::NotOverRest(if is_session { ONE_CONTACT_OF_MEMBERS } else { ONE_CONTACT })
        }
        _ => HttpError::UnknownRoute,
    }
}

fn accepts_html(request: &HttpRequest) -> bool {
    let accepted = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("text/html"))
}

/// Rejects a request because of its route, and still counts it.
async fn refuse(
    request: HttpRequest,
    state: &AppState,
    failure: impl FnOnce(&HttpRequest) -> HttpError,
) -> HttpResponse {
    run_guarded(&request, state.settings.deadline, async {
        // First, because the message depends on the caller.
        count_only(&request, state).await;
        Err(failure(&request))
    })
    .await
}
