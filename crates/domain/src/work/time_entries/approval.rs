//! Submits, approves, rejects and exports sets of time entries, all or none.

use std::collections::BTreeMap;

use super::{EntryStatus, TimeEntry, rules};
use crate::identity::access::{ApproveTimeEntries, Credential, Permit, UpdateTimeEntries};
use crate::identity::notifications::{RejectedTime, notify_time_rejected};
use crate::kernel::Weight;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::{Field, InputMode, Integer, LongText, Problems, Several, fields};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, Tx, weighed_transact_idempotent};
use crate::records::{Deletable, Kind, Writing};
use crate::{Error, TimeEntryId, UserId};

/// The maximum number of entries per call.
pub const MAX_ENTRIES_AT_ONCE: usize = 500;
/// The maximum length of the reason for a rejection, in characters.
const MAX_REASON: usize = 500;

fields! {
    /// The entries that a call is about.
    pub struct EntryIds {
        /// The ids of the entries.
        ids: Several<TimeEntryId, MAX_ENTRIES_AT_ONCE> = required,
        /// The versions that the caller has seen, one per entry, in the order of `ids`. If an entry has changed since, the response is
        /// 409 `concurrent_update` and nothing changes.
        versions: Several<Integer<1, { i32::MAX }>, MAX_ENTRIES_AT_ONCE>,
    }
    together EntryIds::check_versions;
}

fields! {
    /// Why entries are rejected.
    pub struct RejectReason {
        /// What the e-mail to the members says about it.
        reason: LongText<MAX_REASON>,
    }
}

impl EntryIds {
    /// These entries, whatever their versions.
    pub fn any_version(ids: Vec<TimeEntryId>) -> Self {
        Self { ids: Field::Set(Several(ids)), versions: Field::Absent }
    }

    fn check_versions(&self, _: InputMode, problems: &mut Problems) {
        if let (Some(ids), Some(versions)) = (self.ids.set(), self.versions.set())
            && ids.0.len() != versions.0.len()
        {
            problems.rule("versions", "invalid_length", "must have one version for each of the ids");
        }
    }

    /// Checks that the entry has the version that the caller has seen, if they sent it.
    ///
    /// # Errors
    /// [`Error::ConcurrentUpdate`].
    fn check_seen(&self, entry: &TimeEntry) -> Result<(), Error> {
        let (Some(ids), Some(versions)) = (self.ids.set(), self.versions.set()) else { return Ok(()) };
        let seen = ids.0.iter().zip(&versions.0).filter(|(id, _)| **id == entry.id);
        let seen: Vec<_> = seen.map(|(_, version)| version.get().into()).collect();
        ExpectedVersion::OneOf(seen).check(entry.version)
    }
}

/// A move of entries from one status to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Move {
    from: &'static [EntryStatus],
    to: EntryStatus,
    /// Whether an entry that already has the target status stays as it is. Otherwise it is refused.
    may_repeat: bool,
}

const SUBMIT: Move = Move { from: &[EntryStatus::Stopped], to: EntryStatus::Submitted, may_repeat: true };
const APPROVE: Move =
    Move { from: &[EntryStatus::Stopped, EntryStatus::Submitted], to: EntryStatus::Approved, may_repeat: true };
const REJECT: Move =
    Move { from: &[EntryStatus::Submitted, EntryStatus::Approved], to: EntryStatus::Stopped, may_repeat: true };
// Two callers never both learn that they exported an entry, and so none invoices it twice.
const EXPORT: Move = Move { from: &[EntryStatus::Approved], to: EntryStatus::Exported, may_repeat: false };

impl Move {
    /// Whether the entry moves.
    ///
    /// # Errors
    /// [`Error::InvalidStateChange`] from any other status.
    fn applies(self, entry: &TimeEntry) -> Result<bool, Error> {
        if entry.status == self.to && self.may_repeat {
            return Ok(false);
        }
        if self.from.contains(&entry.status) {
            return Ok(true);
        }
        let TimeEntry { id, date, status, .. } = entry;
        let message = if *status == self.to {
            format!("the time entry {id} of {date} is already {status}")
        } else {
            format!("the time entry {id} of {date} is {status}: it cannot become {}", self.to)
        };
        Err(Error::InvalidStateChange(message))
    }
}

/// Submits entries for approval. Members submit their own; owners, admins and keys submit those of any member.
///
/// # Errors
/// [`Error::Invalid`] for unknown entries, [`Error::Forbidden`], [`Error::InvalidStateChange`] for one that is running or was approved.
pub async fn submit(
    ports: &Ports,
    permit: &Permit<UpdateTimeEntries>,
    once: Option<IdempotentRequest<Vec<TimeEntry>>>,
    ids: EntryIds,
) -> Result<IdempotentResult<Vec<TimeEntry>>, Error> {
    let writing = Writing::new(ports, permit);
    let may_submit = move |entry: &TimeEntry| rules::check_writer(&writing, entry).map(|()| true);
    move_all(ports, permit, SUBMIT, once, ids, may_submit, None).await
}

/// Approves entries, submitted or not.
///
/// # Errors
/// [`Error::Invalid`] for unknown entries, [`Error::InvalidStateChange`] for one that is running or was exported.
pub async fn approve(
    ports: &Ports,
    permit: &Permit<ApproveTimeEntries>,
    once: Option<IdempotentRequest<Vec<TimeEntry>>>,
    ids: EntryIds,
) -> Result<IdempotentResult<Vec<TimeEntry>>, Error> {
    move_all(ports, permit, APPROVE, once, ids, |_| Ok(true), None).await
}

/// Rejects entries that were submitted or approved, which sets them back to `stopped`. Their members get an e-mail.
///
/// # Errors
/// [`Error::Invalid`] for unknown entries, [`Error::InvalidStateChange`] for one that is running or was exported.
pub async fn reject(
    ports: &Ports,
    permit: &Permit<ApproveTimeEntries>,
    once: Option<IdempotentRequest<Vec<TimeEntry>>>,
    ids: EntryIds,
) -> Result<IdempotentResult<Vec<TimeEntry>>, Error> {
    move_all(ports, permit, REJECT, once, ids, |_| Ok(true), Some(RejectReason::default())).await
}

/// Like [`reject`], with a reason for the members.
///
/// # Errors
/// Those of [`reject`].
pub async fn reject_because(
    ports: &Ports,
    permit: &Permit<ApproveTimeEntries>,
    ids: EntryIds,
    reason: RejectReason,
) -> Result<Vec<TimeEntry>, Error> {
    move_all(ports, permit, REJECT, None, ids, |_| Ok(true), Some(reason)).await?.made_now()
}

/// Tells the members whose time someone else has rejected.
fn notify_members(
    writing: &Writing,
    tx: &mut dyn Tx,
    rejected: &[TimeEntry],
    reason: &RejectReason,
) -> Result<(), Error> {
    let reason = reason.reason.set().map_or("", LongText::as_str);
    let mut by_member: BTreeMap<UserId, Vec<RejectedTime>> = BTreeMap::new();
    for entry in rejected {
        let seconds = entry.seconds.unwrap_or_default();
        let time = RejectedTime { day: entry.date, seconds, note: entry.note.clone() };
        by_member.entry(entry.member_id).or_default().push(time);
    }
    notify_time_rejected(&writing.ports, &writing.workspace, tx, &writing.by, &by_member, reason)
}

/// Rejects the entries that have not changed since their approval. `approved` has their versions after it.
///
/// # Errors
/// [`Error::Invalid`] for unknown entries, [`Error::InvalidStateChange`] for one that was exported.
pub async fn undo_approval(
    ports: &Ports,
    permit: &Permit<ApproveTimeEntries>,
    approved: Vec<(TimeEntryId, i64)>,
) -> Result<Vec<TimeEntry>, Error> {
    let ids = EntryIds::any_version(approved.iter().map(|(id, _)| *id).collect());
    let is_unchanged = move |entry: &TimeEntry| Ok(approved.contains(&(entry.id, entry.version)));
    let reason = Some(RejectReason::default());
    move_all(ports, permit, REJECT, None, ids, is_unchanged, reason).await?.made_now()
}

/// Marks approved entries as exported for invoicing. Only owners, admins and keys may do this.
///
/// # Errors
/// [`Error::RoleNeeded`] for other members, [`Error::Invalid`] for unknown entries, [`Error::InvalidStateChange`] for one that was not
/// approved or was already exported.
pub async fn export_for_invoicing(
    ports: &Ports,
    permit: &Permit<UpdateTimeEntries>,
    once: Option<IdempotentRequest<Vec<TimeEntry>>>,
    ids: EntryIds,
) -> Result<IdempotentResult<Vec<TimeEntry>>, Error> {
    if let Some(Credential::Session { role, .. }) = permit.credential()
        && !role.administers()
    {
        return Err(Error::RoleNeeded);
    }
    move_all(ports, permit, EXPORT, once, ids, |_| Ok(true), None).await
}

/// Moves all entries for which `is_chosen` returns true, or none if it fails for one. With `rejection`, the members of those whose
/// status changed get an e-mail. Returns the chosen entries by id.
async fn move_all<P>(
    ports: &Ports,
    permit: &Permit<P>,
    step: Move,
    once: Option<IdempotentRequest<Vec<TimeEntry>>>,
    ids: EntryIds,
    is_chosen: impl Fn(&TimeEntry) -> Result<bool, Error> + Send + 'static,
    rejection: Option<RejectReason>,
) -> Result<IdempotentResult<Vec<TimeEntry>>, Error> {
    let Some(requested) = ids.ids.set().map(|ids| ids.0.clone()) else {
        return Err(Error::malformed("ids", "required", "ids are required"));
    };
    let writing = Writing::new(ports, permit);
    weighed_transact_idempotent(ports, permit, Weight::Heavy, once, move |tx| {
        TimeEntry::lock_all(tx)?;
        let entries = locked(tx, &requested)?;
        let (mut shown, mut changed, mut events) = (Vec::new(), Vec::new(), Vec::new());
        for before in entries {
            if !is_chosen(&before)? {
                continue;
            }
            let mut entry = before.clone();
            if step.applies(&before)? {
                // A repeated call finds the entries as the first one left them.
                ids.check_seen(&before)?;
                entry.status = step.to;
                entry.bump_version(writing.now);
                events.extend(writing.reporter.updated(&before, &entry));
                changed.push(entry.clone());
            }
            shown.push(entry.shown_to(writing.credential));
        }
        tx.time_entries().save_statuses(&changed)?;
        tx.emit(&events)?;
        if let Some(reason) = &rejection {
            notify_members(&writing, tx, &changed, reason)?;
        }
        Ok(shown)
    })
    .await
}

/// The live entries with these ids, locked, in the order of the ids.
fn locked(tx: &mut dyn Tx, requested: &[TimeEntryId]) -> Result<Vec<TimeEntry>, Error> {
    let mut ids = requested.to_vec();
    ids.sort_unstable();
    ids.dedup();
    let entries = tx.time_entries().get_many_for_update(&ids)?;
    let mut problems = Problems::default();
    for (index, id) in requested.iter().enumerate() {
        if !entries.iter().any(|entry| entry.id == *id) {
            problems.rule(format!("ids[{index}]"), "not_found", "must be the id of a time entry of the workspace");
        }
    }
    problems.into_result()?;
    Ok(entries)
}
