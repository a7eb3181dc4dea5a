//! The routes, a folder a resource, an operation a file.

pub(crate) mod contacts;
pub(crate) mod deals;
mod health;
pub(crate) mod issues;
pub(crate) mod projects;

use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, Resource};

use crate::OPERATIONS;
use crate::errors::{Failure, Surface};
use crate::exchange::Exchange;

/// Registers every operation, the probes, and the answers for everything else.
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
        config.service(closed(resource, pattern, allowed.join(", ")));
    }
    for (pattern, route) in health::probes() {
        config.service(closed(web::resource(pattern).route(route), pattern, "GET".to_owned()));
    }
    config.default_service(web::to(unknown));
}

/// A resource that refuses all methods but its own. No method is added silently, HEAD and OPTIONS neither.
fn closed(resource: Resource, pattern: &'static str, allowed: String) -> Resource {
    resource.default_service(web::to(move |request: HttpRequest| {
        let failure = Failure::MethodNotAllowed(allowed.clone());
        async move {
            Exchange::of(&request).set_route(pattern);
            refuse(&request, &failure)
        }
    }))
}

async fn unknown(request: HttpRequest) -> HttpResponse {
    refuse(&request, &Failure::UnknownRoute)
}

fn refuse(request: &HttpRequest, failure: &Failure) -> HttpResponse {
    failure.respond(Surface::of(request.match_info().as_str()), &Exchange::of(request).request_id)
}
