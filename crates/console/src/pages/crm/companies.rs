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
    kind: RecordKind::Company,
    routes: routes!("/companies", "company_id"),
    shown: Shown {
        title: "name",
        title_of: |record| title_of_members(record, &["name"]),
        columns: &["domain", "industry", "phone", "assigned_to", "updated_at"],
        orders: &[
            ColumnOrder::up_first("name", "name_asc", "name_desc"),
            ColumnOrder::CREATED,
            ColumnOrder::CHANGED,
        ],
        money: None,
        hidden: &[],
        usual: &[],
        responsible: Some("assigned_to"),
        bulk: &["assigned_to", "industry"],
        has_tags: false,
        related: &[
            Related::of::<Contacts>(By::Id("company_id")),
            Related::of::<Deals>(By::Id("company_id")),
            Related::of::<Tasks>(By::Id("company_id")),
        ],
        other_form: None,
    }
}
