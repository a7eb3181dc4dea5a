//! `/healthz`, `/readyz` and `/metrics`: for operators, without a credential.

use std::sync::atomic::Ordering;

use actix_web::http::header::RETRY_AFTER;
use actix_web::rt::time::timeout;
use actix_web::{HttpRequest, HttpResponse, Route, web};
use domain::ports::Directory;
use serde::Serialize;

use crate::endpoint::run_guarded;
use crate::request_context::RequestContext;
use crate::settings::HttpSettings;
use crate::state::AppState;

const HEALTH: &str = "/healthz";
const METRICS: &str = "/metrics";
const READY: &str = "/readyz";

#[derive(Serialize)]
struct Status {
    status: &'static str,
}

/// The probes with their paths, and the metrics if they are public.
pub(crate) fn probes(has_metrics: bool) -> Vec<(&'static str, Route)> {
    let mut all = vec![(HEALTH, web::get().to(health)), (READY, web::get().to(ready))];
    if has_metrics {
        all.push((METRICS, web::get().to(metrics)));
    }
    all
}

/// Whether the route is one of [`probes`].
pub(crate) fn is_probe(route: &str) -> bool {
    [HEALTH, METRICS, READY].contains(&route)
}

/// Liveness.
async fn health(request: HttpRequest) -> HttpResponse {
    RequestContext::of(&request).set_route(HEALTH);
    HttpResponse::Ok().json(Status { status: "ok" })
}

/// Metrics in the Prometheus text format.
async fn metrics(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    RequestContext::of(&request).set_route(METRICS);
    HttpResponse::Ok().content_type("text/plain; version=0.0.4; charset=utf-8").body((state.metrics)())
}

/// Readiness to receive traffic.
async fn ready(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    RequestContext::of(&request).set_route(READY);
    run_guarded(&request, state.settings.deadline, async {
        Ok(match readiness(&*state.probe, &state.settings).await {
            Ok(()) => HttpResponse::Ok().json(Status { status: "ready" }),
            Err(status) => not_ready(status),
        })
    })
    .await
}

/// Whether this instance should receive traffic. Fails with one word that says why not.
pub async fn readiness(probe: &dyn Directory, settings: &HttpSettings) -> Result<(), &'static str> {
    if settings.draining.load(Ordering::Relaxed) {
        return Err("draining");
    }
    match timeout(settings.ready_deadline, probe.ping()).await {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(error)) => {
            log::warn!("not ready: {error}");
            return Err(error.readiness_status());
        }
        Err(_) => log::warn!("not ready: the store timed out"),
    }
    Err("unavailable")
}

fn not_ready(status: &'static str) -> HttpResponse {
    HttpResponse::ServiceUnavailable().insert_header((RETRY_AFTER, "1")).json(Status { status })
}
