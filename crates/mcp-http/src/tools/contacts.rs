//! Contacts.

use domain::crm::contacts::{self, Contact, ContactFields, ContactFilter, ContactStatus, ContactType};
use domain::identity::access::{CreateContacts, DeleteContacts, ReadContacts, UpdateContacts};
use domain::kernel::input::Several;
use domain::kernel::search::SearchQuery;
use domain::tools::Tool;
use domain::{CompanyId, ContactId, Error, fields};
use schemars::JsonSchema;
use serde::Serialize;

use crate::arguments::{Delete, Get, Paged, Update};
use crate::long_texts::{Detail, LongMember, LongTexts};
use crate::outputs::{Deleted, Listing};
use crate::tool::{ToolCall, ToolRequest, ToolResult};

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

fields! {
    /// Which contacts.
    pub(crate) struct Filter {
        /// Starts of words in name, e-mail, company name, phone or job title; all must match.
        search: SearchQuery,
        /// In any of these statuses.
        status: Several<ContactStatus, 4>,
    }
}

/// Lists and searches contacts.
pub(crate) struct ListContacts;

impl ToolCall for ListContacts {
    const TOOL: Tool = Tool::ListContacts;
    const TITLE: &'static str = "List contacts";
    const DESCRIPTION: &'static str = "Finds people of the CRM, newest first, as compact rows; search narrows by starts of words. Use it to get the id that other contact tools need. Cheap.";
    type Permission = ReadContacts;
    type Arguments = Paged<Filter, Contact>;
    type Output = Listing<Row>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Paged { filter, page, .. } = call.arguments;
        let statuses = filter.status.set().map(|several| several.0.clone()).unwrap_or_default();
        let filter = ContactFilter { statuses, search: filter.search.set().cloned() };
        let page = contacts::list(&call.ports, &call.permit, filter, page).await?;
        Ok(ToolResult::Fresh(Listing::of(page, Row::of)))
    }
}

/// Reads a contact.
pub(crate) struct GetContact;

impl ToolCall for GetContact {
    const TOOL: Tool = Tool::GetContact;
    const TITLE: &'static str = "Get contact";
    const DESCRIPTION: &'static str = "Reads one contact with all fields by its id. Use list_contacts with search first when you only know a name or an address. Cheap.";
    type Permission = ReadContacts;
    type Arguments = Get<Contact>;
    type Output = Detail<Contact>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let found = contacts::read(&call.ports, &call.permit, call.arguments.id.into()).await?;
        Ok(ToolResult::Fresh(Detail::new(found, call.arguments.part)))
    }
}

/// Makes a contact.
pub(crate) struct CreateContact;

impl ToolCall for CreateContact {
    const TOOL: Tool = Tool::CreateContact;
    const TITLE: &'static str = "Create contact";
    const DESCRIPTION: &'static str = "Adds a person to the CRM. The e-mail address must be new in the workspace: search first. Counts against the monthly CRM quota.";
    type Permission = CreateContacts;
    type Arguments = ContactFields;
    type Output = Detail<Contact>;

    async fn call(mut call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let once = call.once();
        Ok(ToolResult::made(contacts::create(&call.ports, &call.permit, once, call.arguments).await?))
    }
}

/// Changes a contact.
pub(crate) struct UpdateContact;

impl ToolCall for UpdateContact {
    const TOOL: Tool = Tool::UpdateContact;
    const TITLE: &'static str = "Update contact";
    const DESCRIPTION: &'static str = "Changes fields of a contact. Fields that are absent stay; null clears one.";
    type Permission = UpdateContacts;
    type Arguments = Update<ContactFields>;
    type Output = Detail<Contact>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Update { id, expected, fields } = call.arguments;
        let changed = contacts::update(&call.ports, &call.permit, id.into(), expected, fields).await?;
        Ok(ToolResult::Fresh(Detail::new(changed, None)))
    }
}

/// Deletes a contact.
pub(crate) struct DeleteContact;

impl ToolCall for DeleteContact {
    const TOOL: Tool = Tool::DeleteContact;
    const TITLE: &'static str = "Delete contact";
    const DESCRIPTION: &'static str =
        "Deletes a contact. The record disappears for everybody; there is no undo. Confirm with the person first.";
    type Permission = DeleteContacts;
    type Arguments = Delete;
    type Output = Deleted;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Delete { id, expected } = call.arguments;
        contacts::delete(&call.ports, &call.permit, id.into(), expected).await?;
        Ok(ToolResult::Fresh(Deleted::of(id)))
    }
}
