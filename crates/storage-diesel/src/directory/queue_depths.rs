//! Queue depths for metrics, across all workspaces and instances.

use diesel::sql_types::{BigInt, Nullable, Timestamptz};
use domain::ports::StoreError;
use time::OffsetDateTime;

use crate::engine::statement::{Statement, sql};
use crate::engine::store::PgStore;
use crate::engine::tx::PgTx;

/// Each count stops at this number.
pub const MAX_COUNTED: u32 = 10_000;

/// Each count is at most [`MAX_COUNTED`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueDepths {
    pub deliveries: DeliveryDepth,
    pub emails: EmailDepth,
    pub behind: BehindDepth,
}

/// Events whose deliveries are queued later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BehindDepth {
    pub events: u32,
    /// The time of the oldest of them.
    pub oldest_created_at: Option<OffsetDateTime>,
}

/// Webhook deliveries, without those of disabled subscriptions, which are not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryDepth {
    /// Due now.
    pub due: u32,
    /// Waiting for a retry.
    pub retrying: u32,
    /// Claimed by dispatchers.
    pub in_flight: u32,
    /// The due time of the delivery that has waited longest.
    pub oldest_due_at: Option<OffsetDateTime>,
}

/// E-mails that are neither sent nor abandoned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EmailDepth {
    pub waiting: u32,
    /// The creation time of the oldest of them.
    pub oldest_created_at: Option<OffsetDateTime>,
}

impl PgStore {
    /// Counts queued work. The cost is bounded by [`MAX_COUNTED`] instead of the queue's length; like the dispatcher's polls, it
    /// grows with the number of subscriptions that have waiting deliveries.
    pub async fn queue_depths(&self, now: OffsetDateTime) -> Result<QueueDepths, StoreError> {
        self.run_autocommit(move |tx| read(tx, now)).await
    }
}

fn read(tx: &mut PgTx<'_>, now: OffsetDateTime) -> Result<QueueDepths, StoreError> {
    let (due, retrying, in_flight, oldest_due_at): Deliveries = tx.value(tx.placed(deliveries_query(now)))?;
    let (waiting, oldest_created_at): Emails = tx.value(emails_query())?;
    let (events, oldest_behind): Emails = tx.value(tx.placed(behind_query()))?;
    let small = |count: i64| u32::try_from(count).unwrap_or(MAX_COUNTED);
    Ok(QueueDepths {
        deliveries: DeliveryDepth {
            due: small(due),
            retrying: small(retrying),
            in_flight: small(in_flight),
            oldest_due_at,
        },
        emails: EmailDepth { waiting: small(waiting), oldest_created_at },
        behind: BehindDepth { events: small(events), oldest_created_at: oldest_behind },
    })
}

type Deliveries = (i64, i64, i64, Option<OffsetDateTime>);
type Emails = (i64, Option<OffsetDateTime>);

/// Postgres has no skip scan, so each step of the walk finds the first entry after the last subscription. The OFFSET
/// makes Postgres read each subscription by its key, and each count follows the order of the index, so that Postgres
/// uses an index-only scan.
pub(crate) fn deliveries_query(now: OffsetDateTime) -> Statement<(BigInt, BigInt, BigInt, Nullable<Timestamptz>)> {
    let sql = sql!(
        "WITH RECURSIVE walk (workspace_id, subscription_id, next_attempt_at) AS (
            SELECT '00000000-0000-0000-0000-000000000000'::uuid, '00000000-0000-0000-0000-000000000000'::uuid,
                NULL::timestamptz
            UNION ALL
            SELECT next.* FROM walk CROSS JOIN LATERAL (
                SELECT workspace_id, subscription_id, next_attempt_at FROM webhook_deliveries
                WHERE state IN ('pending', 'retrying')
                AND (workspace_id, subscription_id) > (walk.workspace_id, walk.subscription_id)
                ORDER BY workspace_id, subscription_id, next_attempt_at LIMIT 1) AS next),
        enabled AS MATERIALIZED (
            SELECT walk.* FROM walk CROSS JOIN LATERAL (
                SELECT FROM webhook_subscriptions
                WHERE workspace_id = walk.workspace_id AND id = walk.subscription_id AND enabled AND deleted_at IS NULL
                OFFSET 0) AS subscription)
        SELECT
            (SELECT count(*) FROM (SELECT FROM enabled CROSS JOIN LATERAL (
                SELECT FROM webhook_deliveries
                WHERE state IN ('pending', 'retrying') AND workspace_id = enabled.workspace_id
                AND subscription_id = enabled.subscription_id AND next_attempt_at <= $1
                ORDER BY next_attempt_at LIMIT {MAX_COUNTED}) AS one LIMIT {MAX_COUNTED}) AS counted),
            (SELECT count(*) FROM (SELECT FROM enabled CROSS JOIN LATERAL (
                SELECT FROM webhook_deliveries
                WHERE state IN ('pending', 'retrying') AND workspace_id = enabled.workspace_id
                AND subscription_id = enabled.subscription_id AND next_attempt_at > $1
                ORDER BY next_attempt_at LIMIT {MAX_COUNTED}) AS one LIMIT {MAX_COUNTED}) AS counted),
            (SELECT count(*) FROM (
                SELECT FROM webhook_deliveries WHERE state = 'delivering' LIMIT {MAX_COUNTED}) AS held),
            (SELECT min(next_attempt_at) FROM enabled WHERE next_attempt_at <= $1)"
    );
    // A cluster cannot walk across shards: each shard counts its own rows.
    let in_cluster = sql!(
        "SELECT least(count(*) FILTER (WHERE is_waiting AND next_attempt_at <= $1), {MAX_COUNTED}),
            least(count(*) FILTER (WHERE is_waiting AND next_attempt_at > $1), {MAX_COUNTED}),
            least(count(*) FILTER (WHERE state = 'delivering'), {MAX_COUNTED}),
            min(next_attempt_at) FILTER (WHERE is_waiting AND next_attempt_at <= $1)
        FROM (
            SELECT state, next_attempt_at,
                state IN ('pending', 'retrying') AND enabled AND deleted_at IS NULL AS is_waiting
            FROM webhook_deliveries AS delivery
            JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = delivery.workspace_id
                AND subscription.id = delivery.subscription_id
            WHERE state IN ('pending', 'retrying', 'delivering')) AS queued"
    );
    sql.or_in_cluster(Some(in_cluster)).bind(now).returns()
}

pub(crate) fn behind_query() -> Statement<(BigInt, Nullable<Timestamptz>)> {
    let sql = sql!(
        "SELECT
            (SELECT count(*) FROM (
                SELECT FROM webhook_backlog ORDER BY created_at LIMIT {MAX_COUNTED}) AS behind),
            (SELECT created_at FROM webhook_backlog ORDER BY created_at LIMIT 1)"
    );
    let in_cluster = sql!("SELECT least(count(*), {MAX_COUNTED}), min(created_at) FROM webhook_backlog");
    sql.or_in_cluster(Some(in_cluster)).returns()
}

pub(crate) fn emails_query() -> Statement<(BigInt, Nullable<Timestamptz>)> {
    sql!(
        "SELECT
            (SELECT count(*) FROM (
                SELECT FROM mails WHERE next_attempt_at IS NOT NULL
                ORDER BY workspace_id, next_attempt_at LIMIT {MAX_COUNTED}) AS waiting),
            (SELECT created_at FROM mails
                WHERE CASE WHEN next_attempt_at IS NOT NULL THEN 'waiting'
                    WHEN sent_at IS NOT NULL THEN 'sent' ELSE 'failed' END = 'waiting'
                ORDER BY created_at, id LIMIT 1)"
    )
    .returns()
}
