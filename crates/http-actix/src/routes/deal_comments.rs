//! `/crm/deals/{deal_id}/comments`.

use domain::crm::comments::{self, CommentChange, RecordComment, RecordCommentFields};
use domain::identity::access::{DeleteDeals, ReadDeals, UpdateDeals};
use domain::kernel::versions::ExpectedVersion;
use domain::{CommentId, DealId};
use http_core::body::{self, Patch};
use http_core::query::Paged;
use http_core::{action, operation, responses};

operation! {
    List = "GET /api/v1/crm/deals/{deal_id}/comments",
    access: ReadDeals, path: DealId, query: Paged<RecordComment>
    => list(comments::list(path, page))
}

action! {
    Create = "POST /api/v1/crm/deals/{deal_id}/comments",
    access: UpdateDeals, path: DealId, body: body::Create<RecordCommentFields>
    => comments::create(path, body) -> RecordComment, |comment| responses::created_without_location(comment)
}

operation! {
    Update = "PATCH /api/v1/crm/deals/{deal_id}/comments/{comment_id}",
    access: UpdateDeals, path: (DealId, CommentId), headers: ExpectedVersion, body: Patch<CommentChange>
    => changed(comments::update(path, headers, body))
}

operation! {
    Delete = "DELETE /api/v1/crm/deals/{deal_id}/comments/{comment_id}",
    access: DeleteDeals, path: (DealId, CommentId), headers: ExpectedVersion
    => deleted(comments::delete(path, headers))
}
