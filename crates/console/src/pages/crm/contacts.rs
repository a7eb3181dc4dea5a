//! Contacts.

use domain::crm::contacts::Contact;
use domain::kernel::input::json::Json;
use domain::transfer::ExportedList;

use super::Deals;
use crate::pages::tickets::Tickets;
use crate::pages::work::Tasks;
use crate::records::{By, ColumnOrder, Kind, KindView, Records, Related, Routes, routes};

/// Contacts as pages.
pub(crate) type Contacts = Records<Contact>;

/// The full name, or the e-mail address of a contact without a name.
fn title_of(record: &Json) -> String {
    let names = ["first_name", "last_name"].iter().filter_map(|name| record[*name].as_str());
    let names = names.collect::<Vec<_>>().join(" ");
    if names.is_empty() { record["email"].as_str().unwrap_or_default().to_owned() } else { names }
}

impl Kind for Contacts {
    type PageData = ();

    const ROUTES: Routes = routes!("contacts", "contact_id");
    const EXPORTED: fn(Self::Filter) -> ExportedList = ExportedList::Contacts;
    const VIEW: KindView = KindView {
        title: "name",
        title_of,
        orders: &[ColumnOrder::ascending("name", "name_asc", "name_desc"), ColumnOrder::CREATED, ColumnOrder::CHANGED],
        usual: &["first_name", "last_name", "email", "phone", "company_id", "job_title", "contact_type", "assigned_to"],
        responsible: Some("assigned_to"),
        bulk: &["assigned_to", "contact_type", "status", "company_id"],
        has_tags: true,
        related: &[
            Related::of::<Tickets>(By::Email { filter: "requester", field: "requester_email" }),
            Related::of::<Deals>(By::Id("contact_id")),
            Related::of::<Tasks>(By::Id("contact_id")),
        ],
        detail_is_text: true,
        ..KindView::of("users", &["email", "company_id", "contact_type", "phone", "assigned_to", "updated_at"])
    };
}
