//! Stops timers: on request, after 12 hours, when their day is locked, or when their member is removed.

use std::collections::BTreeMap;
use std::time::Duration;

use time::OffsetDateTime;

use super::{Span, TimeEntry};
use crate::events::EventBuilder;
use crate::identity::access::Principal;
use crate::identity::notifications::{TimerStopReason, notify_timers_stopped};
use crate::identity::timers::StopTimers;
use crate::identity::workspaces::Workspace;
use crate::kernel::{Stepped, Weight, step_in_each};
use crate::ports::{Ports, Tx, weighed_transact_in};
use crate::records::{Deletable, Kind};
use crate::{Error, TimeEntryId, UserId, WorkspaceId};

/// A timer that has run for this long counts as forgotten and is stopped.
pub const MAX_TIMER: Duration = Duration::from_hours(12);
/// The number of workspaces that take turns.
const WORKSPACES: u32 = 100;
/// The number of timers of a workspace that are read at a time, and of forgotten timers that are stopped per transaction.
const STEP: u32 = 100;

/// Gives a running timer its end: `at`, but not before it began, and not later than [`MAX_TIMER`] after that.
pub(super) fn end_at(timer: &mut TimeEntry, at: OffsetDateTime) {
    let start = timer.started_at.unwrap_or(at);
    Span::Times { date: timer.date, start, end: at.clamp(start, start + MAX_TIMER) }.store(timer);
}

/// Ends a timer now as [`end_at`] does, and saves it.
pub(super) fn end_timer(
    tx: &mut dyn Tx,
    running: &TimeEntry,
    now: OffsetDateTime,
    reporter: &EventBuilder,
) -> Result<TimeEntry, Error> {
    let mut stopped = running.clone();
    end_at(&mut stopped, now);
    stopped.bump_version(now);
    tx.records::<TimeEntry>().save(&stopped)?;
    tx.emit(&reporter.updated(running, &stopped))?;
    Ok(stopped)
}

/// Stops forgotten timers in some of the workspaces that have any, and notifies their members.
pub async fn stop_forgotten_timers(ports: &Ports) -> Result<Stepped, Error> {
    let before = ports.clock.now() - MAX_TIMER;
    let workspaces = ports.directory.workspaces_with_timers(before, WORKSPACES).await?;
    Ok(step_in_each(workspaces, |workspace| stop_forgotten_in(ports, workspace)).await)
}

async fn stop_forgotten_in(ports: &Ports, workspace: WorkspaceId) -> Result<bool, Error> {
    let (outside, now) = (ports.clone(), ports.clock.now());
    weighed_transact_in(ports, workspace, Weight::Heavy, move |tx| {
        TimeEntry::lock_all(tx)?;
        let forgotten = tx.time_entries().running_since(now - MAX_TIMER, STEP)?;
        let workspace: Workspace = tx.workspace().get()?;
        let reporter = EventBuilder::new(&Principal::service(), now);
        for timer in &forgotten {
            end_timer(tx, timer, now, &reporter)?;
        }
        notify_timers_stopped(&outside, &workspace, tx, &by_member(&forgotten), TimerStopReason::Forgotten)?;
        Ok(!forgotten.is_empty())
    })
    .await
}

/// The timers by member, who has at most one running timer.
fn by_member(timers: &[TimeEntry]) -> BTreeMap<UserId, TimeEntryId> {
    timers.iter().map(|timer| (timer.member_id, timer.id)).collect()
}

/// Stops timers when settings or members change.
pub(crate) struct Timers;

impl StopTimers for Timers {
    fn stop_in_locked_period(
        &self,
        ports: &Ports,
        workspace: &Workspace,
        tx: &mut dyn Tx,
        by: &Principal,
        now: OffsetDateTime,
    ) -> Result<(), Error> {
        let Some(last) = workspace.time_locked_until else { return Ok(()) };
        let reporter = EventBuilder::new(by, now);
        // All in this transaction, so that none keeps running in the locked period. There is at most one per member.
        loop {
            let timers = tx.time_entries().running_until_day(last, STEP)?;
            if timers.is_empty() {
                return Ok(());
            }
            for timer in &timers {
                end_timer(tx, timer, now, &reporter)?;
            }
            notify_timers_stopped(ports, workspace, tx, &by_member(&timers), TimerStopReason::PeriodLocked)?;
        }
    }

    fn stop_for(&self, tx: &mut dyn Tx, member: UserId, by: &Principal, now: OffsetDateTime) -> Result<(), Error> {
        TimeEntry::lock_all(tx)?;
        if let Some(timer) = tx.time_entries().running_of(member)? {
            end_timer(tx, &timer, now, &EventBuilder::new(by, now))?;
        }
        Ok(())
    }
}
