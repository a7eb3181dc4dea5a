//! Changes a task or a ticket.

use time::OffsetDateTime;

use super::create::{new_references, note_cycle_needs_project};
use super::emails::queue_change_emails;
use super::{Issue, IssueFields, IssueStatus, Relation};
use crate::events::EventBuilder;
use crate::identity::access::{Permit, UpdateIssues};
use crate::kernel::input::Problems;
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, Tx, transact};
use crate::records::{Kind, Resource};
use crate::{Error, IssueId};

/// Changes an issue. Values equal to the stored ones change nothing, not even the version.
///
/// # Errors
/// [`Error::NotFound`], [`Error::ConcurrentUpdate`], [`Error::Malformed`] for a status of the other kind,
/// [`Error::Invalid`], [`Error::InvalidStateChange`], [`Error::Conflict`] for a loop of parents.
pub async fn update(
    ports: &Ports,
    permit: &Permit<UpdateIssues>,
    id: IssueId,
    expected: ExpectedVersion,
    fields: IssueFields,
) -> Result<Issue, Error> {
    let now = ports.clock.now();
    let reporter = EventBuilder::new(&permit.principal(), now);
    let (acting, outside) = (permit.clone(), ports.clone());
    transact(ports, permit, move |tx| {
        // Taken before the row lock, so that two moves of parents cannot deadlock.
        if fields.parent_id.set().is_some() {
            tx.issues().lock_hierarchy()?;
        }
        let stored = lock_reached(tx, &acting, id)?;
        let mut issue = changed(tx, &stored, fields.clone(), &expected, now)?;
        if issue != stored {
            save(tx, &stored, &mut issue, &reporter, now)?;
            queue_change_emails(&outside, acting.workspace(), tx, &acting.principal(), &[(&stored, &issue)])?;
        }
        Ok(issue)
    })
    .await
}

/// Locks a live issue that the caller reaches.
pub(super) fn lock_reached<P>(tx: &mut dyn Tx, permit: &Permit<P>, id: IssueId) -> Result<Issue, Error> {
    let found = tx.records::<Issue>().get_for_update(id)?.filter(|issue| permit.reaches(issue.kind));
    found.ok_or(Error::NotFound("issue"))
}

/// Applies fields to a locked issue, without saving it. If they set a parent, the hierarchy must be locked.
pub(super) fn changed(
    tx: &mut dyn Tx,
    stored: &Issue,
    fields: IssueFields,
    expected: &ExpectedVersion,
    now: OffsetDateTime,
) -> Result<Issue, Error> {
    let status = fields.status.clone().or_default(IssueStatus::default_of(stored.kind));
    if let Some(status) = status {
        status.check_kind(stored.kind, "status")?;
    }
    let mut problems = Problems::default();
    fields.note_crm_links(stored.kind, &mut problems);
    problems.into_result()?;
    let mut issue = stored.clone();
    issue.change(fields)?;
    check_cycle_has_project(&issue)?;
    new_references(&issue, Some(stored)).check(tx)?;
    expected.check(stored.version)?;
    check_no_loop(tx, &issue, stored)?;
    if let Some(status) = status {
        issue.move_to(status, now)?;
    }
    Ok(issue)
}

/// Saves a changed issue as its next version and emits its events.
pub(super) fn save(
    tx: &mut dyn Tx,
    stored: &Issue,
    issue: &mut Issue,
    reporter: &EventBuilder,
    now: OffsetDateTime,
) -> Result<(), Error> {
    issue.bump_version(now);
    tx.records::<Issue>().save(issue)?;
    Ok(tx.emit(&reporter.updated(stored, issue))?)
}

fn check_cycle_has_project(issue: &Issue) -> Result<(), Error> {
    let mut problems = Problems::default();
    note_cycle_needs_project(issue.cycle_id.is_some(), issue.project_id.is_some(), &mut problems);
    problems.into_result()
}

fn check_no_loop(tx: &mut dyn Tx, issue: &Issue, stored: &Issue) -> Result<(), Error> {
    let Some(parent) = issue.parent_id.filter(|parent| stored.parent_id != Some(*parent)) else {
        return Ok(());
    };
    if tx.issues().ancestors(parent, Relation::Parent)?.contains(&issue.id) {
        return Err(Error::Conflict(
            "an issue cannot be part of itself: this parent_id would create a loop".to_owned(),
        ));
    }
    Ok(())
}
