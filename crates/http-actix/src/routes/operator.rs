//! `/api/operator/workspaces`: all workspaces, for operators of the service, with an access token.

use domain::WorkspaceId;
use domain::identity::access::OperateService;
use domain::identity::workspaces::{
    self, CreatedWorkspace, DeletionFields, NewWorkspaceFields, OperatorWorkspaceView, Workspace,
    WorkspaceChangeFields, WorkspaceDeletion, WorkspaceFilter,
};
use domain::kernel::versions::ExpectedVersion;
use http_core::body::{self, Patch};
use http_core::conditions::NoneMatch;
use http_core::query::Filtered;
use http_core::{LimitPolicy, action, operation};

operation! {
    /// List the workspaces of the service.
    List = "GET /api/operator/workspaces", contract: additional, access: OperateService, query: Filtered<WorkspaceFilter, Workspace>
    => list(workspaces::search(filter, page)) -> OperatorWorkspaceView
}

action! {
    /// Create a workspace.
    Create = "POST /api/operator/workspaces", contract: additional,
    limits: LimitPolicy::CRITICAL, access: OperateService, body: body::Create<NewWorkspaceFields>, errors: [Duplicate]
    => workspaces::create_as_operator(body) -> CreatedWorkspace, created(|created| format!("/api/operator/workspaces/{}", created.workspace.id))
}

operation! {
    /// Read a workspace.
    Read = "GET /api/operator/workspaces/{workspace_id}", contract: additional, access: OperateService, path: WorkspaceId, headers: NoneMatch
    => one(workspaces::read_as_operator(path)) -> OperatorWorkspaceView
}

operation! {
    /// Change the plan, limits or state of a workspace.
    Update = "PATCH /api/operator/workspaces/{workspace_id}", contract: additional,
    limits: LimitPolicy::CRITICAL, access: OperateService, path: WorkspaceId, headers: ExpectedVersion, body: Patch<WorkspaceChangeFields>,
    errors: [Conflict, InvalidStateChange]
    => changed(workspaces::update_as_operator(path, headers, body)) -> OperatorWorkspaceView
}

operation! {
    /// Delete a workspace.
    Delete = "DELETE /api/operator/workspaces/{workspace_id}", contract: additional,
    limits: LimitPolicy::CRITICAL, access: OperateService, path: WorkspaceId, headers: ExpectedVersion,
    body: body::Create<DeletionFields>, errors: [Conflict, InvalidStateChange]
    => shown(workspaces::delete_as_operator(path, headers, body)) -> WorkspaceDeletion
}
