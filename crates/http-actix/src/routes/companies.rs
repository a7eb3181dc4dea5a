//! `/crm/companies`.

use domain::CompanyId;
use domain::crm::companies::{self, Company, CompanyFields, CompanyFilter};
use domain::identity::access::{CreateCompanies, DeleteCompanies, ReadCompanies, UpdateCompanies};
use domain::kernel::versions::ExpectedVersion;
use domain::records::{self, HistoryEvent};
use http_core::body::{self, Patch};
use http_core::conditions::NoneMatch;
use http_core::query::{Filtered, Paged};
use http_core::{action, operation, responses};

operation! {
    List = "GET /api/v1/crm/companies", access: ReadCompanies, query: Filtered<CompanyFilter, Company>
    => list(companies::list_or_deleted(filter, page))
}

action! {
    Create = "POST /api/v1/crm/companies", access: CreateCompanies, body: body::Create<CompanyFields>
    => companies::create(body) -> Company,
    |company| responses::created(company, format!("/api/v1/crm/companies/{}", company.id))
}

operation! {
    Read = "GET /api/v1/crm/companies/{company_id}", access: ReadCompanies, path: CompanyId, headers: NoneMatch
    => one(companies::read(path))
}

operation! {
    Update = "PATCH /api/v1/crm/companies/{company_id}",
    access: UpdateCompanies, path: CompanyId, headers: ExpectedVersion, body: Patch<CompanyFields>
    => changed(companies::update(path, headers, body))
}

operation! {
    Delete = "DELETE /api/v1/crm/companies/{company_id}",
    access: DeleteCompanies, path: CompanyId, headers: ExpectedVersion
    => deleted(companies::delete(path, headers))
}

operation! {
    History = "GET /api/v1/crm/companies/{company_id}/history", access: ReadCompanies, path: CompanyId, query: Paged<HistoryEvent>
    => list(records::read_history(path, page))
}

action! {
    Restore = "POST /api/v1/crm/companies/{company_id}/restore", access: DeleteCompanies, path: CompanyId, body: body::Empty
    => companies::restore(path) -> Company, |company| responses::ok_response(company)
}
