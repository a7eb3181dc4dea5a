//! In-process tests of the surface, over the in-memory store.

mod capacity;
mod checks;
mod faults;
mod log_lines;
mod wire;

use http_core::Routes;

/// Only this surface.
pub(crate) const SURFACES: &[&Routes] = &[&crate::ROUTES];
