//! Registers the surfaces in an actix application.

use actix_web::middleware::from_fn;
use actix_web::web::{self, ServiceConfig};

use crate::middleware;
use crate::routes::{self, Routes};
use crate::state::AppState;

/// Registers all surfaces in an application. They answer every path, so register them last.
pub fn configure(config: &mut ServiceConfig, state: AppState, surfaces: &'static [&'static Routes]) {
    let has_metrics = state.settings.has_public_metrics;
    config.app_data(web::Data::new(state));
    // A `ServiceConfig` cannot have middleware; an empty scope can.
    let scope = web::scope("").wrap(from_fn(middleware::around));
    config.service(scope.configure(|config| routes::register(config, surfaces, has_metrics)));
}
