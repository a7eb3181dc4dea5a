//! `/api/settings/usage`.

use domain::identity::access::ManageWorkspace;
use domain::identity::usage::{self, Usage};
use http_core::operation;

operation! {
    /// Show what the workspace uses.
    Read = "GET /api/settings/usage", access: ManageWorkspace
    => shown(usage::read()) -> Usage
}
