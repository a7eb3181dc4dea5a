//! `/me`: the credential of the request.

use domain::identity::access::DescribeCaller;
use domain::identity::me::{self, Me};
use http_core::operation;

operation! {
    /// Show what the credential may do.
    Read = "GET /api/v1/me", contract: additional, access: DescribeCaller
    => shown(me::read()) -> Me
}
