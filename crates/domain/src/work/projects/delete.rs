//! Deleting a project.

use super::Project;
use crate::identity::access::{DeleteProjects, Permit};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::Ports;
use crate::records;
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
    records::delete::<_, Project>(ports, permit, id, expected).await
}
