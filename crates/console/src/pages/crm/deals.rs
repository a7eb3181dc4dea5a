//! Deals.

use domain::console::views::ViewPage;
use domain::crm::comments::CrmRecord;
use domain::identity::access::{CreateIssues, ReadIssues};
use domain::records::RecordKind;
use domain::work::comments::CommentedRecord;

use crate::records::{By, Related, Shown, crm_kind, routes, title_of_members};

/// Deals as pages.
pub(crate) enum Deals {}

crm_kind! {
    Deals: deals, Deal, DealFields, DealFilter, DealId,
    access: ReadDeals, CreateDeals, UpdateDeals, DeleteDeals,
    kind: RecordKind::Deal,
    routes: routes!("/deals", "deal_id"),
    shown: Shown {
        texts: "deals",
        icon: "briefcase",
        views: Some(ViewPage::Deals),
        title: "title",
        title_of: |record| title_of_members(record, &["title"]),
        columns: &["stage", "value", "company_id", "assigned_to", "expected_close_date"],
        orders: &[("created_at", ""), ("value", "value"), ("updated_at", "updated")],
        money: Some(("value", "currency")),
        // Kept in other systems, which set them over the API.
        hidden: &["price_book_id", "package_id", "developer_id"],
        bulk: &["assigned_to", "status", "expected_close_date"],
        has_tags: true,
        related: &[Related {
                title: "tasks-title",
                icon: "checkbox",
                path: "/tasks",
                by: By::Id("deal_id"),
                is_open_to: |caller| caller.permit::<ReadIssues>().is_ok(),
                may_add: |caller| caller.permit::<CreateIssues>().is_ok(),
            }],
        commented: Some(|id| CommentedRecord::Crm(CrmRecord::Deal(id.into()))),
        other_form: Some((super::board::PATH, "board-title")),
    }
}
