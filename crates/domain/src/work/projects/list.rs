//! Lists and searches projects.

use time::OffsetDateTime;

use super::{Project, ProjectStatus};
use crate::kernel::input::{Line, MAX_IDS, Several, choices, readable_choices};
use crate::kernel::paging::{Direction, ListOrder, NameKey, Sort, SortKey, Sorted};
use crate::kernel::search::SearchQuery;
use crate::records::{RecordFilter, record_filter};
use crate::{ProjectId, filter};

choices! {
    /// The order of a list of projects.
    pub enum ProjectOrder {
        /// The newest first.
        Newest = "newest",
        /// The oldest change first, then the id.
        Updated = "updated",
        /// The oldest first.
        Oldest = "oldest",
        /// The latest change first.
        UpdatedDown = "updated_desc",
        /// By name, from a to z.
        NameUp = "name_asc",
        /// By name, from z to a.
        NameDown = "name_desc",
        /// The first to end; projects without a last day last.
        EndUp = "end_date_asc",
        /// The last to end; projects without a last day last.
        EndDown = "end_date_desc",
    }
}

readable_choices!(ProjectOrder);

impl From<ProjectOrder> for ListOrder {
    fn from(order: ProjectOrder) -> Self {
        match order {
            ProjectOrder::Newest => Self::Created,
            ProjectOrder::Updated => Self::Changed,
            ProjectOrder::Oldest => Self::By(Sort::Created, Direction::Up),
            ProjectOrder::UpdatedDown => Self::By(Sort::Changed, Direction::Down),
            ProjectOrder::NameUp => Self::By(Sort::Name, Direction::Up),
            ProjectOrder::NameDown => Self::By(Sort::Name, Direction::Down),
            ProjectOrder::EndUp => Self::By(Sort::Day, Direction::Up),
            ProjectOrder::EndDown => Self::By(Sort::Day, Direction::Down),
        }
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
