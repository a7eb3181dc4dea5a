//! Timers. A member has one that runs at most: starting another stops it.

use std::time::Duration;

use time::OffsetDateTime;
use uuid::Uuid;

use super::{Span, TimeEntry, TimeEntryFields, attribution, rules};
use crate::events::EventBuilder;
use crate::identity::access::{CreateTimeEntries, Permit, Principal, ReadTimeEntries, UpdateTimeEntries};
use crate::identity::notifications::notify_timer_stopped;
use crate::identity::workspaces::Workspace;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::{InputMode, LongText, Problems, fields};
use crate::kernel::{Stepped, Weight, step_in_each};
use crate::ports::{Ports, Tx, read_only, transact_idempotent, weighed_transact_in};
use crate::records::{Deletable, Editable, Kind, Resource, Writing};
use crate::{DealId, Error, IssueId, ProjectId, TimeEntryId, UserId, WorkspaceId};

/// A timer that has run for this time is taken for forgotten, and stops.
pub const MAX_TIMER: Duration = Duration::from_hours(12);
/// How many workspaces take turns.
const WORKSPACES: u32 = 100;
/// How many timers of a workspace are stopped per transaction.
const STEP: u32 = 100;

fields! {
    /// What a timer is started for.
    pub struct TimerFields {
        /// The member who works. API keys must send it.
        /// Note: Keys must send it.
        member_id: UserId,
        /// The task worked on; at most one of `task_id`, `ticket_id`, `project_id` and `deal_id`.
        /// Note: At most one of task, ticket, project, deal.
        task_id: IssueId,
        /// The ticket worked on.
        ticket_id: IssueId,
        /// The project worked on.
        project_id: ProjectId,
        /// The deal worked on.
        deal_id: DealId,
        /// Whether the customer pays for it.
        billable: bool,
        /// What is done.
        note: LongText<2_000>,
    }
    together TimerFields::check_target;
}

impl TimerFields {
    fn check_target(&self, mode: InputMode, problems: &mut Problems) {
        TimeEntryFields::from(self.clone()).check_target(mode, problems);
    }
}

impl From<TimerFields> for TimeEntryFields {
    fn from(fields: TimerFields) -> Self {
        let TimerFields { member_id, task_id, ticket_id, project_id, deal_id, billable, note } = fields;
        Self { member_id, task_id, ticket_id, project_id, deal_id, billable, note, ..Self::default() }
    }
}

fields! {
    /// Whose timer is stopped.
    pub struct TimerStopFields {
        /// The member whose timer it is. API keys must send it.
        /// Note: Keys must send it.
        /// Default: the caller.
        member_id: UserId,
    }
}

/// Starts a timer of the caller, or of the member who is sent, and stops the one that is running.
///
/// # Errors
/// [`Error::Invalid`] for missing references, [`Error::Forbidden`] for the timer of somebody else, [`Error::Conflict`] if an entry
/// of the member lasts beyond now, [`Error::InvalidStateChange`] in a locked period.
pub async fn start(
    ports: &Ports,
    permit: &Permit<CreateTimeEntries>,
    once: Option<IdempotentRequest<TimeEntry>>,
    fields: TimerFields,
) -> Result<IdempotentResult<TimeEntry>, Error> {
    let writing = Writing::new(ports, permit);
    let fields = TimeEntryFields::from(fields);
    let mut new = TimeEntry::new(TimeEntryId(ports.ids.new_id()), &writing);
    new.fill(fields.clone(), &writing)?;
    transact_idempotent(ports, permit, once, move |tx| {
        TimeEntry::lock_all(tx)?;
        let mut entry = new.clone();
        entry.new_references(None).check(tx)?;
        rules::set_member(&mut entry, &fields, None, tx, &writing)?;
        rules::check_writer(&writing, &entry)?;
        let workspace = tx.workspace().get()?;
        Span::running(writing.now, &workspace.time_zone).store(&mut entry);
        rules::check_period(&workspace, &[entry.date])?;
        if let Some(former) = tx.time_entries().running_of(entry.member_id)? {
            end_timer(tx, &former, writing.now, writing.now, &writing.reporter)?;
        }
        rules::check_no_overlap(tx, &workspace, &entry)?;
        attribution::attribute(&mut entry, None, tx)?;
        tx.records::<TimeEntry>().insert(&entry)?;
        tx.emit(&writing.reporter.created(&entry))?;
        Ok(entry.shown_to(writing.credential))
    })
    .await
}

/// Stops the timer of the caller, or of the member who is sent.
///
/// # Errors
/// [`Error::InvalidStateChange`] without a running timer, [`Error::Forbidden`] for the timer of somebody else, [`Error::Invalid`] if a
/// key sends no member.
pub async fn stop(
    ports: &Ports,
    permit: &Permit<UpdateTimeEntries>,
    once: Option<IdempotentRequest<TimeEntry>>,
    fields: TimerStopFields,
) -> Result<IdempotentResult<TimeEntry>, Error> {
    let writing = Writing::new(ports, permit);
    let named = TimeEntryFields { member_id: fields.member_id, ..TimeEntryFields::default() };
    transact_idempotent(ports, permit, once, move |tx| {
        TimeEntry::lock_all(tx)?;
        let mut whose = TimeEntry::new(TimeEntryId(Uuid::nil()), &writing);
        rules::set_member(&mut whose, &named, None, tx, &writing)?;
        rules::check_writer(&writing, &whose)?;
        let running = tx.time_entries().running_of(whose.member_id)?;
        let running = running.ok_or_else(|| Error::InvalidStateChange("no timer is running".to_owned()))?;
        let stopped = end_timer(tx, &running, writing.now, writing.now, &writing.reporter)?;
        Ok(stopped.shown_to(writing.credential))
    })
    .await
}

/// The running timer of a member.
///
/// # Errors
/// Those of the store.
pub async fn running(
    ports: &Ports,
    permit: &Permit<ReadTimeEntries>,
    member: UserId,
) -> Result<Option<TimeEntry>, Error> {
    let found = read_only(ports, permit, move |tx| Ok(tx.time_entries().running_of(member)?)).await?;
    Ok(found.map(|entry| entry.shown_to(permit.credential())))
}

/// Ends a timer at a time, which is never before it began, nor later than it may run.
fn end_timer(
    tx: &mut dyn Tx,
    running: &TimeEntry,
    end: OffsetDateTime,
    now: OffsetDateTime,
    reporter: &EventBuilder,
) -> Result<TimeEntry, Error> {
    let start = running.started_at.unwrap_or(end);
    let mut stopped = running.clone();
    Span::Times { date: running.date, start, end: end.clamp(start, start + MAX_TIMER) }.store(&mut stopped);
    stopped.bump_version(now);
    tx.records::<TimeEntry>().save(&stopped)?;
    tx.emit(&reporter.updated(running, &stopped))?;
    Ok(stopped)
}

/// Stops timers that were forgotten, in each of some workspaces that have any, and tells their members.
///
/// # Errors
/// Those of the store.
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
        let own: Workspace = tx.workspace().get()?;
        let reporter = EventBuilder::new(&Principal::service(), now);
        for timer in &forgotten {
            let stopped = end_timer(tx, timer, now, now, &reporter)?;
            notify_timer_stopped(&outside, &own, tx, stopped.member_id, stopped.id)?;
        }
        Ok(!forgotten.is_empty())
    })
    .await
}
