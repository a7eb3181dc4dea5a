//! Texts about a person: comments, events and stored responses.
//!
//! They are scanned in the order of a key; the position where a step ends is stored as text with the erasure.

use diesel::sql_types::{Bool, Nullable, Text, Uuid as SqlUuid};
use domain::kernel::search::SearchWords;
use domain::ports::StoreError;
use domain::support::erasure::{FoundText, PersonErasure, Scanned, TextKind, TextSource};
use domain::work::issues::ERASED;
use serde_json::Value;
use uuid::Uuid;

use crate::crm::comments as record_comments;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;
use crate::events::chunk_rows::{self, Stored};
use crate::work::comments;

/// How many records are scanned per step, and how many rows of tables where few rows are about the person.
const RECORDS: u32 = 100;
const ROWS: u32 = 500;
/// Separates the parts of a position.
const SEPARATOR: char = '\n';

/// Whether JSON may contain one of the texts `$2`. JSON with escapes or non-ASCII characters always may.
const MAY_MENTION: &str = "(strpos(text, '\\') > 0 OR octet_length(text) <> char_length(text)
    OR EXISTS (SELECT FROM unnest($2::text[]) AS wanted WHERE strpos(lower(text), lower(wanted)) > 0))";

pub(super) fn find(
    tx: &mut PgTx<'_>,
    erasure: &PersonErasure,
    source: TextSource,
    most: u32,
) -> Result<Scanned<Vec<FoundText>>, StoreError> {
    match source {
        TextSource::Comments => of_records(tx, erasure, most, comments_query),
        TextSource::Events => of_records(tx, erasure, most, events_query),
        TextSource::Answers => answers(tx, erasure),
        TextSource::Reports => reports(tx, erasure),
    }
}

/// Record, id, kind of text, text.
type TextColumns = (SqlUuid, SqlUuid, Text, Text);
type TextRow = (Uuid, Uuid, String, String);

/// Builds a statement for the texts of records after a record and an id, up to a limit.
type TextQuery = fn(Uuid, Vec<Uuid>, (Uuid, Uuid), u32) -> Statement<TextColumns>;

/// Texts of the erasure's records, record by record in the order of their ids.
fn of_records(
    tx: &mut PgTx<'_>,
    erasure: &PersonErasure,
    most: u32,
    query: TextQuery,
) -> Result<Scanned<Vec<FoundText>>, StoreError> {
    let position = erasure.behind.as_deref().and_then(|text| text.split_once(SEPARATOR));
    let position = position.and_then(|(record, id)| Some((record.parse().ok()?, id.parse().ok()?)));
    let position = position.unwrap_or((Uuid::nil(), Uuid::nil()));
    let sql = sql!(
        "SELECT record_id FROM person_erasure_records
         WHERE workspace_id = $1 AND erasure_id = $2 AND record_id >= $3 ORDER BY record_id LIMIT $4"
    );
    let sql = sql.returns::<SqlUuid>().bind(tx.workspace).bind(erasure.id.0);
    let records: Vec<Uuid> = tx.load(sql.bind(position.0).bind(i64::from(RECORDS)))?;
    let last_record = records.last().copied().filter(|_| records.len() == RECORDS as usize);
    let mut rows: Vec<TextRow> = tx.load(query(tx.workspace, records, position, most))?;
    complete(tx, &mut rows)?;
    let last = rows.last().filter(|_| rows.len() == most as usize).map(|(record, id, ..)| (*record, *id));
    let next = last.or(last_record.map(|record| (record, Uuid::max())));
    let texts =
        rows.into_iter().map(|(_, id, kind, text)| FoundText { place: id.to_string(), kind: kind_of(&kind), text, id });
    Ok(Scanned { found: texts.collect(), next: next.map(|(record, id)| format!("{record}{SEPARATOR}{id}")) })
}

/// Completes payloads of events; comments have no references to chunks.
fn complete(tx: &mut PgTx<'_>, rows: &mut [TextRow]) -> Result<(), StoreError> {
    let workspace = tx.workspace;
    let mut payloads: Vec<_> = rows.iter_mut().map(|(.., text)| Some(std::mem::take(text))).collect();
    let stored = rows.iter().zip(&mut payloads);
    let stored = stored.map(|((record, event, ..), payload)| Stored {
        workspace,
        event: *event,
        record: Some(*record),
        payload,
    });
    chunk_rows::complete(tx, stored.collect())?;
    for ((_, event, _, text), payload) in rows.iter_mut().zip(payloads) {
        *text = chunk_rows::completed_payload(*event, payload)?;
    }
    Ok(())
}

fn kind_of(word: &str) -> TextKind {
    match word {
        "mentioning" => TextKind::Mentioning,
        "contact" => TextKind::ContactEvent,
        "customer" => TextKind::TicketEvent { is_theirs: true },
        "ticket" => TextKind::TicketEvent { is_theirs: false },
        _ => TextKind::Theirs,
    }
}

pub(crate) fn comments_query(
    workspace: Uuid,
    records: Vec<Uuid>,
    behind: (Uuid, Uuid),
    most: u32,
) -> Statement<TextColumns> {
    let sql = sql!(
        "SELECT record_id, id, kind, body FROM (
             SELECT issue_id AS record_id, id, CASE author_type WHEN 'customer' THEN 'theirs' ELSE 'mentioning' END AS kind,
                 body
             FROM comments WHERE workspace_id = $1 AND issue_id = ANY ($2)
             UNION ALL
             SELECT contact_id, id, 'theirs', body
             FROM record_comments WHERE workspace_id = $1 AND contact_id = ANY ($2) AND contact_id IS NOT NULL
         ) AS comment
         WHERE (record_id, id) > ($3, $4) ORDER BY record_id, id LIMIT $5"
    );
    bind(sql, workspace, records, behind, most)
}

pub(crate) fn events_query(
    workspace: Uuid,
    records: Vec<Uuid>,
    behind: (Uuid, Uuid),
    most: u32,
) -> Statement<TextColumns> {
    let sql = sql!(
        "SELECT record_id, id, CASE WHEN record_type = 'contact' THEN 'contact'
             WHEN actor_type = 'customer' THEN 'customer' ELSE 'ticket' END, payload
         FROM events
         WHERE workspace_id = $1 AND record_id = ANY ($2) AND record_id IS NOT NULL AND (record_id, id) > ($3, $4)
         ORDER BY record_id, id LIMIT $5"
    );
    bind(sql, workspace, records, behind, most)
}

fn bind(
    sql: Statement,
    workspace: Uuid,
    records: Vec<Uuid>,
    (record, id): (Uuid, Uuid),
    most: u32,
) -> Statement<TextColumns> {
    sql.returns().bind(workspace).bind(records).bind(record).bind(id).bind(i64::from(most))
}

/// The next stored responses, with the text of those that may be about the person.
fn answers(tx: &mut PgTx<'_>, erasure: &PersonErasure) -> Result<Scanned<Vec<FoundText>>, StoreError> {
    let rows: Vec<AnswerRow> = tx.load(answers_query(tx.workspace, erasure))?;
    let position = |row: &AnswerRow| format!("{}{SEPARATOR}{}{SEPARATOR}{}", row.0, row.1, row.2);
    let next = rows.last().filter(|_| rows.len() == ROWS as usize).map(position);
    let texts = rows.iter().filter_map(|row| {
        let (text, kind) = (row.4.clone()?, TextKind::Answer { is_theirs: row.3 });
        Some(FoundText { place: position(row), kind, text, id: Uuid::nil() })
    });
    Ok(Scanned { found: texts.collect(), next })
}

/// The credential, route and key of a position.
fn answer_at(position: &str) -> Option<(Uuid, String, String)> {
    let mut parts = position.splitn(3, SEPARATOR);
    let (credential, route, key) = (parts.next()?, parts.next()?, parts.next()?);
    Some((credential.parse().ok()?, route.to_owned(), key.to_owned()))
}

/// Credential, route and key; whether the response is one of the person's records; the text if it must be checked.
type AnswerColumns = (SqlUuid, Text, Text, Bool, Nullable<Text>);
type AnswerRow = (Uuid, String, String, bool, Option<String>);

pub(crate) fn answers_query(workspace: Uuid, erasure: &PersonErasure) -> Statement<AnswerColumns> {
    // Workspace, texts, erasure; credential, route and key of the last one; limit. A customer's responses belong to the ticket.
    let sql = sql!(
        "SELECT credential_id, route, key, is_theirs, CASE WHEN is_theirs OR {MAY_MENTION} THEN text END
         FROM (
             SELECT credential_id, route, key, body AS text FROM idempotency_keys
             WHERE workspace_id = $1 AND (credential_id, route, key) > ($4, $5, $6)
             ORDER BY credential_id, route, key LIMIT $7
         ) AS kept
         CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM person_erasure_records
                 WHERE workspace_id = $1 AND erasure_id = $3 AND record_id = credential_id)
             OR EXISTS (
                 SELECT FROM regexp_matches(text,
                     '\"id\":\"([0-9a-f]{{8}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{12}})\"', 'g') AS named
                 JOIN person_erasure_records ON workspace_id = $1 AND erasure_id = $3 AND record_id = named[1]::uuid)
             OR EXISTS (
                 SELECT FROM regexp_matches(text, '\"reference\":\"([A-Z0-9-]{{1,40}})\"', 'g') AS named
                 JOIN issues ON issues.workspace_id = $1 AND issues.reference = named[1]
                 JOIN person_erasure_records AS record
                     ON record.workspace_id = $1 AND record.erasure_id = $3 AND record.record_id = issues.id)
             AS is_theirs) AS of_person
         ORDER BY credential_id, route, key"
    );
    let position = erasure.behind.as_deref().and_then(answer_at);
    let (credential, route, key) = position.unwrap_or((Uuid::nil(), String::new(), String::new()));
    let sql = sql.returns().bind(workspace).bind(erasure.texts()).bind(erasure.id.0).bind(credential).bind(route);
    sql.bind(key).bind(i64::from(ROWS))
}

/// The next events, with the text of those without a record that may name the person.
fn reports(tx: &mut PgTx<'_>, erasure: &PersonErasure) -> Result<Scanned<Vec<FoundText>>, StoreError> {
    let rows: Vec<(Uuid, Option<String>)> = tx.load(reports_query(tx.workspace, erasure))?;
    let next = rows.last().filter(|_| rows.len() == ROWS as usize).map(|(id, _)| id.to_string());
    let texts = rows
        .into_iter()
        .filter_map(|(id, text)| Some(FoundText { place: id.to_string(), kind: TextKind::Report, text: text?, id }));
    Ok(Scanned { found: texts.collect(), next })
}

pub(crate) fn reports_query(workspace: Uuid, erasure: &PersonErasure) -> Statement<(SqlUuid, Nullable<Text>)> {
    let sql = sql!(
        "SELECT id, CASE WHEN record_id IS NULL AND {MAY_MENTION} THEN text END
         FROM (SELECT id, record_id, payload AS text FROM events WHERE workspace_id = $1 AND id > $3 ORDER BY id LIMIT $4)
             AS event
         ORDER BY id"
    );
    let position: Uuid = erasure.behind.as_deref().and_then(|text| text.parse().ok()).unwrap_or_default();
    sql.returns().bind(workspace).bind(erasure.texts()).bind(position).bind(i64::from(ROWS))
}

pub(super) fn save(tx: &mut PgTx<'_>, source: TextSource, texts_found: &[FoundText]) -> Result<(), StoreError> {
    if source == TextSource::Comments {
        return save_comments(tx, texts_found);
    }
    let texts: Vec<String> = texts_found.iter().map(|one| one.text.clone()).collect();
    if source == TextSource::Answers {
        let keys: Vec<_> = texts_found.iter().filter_map(|one| answer_at(&one.place)).collect();
        let sql = sql!(
            "UPDATE idempotency_keys AS kept SET body = erased.text
             FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) AS erased (credential_id, route, key, text)
             WHERE kept.workspace_id = $1 AND kept.credential_id = erased.credential_id AND kept.route = erased.route
                 AND kept.key = erased.key"
        );
        let sql = sql.bind(tx.workspace).bind_each(&keys, |key| key.0);
        let sql = sql.bind_each(&keys, |key| key.1.clone());
        return tx.execute(sql.bind_each(keys, |key| key.2).bind(texts)).map(drop);
    }
    let sql = sql!(
        "UPDATE events SET payload = erased.text,
             actor_name = CASE WHEN actor_type = 'customer' THEN $4 ELSE actor_name END
         FROM unnest($2::uuid[], $3::text[]) AS erased (id, text) WHERE workspace_id = $1 AND events.id = erased.id"
    );
    tx.execute(sql.bind(tx.workspace).bind_each(texts_found, |one| one.id).bind(texts).bind(ERASED)).map(drop)
}

/// Writes a text with its search words, `$4`; each list is JSON, because Postgres has no ragged arrays.
macro_rules! erased_comments {
    ($table:literal) => {
        sql!(
            "UPDATE {table} SET body = erased.text,
                 search = array_to_tsvector(ARRAY(SELECT jsonb_array_elements_text(erased.words::jsonb)))
             FROM unnest($2::uuid[], $3::text[], $4::text[]) AS erased (id, text, words)
             WHERE workspace_id = $1 AND {table}.id = erased.id",
            table = $table
        )
    };
}

/// Among comments on CRM records, only those on contacts are checked.
fn save_comments(tx: &mut PgTx<'_>, texts_found: &[FoundText]) -> Result<(), StoreError> {
    let workspace = tx.workspace;
    save_texts(tx, erased_comments!("comments"), texts_found, |words| comments::lexemes(workspace, words))?;
    let prefix = record_comments::on_contacts(workspace);
    save_texts(tx, erased_comments!("record_comments"), texts_found, |words| prefix.lexemes(words))
}

fn save_texts(
    tx: &mut PgTx<'_>,
    sql: Statement,
    found: &[FoundText],
    lexemes: impl Fn(&[String]) -> Vec<String>,
) -> Result<(), StoreError> {
    let words = |one: &FoundText| Value::from(lexemes(&SearchWords::in_text(&one.text))).to_string();
    let sql = sql.bind(tx.workspace).bind_each(found, |one| one.id).bind_each(found, |one| one.text.clone());
    tx.execute(sql.bind_each(found, words)).map(drop)
}
