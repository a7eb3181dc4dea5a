//! Repository of time entries, for operations that other kinds do not need, and of members' rates.

use time::{Date, OffsetDateTime};

use super::StoreError;
use crate::work::time_entries::{
    Attribution, EntryTarget, RatePlace, RateReach, TimeEntry, TimeEntryFilter, TimeGroup, TimeRate, TimeSummaryRows,
    TimeTotals,
};
use crate::{ProjectId, TimeEntryId, UserId};

/// Operations that only time entries need. Each method is one statement unless its comment says otherwise.
pub trait TimeEntryRepo {
    /// Makes other transactions that write the workspace's time entries or settings wait until this one ends.
    fn lock(&mut self) -> Result<(), StoreError>;
    /// The live entry of a member's running timer. There is never more than one.
    fn running_of(&mut self, member: UserId) -> Result<Option<TimeEntry>, StoreError>;
    /// Live entries whose timers have run since this time or longer, oldest first, at most `limit`.
    fn running_since(&mut self, since: OffsetDateTime, limit: u32) -> Result<Vec<TimeEntry>, StoreError>;
    /// Live entries with running timers that are dated this day or earlier, at most `limit`.
    fn running_until_day(&mut self, last: Date, limit: u32) -> Result<Vec<TimeEntry>, StoreError>;
    /// The latest end of a member's live entries that is after `after` and not later than `until`.
    fn last_end(
        &mut self,
        member: UserId,
        after: OffsetDateTime,
        until: OffsetDateTime,
    ) -> Result<Option<OffsetDateTime>, StoreError>;
    /// The first live entry of a member, other than `except`, that overlaps the range, and its day. A range without `end` is still open.
    /// Entries of less than a second overlap nothing.
    fn overlapping(
        &mut self,
        member: UserId,
        except: TimeEntryId,
        start: OffsetDateTime,
        end: Option<OffsetDateTime>,
    ) -> Result<Option<(TimeEntryId, Date)>, StoreError>;
    /// The project and the company of the target.
    fn attribution(&mut self, target: EntryTarget) -> Result<Attribution, StoreError>;
    /// The live entries among the ids, sorted by id, locked until the transaction ends.
    fn get_many_for_update(&mut self, ids: &[TimeEntryId]) -> Result<Vec<TimeEntry>, StoreError>;
    /// Writes status, version and time of change of entries that were locked before. No statement without entries.
    fn save_statuses(&mut self, entries: &[TimeEntry]) -> Result<(), StoreError>;
    /// Sums live entries of a range of days, grouped by one or two fields.
    fn summarize(
        &mut self,
        filter: &TimeEntryFilter,
        group_by: &[TimeGroup],
        reach: RateReach,
    ) -> Result<TimeSummaryRows, StoreError>;
    /// Sums all live entries that match a filter.
    fn total(&mut self, filter: &TimeEntryFilter) -> Result<TimeTotals, StoreError>;
    /// The rate of a member in a project, or outside of projects: the member's rate for the project, or else their general one.
    fn rate_for(&mut self, member: UserId, project: Option<ProjectId>) -> Result<Option<TimeRate>, StoreError>;
    /// All rates, sorted by member with the general rate first, at most `limit`.
    fn rates(&mut self, limit: u32) -> Result<Vec<TimeRate>, StoreError>;
    /// Stores a rate, unless it is new and there are `most` rates already; returns whether it did. Two statements.
    fn put_rate(&mut self, rate: &TimeRate, most: u32) -> Result<bool, StoreError>;
    /// Removes a rate; returns whether there was one.
    fn remove_rate(&mut self, place: RatePlace) -> Result<bool, StoreError>;
}
