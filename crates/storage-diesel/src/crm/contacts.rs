//! Contacts.

use diesel::prelude::*;
use domain::crm::contacts::{Contact, ContactFilter, ContactStatus, ContactType};
use domain::kernel::paging::PageRequest;
use domain::ports::{ContactRepo, StoreError};
use domain::{CompanyId, ContactId};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::columns::columns;
use crate::convert;
use crate::errors::expect_rows;
use crate::page_query::{List, Order, PageQuery};
use crate::schema::{array_to_tsvector, contacts};
use crate::statement::{RowOf, SameText, Statement};
use crate::support::lexemes::Prefix;
use crate::tx::{PgTx, deletion};

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = contacts, primary_key(workspace_id, id))]
#[diesel(treat_none_as_default_value = false, treat_none_as_null = true)]
pub(crate) struct ContactRow {
    workspace_id: Uuid,
    id: Uuid,
    email: String,
    first_name: Option<String>,
    last_name: Option<String>,
    phone: Option<String>,
    job_title: Option<String>,
    company_id: Option<Uuid>,
    company_name: Option<String>,
    contact_type: String,
    status: String,
    lead_source: Option<String>,
    industry: Option<String>,
    notes: Option<String>,
    tags: Vec<String>,
    custom_fields: Value,
    external_id: Option<String>,
    country: Option<String>,
    state: Option<String>,
    city: Option<String>,
    social_linkedin: Option<String>,
    version: i64,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
    created_by_type: String,
    created_by_id: Option<Uuid>,
}

impl ContactRow {
    fn of(workspace: Uuid, contact: &Contact) -> Self {
        let contact = contact.clone();
        Self {
            workspace_id: workspace,
            id: contact.id.0,
            email: contact.email,
            first_name: contact.first_name,
            last_name: contact.last_name,
            phone: contact.phone,
            job_title: contact.job_title,
            company_id: contact.company_id.map(|id| id.0),
            company_name: contact.company_name,
            contact_type: contact.contact_type.as_str().to_owned(),
            status: contact.status.as_str().to_owned(),
            lead_source: contact.lead_source,
            industry: contact.industry,
            notes: contact.notes,
            tags: contact.tags,
            custom_fields: Value::Object(contact.custom_fields),
            external_id: contact.external_id,
            country: contact.country,
            state: contact.state,
            city: contact.city,
            social_linkedin: contact.social_linkedin,
            version: contact.version,
            created_at: contact.created_at,
            updated_at: contact.updated_at,
            created_by_type: contact.created_by.kind.as_str().to_owned(),
            created_by_id: contact.created_by.id,
        }
    }

    fn into_contact(self) -> Result<Contact, StoreError> {
        Ok(Contact {
            id: ContactId(self.id),
            email: self.email,
            first_name: self.first_name,
            last_name: self.last_name,
            phone: self.phone,
            job_title: self.job_title,
            company_id: self.company_id.map(CompanyId),
            company_name: self.company_name,
            contact_type: convert::word(&self.contact_type, ContactType::from_word)?,
            status: convert::word(&self.status, ContactStatus::from_word)?,
            lead_source: self.lead_source,
            industry: self.industry,
            notes: self.notes,
            tags: self.tags,
            custom_fields: convert::object(self.custom_fields)?,
            external_id: self.external_id,
            country: self.country,
            state: self.state,
            city: self.city,
            social_linkedin: self.social_linkedin,
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
            created_by: convert::actor(&self.created_by_type, self.created_by_id)?,
        })
    }
}

impl ContactRepo for PgTx<'_> {
    fn insert(&mut self, contact: &Contact) -> Result<(), StoreError> {
        let lexemes = Prefix::of(self.workspace).lexemes(&contact.search_words());
        let row = (
            ContactRow::of(self.workspace, contact),
            contacts::email_key.eq(contact.email_key()),
            contacts::search.eq(array_to_tsvector(lexemes)),
        );
        self.execute(diesel::insert_into(contacts::table).values(row)).map(drop)
    }

    fn get(&mut self, id: ContactId) -> Result<Option<Contact>, StoreError> {
        let query = contacts::table.find((self.workspace, id.0)).filter(contacts::deleted_at.is_null());
        self.first(query.select(ContactRow::as_select()))?.map(ContactRow::into_contact).transpose()
    }

    fn get_for_update(&mut self, id: ContactId) -> Result<Option<Contact>, StoreError> {
        let query = contacts::table.find((self.workspace, id.0)).filter(contacts::deleted_at.is_null());
        let query = query.select(ContactRow::as_select()).for_no_key_update();
        self.first(query)?.map(ContactRow::into_contact).transpose()
    }

    fn save(&mut self, contact: &Contact) -> Result<(), StoreError> {
        let lexemes = Prefix::of(self.workspace).lexemes(&contact.search_words());
        let row = (
            ContactRow::of(self.workspace, contact),
            contacts::email_key.eq(contact.email_key()),
            contacts::search.eq(array_to_tsvector(lexemes)),
        );
        let target = contacts::table.find((self.workspace, contact.id.0)).filter(contacts::deleted_at.is_null());
        let affected = self.execute(SameText(diesel::update(target).set(row)))?;
        expect_rows(affected, 1)
    }

    fn delete(&mut self, id: ContactId, now: OffsetDateTime) -> Result<bool, StoreError> {
        self.mark_deleted(deletion!("contacts"), id.0, now)
    }

    fn list(&mut self, filter: &ContactFilter, page: &PageRequest) -> Result<Vec<Contact>, StoreError> {
        if filter.matches_nothing() {
            return Ok(Vec::new());
        }
        let rows: Vec<ContactRow> = self.page(list_query(self.workspace, filter, page), page)?;
        rows.into_iter().map(ContactRow::into_contact).collect()
    }
}

const LIST: List = List {
    select: columns!(ContactRow),
    from: "contacts",
    conditions: "workspace_id = $1 AND deleted_at IS NULL",
    order: Order::NewestFirst,
};

pub(crate) fn list_query(workspace: Uuid, filter: &ContactFilter, page: &PageRequest) -> Statement<RowOf<ContactRow>> {
    let prefix = Prefix::of(workspace);
    PageQuery::new(&LIST, workspace, page)
        .any_text("status", filter.statuses.iter().map(|status| status.as_str()).collect())
        .search(filter.search.as_ref().and_then(|query| prefix.query(query)))
        .build()
}

/// Adds many at once.
pub(crate) fn insert_many(tx: &mut PgTx<'_>, records: &[Contact]) -> Result<(), StoreError> {
    let prefix = Prefix::of(tx.workspace);
    let row = |contact: &Contact| {
        (
            ContactRow::of(tx.workspace, contact),
            contacts::email_key.eq(contact.email_key()),
            contacts::search.eq(array_to_tsvector(prefix.lexemes(&contact.search_words()))),
        )
    };
    let rows: Vec<_> = records.iter().map(row).collect();
    tx.execute(diesel::insert_into(contacts::table).values(rows)).map(drop)
}
