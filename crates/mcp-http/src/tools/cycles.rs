//! Cycles of projects.

use domain::identity::access::{CreateCycles, Permit, ReadCycles};
use domain::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use domain::kernel::input::CreatedFilter;
use domain::kernel::input::schema::DateText;
use domain::kernel::paging::{Page, PageRequest};
use domain::ports::Ports;
use domain::tools::Tool;
use domain::work::cycles::{self, CycleFields, CycleStatus, CycleView};
use domain::{CycleId, Error, ProjectId, fields};
use time::Date;

use crate::arguments::{NamedId, WithId};
use crate::long_texts::long_texts;
use crate::outputs::row;
use crate::tool::{Entry, entry};

long_texts!(CycleView, None);

row! {
    /// A cycle in a list.
    Row of CycleView {
        id: CycleId,
        number: i32,
        name: String,
        status: CycleStatus,
        #[serde(with = "DateText")]
        start_date: Date,
        #[serde(with = "DateText")]
        end_date: Date,
        issue_count: i64,
        completed_issue_count: i64,
    }
}

fields! {
    /// The filter of a list of cycles.
    pub(crate) struct Filter {
        /// The project of the cycles.
        project_id: ProjectId = required,
    }
}

impl NamedId for CycleFields {
    const ID: &'static str = "project_id";
}

async fn list(
    ports: &Ports,
    permit: &Permit<ReadCycles>,
    filter: Filter,
    page: PageRequest,
) -> Result<Page<CycleView>, Error> {
    let project = filter.project_id.set().copied().ok_or(Error::NotFound("project"))?;
    cycles::list(ports, permit, project, CreatedFilter::default(), page).await
}

async fn create(
    ports: &Ports,
    permit: &Permit<CreateCycles>,
    idempotency: Option<IdempotentRequest<CycleView>>,
    WithId { id, fields }: WithId<CycleFields>,
) -> Result<IdempotentResult<CycleView>, Error> {
    cycles::create(ports, permit, idempotency, id.into(), fields).await
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(Tool::ListCycles, "List cycles", "Lists a project's cycles (sprints), newest first.").list(list, Row::of),
        entry(Tool::CreateCycle, "Create cycle", "Adds a cycle (sprint). Cycles of a project never overlap.")
            .create(create),
        entry(Tool::UpdateCycle, "Update cycle", "Changes a cycle; null clears a field.").update(cycles::update),
        entry(
            Tool::DeleteCycle,
            "Delete cycle",
            "Deletes a cycle, not its issues. Confirm first; restorable, but empty, for 30 days.",
        )
        .delete(cycles::delete),
    ]
}
