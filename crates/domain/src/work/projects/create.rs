//! Creating a project.

use super::{Project, ProjectFields, ProjectStatus};
use crate::events::EventBuilder;
use crate::identity::access::{CreateProjects, Permit};
use crate::identity::notifications::{Assignment, notify_assigned};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{Ports, transact_idempotent};
use crate::records::{Resource, UniqueMembers, name_existing};
use crate::{Error, ProjectId};

/// Creates a project.
///
/// # Errors
/// [`Error::Invalid`] for dates out of order and missing references, [`Error::Duplicate`] of `external_id`.
pub async fn create(
    ports: &Ports,
    permit: &Permit<CreateProjects>,
    once: Option<IdempotentRequest<Project>>,
    fields: ProjectFields,
) -> Result<IdempotentResult<Project>, Error> {
    let unique = fields.unique_values();
    let mut project = Project::blank(ProjectId(ports.ids.new_id()), permit.actor(), ports.clock.now());
    if let Some(status) = fields.status.clone().or_default(ProjectStatus::Planning) {
        project.status = status;
    }
    project.apply(fields);
    project.check_dates()?;
    let references = project.new_references(None);
    let (acting, outside) = (permit.clone(), ports.clone());
    let reporter = EventBuilder::new(&permit.principal(), project.created_at);
    let outcome = transact_idempotent(ports, permit, once, move |tx| {
        references.check(tx)?;
        tx.projects().insert(&project)?;
        tx.emit(&[reporter.happened(&project, "created")])?;
        let assigned = Assignment::between(None, &project);
        notify_assigned(&outside, acting.workspace(), tx, &acting.principal(), assigned.as_slice())?;
        Ok(project.clone())
    });
    name_existing(ports, permit, unique, outcome.await).await
}
