//! Listing and searching projects.

use time::OffsetDateTime;

use super::{Project, ProjectStatus};
use crate::identity::access::{Permit, ReadProjects};
use crate::kernel::input::{Line, MAX_IDS, Problems, Several, choices, readable_choices, times_of_creation};
use crate::kernel::paging::{Direction, ListOrder, NameKey, Page, PageRequest, Sort, SortKey, Sorted};
use crate::kernel::search::SearchQuery;
use crate::kernel::totals::ListTotals;
use crate::ports::Ports;
use crate::records::{self, Listed, note_order_of_deleted, record_filter};
use crate::{Error, ProjectId, filter};

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

times_of_creation!(ProjectFilter);

impl ProjectFilter {
    /// Whether no project can match, which avoids a query.
    pub fn matches_nothing(&self) -> bool {
        self.search.as_ref().is_some_and(SearchQuery::matches_nothing)
    }

    fn check_together(&self, problems: &mut Problems) {
        note_order_of_deleted(self.deleted, self.sorted_by(), problems);
        self.created().check_range(problems);
    }

    /// What the list is sorted by.
    pub fn sorted_by(&self) -> ListOrder {
        match self.order {
            None | Some(ProjectOrder::Newest) => ListOrder::Created,
            Some(ProjectOrder::Updated) => ListOrder::Changed,
            Some(ProjectOrder::Oldest) => ListOrder::By(Sort::Created, Direction::Up),
            Some(ProjectOrder::UpdatedDown) => ListOrder::By(Sort::Changed, Direction::Down),
            Some(ProjectOrder::NameUp) => ListOrder::By(Sort::Name, Direction::Up),
            Some(ProjectOrder::NameDown) => ListOrder::By(Sort::Name, Direction::Down),
            Some(ProjectOrder::EndUp) => ListOrder::By(Sort::Day, Direction::Up),
            Some(ProjectOrder::EndDown) => ListOrder::By(Sort::Day, Direction::Down),
        }
    }
}

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

record_filter!(ProjectFilter, Project, words in search, beside [updated_since, order, deleted]);

/// A page of projects in the order of the filter.
///
/// # Errors
/// [`Error::Malformed`] for a cursor of another order.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ReadProjects>,
    filter: ProjectFilter,
    page: PageRequest,
) -> Result<Page<Project>, Error> {
    records::list(ports, permit, filter, page).await
}

/// A page of projects: as [`list`], or of those that are deleted if the filter says so.
///
/// # Errors
/// Those of [`list`]; [`Error::RoleNeeded`] and [`Error::GrantNeeded`] for who may not see deleted ones.
pub async fn list_or_deleted(
    ports: &Ports,
    permit: &Permit<ReadProjects>,
    filter: ProjectFilter,
    page: PageRequest,
) -> Result<Page<Listed<Project>>, Error> {
    records::list_or_deleted(ports, permit, filter, page).await
}

/// How many projects match a filter.
///
/// # Errors
/// Those of the store.
pub async fn totals(ports: &Ports, permit: &Permit<ReadProjects>, filter: ProjectFilter) -> Result<ListTotals, Error> {
    records::totals(ports, permit, filter).await
}
