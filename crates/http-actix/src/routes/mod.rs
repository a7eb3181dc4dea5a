//! The routes, a folder a resource, an operation a file.

pub(crate) mod auth;
pub(crate) mod contacts;
pub(crate) mod deals;
mod health;
pub(crate) mod issues;
pub(crate) mod modules;
mod pages;
pub(crate) mod projects;
pub(crate) mod settings;

use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, Resource};

use crate::admission::count_only;
use crate::endpoint::guarded;
use crate::errors::{Failure, Surface};
use crate::exchange::Exchange;
use crate::{AppState, OPERATIONS};

/// Registers every operation, the probes, the pages, and the answers for everything else.
pub(crate) fn register(config: &mut ServiceConfig) {
    let mut patterns: Vec<&'static str> = Vec::new();
    for operation in OPERATIONS {
        if !patterns.contains(&operation.pattern) {
            patterns.push(operation.pattern);
        }
    }
    for pattern in patterns {
        let mut resource = web::resource(pattern);
        let mut allowed = Vec::new();
        for operation in OPERATIONS.iter().filter(|operation| operation.pattern == pattern) {
            resource = resource.route((operation.route)());
            allowed.push(operation.method);
        }
        config.service(closed(resource, pattern, allowed.join(", "), true));
    }
    for (pattern, route) in health::probes() {
        config.service(closed(web::resource(pattern).route(route), pattern, "GET".to_owned(), false));
    }
    for (pattern, route) in pages::pages() {
        config.service(closed(web::resource(pattern).route(route), pattern, "GET".to_owned(), true));
    }
    config.default_service(web::to(unknown));
}

/// A resource that refuses all methods but its own. No method is added silently, HEAD and OPTIONS neither. Routes of
/// operation do not count.
fn closed(resource: Resource, pattern: &'static str, allowed: String, counts: bool) -> Resource {
    resource.default_service(web::to(move |request: HttpRequest, state: web::Data<AppState>| {
        let failure = Failure::MethodNotAllowed(allowed.clone());
        async move {
            Exchange::of(&request).set_route(pattern);
            if counts {
                refuse(request, &state, failure).await
            } else {
                failure.respond(Surface::Rest, &Exchange::of(&request).request_id)
            }
        }
    }))
}

async fn unknown(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    refuse(request, &state, Failure::UnknownRoute).await
}

/// Refuses a request by its route alone; it counts nevertheless.
async fn refuse(request: HttpRequest, state: &AppState, failure: Failure) -> HttpResponse {
    guarded(&request, state.settings.deadline, async {
        count_only(&request, state).await;
        Err(failure)
    })
    .await
}
