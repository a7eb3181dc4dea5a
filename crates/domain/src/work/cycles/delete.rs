//! Deletes a cycle.

use time::OffsetDateTime;

use super::{Cycle, CyclePlace};
use crate::events::EventBuilder;
use crate::identity::access::{DeleteCycles, Permit};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, Tx, Weight, weighed_transact};
use crate::records::Kind;
use crate::work::issues::{Issue, change_many};
use crate::{CycleId, Error};

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
