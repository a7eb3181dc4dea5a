//! Queueing e-mails within their limits.
//!
//! The counts are rows that are updated in the transaction that causes the e-mail: they are exact under concurrency, and a
//! rollback restores them. Transactions that update the same row wait for each other's commit. The row of a mailbox is
//! shared by all workspaces, so that wait is kept short: it comes last, and a mailbox that has reached its limit is only
//! read.
//!
//! Lock order: the workspace's hour, then mailboxes in sort order.

use diesel::sql_types::Text;
use domain::EmailPartId;
use domain::email::{EmailBatch, EmailPart, Enqueued, QueuedEmail};
use domain::limits::Window;
use domain::ports::{EmailQueueRepo, StoreError};

use super::parts;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

/// Counts e-mails that were dropped, by the limit that they would have exceeded.
pub const EMAILS_DROPPED: &str = "service_emails_dropped_total";
/// The values of its label `reason`.
pub const EMAIL_DROP_REASONS: [&str; 3] = [WORKSPACE_LIMIT, MAILBOX_LIMIT, QUEUE_FULL];
const WORKSPACE_LIMIT: &str = "workspace_limit";
const MAILBOX_LIMIT: &str = "mailbox_limit";
const QUEUE_FULL: &str = "queue_full";

impl EmailQueueRepo for PgTx<'_> {
    fn enqueue_all(&mut self, emails: &[QueuedEmail]) -> Result<Vec<Enqueued>, StoreError> {
        if emails.iter().any(|email| email.workspace.0 != self.workspace) {
            return Err(StoreError::Internal("an e-mail is sealed for another workspace".to_owned()));
        }
        enqueue(self, emails)
    }

    fn append_all(&mut self, parts: &[EmailPart]) -> Result<Vec<bool>, StoreError> {
        parts::append_all(self, parts)
    }

    fn withdraw(&mut self, parts: &[(EmailBatch, EmailPartId)]) -> Result<(), StoreError> {
        parts::withdraw(self, parts)
    }

    fn discard(&mut self, batch: EmailBatch) -> Result<(), StoreError> {
        self.execute(parts::discard_query(self.workspace, batch)).map(drop)
    }
}

/// Queues e-mails of one workspace, in its own queue.
pub(crate) fn enqueue(tx: &mut PgTx<'_>, emails: &[QueuedEmail]) -> Result<Vec<Enqueued>, StoreError> {
    let Some(first) = emails.first() else { return Ok(Vec::new()) };
    let rows: Vec<String> = tx.load(enqueue_query(first, emails))?;
    let outcomes = rows.iter().map(|text| outcome_of(text)).collect::<Result<Vec<_>, _>>()?;
    for outcome in &outcomes {
        let reason = match outcome {
            Enqueued::Queued => {
                tx.queued_emails += 1;
                continue;
            }
            Enqueued::AlreadyOpen => continue,
            Enqueued::WorkspaceLimit => WORKSPACE_LIMIT,
            Enqueued::MailboxLimit => MAILBOX_LIMIT,
            Enqueued::QueueFull => QUEUE_FULL,
        };
        log::debug!("dropped an e-mail of workspace {}: {reason}", first.workspace);
        metrics::counter!(EMAILS_DROPPED, "reason" => reason).increment(1);
    }
    Ok(outcomes)
}

fn outcome_of(text: &str) -> Result<Enqueued, StoreError> {
    Ok(match text {
        "queued" => Enqueued::Queued,
        "open" => Enqueued::AlreadyOpen,
        "workspace" => Enqueued::WorkspaceLimit,
        "mailbox" => Enqueued::MailboxLimit,
        "full" => Enqueued::QueueFull,
        other => return Err(StoreError::Internal(format!("{other:?} is not an outcome of an e-mail"))),
    })
}

/// A count may exceed its limit by what the last statement added: e-mails beyond the limit are not queued, and the next
/// statement finds the limit reached. Waiting e-mails are counted only up to the limit of the queue. The ORDER BY makes
/// Postgres count them in the index, even if few other e-mails are waiting.
pub(crate) fn enqueue_query(first: &QueuedEmail, emails: &[QueuedEmail]) -> Statement<Text> {
    let sql = sql!(
        "WITH wanted AS (
             SELECT *, row_number() OVER (PARTITION BY counts ORDER BY place) AS number
             FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::bytea[], $7::timestamptz[], $8::uuid[],
                     $9::bool[], $10::bytea[], $11::text[], $12::timestamptz[], $13::integer[], $14::integer[],
                     $19::text[])
                 WITH ORDINALITY AS wanted (id, recipient, subject, body_key_id, body, due_at, batch, counts, mailbox,
                     purpose, since, allowed, room, subject_of_many, place)
         ), counted AS (
             SELECT count(*) AS mails FROM wanted WHERE counts
         ), hour AS (
             INSERT INTO mail_hours AS kept (workspace_id, hour, mails)
             SELECT $1, $16, counted.mails FROM counted
             WHERE counted.mails > 0 AND NOT EXISTS (
                 SELECT FROM mail_hours AS used
                 WHERE used.workspace_id = $1 AND used.hour = $16 AND used.mails >= $17
             ) AND $17 > 0
             ON CONFLICT (workspace_id, hour) DO UPDATE SET mails = kept.mails + excluded.mails
             WHERE kept.mails < $17
             RETURNING kept.mails
         ), sendable AS (
             SELECT *, row_number() OVER same AS turn, count(*) OVER (PARTITION BY mailbox, purpose, since) AS turns
             FROM wanted
             WHERE NOT counts OR number <= $17 - ((SELECT mails FROM hour) - (SELECT mails FROM counted))
             WINDOW same AS (PARTITION BY mailbox, purpose, since ORDER BY place)
         ), reached AS (
             INSERT INTO mail_recipients AS kept (recipient, purpose, since, mails)
             SELECT mailbox, purpose, since, max(turns) FROM sendable
             WHERE allowed > 0 AND NOT EXISTS (
                 SELECT FROM mail_recipients AS used
                 WHERE used.recipient = sendable.mailbox AND used.purpose = sendable.purpose
                     AND used.since = sendable.since AND used.mails >= sendable.allowed
             )
             GROUP BY mailbox, purpose, since ORDER BY mailbox, purpose, since
             ON CONFLICT (recipient, purpose, since) DO UPDATE SET mails = kept.mails + excluded.mails
             RETURNING kept.recipient, kept.purpose, kept.since, kept.mails
         ), allowed AS (
             SELECT sendable.*, row_number() OVER (ORDER BY place) AS position
             FROM sendable JOIN reached ON reached.recipient = sendable.mailbox
                 AND reached.purpose = sendable.purpose AND reached.since = sendable.since
             WHERE sendable.turn <= sendable.allowed - (reached.mails - sendable.turns)
         ), waiting AS (
             SELECT count(*) AS mails FROM (
                 SELECT FROM mails WHERE next_attempt_at IS NOT NULL AND workspace_id = $1
                 ORDER BY next_attempt_at LIMIT $18
             ) AS waiting
         ), fitting AS (
             SELECT allowed.* FROM allowed, waiting WHERE waiting.mails + allowed.position <= allowed.room
         ), queued AS (
             INSERT INTO mails (workspace_id, id, recipient, subject, body_key_id, body, attempts, next_attempt_at,
                 created_at, batch, subject_of_many, purpose)
             SELECT $1, id, recipient, subject, body_key_id, body, 0, due_at, $15, batch, subject_of_many, purpose
             FROM fitting
             ON CONFLICT (workspace_id, batch) WHERE batch IS NOT NULL DO NOTHING
             RETURNING id
         )
         SELECT CASE
             WHEN EXISTS (SELECT FROM queued WHERE queued.id = wanted.id) THEN 'queued'
             WHEN EXISTS (SELECT FROM fitting WHERE fitting.id = wanted.id) THEN 'open'
             WHEN EXISTS (SELECT FROM allowed WHERE allowed.id = wanted.id) THEN 'full'
             WHEN EXISTS (SELECT FROM sendable WHERE sendable.id = wanted.id) THEN 'mailbox'
             ELSE 'workspace' END
         FROM wanted ORDER BY place"
    );
    let sql = sql.returns::<Text>().bind(first.workspace.0).bind_each(emails, |email| email.id.0);
    let sql = sql.bind_each(emails, |email| email.to.clone()).bind_each(emails, |email| email.subject.clone());
    let sql = sql.bind_each(emails, |email| email.text.key_id.clone());
    let sql = sql.bind_each(emails, |email| email.text.sealed.clone()).bind_each(emails, |email| email.due_at);
    let sql = sql.bind_each(emails, |email| email.batch.map(EmailBatch::id));
    let sql = sql.bind_each(emails, |email| email.per_hour.is_some());
    let sql = sql.bind_each(emails, |email| email.mailbox.mailbox.to_vec());
    let sql = sql.bind_each(emails, |email| email.mailbox.purpose.as_str());
    let sql = sql.bind_each(emails, |email| email.mailbox.since).bind_each(emails, |email| to_i32(email.mailbox.limit));
    let sql = sql.bind_each(emails, |email| to_i32(email.queue_limit));
    let per_hour = emails.iter().filter_map(|email| email.per_hour).max().unwrap_or(0);
    let queue_limit = emails.iter().map(|email| email.queue_limit).max().unwrap_or(0);
    let sql = sql.bind(first.created_at).bind(Window::Hour.start_of(first.created_at));
    let sql = sql.bind(i64::try_from(per_hour).unwrap_or(i64::MAX)).bind(i64::from(queue_limit));
    sql.bind_each(emails, |email| email.subject_of_many.clone())
}

fn to_i32(limit: u32) -> i32 {
    i32::try_from(limit).unwrap_or(i32::MAX)
}
