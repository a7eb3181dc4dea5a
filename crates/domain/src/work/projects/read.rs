//! Reading one project.

use super::Project;
use crate::identity::access::{Permit, ReadProjects};
use crate::ports::Ports;
use crate::records;
use crate::{Error, ProjectId};

/// One project of the caller's workspace.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read(ports: &Ports, permit: &Permit<ReadProjects>, id: ProjectId) -> Result<Project, Error> {
    records::read(ports, permit, id).await
}
