//! `/crm/companies/{company_id}/comments`.

use domain::crm::comments::{self, CommentChange, RecordComment, RecordCommentFields};
use domain::identity::access::{DeleteCompanies, ReadCompanies, UpdateCompanies};
use domain::kernel::versions::ExpectedVersion;
use domain::{CommentId, CompanyId};
use http_core::body::{self, Patch};
use http_core::query::Paged;
use http_core::{action, operation, responses};

operation! {
    List = "GET /api/v1/crm/companies/{company_id}/comments",
    access: ReadCompanies, path: CompanyId, query: Paged<RecordComment>
    => list(comments::list(path, page))
}

action! {
    Create = "POST /api/v1/crm/companies/{company_id}/comments",
    access: UpdateCompanies, path: CompanyId, body: body::Create<RecordCommentFields>
    => comments::create(path, body) -> RecordComment, |comment| responses::created_without_location(comment)
}

operation! {
    Update = "PATCH /api/v1/crm/companies/{company_id}/comments/{comment_id}",
    access: UpdateCompanies, path: (CompanyId, CommentId), headers: ExpectedVersion, body: Patch<CommentChange>
    => changed(comments::update(path, headers, body))
}

operation! {
    Delete = "DELETE /api/v1/crm/companies/{company_id}/comments/{comment_id}",
    access: DeleteCompanies, path: (CompanyId, CommentId), headers: ExpectedVersion
    => deleted(comments::delete(path, headers))
}
