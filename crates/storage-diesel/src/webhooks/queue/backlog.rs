//! Queues events from backlogs, and ends deliveries of disabled subscriptions.

use diesel::sql_types::{BigInt, Uuid as SqlUuid};
use domain::WorkspaceId;
use domain::ports::StoreError;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::distribution::Locking;
use crate::engine::convert;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;
use crate::events::append::MAX_WAITING;

/// Workspaces per step. Each has a separate job: if statements share a transaction (adr/0030), a failing one would undo the others.
const WORKSPACES: usize = 8;
/// Events per statement, so that no statement locks many rows for long.
const EVENTS: i64 = 200;

/// The next few workspaces with a backlog.
pub(super) fn workspaces(tx: &mut PgTx<'_>, after: Option<WorkspaceId>) -> Result<Vec<WorkspaceId>, StoreError> {
    let ids: Vec<Uuid> = tx.load(tx.placed(workspaces_query(after)))?;
    Ok(ids.into_iter().map(WorkspaceId).collect())
}

/// Where the next step continues, if there may be more.
pub(super) fn continuation(workspaces: &[WorkspaceId]) -> Option<WorkspaceId> {
    workspaces.last().copied().filter(|_| workspaces.len() >= WORKSPACES)
}

/// Queues deliveries for a workspace; returns the number of deliveries and of events.
pub(super) fn queue(
    tx: &mut PgTx<'_>,
    workspace: WorkspaceId,
    now: OffsetDateTime,
    since: OffsetDateTime,
) -> Result<(u64, u64), StoreError> {
    let (deliveries, events): (i64, i64) = tx.value(queue_query(workspace.0, now, since))?;
    Ok((convert::count(deliveries)?, convert::count(events)?))
}

/// Postgres has no skip scan, so each step finds the first entry after the last workspace.
pub(crate) fn workspaces_query(after: Option<WorkspaceId>) -> Statement<SqlUuid> {
    let sql = sql!(
        "WITH RECURSIVE walk (workspace_id, place) AS (
             SELECT $1::uuid, 0
             UNION ALL
             SELECT next.workspace_id, walk.place + 1
             FROM walk
             CROSS JOIN LATERAL (
                 SELECT workspace_id FROM webhook_backlog WHERE workspace_id > walk.workspace_id
                 ORDER BY workspace_id LIMIT 1
             ) AS next
             WHERE walk.place < {WORKSPACES}
         )
         SELECT workspace_id FROM walk WHERE place > 0 ORDER BY place"
    );
    // A cluster cannot walk across shards.
    let in_cluster = sql!(
        "SELECT workspace_id FROM webhook_backlog WHERE workspace_id > $1
         GROUP BY workspace_id ORDER BY workspace_id LIMIT {WORKSPACES}"
    );
    let sql = sql.or_in_cluster(Some(in_cluster));
    sql.returns().bind(after.map_or(Uuid::nil(), |id| id.0))
}

fn queue_query(workspace: Uuid, now: OffsetDateTime, since: OffsetDateTime) -> Statement<(BigInt, BigInt)> {
    let sql = sql!("SELECT queued, ended FROM queue_webhook_backlog($1, $2, $3, {MAX_WAITING}, {EVENTS})");
    sql.returns().bind(workspace).bind(now).bind(since)
}

/// Ends old deliveries of disabled subscriptions. Those of enabled ones are attempted, however old they are, and end within a day
/// after that. It walks like `scan_query`, by due time: a delivery is due less than two days after it was queued, unless it was
/// requested again.
pub(crate) fn expire_query(before: OffsetDateTime, now: OffsetDateTime, limit: u32) -> Locking<()> {
    let statement = sql!(
        "WITH RECURSIVE walk (workspace_id, subscription_id, total) AS (
             SELECT '00000000-0000-0000-0000-000000000000'::uuid, '00000000-0000-0000-0000-000000000000'::uuid, 0::bigint
             UNION ALL
             SELECT next.workspace_id, next.subscription_id, walk.total + found.old
             FROM walk
             CROSS JOIN LATERAL (
                 SELECT workspace_id, subscription_id FROM webhook_deliveries
                 WHERE state IN ('pending', 'retrying')
                     AND (workspace_id, subscription_id) > (walk.workspace_id, walk.subscription_id)
                 ORDER BY workspace_id, subscription_id, next_attempt_at LIMIT 1
             ) AS next
             CROSS JOIN LATERAL (
                 SELECT count(*) AS old FROM (
                     SELECT FROM webhook_deliveries
                     WHERE state IN ('pending', 'retrying') AND workspace_id = next.workspace_id
                         AND subscription_id = next.subscription_id AND next_attempt_at < $1::timestamptz + interval '2 days'
                         AND created_at < $1 AND event <> 'webhook.test' AND (
                             SELECT NOT enabled FROM webhook_subscriptions
                             WHERE workspace_id = next.workspace_id AND id = next.subscription_id
                         )
                     ORDER BY next_attempt_at LIMIT $2
                 ) AS counted
             ) AS found
             WHERE walk.total < $2
         )
         UPDATE webhook_deliveries SET state = 'failed', failed_reason = 'expired', next_attempt_at = NULL,
             finished_at = $3
         WHERE ctid = ANY (ARRAY(
             SELECT old.ctid FROM walk
             CROSS JOIN LATERAL (
                 SELECT ctid FROM webhook_deliveries
                 WHERE state IN ('pending', 'retrying') AND workspace_id = walk.workspace_id
                     AND subscription_id = walk.subscription_id AND next_attempt_at < $1::timestamptz + interval '2 days'
                     AND created_at < $1 AND event <> 'webhook.test' AND (
                         SELECT NOT enabled FROM webhook_subscriptions
                         WHERE workspace_id = walk.workspace_id AND id = walk.subscription_id
                     )
                 ORDER BY next_attempt_at LIMIT $2
                 FOR NO KEY UPDATE SKIP LOCKED
             ) AS old
             LIMIT $2
         ))"
    );
    let workspaces = sql!(
        "SELECT delivery.workspace_id FROM webhook_deliveries AS delivery
         JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = delivery.workspace_id
             AND subscription.id = delivery.subscription_id AND NOT subscription.enabled
         WHERE delivery.state IN ('pending', 'retrying') AND delivery.event <> 'webhook.test'
             AND delivery.next_attempt_at < $1::timestamptz + interval '2 days' AND delivery.created_at < $1
         GROUP BY delivery.workspace_id ORDER BY delivery.workspace_id LIMIT $2"
    );
    let sql = Locking::new(statement, workspaces, || {
        sql!(
            "UPDATE webhook_deliveries SET state = 'failed', failed_reason = 'expired', next_attempt_at = NULL,
                 finished_at = $3
             WHERE workspace_id = $4 AND ctid = ANY (ARRAY(
                 SELECT ctid FROM webhook_deliveries
                 WHERE workspace_id = $4 AND state IN ('pending', 'retrying') AND event <> 'webhook.test'
                     AND next_attempt_at < $1::timestamptz + interval '2 days' AND created_at < $1
                     AND subscription_id IN (
                         SELECT id FROM webhook_subscriptions WHERE workspace_id = $4 AND NOT enabled
                     )
                 ORDER BY next_attempt_at LIMIT $2
                 FOR NO KEY UPDATE SKIP LOCKED
             ))"
        )
    });
    sql.bind(before).bind(i64::from(limit)).bind(now)
}

#[cfg(test)]
mod tests {
    use diesel::connection::SimpleConnection;
    use domain::identity::audit::AuditSubject;
    use domain::ports::{DeliveryQueue, Directory};
    use domain::testing::workspace_value;
    use domain::webhooks::RETENTION;

    use crate::engine::sessions::Sessions;
    use crate::plans::common::jobs::{NOW, count, entry, store_over};
    use crate::plans::common::webhooks::{emit, subscribe};
    use crate::plans::common::{Database, block_on};

    /// Through a pooler in transaction mode, where all statements of a job share a transaction.
    #[test]
    fn a_failing_backlog_does_not_block_other_workspaces() {
        block_on(async {
            let (database, store, failing) = store_over(Database::migrated(), |options| {
                (options.sessions, options.max_waiting_deliveries) = (Sessions::POOLED, 1);
            })
            .await;
            let other = workspace_value(2);
            store.create_workspace(&other, &entry(AuditSubject::workspace(other.id))).await.unwrap();
            for workspace in [failing, other.id] {
                subscribe(&store, workspace, 1).await;
                emit(&store, workspace, 2).await;
            }
            assert_eq!(count(&database, "webhook_backlog"), 2);
            let broken = format!(
                "UPDATE webhook_deliveries SET state = 'succeeded', finished_at = now(), next_attempt_at = NULL;
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''broken''; END';
                CREATE TRIGGER refuse BEFORE INSERT ON webhook_deliveries FOR EACH ROW
                    WHEN (NEW.workspace_id = '{}') EXECUTE FUNCTION refuse()",
                failing.0
            );
            database.connection().batch_execute(&broken).unwrap();
            let step = store.queue_backlogs(None, NOW, NOW - RETENTION).await.unwrap();
            assert_eq!((step.deliveries, step.events), (1, 1));
            let pending = count(&database, "webhook_deliveries WHERE state = 'pending'");
            assert_eq!(pending, 1, "the delivery of the other workspace");
        });
    }
}
