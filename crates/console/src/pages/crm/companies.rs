//! Companies.

use domain::console::views::ViewPage;
use domain::crm::comments::CrmRecord;
use domain::identity::access::{CreateContacts, CreateDeals, CreateIssues, ReadContacts, ReadDeals, ReadIssues};
use domain::records::RecordKind;
use domain::work::comments::CommentedRecord;

use crate::records::{By, ColumnOrder, Related, Shown, crm_kind, routes, title_of_members};

/// Companies as pages.
pub(crate) enum Companies {}

crm_kind! {
    Companies: companies, Company, CompanyFields, CompanyFilter, CompanyId,
    access: ReadCompanies, CreateCompanies, UpdateCompanies, DeleteCompanies,
    kind: RecordKind::Company,
    routes: routes!("/companies", "company_id"),
    shown: Shown {
        texts: "companies",
        icon: "building",
        views: Some(ViewPage::Companies),
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
            Related {
                title: "contacts-title",
                icon: "users",
                kind: RecordKind::Contact,
                path: "/contacts",
                by: By::Id("company_id"),
                is_open_to: |caller| caller.permit::<ReadContacts>().is_ok(),
                may_add: |caller| caller.permit::<CreateContacts>().is_ok(),
            },
            Related {
                title: "deals-title",
                icon: "briefcase",
                kind: RecordKind::Deal,
                path: "/deals",
                by: By::Id("company_id"),
                is_open_to: |caller| caller.permit::<ReadDeals>().is_ok(),
                may_add: |caller| caller.permit::<CreateDeals>().is_ok(),
            },
            Related {
                title: "tasks-title",
                icon: "checkbox",
                kind: RecordKind::Task,
                path: "/tasks",
                by: By::Id("company_id"),
                is_open_to: |caller| caller.permit::<ReadIssues>().is_ok(),
                may_add: |caller| caller.permit::<CreateIssues>().is_ok(),
            },
        ],
        commented: Some(|id| CommentedRecord::Crm(CrmRecord::Company(id.into()))),
        other_form: None,
    }
}
