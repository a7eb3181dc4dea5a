//! `/issues/{issue_id}/comments`.

use domain::identity::access::{CreateComments, DeleteComments, ReadComments, UpdateComments};
use domain::kernel::versions::ExpectedVersion;
use domain::work::comments::{self, Comment, CommentChange, CommentFields};
use domain::{CommentId, IssueId};
use http_core::body::{self, Patch};
use http_core::query::Paged;
use http_core::{action, operation, responses};

operation! {
    List = "GET /api/v1/issues/{issue_id}/comments", access: ReadComments, path: IssueId, query: Paged<Comment>
    => list(comments::list(path, page))
}

// No `Location`: no route reads one comment.
action! {
    Create = "POST /api/v1/issues/{issue_id}/comments",
    access: CreateComments, path: IssueId, body: body::Create<CommentFields>
    => comments::create(path, body) -> Comment, |comment| responses::created_without_location(comment)
}

operation! {
    Update = "PATCH /api/v1/issues/{issue_id}/comments/{comment_id}",
    access: UpdateComments, path: (IssueId, CommentId), headers: ExpectedVersion, body: Patch<CommentChange>
    => changed(comments::update(path, headers, body))
}

operation! {
    Delete = "DELETE /api/v1/issues/{issue_id}/comments/{comment_id}",
    access: DeleteComments, path: (IssueId, CommentId), headers: ExpectedVersion
    => deleted(comments::delete(path, headers))
}
