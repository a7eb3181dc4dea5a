//! Making a project.

use super::{Project, ProjectFields, ProjectStatus};
use crate::identity::access::{CreateProjects, Permit};
use crate::kernel::idempotency::{Once, Outcome};
use crate::ports::{Ports, transact_once};
use crate::records::Resource;
use crate::webhooks::Reporter;
use crate::{Error, ProjectId};

/// Makes a project.
///
/// # Errors
/// [`Error::Invalid`] for dates out of order and missing references, a duplicate of `external_id`.
pub async fn create(
    ports: &Ports,
    permit: &Permit<CreateProjects>,
    once: Option<Once<Project>>,
    fields: ProjectFields,
) -> Result<Outcome<Project>, Error> {
    let mut project = Project::blank(ProjectId(ports.ids.new_id()), permit.actor(), ports.clock.now());
    if let Some(status) = fields.status.clone().or_default(ProjectStatus::Planning) {
        project.status = status;
    }
    project.apply(fields);
    project.check_dates()?;
    let references = project.new_references(None);
    let reporter = Reporter::new(&permit.who(), project.created_at);
    transact_once(ports, permit, once, move |tx| {
        references.check(tx)?;
        tx.projects().insert(&project)?;
        tx.emit(&[reporter.happened(&project, "created")]);
        Ok(project.clone())
    })
    .await
}
