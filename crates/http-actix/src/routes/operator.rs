//! `/api/operator/workspaces`: all workspaces, for operators of the service, with an access token.

use domain::WorkspaceId;
use domain::identity::access::OperateService;
use domain::identity::workspaces::{
    self, CreatedWorkspace, DeletionFields, NewWorkspaceFields, Workspace, WorkspaceChangeFields, WorkspaceFilter,
};
use domain::kernel::versions::ExpectedVersion;
use domain::limits::Class;
use http_core::body::{self, Patch};
use http_core::conditions::NoneMatch;
use http_core::query::Filtered;
use http_core::{LimitPolicy, action, operation, responses};

const CRITICAL: LimitPolicy = LimitPolicy::new(Class::Critical);

operation! {
    List = "GET /api/operator/workspaces", access: OperateService, query: Filtered<WorkspaceFilter, Workspace>
    => list(workspaces::search(filter, page))
}

action! {
    Create = "POST /api/operator/workspaces",
    limits: CRITICAL, access: OperateService, body: body::Create<NewWorkspaceFields>
    => workspaces::create_as_operator(body) -> CreatedWorkspace,
    |created| responses::created(created, format!("/api/operator/workspaces/{}", created.workspace.id))
}

operation! {
    Read = "GET /api/operator/workspaces/{workspace_id}", access: OperateService, path: WorkspaceId, headers: NoneMatch
    => one(workspaces::read_as_operator(path))
}

operation! {
    Update = "PATCH /api/operator/workspaces/{workspace_id}",
    limits: CRITICAL, access: OperateService, path: WorkspaceId, headers: ExpectedVersion, body: Patch<WorkspaceChangeFields>
    => changed(workspaces::update_as_operator(path, headers, body))
}

operation! {
    Delete = "DELETE /api/operator/workspaces/{workspace_id}",
    limits: CRITICAL, access: OperateService, path: WorkspaceId, headers: ExpectedVersion,
    body: body::Create<DeletionFields>
    => shown(workspaces::delete_as_operator(path, headers, body))
}
