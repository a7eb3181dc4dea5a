//! The surface in this process, over the in-memory store.

mod checks;
mod faults;
mod log_lines;
mod records;
mod wire;

use http_core::Routes;

/// This surface alone.
pub(crate) const SURFACES: &[Routes] = &[crate::ROUTES];
