//! `/crm/companies/{company_id}/comments`.

use domain::crm::comments::{self, CommentChange, RecordComment, RecordCommentFields};
use domain::identity::access::{DeleteCompanies, ReadCompanies, UpdateCompanies};
use domain::kernel::input::CreatedFilter;
use domain::kernel::versions::ExpectedVersion;
use domain::{CommentId, CompanyId};
use http_core::body::{self, Patch};
use http_core::query::Filtered;
use http_core::{action, operation};

operation! {
    /// List the notes on a company.
    List = "GET /api/v1/crm/companies/{company_id}/comments", contract: additional,
    access: ReadCompanies, path: CompanyId, query: Filtered<CreatedFilter, RecordComment>
    => list(comments::list(path, filter, page)) -> RecordComment
}

action! {
    /// Add a note to a company.
    Create = "POST /api/v1/crm/companies/{company_id}/comments", contract: additional,
    access: UpdateCompanies, path: CompanyId, body: body::Create<RecordCommentFields>
    => comments::create(path, body) -> RecordComment, created_without_location
}

operation! {
    /// Change a note on a company.
    Update = "PATCH /api/v1/crm/companies/{company_id}/comments/{comment_id}", contract: additional,
    access: UpdateCompanies, path: (CompanyId, CommentId), headers: ExpectedVersion, body: Patch<CommentChange>
    => changed(comments::update(path, headers, body)) -> RecordComment
}

operation! {
    /// Delete a note on a company.
    Delete = "DELETE /api/v1/crm/companies/{company_id}/comments/{comment_id}", contract: additional,
    access: DeleteCompanies, path: (CompanyId, CommentId), headers: ExpectedVersion
    => deleted(comments::delete(path, headers))
}
