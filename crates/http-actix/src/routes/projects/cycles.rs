//! `/projects/{project_id}/cycles`.

use domain::ProjectId;
use domain::identity::access::{CreateCycles, DeleteCycles, ReadCycles, UpdateCycles};
use domain::kernel::versions::ExpectedVersion;
use domain::limits::Class;
use domain::work::cycles::{self, CycleFields, CyclePlace, CycleView};
use http_core::body::{self, Patch};
use http_core::query::Paged;
use http_core::{LimitPolicy, action, operation, responses};

operation! {
    List = "GET /api/v1/projects/{project_id}/cycles", access: ReadCycles, path: ProjectId, query: Paged<CycleView>
    => list(cycles::list(path, page))
}

// No `Location`: no route reads one cycle.
action! {
    Create = "POST /api/v1/projects/{project_id}/cycles",
    access: CreateCycles, path: ProjectId, body: body::Create<CycleFields>
    => cycles::create(path, body) -> CycleView, |cycle| responses::created_without_location(cycle)
}

operation! {
    Update = "PATCH /api/v1/projects/{project_id}/cycles/{cycle_id}",
    access: UpdateCycles, path: CyclePlace, headers: ExpectedVersion, body: Patch<CycleFields>
    => changed(cycles::update(path, headers, body))
}

// It may change many issues.
operation! {
    Delete = "DELETE /api/v1/projects/{project_id}/cycles/{cycle_id}",
    limits: LimitPolicy::new(Class::Bulk), access: DeleteCycles, path: CyclePlace, headers: ExpectedVersion
    => deleted(cycles::delete(path, headers))
}
