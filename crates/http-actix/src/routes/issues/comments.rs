//! `/issues/{issue_id}/comments`.

use domain::identity::access::{CreateComments, DeleteComments, ReadComments, UpdateComments};
use domain::kernel::input::CreatedFilter;
use domain::kernel::versions::ExpectedVersion;
use domain::work::comments::{self, Comment, CommentChange, CommentFields};
use domain::{CommentId, IssueId};
use http_core::body::{self, Patch};
use http_core::query::Filtered;
use http_core::{action, operation};

operation! {
    /// List the comments on an issue.
    List = "GET /api/v1/issues/{issue_id}/comments",
    access: ReadComments, path: IssueId, query: Filtered<CreatedFilter, Comment>
    => list(comments::list(path, filter, page)) -> Comment
}

// No `Location`: no route reads one comment.
action! {
    /// Comment on an issue.
    Create = "POST /api/v1/issues/{issue_id}/comments",
    access: CreateComments, path: IssueId, body: body::Create<CommentFields>, errors: [InvalidStateChange]
    => comments::create(path, body) -> Comment, created_without_location
}

operation! {
    /// Change a comment on an issue.
    Update = "PATCH /api/v1/issues/{issue_id}/comments/{comment_id}", contract: additional,
    access: UpdateComments, path: (IssueId, CommentId), headers: ExpectedVersion, body: Patch<CommentChange>
    => changed(comments::update(path, headers, body)) -> Comment
}

operation! {
    /// Delete a comment on an issue.
    Delete = "DELETE /api/v1/issues/{issue_id}/comments/{comment_id}", contract: additional,
    access: DeleteComments, path: (IssueId, CommentId), headers: ExpectedVersion
    => deleted(comments::delete(path, headers))
}
