//! The surfaces that this service answers on.

use http_core::Routes;

/// All of them. Of two patterns that fit a path the earlier one counts.
pub const SURFACES: &[Routes] = &[http_actix::ROUTES, mcp_http::ROUTES];
