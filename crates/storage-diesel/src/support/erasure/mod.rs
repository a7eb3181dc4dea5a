//! Erasures of people's data: their rows, and the records to erase. [`texts`] finds copies of their texts.

pub(crate) mod copies;
pub(crate) mod texts;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::crm::contacts::Contact;
use domain::kernel::paging::PageRequest;
use domain::ports::{ErasureRepo, StoreError};
use domain::support::erasure::{ErasedCounts, ErasurePhase, FoundText, PersonErasure, Scanned, TextSource};
use domain::work::issues::ERASED;
use domain::{ContactId, ErasureId, IssueId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::console::undos;
use crate::crm::contacts::ContactRow;
use crate::engine::convert;
use crate::engine::errors::expect_rows;
use crate::engine::page_query::{List, Order, PageQuery};
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;
use crate::events::chunk_rows;
use crate::schema::{array_to_tsvector, contacts};
use crate::support::kb_vain_searches;

impl ErasureRepo for PgTx<'_> {
    fn insert(&mut self, erasure: &PersonErasure) -> Result<(), StoreError> {
        let sql = sql!(
            "INSERT INTO person_erasures (workspace_id, id, contact_id, phase, behind, emails, names, contacts, tickets,
                 comments, events, deliveries, queued_emails, answers, audit_entries, finished_at, turn_at,
                 created_by_type, created_by_id, created_by_name, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)"
        );
        let sql = bind(sql, self.workspace, erasure).bind(erasure.created_by.kind.as_str()).bind(erasure.created_by.id);
        self.execute(sql.bind(erasure.created_by_name.clone()).bind(erasure.created_at)).map(drop)
    }

    fn get(&mut self, id: ErasureId) -> Result<Option<PersonErasure>, StoreError> {
        let sql = sql!("SELECT {COLUMNS} FROM person_erasures WHERE workspace_id = $1 AND id = $2");
        let sql = sql.returns::<Columns>().bind(self.workspace).bind(id.0);
        self.first::<_, ErasureRow>(sql)?.map(ErasureRow::into_erasure).transpose()
    }

    fn list(&mut self, page: &PageRequest) -> Result<Vec<PersonErasure>, StoreError> {
        let rows: Vec<ErasureRow> = self.page(list_query(self.workspace, page), page)?;
        rows.into_iter().map(ErasureRow::into_erasure).collect()
    }

    fn next(&mut self) -> Result<Option<PersonErasure>, StoreError> {
        self.first::<_, ErasureRow>(next_query(self.workspace))?.map(ErasureRow::into_erasure).transpose()
    }

    fn save(&mut self, erasure: &PersonErasure) -> Result<(), StoreError> {
        let sql = sql!(
            "UPDATE person_erasures SET contact_id = $3, phase = $4, behind = $5, emails = $6, names = $7, contacts = $8,
                 tickets = $9, comments = $10, events = $11, deliveries = $12, queued_emails = $13, answers = $14,
                 audit_entries = $15, finished_at = $16, turn_at = $17
             WHERE workspace_id = $1 AND id = $2"
        );
        let affected = self.execute(bind(sql, self.workspace, erasure))?;
        expect_rows(affected, 1)
    }

    fn unfinished(&mut self) -> Result<u64, StoreError> {
        let sql = sql!("SELECT count(*) FROM person_erasures WHERE workspace_id = $1 AND finished_at IS NULL");
        let count: i64 = self.value(sql.returns::<BigInt>().bind(self.workspace))?;
        Ok(count.unsigned_abs())
    }

    fn contacts(&mut self, erasure: &PersonErasure, most: u32) -> Result<Vec<(Contact, bool)>, StoreError> {
        let locked: Vec<(Uuid, bool)> = self.load(contacts_query(self.workspace, erasure, most))?;
        let ids: Vec<Uuid> = locked.iter().map(|(id, _)| *id).collect();
        let by_id = contacts::workspace_id.eq(self.workspace).and(contacts::id.eq_any(ids));
        let query = contacts::table.filter(by_id).order(contacts::id).select(ContactRow::as_select());
        let rows: Vec<ContactRow> = self.load(query)?;
        rows.into_iter().zip(locked).map(|(row, (_, is_live))| Ok((row.into_contact()?, is_live))).collect()
    }

    fn erase_contact(&mut self, contact: &Contact) -> Result<(), StoreError> {
        let words = array_to_tsvector(Vec::<String>::new());
        let row = (
            ContactRow::of(self.workspace, contact),
            contacts::email_key.eq(contact.email_key()),
            contacts::deleted_at.eq(Some(contact.updated_at)),
            contacts::search.eq(words),
        );
        let affected = self.execute(diesel::update(contacts::table.find((self.workspace, contact.id.0))).set(row))?;
        expect_rows(affected, 1)?;
        self.execute(undos::delete_on_query(self.workspace, &[contact.id.0]))?;
        let sql = sql!("UPDATE contacts SET erased_at = $3 WHERE workspace_id = $1 AND id = $2");
        expect_rows(self.execute(sql.bind(self.workspace).bind(contact.id.0).bind(contact.updated_at))?, 1)
    }

    fn tickets(&mut self, erasure: &PersonErasure, most: u32) -> Result<Vec<IssueId>, StoreError> {
        let ids: Vec<Uuid> = self.load(tickets_query(self.workspace, erasure, most))?;
        Ok(ids.into_iter().map(IssueId).collect())
    }

    fn erase_requesters(&mut self, tickets: &[IssueId]) -> Result<(), StoreError> {
        let ids: Vec<Uuid> = tickets.iter().map(|ticket| ticket.0).collect();
        let sql = sql!(
            "UPDATE issues SET requester_name = $3, requester_email = $3, requester_email_key = $3
             WHERE workspace_id = $1 AND id = ANY ($2)"
        );
        expect_rows(self.execute(sql.bind(self.workspace).bind(ids.clone()).bind(ERASED))?, ids.len())?;
        self.execute(undos::delete_on_query(self.workspace, &ids))?;
        for sql in [
            sql!("DELETE FROM tracking_links WHERE workspace_id = $1 AND issue_id = ANY ($2)"),
            sql!("DELETE FROM portal_sessions WHERE workspace_id = $1 AND issue_id = ANY ($2)"),
        ] {
            self.execute(sql.bind(self.workspace).bind(ids.clone()))?;
        }
        Ok(())
    }

    fn add_records(&mut self, id: ErasureId, records: &[Uuid]) -> Result<(), StoreError> {
        let sql = sql!(
            "INSERT INTO person_erasure_records (workspace_id, erasure_id, record_id) SELECT $1, $2, unnest($3::uuid[])
             ON CONFLICT DO NOTHING"
        );
        self.execute(sql.bind(self.workspace).bind(id.0).bind(records.to_vec())).map(drop)
    }

    fn texts(
        &mut self,
        erasure: &PersonErasure,
        source: TextSource,
        most: u32,
    ) -> Result<Scanned<Vec<FoundText>>, StoreError> {
        texts::find(self, erasure, source, most)
    }

    fn save_texts(&mut self, source: TextSource, found: &[FoundText]) -> Result<(), StoreError> {
        if found.is_empty() { Ok(()) } else { texts::save(self, source, found) }
    }

    fn drop_emails(&mut self, erasure: &PersonErasure, most: u32) -> Result<Scanned<u64>, StoreError> {
        copies::drop_emails(self, erasure, most)
    }

    fn drop_email_parts(&mut self, ids: &[Uuid]) -> Result<(), StoreError> {
        if ids.is_empty() { Ok(()) } else { copies::drop_email_parts(self, ids) }
    }

    fn erase_responses(&mut self, erasure: &PersonErasure, most: u32) -> Result<Scanned<u64>, StoreError> {
        copies::erase_responses(self, erasure, most)
    }

    fn erase_from_audit_log(&mut self, erasure: &PersonErasure, most: u32) -> Result<Scanned<u64>, StoreError> {
        copies::erase_from_audit_log(self, erasure, most)
    }

    fn forget_searches(&mut self, names_person: &dyn Fn(&str) -> bool) -> Result<u64, StoreError> {
        kb_vain_searches::forget(self, names_person)
    }

    fn forget_records(&mut self, id: ErasureId, most: u32) -> Result<u64, StoreError> {
        let sql = sql!(
            "SELECT record_id FROM person_erasure_records WHERE workspace_id = $1 AND erasure_id = $2 ORDER BY record_id LIMIT $3"
        );
        let sql = sql.returns::<SqlUuid>().bind(self.workspace).bind(id.0);
        let records: Vec<Uuid> = self.load(sql.bind(i64::from(most.min(MAX_RECORDS_PER_STEP))))?;
        chunk_rows::forget_unused(self, &records)?;
        let sql = sql!(
            "DELETE FROM person_erasure_records WHERE workspace_id = $1 AND erasure_id = $2 AND record_id = ANY ($3)"
        );
        Ok(self.execute(sql.bind(self.workspace).bind(id.0).bind(records))? as u64)
    }
}

/// How many records are finished per step: the events of each are scanned once more.
const MAX_RECORDS_PER_STEP: u32 = 20;

/// Binds the columns that a save writes.
fn bind(sql: Statement, workspace: Uuid, erasure: &PersonErasure) -> Statement {
    let count = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let ErasedCounts { contacts, tickets, comments, events, deliveries, emails, answers, audit_entries } =
        erasure.erased;
    let sql = sql.bind(workspace).bind(erasure.id.0).bind(erasure.contact_id.map(|id| id.0));
    let sql = sql.bind(erasure.phase.as_str()).bind(erasure.behind.clone()).bind(erasure.emails.clone());
    let sql = sql.bind(erasure.names.clone());
    let counts = [contacts, tickets, comments, events, deliveries, emails, answers, audit_entries];
    let sql = counts.into_iter().fold(sql, |sql, value| sql.bind(count(value)));
    sql.bind(erasure.finished_at).bind(erasure.turn_at)
}

const COLUMNS: &str = "id, contact_id, phase, behind, emails, names, contacts, tickets, comments, events, deliveries, \
                       queued_emails, answers, audit_entries, created_by_type, created_by_id, created_by_name, created_at, \
                       finished_at, turn_at";

/// The SQL types of these columns.
pub(crate) type Columns = (
    SqlUuid,
    Nullable<SqlUuid>,
    Text,
    Nullable<Text>,
    Array<Text>,
    Array<Text>,
    BigInt,
    BigInt,
    BigInt,
    BigInt,
    BigInt,
    BigInt,
    BigInt,
    BigInt,
    Text,
    Nullable<SqlUuid>,
    Text,
    Timestamptz,
    Nullable<Timestamptz>,
    Timestamptz,
);

#[derive(Queryable)]
struct ErasureRow {
    id: Uuid,
    contact_id: Option<Uuid>,
    phase: String,
    behind: Option<String>,
    emails: Vec<String>,
    names: Vec<String>,
    contacts: i64,
    tickets: i64,
    comments: i64,
    events: i64,
    deliveries: i64,
    queued_emails: i64,
    answers: i64,
    audit_entries: i64,
    created_by_type: String,
    created_by_id: Option<Uuid>,
    created_by_name: String,
    created_at: OffsetDateTime,
    finished_at: Option<OffsetDateTime>,
    turn_at: OffsetDateTime,
}

impl ErasureRow {
    fn into_erasure(self) -> Result<PersonErasure, StoreError> {
        Ok(PersonErasure {
            id: ErasureId(self.id),
            contact_id: self.contact_id.map(ContactId),
            phase: convert::parse_stored(&self.phase, ErasurePhase::parse)?,
            behind: self.behind,
            emails: self.emails,
            names: self.names,
            erased: ErasedCounts {
                contacts: self.contacts.unsigned_abs(),
                tickets: self.tickets.unsigned_abs(),
                comments: self.comments.unsigned_abs(),
                events: self.events.unsigned_abs(),
                deliveries: self.deliveries.unsigned_abs(),
                emails: self.queued_emails.unsigned_abs(),
                answers: self.answers.unsigned_abs(),
                audit_entries: self.audit_entries.unsigned_abs(),
            },
            created_by: convert::actor(&self.created_by_type, self.created_by_id)?,
            created_by_name: self.created_by_name,
            created_at: self.created_at,
            finished_at: self.finished_at,
            turn_at: self.turn_at,
        })
    }
}

const LIST: List =
    List { select: COLUMNS, from: "person_erasures", conditions: "workspace_id = $1", order: Order::Newest };

pub(crate) fn list_query(workspace: Uuid, page: &PageRequest) -> Statement<Columns> {
    PageQuery::new(&LIST, workspace, page).build()
}

pub(crate) fn next_query(workspace: Uuid) -> Statement<Columns> {
    // Chosen before it is locked, so that the second erasure does not begin while another instance works on the first.
    let sql = sql!(
        "SELECT {COLUMNS} FROM person_erasures WHERE workspace_id = $1 AND id = (
             SELECT id FROM person_erasures WHERE workspace_id = $1 AND finished_at IS NULL
             ORDER BY turn_at, id LIMIT 1)
             AND finished_at IS NULL
         FOR UPDATE SKIP LOCKED"
    );
    sql.returns().bind(workspace)
}

/// Walks from one workspace with unfinished erasures to the next, however many each has.
pub(crate) fn workspaces_query(limit: u32, is_cluster: bool) -> Statement<SqlUuid> {
    // A cluster cannot walk across shards, but there are few unfinished erasures.
    let grouped = sql!(
        "SELECT workspace_id FROM person_erasures WHERE finished_at IS NULL
         GROUP BY workspace_id ORDER BY workspace_id LIMIT $1"
    );
    let sql = sql!(
        "WITH RECURSIVE walk AS (
             (SELECT workspace_id FROM person_erasures WHERE finished_at IS NULL ORDER BY workspace_id LIMIT 1)
             UNION ALL
             SELECT (SELECT workspace_id FROM person_erasures
                     WHERE finished_at IS NULL AND workspace_id > walk.workspace_id ORDER BY workspace_id LIMIT 1)
             FROM walk WHERE walk.workspace_id IS NOT NULL
         )
         SELECT workspace_id FROM walk WHERE workspace_id IS NOT NULL LIMIT $1"
    );
    let sql = if is_cluster { grouped } else { sql };
    sql.returns().bind(i64::from(limit))
}

pub(crate) fn contacts_query(workspace: Uuid, erasure: &PersonErasure, most: u32) -> Statement<(SqlUuid, Bool)> {
    // Workspace, id, addresses, limit. Each part has an index.
    let sql = sql!(
        "SELECT id, deleted_at IS NULL FROM contacts
         WHERE workspace_id = $1 AND erased_at IS NULL AND id = ANY (ARRAY(
             SELECT id FROM contacts WHERE workspace_id = $1 AND id = $2 AND erased_at IS NULL
             UNION
             SELECT id FROM contacts WHERE workspace_id = $1 AND email_key = ANY ($3) AND deleted_at IS NULL
             UNION
             SELECT id FROM contacts
             WHERE workspace_id = $1 AND position(' ' IN email_key) > 0 AND split_part(email_key, ' ', 1) = ANY ($3)
             UNION
             SELECT id FROM contacts
             WHERE workspace_id = $1 AND email_key = ANY ($3) AND deleted_at IS NOT NULL AND erased_at IS NULL
             LIMIT $4))
         ORDER BY id FOR UPDATE"
    );
    let sql = sql.returns().bind(workspace).bind(erasure.contact_id.map(|id| id.0)).bind(erasure.email_keys());
    sql.bind(i64::from(most))
}

pub(crate) fn tickets_query(workspace: Uuid, erasure: &PersonErasure, most: u32) -> Statement<SqlUuid> {
    // Workspace, erasure, addresses, limit, the placeholder in erased records.
    let sql = sql!(
        "(SELECT id FROM issues
          WHERE workspace_id = $1 AND requester_email_key = ANY ($3) AND requester_email_key IS NOT NULL
              AND deleted_at IS NULL
          LIMIT $4)
         UNION
         (SELECT issues.id FROM person_erasure_records AS record
          CROSS JOIN LATERAL (
              SELECT id FROM issues WHERE workspace_id = $1 AND requester_contact_id = record.record_id
                  AND requester_contact_id IS NOT NULL AND requester_email_key <> $5 AND deleted_at IS NULL
              LIMIT $4
          ) AS issues
          WHERE record.workspace_id = $1 AND record.erasure_id = $2
          LIMIT $4)
         LIMIT $4"
    );
    sql.returns().bind(workspace).bind(erasure.id.0).bind(erasure.email_keys()).bind(i64::from(most)).bind(ERASED)
}
