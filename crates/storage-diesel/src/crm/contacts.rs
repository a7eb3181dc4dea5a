//! Contacts.

use diesel::prelude::*;
use domain::crm::contacts::{Contact, ContactFilter};
use domain::kernel::KeySet;
use domain::ports::{ContactRepo, NamedRecord, RowLock, StoreError};
use domain::records::{Kind, RecordKind};
use serde_json::{Map, Value};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::console::search::{SearchedKind, search_part};
use crate::crm::batch::{self, BatchTable, KeyColumns, insertion_sql, keys_sql, many_sql, update_sql};
use crate::crm::{comments, named};
use crate::directory::records_erasure::erased;
use crate::directory::search_reindex::searched;
use crate::engine::columns::columns;
use crate::engine::insertion::Insertion;
use crate::engine::page_query::{LIVE, List, ON_CONTACTS, PageQuery, UPDATED_SINCE};
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::PgTx;
use crate::records::{ListedTable, StoredKind, deleted_list, in_table, live_list};
use crate::rows::row;
use crate::schema::{array_to_tsvector, contacts};
use crate::support::lexemes::Prefix;

row! {
    #[derive(AsChangeset)]
    #[diesel(primary_key(workspace_id, id), treat_none_as_null = true)]
    pub(crate) struct ContactRow in contacts, into_contact -> Contact, document {
        id: Uuid,
        email: String,
        first_name: Option<String>,
        last_name: Option<String>,
        phone: Option<String>,
        job_title: Option<String>,
        company_id: Option<Uuid>,
        company_name: Option<String>,
        assigned_to: Option<Uuid>,
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
    }
    actors { created_by: (created_by_type, created_by_id) }
}

impl StoredKind for Contact {
    const KIND_SQL: &'static str = "'contact'";
    const TITLE: &'static str = "coalesce(nullif(concat_ws(' ', first_name, last_name), ''), email)";
    const DELETED: &'static List = &deleted_list!("contacts", ContactRow);

    in_table!("contacts", ContactRow, into_contact);
    searched!("contacts", ContactRow, into_contact);

    erased! {
        "contacts", comments("record_comments" by "contact_id"): {
            email = "'erased'", email_key = "'erased'", first_name = "NULL", last_name = "NULL", phone = "NULL",
            job_title = "NULL", company_id = "NULL", company_name = "NULL", assigned_to = "NULL", lead_source = "NULL", industry = "NULL",
            notes = "NULL", tags = "'{}'", custom_fields = "'{}'", external_id = "NULL", country = "NULL", state = "NULL",
            city = "NULL", social_linkedin = "NULL", search = "''"
        } keeps {
            workspace_id, id, contact_type, status, version, created_at, updated_at, created_by_type, created_by_id,
            deleted_at, erased_at, search_stale
        }
    }

    fn lexemes(&self, workspace: Uuid) -> Vec<String> {
        Prefix::of(workspace).with_tags(&self.search_words(), &self.tags)
    }

    fn searched_kind(_: RecordKind) -> Option<SearchedKind> {
        let part = search_part!(Contact, "'contact'", "email");
        Some(SearchedKind { part, words: "$2::text::tsquery", comments: Some((ON_CONTACTS, "$7::text::tsquery")) })
    }

    fn insert(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError> {
        let row = (
            ContactRow::of(tx.workspace, self),
            contacts::email_key.eq(self.email_key()),
            contacts::search.eq(array_to_tsvector(self.lexemes(tx.workspace))),
        );
        let insertion = Insertion::new::<contacts::table, _, _>(Self::TABLE, row).on_conflict_do_nothing();
        tx.insert_one(insertion, &self.unique_values())
    }

    fn save(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError> {
        batch::save_one(tx, self)
    }

    fn filtered(query: PageQuery, workspace: Uuid, filter: &ContactFilter) -> PageQuery {
        let prefix = Prefix::of(workspace);
        query
            // First, because it is the most selective filter.
            .any_id("id", filter.ids.0.iter().map(|id| id.0).collect())
            .either(EMAIL, filter.email.as_ref().map(|email| email.as_str().to_owned()))
            .equal("external_id = $n", filter.external_id.as_ref().map(|id| id.as_str().to_owned()))
            .equal("company_id = $n", filter.company_id.map(|id| id.0))
            .any_id("assigned_to", filter.assignee.0.iter().map(|id| id.0).collect())
            .any_text("status", filter.status.0.iter().map(|status| status.as_str()).collect())
            .any_text("contact_type", filter.contact_type.0.iter().map(|contact_type| contact_type.as_str()).collect())
            .created(&filter.created())
            .bound(UPDATED_SINCE, filter.updated_since)
            .search(prefix.query_with_tags(filter.search.as_ref(), &filter.tag.0), LIVE)
    }
}

impl ListedTable for Contact {
    const LIST: &'static List = &live_list!("contacts", ContactRow);

    fn or_commented(query: PageQuery, workspace: Uuid, filter: &ContactFilter) -> PageQuery {
        let words = comments::on_contacts(workspace).query_of_comments(filter.search.as_ref());
        query.or_commented(ON_CONTACTS, words, Prefix::of(workspace).query_with_tags(None, &filter.tag.0))
    }
}

impl ContactRepo for PgTx<'_> {
    fn named(&mut self, names: &[String]) -> Result<Vec<NamedRecord>, StoreError> {
        named::load(self, named::contacts_query(self.workspace, names), names)
    }

    fn with_shared_address(&mut self, limit: u32) -> Result<Vec<Contact>, StoreError> {
        let sql = shared_query(self.workspace, limit);
        Contact::read(self, sql, usize::MAX)
    }
}

impl BatchTable for Contact {
    fn keys_query(workspace: Uuid, keys: &KeySet, lock: RowLock) -> Statement<KeyColumns> {
        let sql = keys_sql!(
            "contacts",
            "email_key",
            "UNION SELECT id FROM contacts WHERE workspace_id = $1 AND deleted_at IS NULL AND email_key = ANY ($4)",
            "octet_length(custom_fields::text) + coalesce(octet_length(notes), 0)",
            lock
        );
        batch::bind_keys(sql, workspace, keys)
    }

    fn many() -> Statement<Self::Columns> {
        many_sql!("contacts", ContactRow).returns()
    }

    fn document(&self, workspace: Uuid) -> Map<String, Value> {
        let mut document = ContactRow::of(workspace, self).document();
        document.insert("email_key".to_owned(), self.email_key().into());
        document.insert("words".to_owned(), self.lexemes(workspace).into());
        document
    }

    fn insertion() -> Statement {
        insertion_sql!("contacts", ContactRow, ", email_key", ", new.email_key")
    }

    fn update() -> Statement {
        update_sql!("contacts", ContactRow, long["notes", "custom_fields"], unique[], ", email_key", KEY)
    }

    fn update_one() -> Statement {
        update_sql!(
            "contacts",
            ContactRow,
            long["notes", "custom_fields"],
            unique["email_key" if "contacts.email <> new.email", "external_id"],
            ", email_key",
            KEY
        )
    }
}

/// The key of a contact that shares the address of an older contact stays unchanged until its address changes.
const KEY: &str = ", CASE WHEN contacts.email = new.email THEN contacts.email_key ELSE new.email_key END";

/// A contact matches an address if it holds the key of the address, or shares the address: [`crate::directory::email_keys`].
const EMAIL: [&str; 2] = ["email_key = $n", "position(' ' IN email_key) > 0 AND split_part(email_key, ' ', 1) = $n"];

pub(crate) fn shared_query(workspace: Uuid, limit: u32) -> Statement<RowOf<ContactRow>> {
    let sql = sql!(
        "SELECT {COLUMNS} FROM contacts
         WHERE workspace_id = $1 AND position(' ' IN email_key) > 0 AND deleted_at IS NULL
         ORDER BY split_part(email_key, ' ', 1) LIMIT $2"
    );
    sql.returns().bind(workspace).bind(i64::from(limit))
}

const COLUMNS: &str = columns!(ContactRow);
