//! `/api/settings/usage`.

use domain::identity::access::ManageWorkspace;
use domain::identity::usage::{self, Usage};
use http_core::operation;

operation! {
    /// Show the usage of the workspace.
    Read = "GET /api/settings/usage", access: ManageWorkspace
    => shown(usage::read()) -> Usage
}
