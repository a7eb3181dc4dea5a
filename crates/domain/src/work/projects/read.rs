//! Reading one project.

use super::Project;
use crate::identity::access::{Permit, ReadProjects};
use crate::ports::{Ports, statement};
use crate::{Error, ProjectId};

/// One project of the caller's workspace.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read(ports: &Ports, permit: &Permit<ReadProjects>, id: ProjectId) -> Result<Project, Error> {
    statement(ports, permit, move |tx| tx.projects().get(id)?.ok_or(Error::NotFound("project"))).await
}
