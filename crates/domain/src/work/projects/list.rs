//! Listing and searching projects.

use super::{Project, ProjectStatus};
use crate::identity::access::{Permit, ReadProjects};
use crate::kernel::input::{Line, Several};
use crate::kernel::paging::{Page, PageRequest};
use crate::kernel::search::SearchQuery;
use crate::ports::{Ports, Weight, weighed_statement};
use crate::records::{self, Listed};
use crate::{Error, filter};

filter! {
    /// Filters of the project list; what is absent matches all.
    pub struct ProjectFilter {
        /// Word prefixes in name and description; all must match.
        search: Option<SearchQuery>,
        /// In any of these statuses. Legacy keys are accepted.
        status: Several<ProjectStatus, 6>,
        /// With this id in another system.
        external_id: Option<Line<255>>,
        /// true: those that were deleted within the last 30 days, and no others. For those who may delete them.
        deleted: Option<bool>,
    }
}

impl ProjectFilter {
    /// Whether no project can match, which avoids a query.
    pub fn matches_nothing(&self) -> bool {
        self.search.as_ref().is_some_and(SearchQuery::matches_nothing)
    }
}

/// A page of projects, newest first.
///
/// # Errors
/// Those of the store.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ReadProjects>,
    filter: ProjectFilter,
    page: PageRequest,
) -> Result<Page<Project>, Error> {
    if filter.matches_nothing() {
        return Ok(Page::from_rows(Vec::new(), &page));
    }
    let weight = Weight::of_list(&page, filter.search.is_some());
    let rows = weighed_statement(ports, permit, weight, move |tx| Ok(tx.projects().list(&filter, &page)?)).await?;
    Ok(Page::from_rows(rows, &page))
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
    if filter.deleted != Some(true) {
        return Ok(list(ports, permit, filter, page).await?.map(Listed::from));
    }
    records::list_deleted(ports, permit, filter, page).await
}
