//! Contacts.

use domain::crm::contacts::{self, Contact, ContactStatus, ContactType};
use domain::identity::access::EraseContacts;
use domain::support::erasure::{self, ErasureFields, ErasureView};
use domain::tools::Tool;
use domain::{CompanyId, ContactId, Error};
use schemars::JsonSchema;
use serde::Serialize;

use crate::long_texts::{LongMember, LongTexts};
use crate::outputs::ToolOutput;
use crate::tool::{Entry, ToolRequest, ToolResult};

impl LongTexts for Contact {
    const NAMES: &'static [&'static str] = &["notes", "custom_fields"];

    fn read_on_with(&self) -> Option<Tool> {
        Some(Tool::GetContact)
    }

    fn long_texts(&mut self) -> Vec<LongMember<'_>> {
        vec![LongMember::OptionalText(&mut self.notes), LongMember::Object(&mut self.custom_fields)]
    }
}

/// A contact in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    id: ContactId,
    email: String,
    first_name: Option<String>,
    last_name: Option<String>,
    company_id: Option<CompanyId>,
    company_name: Option<String>,
    contact_type: ContactType,
    status: ContactStatus,
}

impl Row {
    fn of(contact: &Contact) -> Self {
        Self {
            id: contact.id,
            email: contact.email.clone(),
            first_name: contact.first_name.clone(),
            last_name: contact.last_name.clone(),
            company_id: contact.company_id,
            company_name: contact.company_name.clone(),
            contact_type: contact.contact_type,
            status: contact.status,
        }
    }
}

impl ToolOutput for ErasureView {}

async fn erase(call: ToolRequest<EraseContacts, ErasureFields>) -> Result<ToolResult<ErasureView>, Error> {
    Ok(ToolResult::Fresh(erasure::erase(&call.ports, &call.permit, call.arguments).await?))
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        Entry::list_or_deleted(
            Tool::ListContacts,
            "List contacts",
            "Finds contacts, newest first or (order updated) by change, as compact rows. Use it to get the id that other contact tools need. Cheap.",
            contacts::list_or_deleted,
            Row::of,
        ),
        Entry::get(
            Tool::GetContact,
            "Get contact",
            "Reads one contact with all fields by its id. Use list_contacts first when you only know a name or an address. Cheap.",
            contacts::read,
        ),
        Entry::create(
            Tool::CreateContact,
            "Create contact",
            "Adds a contact. The e-mail address must be new in the workspace: search first. Counts against the monthly CRM quota.",
            contacts::create,
        ),
        Entry::update(
            Tool::UpdateContact,
            "Update contact",
            "Changes fields of a contact. Absent fields stay.",
            contacts::update,
        ),
        Entry::delete(
            Tool::DeleteContact,
            "Delete contact",
            "Deletes a contact. This removes the record for everyone; restore_record brings it back within 30 days. Confirm with the user first.",
            contacts::delete,
        ),
        Entry::of(
            Tool::EraseContact,
            "Erase a person's data",
            "Erases all that is known of a person, by contact_id or email: contact, notes, tickets they opened, replies, history, \
            e-mails. For requests of data protection; delete_contact is the usual way. Nothing brings it back: confirm with the \
            user first. Costly: 10 calls a minute.",
            erase,
        ),
        Entry::upsert(
            Tool::UpsertContacts,
            "Create or update many contacts",
            "Creates or changes 1 to 500 contacts, matched by external_id, else by email; absent fields stay. Says what happened to each. \
            Try dry_run first. Costly: 10 calls a minute.",
            contacts::upsert,
        ),
    ]
}
