//! `/issues`.

pub(crate) mod comments;

use domain::IssueId;
use domain::identity::access::{CreateIssues, DeleteIssues, ReadIssues, UpdateIssues};
use domain::kernel::paging::PageRequest;
use domain::kernel::versions::ExpectedVersion;
use domain::limits::Class;
use domain::records::{self, HistoryEvent};
use domain::work::issues::{self, BulkUpdated, Issue, IssueFields, IssueFilter, NewIssue};
use http_core::body::{self, Patch};
use http_core::conditions::NoneMatch;
use http_core::query::{Filtered, Paged, Query, QueryReader};
use http_core::{LimitPolicy, action, operation, responses};

pub(crate) struct ListQuery {
    filter: IssueFilter,
    page: PageRequest,
}

impl Query for ListQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        // The interface does not let it repeat here, as it does for contacts and deals.
        query.once("status");
        let Filtered { filter, page, .. } = Filtered::<_, Issue>::read(query);
        Self { filter, page }
    }
}

operation! {
    List = "GET /api/v1/issues", access: ReadIssues, query: ListQuery
    => list(issues::list_or_deleted(filter, page))
}

action! {
    Create = "POST /api/v1/issues", access: CreateIssues, body: body::Create<NewIssue>
    => issues::create(body) -> Issue, |issue| responses::created(issue, format!("/api/v1/issues/{}", issue.id))
}

action! {
    BulkUpdate = "POST /api/v1/issues/bulk-update",
    limits: LimitPolicy::new(Class::Bulk), access: UpdateIssues, body: body::Create<issues::BulkUpdate>
    => issues::bulk_update(body) -> BulkUpdated, |updated| responses::ok_response(updated)
}

operation! {
    Read = "GET /api/v1/issues/{issue_id}", access: ReadIssues, path: IssueId, headers: NoneMatch
    => one(issues::read(path))
}

operation! {
    Update = "PATCH /api/v1/issues/{issue_id}",
    access: UpdateIssues, path: IssueId, headers: ExpectedVersion, body: Patch<IssueFields>
    => changed(issues::update(path, headers, body))
}

operation! {
    Delete = "DELETE /api/v1/issues/{issue_id}", access: DeleteIssues, path: IssueId, headers: ExpectedVersion
    => deleted(issues::delete(path, headers))
}

operation! {
    History = "GET /api/v1/issues/{issue_id}/history", access: ReadIssues, path: IssueId, query: Paged<HistoryEvent>
    => list(records::read_history(path, page))
}

action! {
    Restore = "POST /api/v1/issues/{issue_id}/restore", access: DeleteIssues, path: IssueId, body: body::Empty
    => issues::restore(path) -> Issue, |issue| responses::ok_response(issue)
}
