//! Contacts.

use domain::console::names_of_companies;
use domain::crm::contacts::{Contact, ContactFilter, ContactStatus, ContactType};
use domain::crm::upserts;
use domain::identity::access::{EraseContacts, ReadContacts};
use domain::records::{self, Listed};
use domain::support::erasure::{self, ErasureFields, ErasureView};
use domain::tools::Tool;
use domain::{CompanyId, ContactId, Error, UserId};

use crate::arguments::Paged;
use crate::long_texts::long_texts;
use crate::outputs::{FoundRow, Listing, ToolOutput, row};
use crate::tool::{Entry, ToolRequest, ToolResult, entry};

long_texts!(Contact, Some(Tool::GetContact), notes: OptionalText, custom_fields: Object);

row! {
    /// A contact in a list.
    Row of Contact {
        id: ContactId,
        email: String,
        first_name: Option<String>,
        last_name: Option<String>,
        company_id: Option<CompanyId>,
        company_name: Option<String>,
        assigned_to: Option<UserId>,
        contact_type: ContactType,
        status: ContactStatus,
    }
}

/// A page of contacts. If a contact is linked to a company record, its row has that company's name: the contact's own text
/// may be empty or differ.
async fn list(
    call: ToolRequest<ReadContacts, Paged<ContactFilter, Listed<Contact>>>,
) -> Result<ToolResult<Listing<FoundRow<Row>>>, Error> {
    let Paged { filter, page, .. } = call.arguments;
    let mut page = records::list_or_deleted::<Contact>(&call.ports, &call.permit, filter, page).await?;
    let companies = page.items.iter().filter_map(|listed| listed.record.company_id).collect();
    let names = names_of_companies(&call.ports, &call.permit, companies).await?;
    for listed in &mut page.items {
        let name = listed.record.company_id.and_then(|id| names.get(&id));
        listed.record.company_name = name.cloned().or_else(|| listed.record.company_name.take());
    }
    Ok(ToolResult::Fresh(Listing::of(page, |contact| FoundRow::of(contact, Row::of))))
}

impl ToolOutput for ErasureView {}

async fn erase(call: ToolRequest<EraseContacts, ErasureFields>) -> Result<ToolResult<ErasureView>, Error> {
    Ok(ToolResult::Fresh(erasure::erase(&call.ports, &call.permit, call.arguments).await?))
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(Tool::ListContacts, "List contacts", "Finds contacts, newest first by default.").run(list),
        entry(Tool::GetContact, "Get contact", "Reads one contact with all fields.")
            .get(records::read::<Contact>),
        entry(Tool::CreateContact, "Create contact", "Adds a contact. Its email must be new.")
            .create(records::create::<Contact>),
        entry(Tool::UpdateContact, "Update contact", "Changes a contact; null clears a field.")
            .update(records::update::<Contact>),
        entry(Tool::DeleteContact, "Delete contact", "Deletes a contact. Confirm first; restorable for 30 days.")
            .delete_with_references(records::delete::<Contact>),
        entry(
            Tool::EraseContact,
            "Erase a person's data",
            "Erases a person's data for good, by contact_id or email. Confirm first; delete_contact is usually enough.",
        )
        .run(erase),
        entry(
            Tool::UpsertContacts,
            "Create or update contacts",
            "Creates or changes up to 500 contacts, each as in create_contact or with expected_version, matched by external_id, else email. Above 25: 10 calls a minute.",
        )
        .upsert(upserts::upsert::<Contact>),
    ]
}
