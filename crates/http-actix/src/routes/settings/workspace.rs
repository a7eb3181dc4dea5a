//! `/api/settings/workspace`.

use domain::identity::access::ManageWorkspace;
use domain::identity::workspaces::{self, SettingsFields};
use domain::kernel::versions::ExpectedVersion;
use http_core::body::Patch;
use http_core::conditions::NoneMatch;
use http_core::operation;

operation! {
    Read = "GET /api/settings/workspace", access: ManageWorkspace, headers: NoneMatch
    => one(workspaces::read())
}

operation! {
    Update = "PATCH /api/settings/workspace",
    access: ManageWorkspace, headers: ExpectedVersion, body: Patch<SettingsFields>
    => changed(workspaces::update(headers, body))
}
