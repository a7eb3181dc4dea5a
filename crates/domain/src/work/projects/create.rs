//! Creating a project.

use time::OffsetDateTime;

use super::{Project, ProjectFields, ProjectStatus};
use crate::events::EventBuilder;
use crate::identity::access::{Actor, CreateProjects, Permit};
use crate::identity::notifications::{Assignment, notify_assigned};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{Ports, Tx, transact_idempotent};
use crate::records::{Resource, UniqueMembers, name_existing};
use crate::{Error, ProjectId};

impl Project {
    /// A new project.
    ///
    /// # Errors
    /// [`Error::Invalid`] for dates out of order.
    pub(super) fn made(id: ProjectId, fields: ProjectFields, by: Actor, now: OffsetDateTime) -> Result<Self, Error> {
        let mut project = Self::blank(id, by, now);
        if let Some(status) = fields.status.clone().or_default(ProjectStatus::Planning) {
            project.status = status;
        }
        project.apply(fields);
        project.check_dates()?;
        Ok(project)
    }
}

/// Adds a new project.
pub(super) fn add(tx: &mut dyn Tx, project: &Project, reporter: &EventBuilder) -> Result<(), Error> {
    project.new_references(None).check(tx)?;
    tx.records::<Project>().insert(project)?;
    Ok(tx.emit(&[reporter.happened(project, "created")])?)
}

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
    let project = Project::made(ProjectId(ports.ids.new_id()), fields, permit.actor(), ports.clock.now())?;
    let (acting, outside) = (permit.clone(), ports.clone());
    let reporter = EventBuilder::new(&permit.principal(), project.created_at);
    let outcome = transact_idempotent(ports, permit, once, move |tx| {
        add(tx, &project, &reporter)?;
        let assigned = Assignment::between(None, &project);
        notify_assigned(&outside, acting.workspace(), tx, &acting.principal(), assigned.as_slice())?;
        Ok(project.clone())
    });
    name_existing(ports, permit, unique, outcome.await).await
}
