//! The REST surface over the use cases of `domain`.
//!
//! [`OPERATIONS`] is the one table of its operations; `http_frame` registers routes from it, and checks every request
//! before a handler sees it.

mod operations;
mod routes;
#[cfg(test)]
mod tests;

pub use operations::OPERATIONS;

use http_frame::Routes;

/// The surface, for `http_frame`.
pub const ROUTES: Routes = Routes { operations: OPERATIONS, pages: routes::pages::PAGES };
