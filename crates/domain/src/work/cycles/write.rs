//! Creates, changes, deletes and restores cycles.

use time::OffsetDateTime;

use super::{Cycle, CycleCounts, CycleFields, CyclePlace, CycleView, check_no_overlap};
use crate::events::{Event, EventBuilder};
use crate::identity::access::{CreateCycles, DeleteCycles, Permit, UpdateCycles};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::{Field, Problems};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, Tx, Weight, transact, transact_idempotent, weighed_transact};
use crate::records::{self, Deletable, Kind, Writing};
use crate::work::issues::{Issue, change_many};
use crate::work::projects::{Project, note_date_order};
use crate::{CycleId, Error, ProjectId};

/// Creates a cycle in a project. Locks the project's row, so that numbers are consecutive and concurrent cycles
/// cannot overlap.
///
/// # Errors
/// [`Error::NotFound`] for the project, [`Error::Invalid`] for dates out of order, [`Error::Conflict`] for an overlap.
pub async fn create(
    ports: &Ports,
    permit: &Permit<CreateCycles>,
    once: Option<IdempotentRequest<CycleView>>,
    project_id: ProjectId,
    fields: CycleFields,
) -> Result<IdempotentResult<CycleView>, Error> {
    let now = ports.clock.now();
    let (Field::Set(name), Field::Set(start_date), Field::Set(end_date)) =
        (fields.name, fields.start_date, fields.end_date)
    else {
        return Err(Error::malformed("name", "required", "name, start_date and end_date are required"));
    };
    let mut goal = None;
    fields.goal.store(&mut goal);
    let new = Cycle {
        id: CycleId(ports.ids.new_id()),
        project_id,
        number: 0,
        name: name.into(),
        goal,
        start_date,
        end_date,
        version: 1,
        created_at: now,
        updated_at: now,
        created_by: permit.actor(),
    };
    let reporter = EventBuilder::new(&permit.principal(), now);
    transact_idempotent(ports, permit, once, move |tx| {
        records::lock::<Project>(tx, project_id)?;
        check_no_overlap(tx, &new, None)?;
        let cycle = Cycle { number: tx.cycles().highest_number(project_id)? + 1, ..new.clone() };
        tx.records::<Cycle>().insert(&cycle)?;
        let view = cycle.view(CycleCounts::default(), now.date());
        tx.emit(&[reporter.happened(&view, "created")])?;
        Ok(view)
    })
    .await
}

/// Changes a cycle. Values equal to the stored ones change nothing, not even the version.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] for a date that is out of order with the other, sent or stored;
/// [`Error::ConcurrentUpdate`], [`Error::Conflict`] for an overlap.
pub async fn update(
    ports: &Ports,
    permit: &Permit<UpdateCycles>,
    place: CyclePlace,
    expected: ExpectedVersion,
    fields: CycleFields,
) -> Result<CycleView, Error> {
    let now = ports.clock.now();
    let reporter = EventBuilder::new(&permit.principal(), now);
    transact(ports, permit, move |tx| {
        let stored = place.lock(tx)?;
        let mut cycle = stored.clone();
        let CycleFields { name, goal, start_date, end_date } = fields.clone();
        name.into_stored().replace(&mut cycle.name);
        goal.store(&mut cycle.goal);
        start_date.replace(&mut cycle.start_date);
        end_date.replace(&mut cycle.end_date);
        let mut problems = Problems::default();
        note_date_order(Some(cycle.start_date), Some(cycle.end_date), &mut problems);
        problems.into_result()?;
        expected.check(stored.version)?;
        let (counts, today) = (tx.cycles().counts(cycle.id)?, now.date());
        if cycle == stored {
            return Ok(stored.view(counts, today));
        }
        check_no_overlap(tx, &cycle, Some(cycle.id))?;
        cycle.bump_version(now);
        tx.records::<Cycle>().save(&cycle)?;
        let view = cycle.view(counts, today);
        tx.emit(&reporter.updated(&stored.view(counts, today), &view))?;
        Ok(view)
    })
    .await
}

/// The largest cycle that can be deleted, in live issues. Each of them gets a new version and an event in the same
/// transaction, so this bounds how long their rows are locked and how much a call adds to the queue of webhooks.
pub const MAX_ISSUES_TAKEN_OUT: u32 = 5_000;

/// Soft-deletes a cycle. Its issues stay in the project without a cycle, each as a change of the issue.
///
/// # Errors
/// [`Error::NotFound`], [`Error::ConcurrentUpdate`], [`Error::Conflict`] for a cycle with more than
/// [`MAX_ISSUES_TAKEN_OUT`] issues.
pub async fn delete(
    ports: &Ports,
    permit: &Permit<DeleteCycles>,
    place: CyclePlace,
    expected: ExpectedVersion,
) -> Result<(), Error> {
    let now = ports.clock.now();
    let reporter = EventBuilder::new(&permit.principal(), now);
    weighed_transact(ports, permit, Weight::Heavy, move |tx| {
        let stored = place.lock(tx)?;
        expected.check(stored.version)?;
        // Deleted first, so that no more issues are added to it.
        tx.records::<Cycle>().delete(stored.id, now)?;
        let counts = tx.cycles().counts(stored.id)?;
        if counts.issues > i64::from(MAX_ISSUES_TAKEN_OUT) {
            return Err(Error::Conflict(format!(
                "a cycle with more than {MAX_ISSUES_TAKEN_OUT} issues cannot be deleted: first remove issues from it \
                 with bulk updates that set cycle_id to null",
            )));
        }
        take_issues_out(tx, &reporter, stored.id, now)?;
        let mut deleted = stored;
        deleted.bump_version(now);
        Ok(tx.emit(&[reporter.happened(&deleted.view(counts, now.date()), "deleted")])?)
    })
    .await
}

/// Takes all issues out of a cycle, as a bulk update would.
fn take_issues_out(tx: &mut dyn Tx, reporter: &EventBuilder, cycle: CycleId, now: OffsetDateTime) -> Result<(), Error> {
    let ids = tx.issues().lock_in_cycle(cycle)?;
    change_many(tx, &ids, reporter, |issue| {
        let mut changed = Issue { cycle_id: None, ..issue.clone() };
        changed.bump_version(now);
        Some(changed)
    })?;
    Ok(())
}

impl Deletable for Cycle {
    type Delete = DeleteCycles;

    /// The project is locked, as for a new cycle, so that no cycle changes while its dates are compared.
    fn fit(&mut self, _: OffsetDateTime, tx: &mut dyn Tx, _: &Writing) -> Result<(), Error> {
        if tx.records::<Project>().get_for_update(self.project_id)?.is_none() {
            let message = "the project of this cycle is deleted: restore the project first";
            return Err(Error::InvalidStateChange(message.to_owned()));
        }
        check_no_overlap(tx, self, Some(self.id))
    }

    /// The restored cycle is empty: its issues were taken out when it was deleted.
    fn restored_event(&self, _: &Self, reporter: &EventBuilder, now: OffsetDateTime) -> Event {
        reporter.happened(&self.clone().view(CycleCounts::default(), now.date()), "restored")
    }
}
