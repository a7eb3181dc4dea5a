//! Companies.

use domain::records::RecordKind;

use super::{Contacts, Deals};
use crate::pages::work::Tasks;
use crate::records::{By, ColumnOrder, Related, Shown, crm_kind, routes, title_of_members};

/// Companies as pages.
pub(crate) enum Companies {}

crm_kind! {
    Companies: companies, Company, CompanyFields, CompanyFilter, CompanyId,
    access: ReadCompanies, CreateCompanies, UpdateCompanies, DeleteCompanies,
    kind: RecordKind::Company, exported: Companies,
    routes: routes!("companies", "company_id"),
    shown: Shown {
        title: "name",
        title_of: |record| title_of_members(record, &["name"]),
        orders: &[
            ColumnOrder::up_first("name", "name_asc", "name_desc"),
            ColumnOrder::CREATED,
            ColumnOrder::CHANGED,
        ],
        responsible: Some("assigned_to"),
        bulk: &["assigned_to", "industry"],
        related: &[
            Related::of::<Contacts>(By::Id("company_id")),
            Related::of::<Deals>(By::Id("company_id")),
            Related::of::<Tasks>(By::Id("company_id")),
        ],
        detail_is_text: true,
        ..Shown::of("building", &["domain", "industry", "phone", "assigned_to", "updated_at"])
    }
}
