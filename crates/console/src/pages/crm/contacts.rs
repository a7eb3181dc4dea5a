//! Contacts.

use domain::console::views::ViewPage;
use domain::crm::comments::CrmRecord;
use domain::identity::access::{CreateDeals, CreateIssues, ReadDeals, ReadIssues};
use domain::kernel::input::json::Json;
use domain::records::RecordKind;
use domain::work::comments::CommentedRecord;

use crate::records::{By, ColumnOrder, Related, Shown, crm_kind, routes};

/// Contacts as pages.
pub(crate) enum Contacts {}

/// Both names, or the address of whoever has none.
fn title_of(record: &Json) -> String {
    let names = ["first_name", "last_name"].iter().filter_map(|name| record[*name].as_str());
    let names = names.collect::<Vec<_>>().join(" ");
    if names.is_empty() { record["email"].as_str().unwrap_or_default().to_owned() } else { names }
}

crm_kind! {
    Contacts: contacts, Contact, ContactFields, ContactFilter, ContactId,
    access: ReadContacts, CreateContacts, UpdateContacts, DeleteContacts,
    kind: RecordKind::Contact,
    routes: routes!("/contacts", "contact_id"),
    shown: Shown {
        texts: "contacts",
        icon: "users",
        views: Some(ViewPage::Contacts),
        title: "name",
        title_of,
        columns: &["email", "company_id", "contact_type", "phone", "assigned_to", "updated_at"],
        orders: &[
            ColumnOrder::up_first("name", "name_asc", "name_desc"),
            ColumnOrder::CREATED,
            ColumnOrder::CHANGED,
        ],
        money: None,
        hidden: &[],
        usual: &["first_name", "last_name", "email", "phone", "company_id", "job_title", "contact_type", "assigned_to"],
        responsible: Some("assigned_to"),
        bulk: &["assigned_to", "contact_type", "status", "company_id"],
        has_tags: true,
        related: &[Related {
            title: "tickets-title",
            icon: "messages",
            kind: RecordKind::Ticket,
            path: "/tickets",
            by: By::Email { filter: "requester", field: "requester_email" },
            is_open_to: |caller| caller.permit::<ReadIssues>().is_ok(),
            may_add: |caller| caller.permit::<CreateIssues>().is_ok(),
        }, Related {
            title: "deals-title",
            icon: "briefcase",
            kind: RecordKind::Deal,
            path: "/deals",
            by: By::Id("contact_id"),
            is_open_to: |caller| caller.permit::<ReadDeals>().is_ok(),
            may_add: |caller| caller.permit::<CreateDeals>().is_ok(),
        }, Related {
                title: "tasks-title",
                icon: "checkbox",
                kind: RecordKind::Task,
                path: "/tasks",
                by: By::Id("contact_id"),
                is_open_to: |caller| caller.permit::<ReadIssues>().is_ok(),
                may_add: |caller| caller.permit::<CreateIssues>().is_ok(),
            }],
        commented: Some(|id| CommentedRecord::Crm(CrmRecord::Contact(id.into()))),
        other_form: None,
    }
}
