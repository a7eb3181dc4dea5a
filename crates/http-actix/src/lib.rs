//! The REST surface over the use cases of `domain`.
//!
//! [`OPERATIONS`] is the only table of its operations; `http_core` registers routes from it, and checks every request
//! before a handler runs.

mod operations;
mod routes;

pub use operations::OPERATIONS;

use http_core::Routes;

/// The surface, as registered with `http_core`.
pub static ROUTES: Routes = Routes { operations: OPERATIONS, pages: &[], not_found: None };
