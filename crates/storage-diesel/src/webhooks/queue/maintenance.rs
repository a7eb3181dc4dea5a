//! Expired leases, the next due time, and the maintenance of subscriptions and history.

use diesel::sql_types::{Nullable, Timestamptz};
use domain::ports::StoreError;
use domain::webhooks::{LEASE, LONGEST_WAIT};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::distribution::{Locking, locking_sql};
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

/// Releases the leases of a dispatcher that has ended or is stopping: the deliveries are due again as before. Deliveries that
/// are being recorded are skipped.
macro_rules! return_sql {
    ($condition:literal) => {
        locking_sql!(
            one = "workspace_id = $2";
            "UPDATE webhook_deliveries SET lease_owner = NULL, lease_until = NULL,
                 state = CASE attempts WHEN attempts_before THEN 'pending' ELSE 'retrying' END
             WHERE {one}ctid = ANY (ARRAY(
                 SELECT ctid FROM webhook_deliveries WHERE {one}state = 'delivering' AND {condition}
                 FOR NO KEY UPDATE SKIP LOCKED
             ))",
            condition = $condition;
            "SELECT workspace_id FROM webhook_deliveries WHERE state = 'delivering' AND {condition} GROUP BY workspace_id",
            condition = $condition
        )
    };
}

pub(crate) fn expired_query(now: OffsetDateTime) -> Locking<()> {
    return_sql!("lease_until < $1").bind(now)
}

/// Leases that end much later than possible, because the dispatcher's clock was ahead. Small differences between clocks are
/// allowed.
pub(crate) fn overlong_query(now: OffsetDateTime) -> Locking<()> {
    return_sql!("lease_until > $1").bind(now + LEASE * 10)
}

/// Makes deliveries due that are due later than any retry. It walks like `next_due_query`, and reads the last entries of each
/// subscription.
pub(crate) fn bring_back_query(now: OffsetDateTime, limit: u32) -> Locking<()> {
    let statement = sql!(
        "WITH RECURSIVE walk (workspace_id, subscription_id) AS (
             SELECT '00000000-0000-0000-0000-000000000000'::uuid, '00000000-0000-0000-0000-000000000000'::uuid
             UNION ALL
             SELECT next.* FROM walk
             CROSS JOIN LATERAL (
                 SELECT workspace_id, subscription_id FROM webhook_deliveries
                 WHERE state IN ('pending', 'retrying')
                     AND (workspace_id, subscription_id) > (walk.workspace_id, walk.subscription_id)
                 ORDER BY workspace_id, subscription_id, next_attempt_at LIMIT 1
             ) AS next
         )
         UPDATE webhook_deliveries SET next_attempt_at = $3
         WHERE ctid = ANY (ARRAY(
             SELECT late.ctid FROM walk
             CROSS JOIN LATERAL (
                 SELECT ctid FROM webhook_deliveries
                 WHERE state IN ('pending', 'retrying') AND workspace_id = walk.workspace_id
                     AND subscription_id = walk.subscription_id AND next_attempt_at > $1
                 ORDER BY next_attempt_at LIMIT $2
                 FOR NO KEY UPDATE SKIP LOCKED
             ) AS late
             LIMIT $2
         ))"
    );
    let workspaces = sql!(
        "SELECT workspace_id FROM webhook_deliveries
         WHERE state IN ('pending', 'retrying') AND next_attempt_at > $1
         GROUP BY workspace_id ORDER BY workspace_id LIMIT $2"
    );
    let sql = Locking::new(statement, workspaces, || {
        sql!(
            "UPDATE webhook_deliveries SET next_attempt_at = $3
             WHERE workspace_id = $4 AND ctid = ANY (ARRAY(
                 SELECT ctid FROM webhook_deliveries
                 WHERE workspace_id = $4 AND state IN ('pending', 'retrying') AND next_attempt_at > $1
                 ORDER BY next_attempt_at LIMIT $2
                 FOR NO KEY UPDATE SKIP LOCKED
             ))"
        )
    });
    sql.bind(now + LONGEST_WAIT).bind(i64::from(limit)).bind(now)
}

/// All deliveries that a dispatcher holds.
pub(super) fn owned_query(owner: Uuid) -> Locking<()> {
    return_sql!("lease_owner = $1").bind(owner)
}

pub(super) fn next_due(tx: &mut PgTx<'_>) -> Result<Option<OffsetDateTime>, StoreError> {
    if !tx.is_cluster {
        return tx.value(next_due_query());
    }
    let lease: Option<OffsetDateTime> = tx.value(lease_end_in_cluster_query())?;
    let due: Option<OffsetDateTime> = tx.value(due_in_cluster_query())?;
    Ok([lease, due].into_iter().flatten().min())
}

/// Until then, a dispatcher with a lease on one of a subscription's deliveries owns the subscription.
fn lease_end_in_cluster_query() -> Statement<Nullable<Timestamptz>> {
    let sql = sql!(
        "SELECT min(held.until) FROM (
             SELECT max(lease_until) AS until FROM webhook_deliveries WHERE state = 'delivering'
             GROUP BY workspace_id, subscription_id
         ) AS held"
    );
    sql.returns()
}

/// The first due time of all other subscriptions. A cluster cannot walk from one to the next, so it reads the index of waiting
/// deliveries once.
fn due_in_cluster_query() -> Statement<Nullable<Timestamptz>> {
    let sql = sql!(
        "SELECT min(due.at)
         FROM (
             SELECT workspace_id, subscription_id, false AS is_test, min(next_attempt_at) AS at FROM webhook_deliveries
             WHERE state IN ('pending', 'retrying')
             GROUP BY workspace_id, subscription_id
             UNION ALL
             SELECT workspace_id, subscription_id, true, min(next_attempt_at) FROM webhook_deliveries
             WHERE state IN ('pending', 'retrying') AND event = 'webhook.test'
             GROUP BY workspace_id, subscription_id
         ) AS due
         JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = due.workspace_id
             AND subscription.id = due.subscription_id AND subscription.deleted_at IS NULL
             AND (subscription.enabled OR due.is_test)
         WHERE NOT EXISTS (
             SELECT FROM webhook_deliveries AS held
             WHERE held.state = 'delivering' AND held.workspace_id = due.workspace_id
                 AND held.subscription_id = due.subscription_id
         )"
    );
    sql.returns()
}

/// The first entry of each subscription has the earliest time. Subscriptions with leases are skipped: they belong to a
/// dispatcher until the leases end.
pub(crate) fn next_due_query() -> Statement<Nullable<Timestamptz>> {
    let sql = sql!(
        "WITH RECURSIVE walk (workspace_id, subscription_id, next_attempt_at) AS (
             SELECT '00000000-0000-0000-0000-000000000000'::uuid, '00000000-0000-0000-0000-000000000000'::uuid,
                 NULL::timestamptz
             UNION ALL
             SELECT next.* FROM walk
             CROSS JOIN LATERAL (
                 SELECT workspace_id, subscription_id, next_attempt_at FROM webhook_deliveries
                 WHERE state IN ('pending', 'retrying')
                     AND (workspace_id, subscription_id) > (walk.workspace_id, walk.subscription_id)
                 ORDER BY workspace_id, subscription_id, next_attempt_at LIMIT 1
             ) AS next
         ), held AS MATERIALIZED (
             SELECT workspace_id, subscription_id, max(lease_until) AS until FROM webhook_deliveries
             WHERE state = 'delivering'
             GROUP BY workspace_id, subscription_id
         )
         SELECT min(times.at) FROM (
             SELECT until FROM held
             UNION ALL
             SELECT CASE WHEN due.at IS NOT NULL THEN greatest(due.at, held.until) END
             FROM walk
             CROSS JOIN LATERAL (
                 SELECT enabled FROM webhook_subscriptions
                 WHERE workspace_id = walk.workspace_id AND id = walk.subscription_id AND deleted_at IS NULL
                 OFFSET 0
             ) AS subscription
             CROSS JOIN LATERAL (
                 SELECT CASE WHEN subscription.enabled THEN walk.next_attempt_at ELSE (
                     SELECT next_attempt_at FROM webhook_deliveries
                     WHERE state IN ('pending', 'retrying') AND event = 'webhook.test'
                         AND workspace_id = walk.workspace_id AND subscription_id = walk.subscription_id
                     ORDER BY next_attempt_at LIMIT 1
                 ) END AS at
             ) AS due
             LEFT JOIN held USING (workspace_id, subscription_id)
         ) AS times (at)"
    );
    sql.returns()
}

pub(super) fn failing_query(failing_for: Duration, now: OffsetDateTime) -> Locking<()> {
    let sql = locking_sql!(
        one = "workspace_id = $3";
        "UPDATE webhook_subscriptions
         SET enabled = false, disabled_reason = 'failing', disabled_told_at = NULL, version = version + 1,
             updated_at = $2
         WHERE {one}(workspace_id, id) IN (
             SELECT workspace_id, id FROM webhook_subscriptions
             WHERE {one}enabled AND deleted_at IS NULL AND failing_since IS NOT NULL AND failing_since <= $1
             FOR NO KEY UPDATE SKIP LOCKED
         )";
        "SELECT workspace_id FROM webhook_subscriptions
         WHERE enabled AND deleted_at IS NULL AND failing_since IS NOT NULL AND failing_since <= $1
         GROUP BY workspace_id"
    );
    sql.bind(now - failing_for).bind(now)
}

/// Attempts are deleted with their deliveries.
pub(crate) fn prune_query(before: OffsetDateTime, limit: u32) -> Locking<()> {
    let sql = locking_sql!(
        one = "workspace_id = $3";
        "DELETE FROM webhook_deliveries WHERE {one}ctid = ANY (ARRAY(
             SELECT ctid FROM webhook_deliveries
             WHERE {one}state IN ('succeeded', 'failed', 'cancelled') AND created_at < $1
             ORDER BY created_at LIMIT $2
             FOR UPDATE SKIP LOCKED
         ))";
        "SELECT workspace_id FROM webhook_deliveries
         WHERE state IN ('succeeded', 'failed', 'cancelled') AND created_at < $1
         ORDER BY created_at LIMIT $2"
    );
    sql.bind(before).bind(i64::from(limit))
}
