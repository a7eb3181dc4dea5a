//! In-process tests of the surface, each with its own database.
#![expect(clippy::unwrap_used, reason = "a panic is how a test reports")]

mod capacity;
mod checks;
mod faults;
mod log_lines;
mod operations;
mod wire;

use http_core::Routes;

/// Only this surface.
const SURFACES: &[&Routes] = &[&http_actix::ROUTES];
