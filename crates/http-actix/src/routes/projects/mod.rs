//! `/projects`: the routes that other kinds do not have.

pub(crate) mod cycles;

use domain::ProjectId;
use domain::identity::access::ReadProjectIssues;
use domain::kernel::input::CreatedFilter;
use domain::work::issues::{self, Issue};
use http_core::operation;
use http_core::query::Filtered;

operation! {
    /// List the issues of a project.
    ListIssues = "GET /api/v1/projects/{project_id}/issues",
    access: ReadProjectIssues, path: ProjectId, query: Filtered<CreatedFilter, Issue>
    => list(issues::list_of_project(path, filter, page)) -> Issue
}
