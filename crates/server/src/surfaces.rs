//! The surfaces of this service.

use http_core::Routes;

/// All surfaces. If two patterns match a path, the earlier one wins.
pub const SURFACES: &[&Routes] =
    &[&http_actix::ROUTES, &mcp_http::ROUTES, &console::ROUTES, &api_docs::reference::ROUTES];
