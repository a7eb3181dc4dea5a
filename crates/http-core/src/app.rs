//! Puts the surfaces into an actix application.

use actix_web::middleware::from_fn;
use actix_web::web::{self, ServiceConfig};

use crate::middleware;
use crate::routes::{self, Routes};
use crate::state::AppState;

/// Puts all surfaces into an application. They answer every path, so they go in last.
pub fn configure(config: &mut ServiceConfig, state: AppState, surfaces: &[Routes]) {
    config.app_data(web::Data::new(state));
    // The nameless scope carries the middleware: a `ServiceConfig` cannot.
    let scope = web::scope("").wrap(from_fn(middleware::around));
    config.service(scope.configure(|config| routes::register(config, surfaces)));
}
