//! How much a workspace may add to the event log per day (interface 6.13).
//!
//! The log keeps every change for months, so a workspace with many changes could fill the disk that all workspaces share. Each
//! instance counts the added bytes in memory and writes the counts every two seconds. A workspace that has used up its limit cannot
//! change anything until the next day, in UTC. An instance may accept up to two seconds of changes above the limit, and one that is
//! killed loses up to two seconds of counts.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError, RwLock};

use time::{Date, OffsetDateTime, Time, UtcOffset};

use super::Allowance;
use crate::WorkspaceId;
use crate::ports::{Ports, StoreError};

/// The bytes that a workspace added to the log on a day in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventBytesOfDay {
    pub workspace: WorkspaceId,
    pub day: Date,
    pub bytes: u64,
}

/// The bytes of a day over all instances, with the current limits of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventBytesUsed {
    pub added: EventBytesOfDay,
    pub slug: String,
    pub allowance: Allowance,
}

impl EventBytesUsed {
    /// How much of the limit is used, in percent.
    pub fn percent(&self) -> u64 {
        let limit = u128::from(self.allowance.event_bytes_per_day()).max(1);
        u64::try_from(u128::from(self.added.bytes) * 100 / limit).unwrap_or(u64::MAX)
    }

    fn is_exhausted(&self) -> bool {
        self.added.bytes >= self.allowance.event_bytes_per_day()
    }
}

/// The bytes that this process added to logs since it last wrote its counts, and the workspaces that have used up their limit.
#[derive(Debug, Default)]
pub struct EventBytes {
    unwritten: Mutex<HashMap<(WorkspaceId, Date), u64>>,
    exhausted: RwLock<HashMap<WorkspaceId, (Date, u64)>>,
}

impl EventBytes {
    /// Counts bytes that were committed.
    pub fn add(&self, added: EventBytesOfDay) {
        let mut unwritten = self.unwritten.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = unwritten.entry((added.workspace, added.day)).or_default();
        *bytes = bytes.saturating_add(added.bytes);
    }

    /// Whether the workspace may add to its log.
    ///
    /// # Errors
    /// [`StoreError::LogBudgetExceeded`] if it has used up the limit of the day.
    pub fn check(&self, workspace: WorkspaceId, now: OffsetDateTime) -> Result<(), StoreError> {
        let exhausted = self.exhausted.read().unwrap_or_else(PoisonError::into_inner);
        match exhausted.get(&workspace) {
            Some((day, limit)) if *day == day_of(now) => {
                Err(StoreError::LogBudgetExceeded { limit: *limit, retry_after: seconds_left(now) })
            }
            _ => Ok(()),
        }
    }

    /// Takes the counts that were not written yet. Includes workspaces that have used up their limit, because an operator may have
    /// raised it.
    fn take(&self, today: Date) -> Vec<EventBytesOfDay> {
        let mut unwritten = std::mem::take(&mut *self.unwritten.lock().unwrap_or_else(PoisonError::into_inner));
        let exhausted = self.exhausted.read().unwrap_or_else(PoisonError::into_inner);
        for workspace in exhausted.keys() {
            unwritten.entry((*workspace, today)).or_default();
        }
        let count = |((workspace, day), bytes)| EventBytesOfDay { workspace, day, bytes };
        unwritten.into_iter().map(count).collect()
    }

    fn update_exhausted(&self, used: &[EventBytesUsed], today: Date) {
        let exhausted_today = used.iter().filter(|one| one.added.day == today && one.is_exhausted());
        let entry = |one: &EventBytesUsed| (one.added.workspace, (today, one.allowance.event_bytes_per_day()));
        *self.exhausted.write().unwrap_or_else(PoisonError::into_inner) = exhausted_today.map(entry).collect();
    }
}

/// Writes the bytes that were added to logs, and reads the sums of all instances. Counts that cannot be written are kept for the
/// next flush.
pub async fn flush_event_bytes(ports: &Ports) -> Result<(), StoreError> {
    let today = day_of(ports.clock.now());
    let added = ports.event_bytes.take(today);
    if added.is_empty() {
        return Ok(());
    }
    match ports.directory.add_event_bytes(&added).await {
        Ok(used) => {
            ports.event_bytes.update_exhausted(&used, today);
            Ok(())
        }
        Err(error) => {
            for added in added {
                ports.event_bytes.add(added);
            }
            Err(error)
        }
    }
}

/// The day in UTC.
pub fn day_of(at: OffsetDateTime) -> Date {
    at.to_offset(UtcOffset::UTC).date()
}

fn seconds_left(now: OffsetDateTime) -> i64 {
    let next = day_of(now).next_day().unwrap_or(Date::MAX).with_time(Time::MIDNIGHT).assume_utc();
    (next.unix_timestamp() - now.unix_timestamp()).max(1)
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;
    use uuid::Uuid;

    use super::*;
    use crate::limits::{Plan, WorkspaceLimits};

    const NOON: OffsetDateTime = datetime!(2026-03-04 12:00 UTC);
    const WORKSPACE: WorkspaceId = WorkspaceId(Uuid::nil());

    fn used(bytes: u64, limit: u64) -> EventBytesUsed {
        let limits = WorkspaceLimits { event_bytes_per_day: Some(limit), ..WorkspaceLimits::default() };
        let added = EventBytesOfDay { workspace: WORKSPACE, day: day_of(NOON), bytes };
        EventBytesUsed { added, slug: "acme".to_owned(), allowance: Allowance { plan: Plan::Starter, limits } }
    }

    #[test]
    fn a_workspace_that_used_up_its_limit_waits_for_the_next_day() {
        let bytes = EventBytes::default();
        bytes.update_exhausted(&[used(9, 10)], day_of(NOON));
        assert!(bytes.check(WORKSPACE, NOON).is_ok());
        bytes.update_exhausted(&[used(10, 10)], day_of(NOON));
        let refused = bytes.check(WORKSPACE, NOON);
        assert!(
            matches!(refused, Err(StoreError::LogBudgetExceeded { limit: 10, retry_after: 43_200 })),
            "{refused:?}"
        );
        assert!(bytes.check(WORKSPACE, NOON + time::Duration::hours(12)).is_ok());
        assert!(bytes.check(WorkspaceId(Uuid::max()), NOON).is_ok());
    }

    #[test]
    fn a_raised_limit_is_noticed_without_further_changes() {
        let bytes = EventBytes::default();
        bytes.update_exhausted(&[used(10, 10)], day_of(NOON));
        assert_eq!(bytes.take(day_of(NOON)), [EventBytesOfDay { bytes: 0, ..used(0, 1).added }]);
        bytes.update_exhausted(&[used(10, 11)], day_of(NOON));
        assert!(bytes.check(WORKSPACE, NOON).is_ok());
        assert!(bytes.take(day_of(NOON)).is_empty());
    }

    #[test]
    fn counts_that_were_not_written_are_kept() {
        let bytes = EventBytes::default();
        let added = EventBytesOfDay { bytes: 5, ..used(0, 1).added };
        bytes.add(added);
        bytes.add(added);
        assert_eq!(bytes.take(day_of(NOON)), [EventBytesOfDay { bytes: 10, ..added }]);
        assert!(bytes.take(day_of(NOON)).is_empty());
    }

    #[test]
    fn a_limit_of_zero_does_not_divide_by_zero() {
        assert_eq!([used(5, 10).percent(), used(1, 0).percent(), used(u64::MAX, 1).percent()], [50, 100, u64::MAX]);
    }
}
