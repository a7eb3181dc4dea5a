//! Restoring a project.

use super::Project;
use crate::identity::access::{DeleteProjects, Permit};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::Ports;
use crate::records;
use crate::{Error, ProjectId};

/// Restores a project that was deleted within the last 30 days, with the cycles and tasks that were deleted with it.
///
/// # Errors
/// [`Error::NotFound`], [`Error::InvalidStateChange`], [`Error::Duplicate`] of `external_id`.
pub async fn restore(
    ports: &Ports,
    permit: &Permit<DeleteProjects>,
    once: Option<IdempotentRequest<Project>>,
    id: ProjectId,
) -> Result<IdempotentResult<Project>, Error> {
    records::restore(ports, permit, once, id.0).await
}
