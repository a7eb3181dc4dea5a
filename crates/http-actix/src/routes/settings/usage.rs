//! `/api/settings/usage`.

use domain::identity::access::ManageWorkspace;
use domain::identity::usage;
use http_core::operation;

operation! {
    Read = "GET /api/settings/usage", access: ManageWorkspace
    => shown(usage::read())
}
