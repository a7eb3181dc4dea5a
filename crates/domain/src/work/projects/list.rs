//! Lists and searches projects.

use time::OffsetDateTime;

use super::{Project, ProjectStatus};
use crate::kernel::input::{Line, MAX_IDS, Several};
use crate::kernel::paging::{Direction, ListOrder, NameKey, Sort, SortKey, Sorted};
use crate::kernel::search::SearchQuery;
use crate::records::{RecordFilter, list_orders, record_filter};
use crate::{ProjectId, filter};

list_orders! {
    /// The order of a list of projects.
    pub enum ProjectOrder {
        Newest = "newest": ListOrder::Created,
        Updated = "updated": ListOrder::Changed,
        Oldest = "oldest": ListOrder::By(Sort::Created, Direction::Up),
        UpdatedDown = "updated_desc": ListOrder::By(Sort::Changed, Direction::Down),
        NameUp = "name_asc": ListOrder::By(Sort::Name, Direction::Up),
        NameDown = "name_desc": ListOrder::By(Sort::Name, Direction::Down),
        /// The first to end; projects without a last day last.
        EndUp = "end_date_asc": ListOrder::By(Sort::Day, Direction::Up),
        /// The last to end; projects without a last day last.
        EndDown = "end_date_desc": ListOrder::By(Sort::Day, Direction::Down),
    }
}

filter! {
    /// Filters of the project list; what is absent matches all.
    pub struct ProjectFilter {
        /// Word prefixes in name and description; all must match.
        /// Contract: additional.
        search: Option<SearchQuery>,
        /// In any of these statuses. Legacy keys are accepted.
        /// Contract: additional.
        status: Several<ProjectStatus, 6>,
        /// With this id in another system.
        /// Contract: additional.
        external_id: Option<Line<255>>,
        /// true: only those deleted in the last 30 days; needs permission to delete.
        /// Contract: additional.
        deleted: Option<bool>,
        /// Created at this time or later.
        /// Contract: additional.
        created_since: Option<OffsetDateTime>,
        /// Created before this time.
        /// Contract: additional.
        created_before: Option<OffsetDateTime>,
        /// Changed at this time or later.
        /// Contract: additional.
        updated_since: Option<OffsetDateTime>,
        /// `newest` (default) or `updated`: oldest change first, with a nextCursor on every page.
        /// Contract: additional.
        order: Option<ProjectOrder>,
    }
    only in queries {
        /// With any of these ids.
        /// Contract: additional.
        ids: Several<ProjectId, MAX_IDS>,
    }
    together ProjectFilter::check_together;
}

record_filter!(ProjectFilter, words in search, changed: updated_since);

impl Sorted for Project {
    fn sort_key(&self, by: Sort) -> SortKey {
        match by {
            Sort::Created => SortKey::Time(self.created_at),
            Sort::Changed => SortKey::Time(self.updated_at),
            Sort::Name => SortKey::Name(NameKey::of(&self.name)),
            Sort::Day => self.end_date.map_or(SortKey::Nothing, SortKey::Day),
            Sort::Value | Sort::Due | Sort::Priority | Sort::Turn => SortKey::Nothing,
        }
    }
}
