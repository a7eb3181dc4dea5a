//! Queues the deliveries of replays in steps, and prunes old replays.

use diesel::sql_types::{BigInt, Uuid as SqlUuid};
use domain::ports::StoreError;
use domain::webhooks::MAX_DUE_IN_REPLAY;
use domain::{SubscriptionId, WorkspaceId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::distribution::{Locking, locking_sql};
use crate::engine::convert;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;
use crate::events::append::MAX_WAITING;

/// Subscriptions per step, each as a separate job, like workspaces in `backlog.rs`.
const SUBSCRIPTIONS: usize = 8;
/// Maximum number of events that a statement reads, so that no statement takes long.
const EVENTS: i64 = 2_000;

type Running = (WorkspaceId, SubscriptionId);

/// The next few subscriptions with a running replay.
pub(super) fn running(tx: &mut PgTx<'_>, after: Option<Running>) -> Result<Vec<Running>, StoreError> {
    let ids: Vec<(Uuid, Uuid)> = tx.load(running_query(after))?;
    Ok(ids.into_iter().map(|(workspace, id)| (WorkspaceId(workspace), SubscriptionId(id))).collect())
}

/// Where the next step continues, if there may be more.
pub(super) fn continuation(running: &[Running]) -> Option<Running> {
    running.last().copied().filter(|_| running.len() >= SUBSCRIPTIONS)
}

/// Queues deliveries for a subscription; returns the number of deliveries and of events read.
pub(super) fn queue(
    tx: &mut PgTx<'_>,
    workspace: WorkspaceId,
    subscription: SubscriptionId,
    now: OffsetDateTime,
) -> Result<(u64, u64), StoreError> {
    let (deliveries, examined): (i64, i64) = tx.value(queue_query(workspace.0, subscription.0, now))?;
    Ok((convert::count(deliveries)?, convert::count(examined)?))
}

pub(crate) fn running_query(after: Option<Running>) -> Statement<(SqlUuid, SqlUuid)> {
    let sql = sql!(
        "SELECT workspace_id, subscription_id FROM webhook_replays
         WHERE state = 'running' AND (workspace_id, subscription_id) > ($1, $2)
         ORDER BY workspace_id, subscription_id LIMIT {SUBSCRIPTIONS}"
    );
    let (workspace, subscription) = after.map_or((Uuid::nil(), Uuid::nil()), |(workspace, id)| (workspace.0, id.0));
    sql.returns().bind(workspace).bind(subscription)
}

pub(crate) fn queue_query(workspace: Uuid, subscription: Uuid, now: OffsetDateTime) -> Statement<(BigInt, BigInt)> {
    let sql = sql!(
        "SELECT deliveries, examined FROM queue_webhook_replay($1, $2, $3, {MAX_WAITING}, {MAX_DUE_IN_REPLAY}, {EVENTS})"
    );
    sql.returns().bind(workspace).bind(subscription).bind(now)
}

pub(crate) fn prune_query(before: OffsetDateTime, limit: u32) -> Locking<()> {
    let sql = locking_sql!(
        one = "workspace_id = $3";
        "DELETE FROM webhook_replays WHERE {one}ctid = ANY (ARRAY(
             SELECT ctid FROM webhook_replays WHERE {one}created_at < $1 AND finished_at IS NOT NULL
             ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
         ))";
        "SELECT workspace_id FROM webhook_replays WHERE created_at < $1 AND finished_at IS NOT NULL
         ORDER BY created_at LIMIT $2"
    );
    sql.bind(before).bind(i64::from(limit))
}
