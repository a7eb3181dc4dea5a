//! Reads and lists cycles.

use super::{Cycle, CycleView};
use crate::identity::access::{Permit, ReadCycles};
use crate::kernel::input::CreatedFilter;
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, read_only};
use crate::work::projects::Project;
use crate::{CycleId, Error, ProjectId};

/// One cycle of the caller's workspace.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read(ports: &Ports, permit: &Permit<ReadCycles>, id: CycleId) -> Result<CycleView, Error> {
    let today = ports.clock.now().date();
    read_only(ports, permit, move |tx| {
        let cycle = tx.records::<Cycle>().get(id)?.ok_or(Error::NotFound("cycle"))?;
        let counts = tx.cycles().counts(id)?;
        Ok(cycle.view(counts, today))
    })
    .await
}

/// A page of a project's cycles that match a filter, newest first.
///
/// # Errors
/// [`Error::NotFound`] for the project.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ReadCycles>,
    project: ProjectId,
    filter: CreatedFilter,
    page: PageRequest,
) -> Result<Page<CycleView>, Error> {
    let today = ports.clock.now().date();
    let rows = read_only(ports, permit, move |tx| {
        let rows = tx.cycles().list(project, &filter, &page)?;
        // Only an empty list can mean that the project does not exist.
        if rows.is_empty() && tx.records::<Project>().get(project)?.is_none() {
            return Err(Error::NotFound("project"));
        }
        Ok(rows)
    })
    .await?;
    Ok(Page::from_rows(rows.into_iter().map(|(cycle, counts)| cycle.view(counts, today)).collect(), &page))
}
