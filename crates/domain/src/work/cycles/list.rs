//! Lists the cycles of a project.

use super::CycleView;
use crate::identity::access::{Permit, ReadCycles};
use crate::kernel::input::CreatedFilter;
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, read_only};
use crate::work::projects::Project;
use crate::{Error, ProjectId};

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
