//! Deleting a project.

use super::Project;
use crate::identity::access::{DeleteProjects, Permit};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, transact};
use crate::webhooks::EventBuilder;
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
    let reporter = EventBuilder::new(&permit.principal(), now);
    transact(ports, permit, move |tx| {
        let stored = tx.projects().get_for_update(id)?.ok_or(Error::NotFound("project"))?;
        expected.check(stored.version)?;
        tx.projects().delete(id, now)?;
        // The last version of all: what came before it is told apart.
        let gone = Project { version: stored.version + 1, updated_at: now, ..stored };
        tx.emit(&[reporter.happened(&gone, "deleted")]);
        Ok(())
    })
    .await
}
