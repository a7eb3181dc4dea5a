//! Deleting a project.

use super::Project;
use crate::identity::access::{DeleteProjects, Permit};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::Ports;
use crate::records;
use crate::{Error, ProjectId};

/// Deletes a project softly, together with its cycles and tasks, whose numbers its event says. Its tickets stay.
///
/// # Errors
/// [`Error::NotFound`], also for a project that is already deleted; [`Error::ConcurrentUpdate`].
pub async fn delete(
    ports: &Ports,
    permit: &Permit<DeleteProjects>,
    id: ProjectId,
    expected: ExpectedVersion,
) -> Result<(), Error> {
    records::delete_and::<_, Project, _>(ports, permit, id, expected, move |tx, now| {
        Ok(((), Some(tx.projects().note_deleted(id, now)?)))
    })
    .await
}
