//! `/projects/{project_id}/cycles`.

use domain::ProjectId;
use domain::identity::access::{CreateCycles, DeleteCycles, ReadCycles, UpdateCycles};
use domain::kernel::input::CreatedFilter;
use domain::kernel::versions::ExpectedVersion;
use domain::work::cycles::{self, CycleFields, CyclePlace, CycleView};
use http_core::body::{self, Patch};
use http_core::query::Filtered;
use http_core::{action, operation};

operation! {
    /// List the cycles of a project.
    List = "GET /api/v1/projects/{project_id}/cycles",
    access: ReadCycles, path: ProjectId, query: Filtered<CreatedFilter, CycleView>
    => list(cycles::list(path, filter, page)) -> CycleView
}

// No `Location`: no route reads one cycle.
action! {
    /// Create a cycle.
    Create = "POST /api/v1/projects/{project_id}/cycles",
    access: CreateCycles, path: ProjectId, body: body::Create<CycleFields>, errors: [Conflict]
    => cycles::create(path, body) -> CycleView, created_without_location
}

operation! {
    /// Change a cycle.
    Update = "PATCH /api/v1/projects/{project_id}/cycles/{cycle_id}", contract: additional,
    access: UpdateCycles, path: CyclePlace, headers: ExpectedVersion, body: Patch<CycleFields>, errors: [Conflict]
    => changed(cycles::update(path, headers, body)) -> CycleView
}

operation! {
    /// Delete a cycle.
    Delete = "DELETE /api/v1/projects/{project_id}/cycles/{cycle_id}", contract: additional,
    access: DeleteCycles, path: CyclePlace, headers: ExpectedVersion, errors: [Conflict]
    => deleted(cycles::delete(path, headers))
}
