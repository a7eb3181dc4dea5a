//! Deleting a project.

use crate::access::{DeleteProjects, Permit};
use crate::ports::{Ports, transact};
use crate::versions::ExpectedVersion;
use crate::{Error, ProjectId};

/// Deletes a project softly, and takes its cycles and tasks out of sight with it. Its tickets stay.
///
/// # Errors
/// [`Error::NotFound`], also for a project deleted before; [`Error::ConcurrentUpdate`].
pub async fn delete(
    ports: &Ports,
    permit: &Permit<DeleteProjects>,
    id: ProjectId,
    expected: ExpectedVersion,
) -> Result<(), Error> {
    let now = ports.clock.now();
    transact(ports, permit, move |tx| {
        let stored = tx.projects().get_for_update(id)?.ok_or(Error::NotFound("project"))?;
        expected.check(stored.version)?;
        tx.projects().delete(id, now)?;
        Ok(())
    })
    .await
}
