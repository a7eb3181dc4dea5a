//! `/healthz`, `/readyz` and `/metrics`: for operators, without a credential.

use std::sync::atomic::Ordering;

use actix_web::http::header::RETRY_AFTER;
use actix_web::rt::time::timeout;
use actix_web::{HttpRequest, HttpResponse, Route, web};
use serde::Serialize;

use crate::endpoint::run_guarded;
use crate::request_context::RequestContext;
use crate::state::AppState;

const HEALTH: &str = "/healthz";
const METRICS: &str = "/metrics";
const READY: &str = "/readyz";

#[derive(Serialize)]
struct Status {
    status: &'static str,
}

/// The probes, each with its path.
pub(crate) fn probes() -> [(&'static str, Route); 3] {
    [(HEALTH, web::get().to(health)), (READY, web::get().to(ready)), (METRICS, web::get().to(metrics))]
}

/// Liveness.
async fn health(request: HttpRequest) -> HttpResponse {
    RequestContext::of(&request).set_route(HEALTH);
    HttpResponse::Ok().json(Status { status: "ok" })
}

/// Metrics in the Prometheus text format.
async fn metrics(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    RequestContext::of(&request).set_route(METRICS);
    HttpResponse::Ok().content_type("text/plain; version=0.0.4; charset=utf-8").body(state.metrics.text())
}

/// Readiness to receive traffic.
async fn ready(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    RequestContext::of(&request).set_route(READY);
    run_guarded(&request, state.settings.deadline, async {
        if state.settings.draining.load(Ordering::Relaxed) {
            return Ok(not_ready("draining"));
        }
        Ok(match timeout(state.settings.ready_deadline, state.ports.directory.ping()).await {
            Ok(Ok(())) => HttpResponse::Ok().json(Status { status: "ready" }),
            Ok(Err(error)) => {
                log::warn!("not ready: {error}");
                not_ready("unavailable")
            }
            Err(_) => {
                log::warn!("not ready: the store timed out");
                not_ready("unavailable")
            }
        })
    })
    .await
}

fn not_ready(status: &'static str) -> HttpResponse {
    HttpResponse::ServiceUnavailable().insert_header((RETRY_AFTER, "1")).json(Status { status })
}
