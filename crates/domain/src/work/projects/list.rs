//! Listing and searching projects.

use time::OffsetDateTime;

use super::{Project, ProjectStatus};
use crate::identity::access::{Permit, ReadProjects};
use crate::kernel::input::{Line, MAX_IDS, Problems, Several, times_of_creation};
use crate::kernel::paging::{ListOrder, Page, PageRequest};
use crate::kernel::search::SearchQuery;
use crate::ports::Ports;
use crate::records::{self, Listed, RecordOrder, note_order_of_deleted, record_filter};
use crate::{Error, ProjectId, filter};

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
        /// true: only those deleted within the last 30 days. Requires permission to delete them.
        /// Contract: additional.
        deleted: Option<bool>,
        /// Created at this time or after it.
        /// Contract: additional.
        created_since: Option<OffsetDateTime>,
        /// Created before this time.
        /// Contract: additional.
        created_before: Option<OffsetDateTime>,
        /// Changed at this time or after it.
        /// Contract: additional.
        updated_since: Option<OffsetDateTime>,
        /// The order: `newest` (default), or `updated`: the oldest change first, with a nextCursor on every page.
        /// Contract: additional.
        order: Option<RecordOrder>,
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
        RecordOrder::sorted_by(self.order)
    }
}

record_filter!(ProjectFilter, Project, projects, words in search, beside [updated_since, order, deleted]);

/// A page of projects, newest first or by change.
///
/// # Errors
/// [`Error::Malformed`] for a cursor of the other order.
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
