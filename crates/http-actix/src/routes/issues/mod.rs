//! `/issues`.

pub(crate) mod comments;

use domain::IssueId;
use domain::identity::access::{CreateIssues, DeleteIssues, ReadIssues, UpdateIssues};
use domain::kernel::input::Value as _;
use domain::kernel::paging::PageRequest;
use domain::kernel::versions::ExpectedVersion;
use domain::limits::Class;
use domain::records::{self, HistoryEvent, Listed, Projection};
use domain::work::issues::{self, BulkUpdated, Issue, IssueFields, IssueFilter, IssueStatus, NewIssue};
use http_core::body::{self, Patch};
use http_core::conditions::NoneMatch;
use http_core::description::{Described, Parameter};
use http_core::query::{Paged, Query, QueryReader, Records};
use http_core::{LimitPolicy, action, operation};

pub(crate) struct ListQuery {
    filter: IssueFilter,
    page: PageRequest,
    fields: Projection,
}

impl Query for ListQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        // Unlike for contacts and deals, the interface does not let it repeat here.
        query.require_single("status");
        let Records { filter, page, fields, .. } = Records::<_, Issue>::read(query);
        Self { filter, page, fields }
    }
}

impl Described for ListQuery {
    fn parameters() -> Vec<Parameter> {
        let mut parameters = Records::<IssueFilter, Issue>::parameters();
        for parameter in &mut parameters {
            if parameter.name == "status" {
                parameter.schema = IssueStatus::schema();
                "In this status.".clone_into(&mut parameter.description);
            }
        }
        parameters
    }
}

operation! {
    /// List issues: tasks and tickets.
    List = "GET /api/v1/issues", access: ReadIssues, query: ListQuery
    => records(issues::list_or_deleted(filter, page)) -> Listed<Issue>
}

action! {
    /// Create an issue: a task or a ticket.
    Create = "POST /api/v1/issues", access: CreateIssues, body: body::Create<NewIssue>
    => issues::create(body) -> Issue, created(|issue| format!("/api/v1/issues/{}", issue.id))
}

action! {
    /// Change up to 500 issues at once.
    BulkUpdate = "POST /api/v1/issues/bulk-update",
    limits: LimitPolicy::new(Class::Bulk), access: UpdateIssues, body: body::Create<issues::BulkUpdate>
    => issues::bulk_update(body) -> BulkUpdated, shown
}

operation! {
    /// Read an issue.
    Read = "GET /api/v1/issues/{issue_id}", access: ReadIssues, path: IssueId, headers: NoneMatch
    => one(issues::read(path)) -> Issue
}

operation! {
    /// Change an issue.
    Update = "PATCH /api/v1/issues/{issue_id}",
    access: UpdateIssues, path: IssueId, headers: ExpectedVersion, body: Patch<IssueFields>,
    errors: [Conflict, InvalidStateChange]
    => changed(issues::update(path, headers, body)) -> Issue
}

operation! {
    /// Delete a task.
    Delete = "DELETE /api/v1/issues/{issue_id}", access: DeleteIssues, path: IssueId, headers: ExpectedVersion,
    errors: [InvalidStateChange]
    => deleted(issues::delete(path, headers))
}

operation! {
    /// List the history of an issue.
    History = "GET /api/v1/issues/{issue_id}/history", contract: additional, access: ReadIssues, path: IssueId, query: Paged<HistoryEvent>
    => list(records::read_history(path, page)) -> HistoryEvent
}

action! {
    /// Restore a deleted task.
    Restore = "POST /api/v1/issues/{issue_id}/restore", contract: additional, access: DeleteIssues, path: IssueId, body: body::Empty,
    errors: [InvalidStateChange]
    => issues::restore(path) -> Issue, shown
}
