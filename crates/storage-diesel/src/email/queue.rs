//! The e-mail queue: workspaces enqueue, and the workers of all instances claim across workspaces.
//!
//! A claimed e-mail becomes due again when its lease expires; no lock is held while it is sent.

use std::collections::BTreeMap;

use async_trait::async_trait;
use diesel::sql_types::{BigInt, Binary, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::email::{
    ClaimedEmail, EmailAttemptRecord, EmailClaim, EmailVerdict, LEASE, LONGEST_WAIT, MAX_PARTS, SealedPart,
};
use domain::kernel::sealing::SealedSecret;
use domain::ports::{EmailQueue, StoreError};
use domain::{EmailId, EmailPartId, WorkspaceId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::convert;
use crate::engine::statement::{Statement, sql};
use crate::engine::store::PgStore;
use crate::engine::tx::PgTx;

#[async_trait]
impl EmailQueue for PgStore {
    async fn claim_emails(&self, claim: &EmailClaim) -> Result<Vec<ClaimedEmail>, StoreError> {
        let claim = claim.clone();
        self.run_autocommit(move |tx| take(tx, &claim)).await
    }

    async fn record_email(&self, record: &EmailAttemptRecord) -> Result<bool, StoreError> {
        let record = record.clone();
        self.run_autocommit(move |tx| tx.value::<_, i64>(record_query(&record)).map(|rows| rows > 0)).await
    }

    async fn release_emails(&self, owner: Uuid, now: OffsetDateTime) -> Result<(), StoreError> {
        self.run_autocommit(move |tx| tx.execute(release_query(owner, now)).map(drop)).await
    }

    async fn bring_back_emails(&self, now: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        self.run_autocommit(move |tx| Ok(tx.execute(bring_back_query(now, limit))? as u64)).await
    }

    async fn prune_emails(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        self.run_autocommit(move |tx| Ok(tx.execute(prune_query(before, limit))? as u64)).await
    }

    async fn prune_email_counts(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        let prune = move |tx: &mut PgTx<'_>| {
            let mailboxes = tx.execute(prune_mailboxes_query(before, limit))?;
            Ok(mailboxes.max(tx.execute(prune_hours_query(before, limit))?) as u64)
        };
        self.run_autocommit(prune).await
    }
}

type Row = (Uuid, Uuid, String, String, String, Vec<u8>, OffsetDateTime, i32, i64, Option<String>);

fn take(tx: &mut PgTx<'_>, claim: &EmailClaim) -> Result<Vec<ClaimedEmail>, StoreError> {
    let rows: Vec<Row> = tx.load(claim_query(claim))?;
    let mut parts = parts_of(tx, &rows)?;
    let mut emails = rows
        .into_iter()
        .map(|(workspace, id, to, subject, key_id, sealed, created_at, attempts, batch_bytes, subject_of_many)| {
            Ok(ClaimedEmail {
                id: EmailId(id),
                workspace: WorkspaceId(workspace),
                to,
                subject,
                subject_of_many,
                text: SealedSecret { key_id, sealed },
                parts: parts.remove(&id).unwrap_or_default(),
                leaves_out: usize::try_from(batch_bytes).map_or(true, |bytes| bytes > MAX_PARTS),
                created_at,
                attempts: convert::small(i64::from(attempts))?,
            })
        })
        .collect::<Result<Vec<_>, StoreError>>()?;
    // UPDATE … RETURNING has no defined order.
    emails.sort_by_key(|email| (email.workspace, email.created_at, email.id));
    Ok(emails)
}

type PartRow = (Uuid, Uuid, String, Vec<u8>);

/// The parts of claimed e-mails, with at most one statement.
fn parts_of(tx: &mut PgTx<'_>, rows: &[Row]) -> Result<BTreeMap<Uuid, Vec<SealedPart>>, StoreError> {
    let batched: Vec<_> = rows.iter().filter(|row| row.8 > 0).map(|row| (row.0, row.1)).collect();
    let mut parts: BTreeMap<Uuid, Vec<SealedPart>> = BTreeMap::new();
    if batched.is_empty() {
        return Ok(parts);
    }
    let part_rows: Vec<PartRow> = tx.load(parts_query(&batched))?;
    for (email, id, key_id, sealed) in part_rows {
        let part = SealedPart { id: EmailPartId(id), text: SealedSecret { key_id, sealed } };
        parts.entry(email).or_default().push(part);
    }
    Ok(parts)
}

pub(crate) fn parts_query(emails: &[(Uuid, Uuid)]) -> Statement<(SqlUuid, SqlUuid, Text, Binary)> {
    let sql = sql!(
        "SELECT parts.mail_id, parts.id, parts.body_key_id, parts.body
         FROM unnest($1::uuid[], $2::uuid[]) AS claimed (workspace_id, mail_id)
         CROSS JOIN LATERAL (
             SELECT mail_id, id, body_key_id, body FROM mail_parts
             WHERE workspace_id = claimed.workspace_id AND mail_id = claimed.mail_id ORDER BY id
         ) AS parts
         ORDER BY parts.mail_id, parts.id"
    );
    let (workspaces, ids): (Vec<_>, Vec<_>) = emails.iter().copied().unzip();
    sql.returns().bind(workspaces).bind(ids)
}

type ClaimedEmailColumns = (SqlUuid, SqlUuid, Text, Text, Text, Binary, Timestamptz, Integer, BigInt, Nullable<Text>);

/// Postgres has no skip scan, so each step finds the next workspace with waiting e-mails, up to the limit. Rows that
/// another worker is claiming are skipped.
pub(crate) fn claim_query(claim: &EmailClaim) -> Statement<ClaimedEmailColumns> {
    let sql = sql!(
        "WITH RECURSIVE walk (workspace_id) AS (
             SELECT $1::uuid
             UNION ALL
             SELECT next.workspace_id FROM walk
             CROSS JOIN LATERAL (
                 SELECT workspace_id FROM mails
                 WHERE next_attempt_at IS NOT NULL AND workspace_id > walk.workspace_id
                 ORDER BY workspace_id LIMIT 1
             ) AS next
         )
         UPDATE mails SET lease_owner = $2, next_attempt_at = $3, batch = NULL
         WHERE ctid = ANY (ARRAY(
             SELECT due.ctid FROM walk
             CROSS JOIN LATERAL (
                 SELECT ctid FROM mails
                 WHERE next_attempt_at IS NOT NULL AND workspace_id = walk.workspace_id AND workspace_id > $1
                     AND next_attempt_at <= $4
                 ORDER BY next_attempt_at LIMIT $5
                 FOR NO KEY UPDATE SKIP LOCKED
             ) AS due
             LIMIT $6
         ))
         RETURNING workspace_id, id, recipient, subject, body_key_id, body, created_at, attempts, batch_bytes,
             subject_of_many"
    );
    let after = claim.after.map_or(Uuid::nil(), |workspace| workspace.0);
    let sql = sql.returns().bind(after).bind(claim.owner).bind(claim.now + LEASE).bind(claim.now);
    sql.bind(i64::from(claim.limit_per_workspace)).bind(i64::from(claim.limit))
}

/// Does not change an e-mail that another worker has claimed since.
pub(crate) fn record_query(record: &EmailAttemptRecord) -> Statement<BigInt> {
    let (next, sent, failed, error) = match &record.verdict {
        EmailVerdict::Sent => (None, Some(record.now), None, None),
        EmailVerdict::Retry { at, error } => (Some(*at), None, None, Some(storable(error))),
        EmailVerdict::Failed { error } => (None, None, Some(record.now), Some(storable(error))),
    };
    let sql = sql!(
        "WITH done AS (
             UPDATE mails SET attempts = attempts + 1, lease_owner = NULL, next_attempt_at = $1::timestamptz,
                 sent_at = $2, failed_at = $3, last_error = $4,
                 body = CASE WHEN $1::timestamptz IS NOT NULL THEN body END,
                 body_key_id = CASE WHEN $1::timestamptz IS NOT NULL THEN body_key_id END
             WHERE workspace_id = $5 AND id = $6 AND lease_owner = $7
             RETURNING id
         ), erased AS (
             DELETE FROM mail_parts
             WHERE workspace_id = $5 AND mail_id = $6 AND $1::timestamptz IS NULL AND EXISTS (SELECT FROM done)
         )
         SELECT count(*) FROM done"
    )
    .returns::<BigInt>();
    sql.bind(next).bind(sent).bind(failed).bind(error).bind(record.workspace.0).bind(record.id.0).bind(record.owner)
}

/// Postgres text cannot contain NUL, and a mail server may send any bytes.
fn storable(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

pub(crate) fn release_query(owner: Uuid, now: OffsetDateTime) -> Statement {
    let sql = sql!(
        "UPDATE mails SET lease_owner = NULL, next_attempt_at = $1
         WHERE lease_owner IS NOT NULL AND lease_owner = $2"
    );
    sql.bind(now).bind(owner)
}

/// Walks from workspace to workspace like a claim, and reads the last e-mails of each.
pub(crate) fn bring_back_query(now: OffsetDateTime, limit: u32) -> Statement {
    let sql = sql!(
        "WITH RECURSIVE walk (workspace_id) AS (
             SELECT '00000000-0000-0000-0000-000000000000'::uuid
             UNION ALL
             SELECT next.workspace_id FROM walk
             CROSS JOIN LATERAL (
                 SELECT workspace_id FROM mails
                 WHERE next_attempt_at IS NOT NULL AND workspace_id > walk.workspace_id
                 ORDER BY workspace_id LIMIT 1
             ) AS next
         )
         UPDATE mails SET lease_owner = NULL, next_attempt_at = $3
         WHERE ctid = ANY (ARRAY(
             SELECT late.ctid FROM walk
             CROSS JOIN LATERAL (
                 SELECT ctid FROM mails
                 WHERE next_attempt_at IS NOT NULL AND workspace_id = walk.workspace_id AND next_attempt_at > $1
                 ORDER BY next_attempt_at LIMIT $2
                 FOR NO KEY UPDATE SKIP LOCKED
             ) AS late
             LIMIT $2
         ))"
    );
    sql.bind(now + LONGEST_WAIT).bind(i64::from(limit)).bind(now)
}

pub(crate) fn prune_query(before: OffsetDateTime, limit: u32) -> Statement {
    let sql = sql!(
        "DELETE FROM mails WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM mails WHERE next_attempt_at IS NULL AND coalesce(sent_at, failed_at) < $1
             ORDER BY coalesce(sent_at, failed_at) LIMIT $2
             FOR UPDATE SKIP LOCKED
         ))"
    );
    sql.bind(before).bind(i64::from(limit))
}

pub(crate) fn prune_mailboxes_query(before: OffsetDateTime, limit: u32) -> Statement {
    let sql = sql!(
        "WITH old AS MATERIALIZED (
             SELECT recipient, purpose, since FROM mail_recipients WHERE since < $1
             ORDER BY since LIMIT $2
             FOR UPDATE SKIP LOCKED
         )
         DELETE FROM mail_recipients WHERE (recipient, purpose, since) IN (SELECT recipient, purpose, since FROM old)"
    );
    sql.bind(before).bind(i64::from(limit))
}

pub(crate) fn prune_hours_query(before: OffsetDateTime, limit: u32) -> Statement {
    let sql = sql!(
        "DELETE FROM mail_hours WHERE (workspace_id, hour) IN (
             SELECT workspace_id, hour FROM mail_hours WHERE hour < $1
             ORDER BY hour LIMIT $2
             FOR UPDATE SKIP LOCKED
         )"
    );
    sql.bind(before).bind(i64::from(limit))
}
