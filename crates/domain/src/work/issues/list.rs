//! Listing and searching issues.

use super::{Issue, IssueStatus};
use crate::identity::access::{Permit, ReadIssues, ReadProjectIssues};
use crate::kernel::IssueKind;
use crate::kernel::paging::{Page, PageRequest};
use crate::kernel::search::SearchQuery;
use crate::ports::{Ports, Weight, weighed_statement};
use crate::{Error, ProjectId};

/// Filters of an issue list. A list has tasks or tickets, never both.
#[derive(Debug, Clone)]
pub struct IssueFilter {
    pub kind: IssueKind,
    /// A status of the same kind.
    pub status: Option<IssueStatus>,
    pub project_id: Option<ProjectId>,
    /// Matched against title and description.
    pub search: Option<SearchQuery>,
}

impl IssueFilter {
    /// All issues of a kind.
    pub const fn all(kind: IssueKind) -> Self {
        Self { kind, status: None, project_id: None, search: None }
    }

    /// Whether no issue can match, which avoids a query.
    pub fn matches_nothing(&self) -> bool {
        self.search.as_ref().is_some_and(SearchQuery::matches_nothing)
    }
}

/// A page of tasks or of tickets, newest first.
///
/// # Errors
/// [`Error::Malformed`] for a status of the other kind.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ReadIssues>,
    filter: IssueFilter,
    page: PageRequest,
) -> Result<Page<Issue>, Error> {
    permit.check_kind(filter.kind)?;
    if let Some(status) = filter.status {
        status.check_kind(filter.kind, "status")?;
    }
    if filter.matches_nothing() {
        return Ok(Page::from_rows(Vec::new(), &page));
    }
    let weight = Weight::of_page(&page, filter.search.as_ref());
    let rows = weighed_statement(ports, permit, weight, move |tx| Ok(tx.issues().list(&filter, &page)?)).await?;
    Ok(Page::from_rows(rows, &page))
}

/// A page of a project's tasks, newest first.
///
/// # Errors
/// [`Error::NotFound`] for the project.
pub async fn list_of_project(
    ports: &Ports,
    permit: &Permit<ReadProjectIssues>,
    project: ProjectId,
    page: PageRequest,
) -> Result<Page<Issue>, Error> {
    let filter = IssueFilter { project_id: Some(project), ..IssueFilter::all(IssueKind::Task) };
    let weight = Weight::of_page(&page, None);
    let rows = weighed_statement(ports, permit, weight, move |tx| {
        let rows = tx.issues().list(&filter, &page)?;
        // Only an empty list leaves open whether the project exists.
        if rows.is_empty() && tx.projects().get(project)?.is_none() {
            return Err(Error::NotFound("project"));
        }
        Ok(rows)
    })
    .await?;
    Ok(Page::from_rows(rows, &page))
}
