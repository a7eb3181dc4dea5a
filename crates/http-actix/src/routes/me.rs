//! `/me`: the credential of the request.

use domain::identity::access::DescribeCaller;
use domain::identity::me;
use http_core::operation;

operation! {
    Read = "GET /api/v1/me", access: DescribeCaller
    => shown(me::read())
}
