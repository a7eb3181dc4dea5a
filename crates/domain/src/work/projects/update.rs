//! Changing a project.

use time::OffsetDateTime;

use super::{Project, ProjectFields, ProjectStatus};
use crate::events::EventBuilder;
use crate::identity::access::{Permit, UpdateProjects};
use crate::identity::notifications::{Assignment, notify_assigned};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, Tx, transact};
use crate::records::{self, ChangeOutcome, RecordChange, Resource, UniqueMembers, name_existing};
use crate::{Error, ProjectId};

/// Changes a project that is locked.
pub(super) fn change(
    tx: &mut dyn Tx,
    stored: &Project,
    fields: ProjectFields,
    expected: &ExpectedVersion,
    reporter: &EventBuilder,
    now: OffsetDateTime,
) -> Result<Project, Error> {
    let status = fields.status.clone().or_default(ProjectStatus::Planning);
    let mut project = stored.clone();
    project.change(fields)?;
    project.check_dates()?;
    project.new_references(Some(stored)).check(tx)?;
    expected.check(stored.version)?;
    project.status = stored.status.moved(status.unwrap_or(stored.status))?;
    records::save_changed(tx, stored, project, now, |before, after| reporter.updated(before, after))
}

/// Changes a project. Values equal to the stored ones change nothing, not even the version.
///
/// # Errors
/// [`Error::NotFound`], [`Error::ConcurrentUpdate`], [`Error::Invalid`], [`Error::InvalidStateChange`],
/// [`Error::Duplicate`] of `external_id`.
pub async fn update(
    ports: &Ports,
    permit: &Permit<UpdateProjects>,
    id: ProjectId,
    expected: ExpectedVersion,
    fields: ProjectFields,
) -> Result<Project, Error> {
    let unique = fields.unique_values();
    let now = ports.clock.now();
    let (acting, outside) = (permit.clone(), ports.clone());
    let reporter = EventBuilder::new(&permit.principal(), now);
    let outcome = transact(ports, permit, move |tx| {
        let stored: Project = records::lock(tx, id)?;
        let project = change(tx, &stored, fields.clone(), &expected, &reporter, now)?;
        let assigned = Assignment::between(Some(&stored), &project);
        notify_assigned(&outside, acting.workspace(), tx, &acting.principal(), assigned.as_slice())?;
        Ok(project)
    });
    name_existing(ports, permit, unique, outcome.await).await
}

/// Changes several projects, each like [`update`], in transactions of a few each. Members are told of all projects that one of
/// these assigns to them in one text.
///
/// # Errors
/// Those of the store.
pub async fn update_each(
    ports: &Ports,
    permit: &Permit<UpdateProjects>,
    changes: Vec<RecordChange<ProjectFields>>,
) -> Result<Vec<ChangeOutcome>, Error> {
    let now = ports.clock.now();
    let reporter = EventBuilder::new(&permit.principal(), now);
    records::change_assigned_each(ports, permit, changes, move |tx, one| {
        let stored: Project = records::lock(tx, one.id.into())?;
        let project = change(tx, &stored, one.fields.clone(), &one.expected, &reporter, now)?;
        Ok((stored, project))
    })
    .await
}
