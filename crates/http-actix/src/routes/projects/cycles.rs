//! `/projects/{project_id}/cycles`.

use domain::ProjectId;
use domain::identity::access::{CreateCycles, ReadCycles};
use domain::work::cycles::{self, CycleFields, CycleView};
use http_core::query::Paged;
use http_core::{action, body, operation, responses};

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
