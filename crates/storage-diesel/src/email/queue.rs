//! The e-mail queue: workspaces enqueue, and the workers of all instances claim across workspaces.
//!
//! A claimed e-mail becomes due again when its lease expires; no lock is held while it is sent.

use async_trait::async_trait;
use diesel::sql_types::{BigInt, Binary, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::email::{ClaimedEmail, EmailAttemptRecord, EmailClaim, EmailVerdict, LEASE, QueuedEmail};
use domain::kernel::sealing::SealedSecret;
use domain::ports::{EmailQueue, EmailQueueRepo, StoreError};
use domain::{EmailId, WorkspaceId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::convert;
use crate::statement::{Statement, sql};
use crate::store::PgStore;
use crate::tx::PgTx;

/// Counts queued e-mails.
pub const EMAILS_QUEUED: &str = "service_emails_queued_total";
/// Counts e-mails that were dropped because their workspace's queue was full.
pub const EMAILS_DROPPED: &str = "service_emails_dropped_total";

impl EmailQueueRepo for PgTx<'_> {
    fn enqueue(&mut self, email: &QueuedEmail) -> Result<(), StoreError> {
        if email.workspace.0 != self.workspace {
            return Err(StoreError::Internal("an e-mail is sealed for another workspace".to_owned()));
        }
        enqueue(self, email)
    }
}

/// Queues an e-mail in its own workspace.
pub(crate) fn enqueue(tx: &mut PgTx<'_>, email: &QueuedEmail) -> Result<(), StoreError> {
    if tx.execute(enqueue_query(email))? > 0 {
        tx.queued_emails += 1;
    } else {
        log::error!("dropped an e-mail of workspace {}: {} already queued", email.workspace, email.queue_limit);
        metrics::counter!(EMAILS_DROPPED).increment(1);
    }
    Ok(())
}

/// Counts only up to the limit. The ORDER BY makes Postgres count in the index, even if few other e-mails wait.
pub(crate) fn enqueue_query(email: &QueuedEmail) -> Statement {
    let sql = sql!(
        "INSERT INTO mails (workspace_id, id, recipient, subject, body_key_id, body, attempts, next_attempt_at, created_at)
         SELECT $1, $2, $3, $4, $5, $6, 0, $7, $7
         WHERE (
             SELECT count(*) FROM (
                 SELECT FROM mails WHERE next_attempt_at IS NOT NULL AND workspace_id = $1
                 ORDER BY next_attempt_at LIMIT $8
             ) AS waiting
         ) < $8"
    );
    let sql = sql.bind::<SqlUuid, _>(email.workspace.0).bind::<SqlUuid, _>(email.id.0);
    let sql = sql.bind::<Text, _>(email.to.clone()).bind::<Text, _>(email.subject.clone());
    let sql = sql.bind::<Text, _>(email.text.key_id.clone()).bind::<Binary, _>(email.text.sealed.clone());
    sql.bind::<Timestamptz, _>(email.created_at).bind::<BigInt, _>(i64::from(email.queue_limit))
}

#[async_trait]
impl EmailQueue for PgStore {
    async fn claim_emails(&self, claim: &EmailClaim) -> Result<Vec<ClaimedEmail>, StoreError> {
        let claim = claim.clone();
        self.run_autocommit(move |tx| take(tx, &claim)).await
    }

    async fn record_email(&self, record: &EmailAttemptRecord) -> Result<bool, StoreError> {
        let record = record.clone();
        self.run_autocommit(move |tx| Ok(tx.execute(record_query(&record))? > 0)).await
    }

    async fn release_emails(&self, owner: Uuid, now: OffsetDateTime) -> Result<(), StoreError> {
        self.run_autocommit(move |tx| tx.execute(release_query(owner, now)).map(drop)).await
    }

    async fn prune_emails(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        self.run_autocommit(move |tx| Ok(tx.execute(prune_query(before, limit))? as u64)).await
    }
}

type Row = (Uuid, Uuid, String, String, String, Vec<u8>, OffsetDateTime, i32);

fn take(tx: &mut PgTx<'_>, claim: &EmailClaim) -> Result<Vec<ClaimedEmail>, StoreError> {
    let rows: Vec<Row> = tx.load(claim_query(claim))?;
    let mut claimed = rows
        .into_iter()
        .map(|(workspace, id, to, subject, key_id, sealed, created_at, attempts)| {
            Ok(ClaimedEmail {
                id: EmailId(id),
                workspace: WorkspaceId(workspace),
                to,
                subject,
                text: SealedSecret { key_id, sealed },
                created_at,
                attempts: convert::small(i64::from(attempts))?,
            })
        })
        .collect::<Result<Vec<_>, StoreError>>()?;
    // UPDATE … RETURNING has no defined order.
    claimed.sort_by_key(|email| (email.workspace, email.created_at, email.id));
    Ok(claimed)
}

type ClaimedEmailColumns = (SqlUuid, SqlUuid, Text, Text, Text, Binary, Timestamptz, Integer);

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
         UPDATE mails SET lease_owner = $2, next_attempt_at = $3
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
         RETURNING workspace_id, id, recipient, subject, body_key_id, body, created_at, attempts"
    );
    let after = claim.after.map_or(Uuid::nil(), |workspace| workspace.0);
    let sql = sql.returns().bind::<SqlUuid, _>(after).bind::<SqlUuid, _>(claim.owner);
    let sql = sql.bind::<Timestamptz, _>(claim.now + LEASE).bind::<Timestamptz, _>(claim.now);
    sql.bind::<BigInt, _>(i64::from(claim.limit_per_workspace)).bind::<BigInt, _>(i64::from(claim.limit))
}

/// Leaves an e-mail alone if another worker has claimed it since.
pub(crate) fn record_query(record: &EmailAttemptRecord) -> Statement {
    let (next, sent, failed, error) = match &record.verdict {
        EmailVerdict::Sent => (None, Some(record.now), None, None),
        EmailVerdict::Retry { at, error } => (Some(*at), None, None, Some(storable(error))),
        EmailVerdict::Failed { error } => (None, None, Some(record.now), Some(storable(error))),
    };
    let sql = sql!(
        "UPDATE mails SET attempts = attempts + 1, lease_owner = NULL, next_attempt_at = $1::timestamptz,
             sent_at = $2, failed_at = $3, last_error = $4, body = CASE WHEN $1::timestamptz IS NOT NULL THEN body END,
             body_key_id = CASE WHEN $1::timestamptz IS NOT NULL THEN body_key_id END
         WHERE workspace_id = $5 AND id = $6 AND lease_owner = $7"
    );
    let sql = sql.bind::<Nullable<Timestamptz>, _>(next).bind::<Nullable<Timestamptz>, _>(sent);
    let sql = sql.bind::<Nullable<Timestamptz>, _>(failed).bind::<Nullable<Text>, _>(error);
    let sql = sql.bind::<SqlUuid, _>(record.workspace.0).bind::<SqlUuid, _>(record.id.0);
    sql.bind::<SqlUuid, _>(record.owner)
}

/// Postgres' text cannot hold NUL, and a mail server may send any bytes.
fn storable(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

pub(crate) fn release_query(owner: Uuid, now: OffsetDateTime) -> Statement {
    let sql = sql!(
        "UPDATE mails SET lease_owner = NULL, next_attempt_at = $1
         WHERE lease_owner IS NOT NULL AND lease_owner = $2"
    );
    sql.bind::<Timestamptz, _>(now).bind::<SqlUuid, _>(owner)
}

pub(crate) fn prune_query(before: OffsetDateTime, limit: u32) -> Statement {
    let sql = sql!(
        "DELETE FROM mails WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM mails WHERE next_attempt_at IS NULL AND coalesce(sent_at, failed_at) < $1
             ORDER BY coalesce(sent_at, failed_at) LIMIT $2
             FOR UPDATE SKIP LOCKED
         ))"
    );
    sql.bind::<Timestamptz, _>(before).bind::<BigInt, _>(i64::from(limit))
}
