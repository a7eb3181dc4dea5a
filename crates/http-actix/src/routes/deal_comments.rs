//! `/crm/deals/{deal_id}/comments`.

use domain::crm::comments::{self, CommentChange, RecordComment, RecordCommentFields};
use domain::identity::access::{DeleteDeals, ReadDeals, UpdateDeals};
use domain::kernel::input::CreatedFilter;
use domain::kernel::versions::ExpectedVersion;
use domain::{CommentId, DealId};
use http_core::body::{self, Patch};
use http_core::query::Filtered;
use http_core::{action, operation};

operation! {
    /// List the notes on a deal.
    List = "GET /api/v1/crm/deals/{deal_id}/comments", contract: additional,
    access: ReadDeals, path: DealId, query: Filtered<CreatedFilter, RecordComment>
    => list(comments::list(path, filter, page)) -> RecordComment
}

action! {
    /// Add a note to a deal.
    Create = "POST /api/v1/crm/deals/{deal_id}/comments", contract: additional,
    access: UpdateDeals, path: DealId, body: body::Create<RecordCommentFields>
    => comments::create(path, body) -> RecordComment, created_without_location
}

operation! {
    /// Change a note on a deal.
    Update = "PATCH /api/v1/crm/deals/{deal_id}/comments/{comment_id}", contract: additional,
    access: UpdateDeals, path: (DealId, CommentId), headers: ExpectedVersion, body: Patch<CommentChange>
    => changed(comments::update(path, headers, body)) -> RecordComment
}

operation! {
    /// Delete a note on a deal.
    Delete = "DELETE /api/v1/crm/deals/{deal_id}/comments/{comment_id}", contract: additional,
    access: DeleteDeals, path: (DealId, CommentId), headers: ExpectedVersion
    => deleted(comments::delete(path, headers))
}
