//! Timers. A member has at most one running timer: starting another stops it.

use std::convert::identity;

use time::Duration;
use uuid::Uuid;

use super::stopping::end_timer;
use super::{Span, TimeEntry, TimeEntryFields, attribution, rules};
use crate::identity::access::{CreateTimeEntries, Permit, ReadTimeEntries, UpdateTimeEntries};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::{InputMode, LongText, Problems, fields};
use crate::ports::{Ports, read_only, transact_idempotent};
use crate::records::{Deletable, Editable, Kind, Resource, Writing};
use crate::{DealId, Error, IssueId, ProjectId, TimeEntryId, UserId};

/// How far in the future a member's last entry may end for a timer to start at that end instead of being refused. The clocks of
/// instances may differ, and a request may have waited for one that was received later. `doctor` reports clocks that differ by more
/// as an error.
pub const MAX_CLOCK_SKEW: Duration = Duration::seconds(60);

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

/// A timer that was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartedTimer {
    pub entry: TimeEntry,
    /// The timer that was running until then.
    pub stopped: Option<TimeEntry>,
}

/// Starts a timer for the caller, or for the member in the request, and stops the running one. It begins now, or when the member's last
/// entry ends if that is within [`MAX_CLOCK_SKEW`].
///
/// # Errors
/// [`Error::Invalid`] for missing references, [`Error::Forbidden`] for another member's timer, [`Error::Overlap`] if one of the
/// member's entries ends later than that, [`Error::InvalidStateChange`] in a locked period.
pub async fn start(
    ports: &Ports,
    permit: &Permit<CreateTimeEntries>,
    once: Option<IdempotentRequest<TimeEntry>>,
    fields: TimerFields,
) -> Result<IdempotentResult<TimeEntry>, Error> {
    start_as(ports, permit, once, fields, |started| started.entry).await
}

/// Like [`start`], and returns the timer that was stopped.
///
/// # Errors
/// Those of [`start`].
pub async fn start_and_name_stopped(
    ports: &Ports,
    permit: &Permit<CreateTimeEntries>,
    once: Option<IdempotentRequest<StartedTimer>>,
    fields: TimerFields,
) -> Result<IdempotentResult<StartedTimer>, Error> {
    start_as(ports, permit, once, fields, identity).await
}

async fn start_as<T: Send + 'static>(
    ports: &Ports,
    permit: &Permit<CreateTimeEntries>,
    once: Option<IdempotentRequest<T>>,
    fields: TimerFields,
    result_of: fn(StartedTimer) -> T,
) -> Result<IdempotentResult<T>, Error> {
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
        let former = tx.time_entries().running_of(entry.member_id)?;
        let stopped = former.map(|former| end_timer(tx, &former, writing.now, &writing.reporter)).transpose()?;
        let last_end = tx.time_entries().last_end(entry.member_id, writing.now, writing.now + MAX_CLOCK_SKEW)?;
        Span::running(last_end.unwrap_or(writing.now), &workspace.time_zone).store(&mut entry);
        rules::check_period(&workspace, &[entry.date])?;
        rules::check_no_overlap(tx, &workspace, &entry)?;
        attribution::attribute(&mut entry, None, tx)?;
        tx.records::<TimeEntry>().insert(&entry)?;
        tx.emit(&writing.reporter.created(&entry))?;
        let shown = |entry: TimeEntry| entry.shown_to(writing.credential);
        Ok(result_of(StartedTimer { entry: shown(entry), stopped: stopped.map(shown) }))
    })
    .await
}

/// Stops the timer of the caller, or of the member in the request, who may have been removed.
///
/// # Errors
/// [`Error::InvalidStateChange`] without a running timer, [`Error::Forbidden`] for another member's timer, [`Error::Invalid`] if a
/// key sends no member.
pub async fn stop(
    ports: &Ports,
    permit: &Permit<UpdateTimeEntries>,
    once: Option<IdempotentRequest<TimeEntry>>,
    fields: TimerStopFields,
) -> Result<IdempotentResult<TimeEntry>, Error> {
    stop_expected(ports, permit, once, fields, None).await
}

/// Like [`stop`]. `expected` is the entry whose timer the user saw: if another timer is running, nothing is stopped. A repeated request
/// still gets its first response.
///
/// # Errors
/// Those of [`stop`]; [`Error::Conflict`] if another timer is running.
pub async fn stop_expected(
    ports: &Ports,
    permit: &Permit<UpdateTimeEntries>,
    once: Option<IdempotentRequest<TimeEntry>>,
    fields: TimerStopFields,
    expected: Option<TimeEntryId>,
) -> Result<IdempotentResult<TimeEntry>, Error> {
    let writing = Writing::new(ports, permit);
    let member_only = TimeEntryFields { member_id: fields.member_id, ..TimeEntryFields::default() };
    transact_idempotent(ports, permit, once, move |tx| {
        TimeEntry::lock_all(tx)?;
        let mut owner = TimeEntry::new(TimeEntryId(Uuid::nil()), &writing);
        rules::name_member(&mut owner, &member_only, None, &writing)?;
        let running = tx.time_entries().running_of(owner.member_id)?;
        if running.is_none() {
            rules::check_new_member(&owner, &member_only, None, tx, &writing)?;
        }
        rules::check_writer(&writing, &owner)?;
        let running = running.ok_or_else(|| Error::InvalidStateChange("no timer is running".to_owned()))?;
        if expected.is_some_and(|id| id != running.id) {
            return Err(Error::Conflict("another timer is running".to_owned()));
        }
        let stopped = end_timer(tx, &running, writing.now, &writing.reporter)?;
        Ok(stopped.shown_to(writing.credential))
    })
    .await
}

/// The running timer of a member.
pub async fn running(
    ports: &Ports,
    permit: &Permit<ReadTimeEntries>,
    member: UserId,
) -> Result<Option<TimeEntry>, Error> {
    let found = read_only(ports, permit, move |tx| Ok(tx.time_entries().running_of(member)?)).await?;
    Ok(found.map(|entry| entry.shown_to(permit.credential())))
}
