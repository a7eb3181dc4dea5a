//! `/projects`.

pub(crate) mod cycles;

use domain::ProjectId;
use domain::identity::access::{CreateProjects, DeleteProjects, ReadProjectIssues, ReadProjects, UpdateProjects};
use domain::kernel::input::CreatedFilter;
use domain::kernel::versions::ExpectedVersion;
use domain::records::{self, HistoryEvent, Listed};
use domain::work::issues::{self, Issue};
use domain::work::projects::{Project, ProjectFields, ProjectFilter};
use http_core::body::{self, Patch};
use http_core::conditions::NoneMatch;
use http_core::query::{Filtered, Paged, Records};
use http_core::{action, operation};

operation! {
    /// List projects.
    List = "GET /api/v1/projects", access: ReadProjects, query: Records<ProjectFilter, Project>
    => records(records::list_or_deleted(filter, page)) -> Listed<Project>
}

action! {
    /// Create a project.
    Create = "POST /api/v1/projects", access: CreateProjects, body: body::Create<ProjectFields>, errors: [Duplicate]
    => records::create(body) -> Project, created(|project| format!("/api/v1/projects/{}", project.id))
}

operation! {
    /// Read a project.
    Read = "GET /api/v1/projects/{project_id}", access: ReadProjects, path: ProjectId, headers: NoneMatch
    => one(records::read(path)) -> Project
}

operation! {
    /// Change a project.
    Update = "PATCH /api/v1/projects/{project_id}",
    access: UpdateProjects, path: ProjectId, headers: ExpectedVersion, body: Patch<ProjectFields>,
    errors: [Duplicate, InvalidStateChange]
    => changed(records::update(path, headers, body)) -> Project
}

operation! {
    /// Delete a project.
    Delete = "DELETE /api/v1/projects/{project_id}",
    access: DeleteProjects, path: ProjectId, headers: ExpectedVersion
    => deleted(records::delete::<Project>(path, headers))
}

action! {
    /// Restore a deleted project.
    Restore = "POST /api/v1/projects/{project_id}/restore", contract: additional, access: DeleteProjects, path: ProjectId, body: body::Empty,
    errors: [Duplicate, InvalidStateChange]
    => records::restore(path) -> Project, shown
}

operation! {
    /// List the issues of a project.
    ListIssues = "GET /api/v1/projects/{project_id}/issues",
    access: ReadProjectIssues, path: ProjectId, query: Filtered<CreatedFilter, Issue>
    => list(issues::list_of_project(path, filter, page)) -> Issue
}

operation! {
    /// List the history of a project.
    History = "GET /api/v1/projects/{project_id}/history", contract: additional, access: ReadProjects, path: ProjectId, query: Paged<HistoryEvent>
    => list(records::read_history(path, page)) -> HistoryEvent
}
