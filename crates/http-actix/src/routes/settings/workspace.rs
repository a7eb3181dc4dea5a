//! `/api/settings/workspace`.

use domain::identity::access::ManageWorkspace;
use domain::identity::workspaces::{self, SettingsFields, WorkspaceView};
use domain::kernel::versions::ExpectedVersion;
use http_core::body::Patch;
use http_core::conditions::NoneMatch;
use http_core::operation;

operation! {
    /// Read the settings of the workspace.
    Read = "GET /api/settings/workspace", access: ManageWorkspace, headers: NoneMatch
    => one(workspaces::read()) -> WorkspaceView
}

operation! {
    /// Change the settings of the workspace.
    Update = "PATCH /api/settings/workspace",
    access: ManageWorkspace, headers: ExpectedVersion, body: Patch<SettingsFields>
    => changed(workspaces::update(headers, body)) -> WorkspaceView
}
