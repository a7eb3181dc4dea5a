//! Storage of time entries, beside what is stored of records of every kind, and of the rates of members.

use time::OffsetDateTime;

use super::StoreError;
use crate::work::time_entries::{
    Attribution, EntryTarget, RatePlace, RateReach, TimeEntry, TimeEntryFilter, TimeGroup, TimeRate, TimeSummaryRows,
    TimeTotals,
};
use crate::{ProjectId, TimeEntryId, UserId};

/// What a store does with time entries alone. Each method is one statement.
pub trait TimeEntryRepo {
    /// Makes others who write time entries of the workspace, or its settings, wait until the transaction ends.
    fn lock(&mut self) -> Result<(), StoreError>;
    /// The live entry of a member whose timer is running. There is never more than one.
    fn running_of(&mut self, member: UserId) -> Result<Option<TimeEntry>, StoreError>;
    /// Live entries whose timers have run since this time or longer, the oldest first, at most `limit`.
    fn running_since(&mut self, since: OffsetDateTime, limit: u32) -> Result<Vec<TimeEntry>, StoreError>;
    /// The first live entry of a member, other than `except`, that has a moment in common with the range. No end stands for one that is
    /// not known yet.
    fn overlapping(
        &mut self,
        member: UserId,
        except: TimeEntryId,
        start: OffsetDateTime,
        end: Option<OffsetDateTime>,
    ) -> Result<Option<TimeEntryId>, StoreError>;
    /// The project and the company of what was worked on.
    fn attribution(&mut self, target: EntryTarget) -> Result<Attribution, StoreError>;
    /// The live entries among the ids, in the order of the ids, locked until the transaction ends.
    fn get_many_for_update(&mut self, ids: &[TimeEntryId]) -> Result<Vec<TimeEntry>, StoreError>;
    /// Writes status, version and time of the change of entries that were locked before. No statement without any.
    fn save_statuses(&mut self, entries: &[TimeEntry]) -> Result<(), StoreError>;
    /// Adds up live entries by what they are grouped by, one or two; those of a range of days.
    fn summarize(
        &mut self,
        filter: &TimeEntryFilter,
        group_by: &[TimeGroup],
        reach: RateReach,
    ) -> Result<TimeSummaryRows, StoreError>;
    /// Adds up all live entries that match a filter.
    fn total(&mut self, filter: &TimeEntryFilter) -> Result<TimeTotals, StoreError>;
    /// The rate of a member that holds in a project, or in none: that of the project, or else their general one.
    fn rate_for(&mut self, member: UserId, project: Option<ProjectId>) -> Result<Option<TimeRate>, StoreError>;
    /// All rates, by member, the general one first, at most `limit`.
    fn rates(&mut self, limit: u32) -> Result<Vec<TimeRate>, StoreError>;
    /// Stores a rate, unless it is a new one and there are `most` already; returns whether it did. Two statements.
    fn put_rate(&mut self, rate: &TimeRate, most: u32) -> Result<bool, StoreError>;
    /// Removes a rate; returns whether there was one.
    fn remove_rate(&mut self, place: RatePlace) -> Result<bool, StoreError>;
}
