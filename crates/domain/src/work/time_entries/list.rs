//! Lists time entries.

use time::{Date, OffsetDateTime};

use super::{EntryStatus, TimeEntry};
use crate::kernel::input::{CreatedFilter, MAX_IDS, Problems, Several, times_of_creation};
use crate::kernel::paging::{Direction, ListOrder, Sort, SortKey, Sorted};
use crate::kernel::search::SearchQuery;
use crate::records::{RecordFilter, list_orders};
use crate::{CompanyId, DealId, IssueId, ProjectId, TimeEntryId, UserId, filter};

list_orders! {
    /// The order of a list of time entries.
    pub enum TimeEntryOrder {
        Newest = "newest": ListOrder::Created,
        Updated = "updated": ListOrder::Changed,
        Oldest = "oldest": ListOrder::By(Sort::Created, Direction::Up),
        UpdatedDown = "updated_desc": ListOrder::By(Sort::Changed, Direction::Down),
        DateUp = "date_asc": ListOrder::By(Sort::Day, Direction::Up),
        DateDown = "date_desc": ListOrder::By(Sort::Day, Direction::Down),
    }
}

filter! {
    /// Filters of the list of time entries; what is absent matches all.
    pub struct TimeEntryFilter {
        /// Of any of these members.
        member: Several<UserId, 50>,
        /// On this task.
        task_id: Option<IssueId>,
        /// On this ticket.
        ticket_id: Option<IssueId>,
        /// That count towards this project, also by a task or ticket of it.
        project_id: Option<ProjectId>,
        /// On this deal.
        deal_id: Option<DealId>,
        /// For this company, also by a task, ticket, deal or project of it.
        company_id: Option<CompanyId>,
        /// In any of these statuses.
        status: Several<EntryStatus, 5>,
        /// Whether the customer pays for them.
        billable: Option<bool>,
        /// On this day or later, in the time zone of the workspace.
        from: Option<Date>,
        /// On this day or earlier, in the time zone of the workspace.
        to: Option<Date>,
        /// true: only those deleted in the last 30 days; needs permission to delete.
        deleted: Option<bool>,
        /// Created at this time or later.
        created_since: Option<OffsetDateTime>,
        /// Created before this time.
        created_before: Option<OffsetDateTime>,
        /// Changed at this time or later.
        updated_since: Option<OffsetDateTime>,
        /// `newest` (default without `from` and `to`), `date_asc` or `date_desc` (default with either), or `updated`: oldest change first, with
        /// a nextCursor on every page.
        order: Option<TimeEntryOrder>,
    }
    only in queries {
        /// With any of these ids.
        ids: Several<TimeEntryId, MAX_IDS>,
    }
    together TimeEntryFilter::check_range;
}

times_of_creation!(TimeEntryFilter);

impl TimeEntryFilter {
    fn check_range(&self, problems: &mut Problems) {
        if let (Some(from), Some(to)) = (self.from, self.to)
            && to < from
        {
            problems.rule("to", "invalid_value", "must not be before from");
        }
        self.check_together(problems);
    }

    const fn has_days(&self) -> bool {
        self.from.is_some() || self.to.is_some()
    }

    /// The order of the list. A range of days is sorted by day by default, because only that index reads just the range.
    pub fn sorted_by(&self) -> ListOrder {
        match self.order {
            Some(order) => order.into(),
            None if self.has_days() && !self.lists_deleted() => TimeEntryOrder::DateDown.into(),
            None => ListOrder::Created,
        }
    }
}

impl RecordFilter for TimeEntryFilter {
    fn sorted_by(&self) -> ListOrder {
        Self::sorted_by(self)
    }

    fn updated_since(&self) -> Option<OffsetDateTime> {
        self.updated_since
    }

    fn lists_deleted(&self) -> bool {
        self.deleted == Some(true)
    }

    fn created(&self) -> CreatedFilter {
        Self::created(self)
    }

    fn search(&self) -> Option<&SearchQuery> {
        None
    }

    fn looks_up_words(&self) -> bool {
        false
    }

    fn narrows(&self) -> bool {
        let Self { deleted, order, updated_since, .. } = *self;
        *self != Self { deleted, updated_since, order, ..Self::default() }
    }

    fn may_read_many(&self) -> bool {
        match self.sorted_by() {
            // There are indexes by day, and by member and day.
            ListOrder::By(Sort::Day, _) => {
                let several = self.member.0.len() > 1;
                let member = if several { Several::default() } else { self.member.clone() };
                *self
                    != Self {
                        deleted: self.deleted,
                        order: self.order,
                        from: self.from,
                        to: self.to,
                        member,
                        ..Self::default()
                    }
            }
            ListOrder::Created => self.has_days(),
            ListOrder::Changed | ListOrder::By(..) | ListOrder::Value => self.narrows(),
        }
    }
}

impl Sorted for TimeEntry {
    fn sort_key(&self, by: Sort) -> SortKey {
        match by {
            Sort::Created => SortKey::Time(self.created_at),
            Sort::Changed => SortKey::Time(self.updated_at),
            Sort::Day => SortKey::Day(self.date),
            Sort::Value | Sort::Name | Sort::Due | Sort::Priority | Sort::Turn => SortKey::Nothing,
        }
    }
}
