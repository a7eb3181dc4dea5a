//! Workspaces as operators list them.

use time::OffsetDateTime;

use super::{OperatorWorkspaceView, Workspace, WorkspaceStatus};
use crate::identity::access::{OperateService, Permit};
use crate::kernel::input::{Several, times_of_creation};
use crate::kernel::paging::{Page, PageRequest, paginated};
use crate::kernel::search::{SearchQuery, SearchWords};
use crate::ports::Ports;
use crate::{Error, filter};

filter! {
    /// Filters of the list; what is absent matches all.
    pub struct WorkspaceFilter {
        /// Word prefixes in name and slug; all must match.
        search: Option<SearchQuery>,
        /// In any of these statuses.
        status: Several<WorkspaceStatus, 4>,
        /// Created at this time or later.
        /// Contract: additional.
        created_since: Option<OffsetDateTime>,
        /// Created before this time.
        /// Contract: additional.
        created_before: Option<OffsetDateTime>,
    }
    together WorkspaceFilter::check_range;
}

times_of_creation!(WorkspaceFilter, checked);

impl Workspace {
    /// The words that the search of operators matches: those of the name, and the slug from each of its parts on.
    pub fn search_words(&self) -> Vec<String> {
        let mut words = SearchWords::default();
        words.text(Some(&self.name)).text(Some(&self.slug));
        words.into_vec()
    }
}

paginated!(Workspace: WORKSPACES);

/// A page of workspaces in every status, newest first.
pub async fn search(
    ports: &Ports,
    _: &Permit<OperateService>,
    filter: WorkspaceFilter,
    page: PageRequest,
) -> Result<Page<OperatorWorkspaceView>, Error> {
    if filter.search.as_ref().is_some_and(SearchQuery::matches_nothing) {
        return Ok(Page::from_rows(Vec::<Workspace>::new(), &page).map(OperatorWorkspaceView::from));
    }
    let rows = ports.directory.search_workspaces(&filter, &page).await?;
    Ok(Page::from_rows(rows, &page).map(OperatorWorkspaceView::from))
}
