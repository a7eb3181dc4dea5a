//! `/issues/{issue_id}/comments`.

use domain::IssueId;
use domain::identity::access::{CreateComments, ReadComments};
use domain::work::comments::{self, Comment, CommentFields};
use http_core::query::Paged;
use http_core::{action, body, operation, responses};

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
