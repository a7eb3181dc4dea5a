//! `/crm/companies`.

use domain::CompanyId;
use domain::crm::companies::{Company, CompanyFields, CompanyFilter};
use domain::identity::access::{CreateCompanies, DeleteCompanies, ReadCompanies, UpdateCompanies};
use domain::kernel::versions::ExpectedVersion;
use domain::records::{self, DeletedRecord, HistoryEvent, Listed};
use http_core::body::{self, Patch};
use http_core::conditions::NoneMatch;
use http_core::query::{Paged, Records};
use http_core::{action, operation};

operation! {
    /// List companies.
    List = "GET /api/v1/crm/companies", contract: additional, access: ReadCompanies, query: Records<CompanyFilter, Company>
    => records(records::list_or_deleted(filter, page)) -> Listed<Company>
}

action! {
    /// Create a company.
    Create = "POST /api/v1/crm/companies", contract: additional, access: CreateCompanies, body: body::Create<CompanyFields>,
    errors: [Duplicate]
    => records::create(body) -> Company, created(|company| format!("/api/v1/crm/companies/{}", company.id))
}

operation! {
    /// Read a company.
    Read = "GET /api/v1/crm/companies/{company_id}", contract: additional, access: ReadCompanies, path: CompanyId, headers: NoneMatch
    => one(records::read(path)) -> Company
}

operation! {
    /// Change a company.
    Update = "PATCH /api/v1/crm/companies/{company_id}", contract: additional,
    access: UpdateCompanies, path: CompanyId, headers: ExpectedVersion, body: Patch<CompanyFields>,
    errors: [Duplicate]
    => changed(records::update(path, headers, body)) -> Company
}

operation! {
    /// Delete a company.
    Delete = "DELETE /api/v1/crm/companies/{company_id}", contract: additional,
    access: DeleteCompanies, path: CompanyId, headers: ExpectedVersion
    => shown(records::delete::<Company>(path, headers)) -> DeletedRecord
}

operation! {
    /// List the history of a company.
    History = "GET /api/v1/crm/companies/{company_id}/history", contract: additional, access: ReadCompanies, path: CompanyId, query: Paged<HistoryEvent>
    => list(records::read_history(path, page)) -> HistoryEvent
}

action! {
    /// Restore a deleted company.
    Restore = "POST /api/v1/crm/companies/{company_id}/restore", contract: additional, access: DeleteCompanies, path: CompanyId, body: body::Empty,
    errors: [Duplicate, InvalidStateChange]
    => records::restore(path) -> Company, shown
}
