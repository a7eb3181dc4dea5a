//! Other copies of a person's data: e-mails, responses of webhook receivers, entries of the audit log.

use diesel::sql_types::{BigInt, Bool, Nullable, Uuid as SqlUuid};
use domain::email::EmailPurpose;
use domain::ports::StoreError;
use domain::support::erasure::{PersonErasure, Scanned};
use domain::work::issues::ERASED;
use uuid::Uuid;

use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

/// How many rows are scanned per step; most have no data of the person.
const ROWS: u32 = 1_000;
/// Replaces bodies that were stored before there was an event log.
const ERASED_BODY: &str = r#"{"data":"erased"}"#;

/// The position where the erasure's phase continues.
fn position(erasure: &PersonErasure) -> Uuid {
    erasure.behind.as_deref().and_then(|text| text.parse().ok()).unwrap_or_default()
}

fn next(last: Option<Uuid>, rows: usize) -> Option<String> {
    last.filter(|_| rows == ROWS as usize).map(|id| id.to_string())
}

pub(super) fn drop_emails(tx: &mut PgTx<'_>, erasure: &PersonErasure, _: u32) -> Result<Scanned<u64>, StoreError> {
    let rows: Vec<(Uuid, bool)> = tx.load(emails_query(tx.workspace, erasure))?;
    let ids: Vec<Uuid> = rows.iter().filter(|(_, is_theirs)| *is_theirs).map(|(id, _)| *id).collect();
    let count = ids.len() as u64;
    let sql = sql!("DELETE FROM mails WHERE workspace_id = $1 AND id = ANY ($2)");
    tx.execute(sql.bind(tx.workspace).bind(ids))?;
    // There are few, and they are deleted within seconds anyway.
    let sql = sql!("DELETE FROM link_requests WHERE workspace_id = $1 AND email = ANY ($2)");
    tx.execute(sql.bind(tx.workspace).bind(erasure.email_keys()))?;
    Ok(Scanned { found: count, next: next(rows.last().map(|(id, _)| *id), rows.len()) })
}

pub(crate) fn emails_query(workspace: Uuid, erasure: &PersonErasure) -> Statement<(SqlUuid, Bool)> {
    // Workspace, addresses, erasure, last id, limit, purposes.
    let sql = sql!(
        "SELECT id, ((recipient = ANY ($2) OR lower(recipient) = ANY ($2)) AND coalesce(purpose = ANY ($6), true)) OR coalesce(batch IN (
             SELECT record_id FROM person_erasure_records WHERE workspace_id = $1 AND erasure_id = $3 AND record_id = batch
         ), false)
         FROM mails WHERE workspace_id = $1 AND id > $4 ORDER BY id LIMIT $5"
    );
    let addresses: Vec<String> = erasure.emails.iter().cloned().chain(erasure.email_keys()).collect();
    let sql = sql.returns().bind(workspace).bind(addresses).bind(erasure.id.0).bind(position(erasure));
    let purposes = EmailPurpose::ALL.iter().filter(|purpose| purpose.is_to_customer());
    sql.bind(i64::from(ROWS)).bind_each(purposes, |purpose| purpose.as_str())
}

pub(super) fn drop_email_parts(tx: &mut PgTx<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    let mails: Vec<Uuid> = tx.load(email_parts_query(tx.workspace, ids))?;
    if mails.is_empty() {
        return Ok(());
    }
    let sql = sql!(
        "DELETE FROM mails WHERE workspace_id = $1 AND id = ANY ($2) AND lease_owner IS NULL
             AND NOT EXISTS (SELECT FROM mail_parts WHERE workspace_id = $1 AND mail_id = mails.id)"
    );
    tx.execute(sql.bind(tx.workspace).bind(mails)).map(drop)
}

pub(crate) fn email_parts_query(workspace: Uuid, ids: &[Uuid]) -> Statement<SqlUuid> {
    let sql = sql!("DELETE FROM mail_parts WHERE workspace_id = $1 AND id = ANY ($2) RETURNING mail_id");
    sql.returns().bind(workspace).bind(ids.to_vec())
}

pub(super) fn erase_responses(tx: &mut PgTx<'_>, erasure: &PersonErasure, _: u32) -> Result<Scanned<u64>, StoreError> {
    let rows: Vec<(Uuid, bool)> = tx.load(deliveries_query(tx.workspace, erasure))?;
    let ids: Vec<Uuid> = rows.iter().filter(|(_, is_theirs)| *is_theirs).map(|(id, _)| *id).collect();
    let count = ids.len() as u64;
    // Deliveries first: recording an attempt locks them, and then sees that the response must be erased.
    let bodies = sql!(
        "UPDATE webhook_deliveries SET erased = true, body = CASE WHEN body IS NOT NULL THEN $3 END
         WHERE workspace_id = $1 AND id = ANY ($2)"
    );
    let responses = sql!(
        "UPDATE webhook_attempts SET response = $3
         WHERE workspace_id = $1 AND delivery_id = ANY ($2) AND response IS NOT NULL"
    );
    for (sql, replacement) in [(bodies, ERASED_BODY), (responses, ERASED)] {
        tx.execute(sql.bind(tx.workspace).bind(ids.clone()).bind(replacement))?;
    }
    Ok(Scanned { found: count, next: next(rows.last().map(|(id, _)| *id), rows.len()) })
}

pub(crate) fn deliveries_query(workspace: Uuid, erasure: &PersonErasure) -> Statement<(SqlUuid, Bool)> {
    // Workspace, addresses, names, erasure, last id, limit.
    let sql = sql!(
        "SELECT delivery.id, coalesce(
             EXISTS (SELECT FROM person_erasure_records
                 WHERE workspace_id = $1 AND erasure_id = $4 AND record_id IN (event.record_id, delivery.event_id))
             OR delivery.body ~* (SELECT person_pattern($2, $3)), false)
         FROM (SELECT id, event_id, body FROM webhook_deliveries
               WHERE workspace_id = $1 AND id > $5 ORDER BY id LIMIT $6) AS delivery
         LEFT JOIN LATERAL (
             SELECT record_id FROM events WHERE workspace_id = $1 AND id = delivery.event_id OFFSET 0
         ) AS event ON true
         ORDER BY delivery.id"
    );
    let sql = sql.returns().bind(workspace).bind(erasure.emails.clone()).bind(erasure.names.clone()).bind(erasure.id.0);
    sql.bind(position(erasure)).bind(i64::from(ROWS))
}

/// The number of changed entries, and the last scanned one.
type AuditColumns = (BigInt, Nullable<SqlUuid>);

pub(super) fn erase_from_audit_log(
    tx: &mut PgTx<'_>,
    erasure: &PersonErasure,
    _: u32,
) -> Result<Scanned<u64>, StoreError> {
    let sql = sql!("SELECT erased, last FROM erase_from_audit_log($1, $2, $3, $4)").returns::<AuditColumns>();
    let sql = sql.bind(tx.workspace).bind(erasure.id.0).bind(position(erasure));
    let (erased, last) = tx.value::<_, (i64, Option<Uuid>)>(sql.bind(i64::from(ROWS)))?;
    Ok(Scanned { found: erased.unsigned_abs(), next: last.map(|id| id.to_string()) })
}
