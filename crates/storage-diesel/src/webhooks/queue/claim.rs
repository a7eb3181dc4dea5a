//! Claims due deliveries, subscription by subscription.

use std::collections::HashMap;

use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::ports::StoreError;
use domain::webhooks::{ClaimRequest, ClaimedDelivery, Delivery, DeliveryState, LEASE, Subscription};
use domain::{SubscriptionId, WorkspaceId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::columns::columns;
use crate::statement::{RowOf, Statement, sql};
use crate::tx::PgTx;
use crate::webhooks::deliveries::{DeliveryRow, StoredEvent};
use crate::webhooks::subscriptions::SubscriptionRow;

const SUBSCRIPTION_COLUMNS: &str = columns!(SubscriptionRow);
const DELIVERY_COLUMNS: &str = columns!(DeliveryRow);

/// A subscription with due deliveries.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) workspace: Uuid,
    pub(crate) subscription: Uuid,
    /// How many of them to claim.
    pub(crate) takes: i64,
}

/// The result of a scan.
pub(super) struct ClaimScan {
    pub(super) candidates: Vec<Candidate>,
    pub(super) next_after: Option<(WorkspaceId, SubscriptionId)>,
}

/// Finds subscriptions with due deliveries, in order after the end of the last scan, until the limit is reached.
pub(super) fn scan(tx: &mut PgTx<'_>, request: &ClaimRequest) -> Result<ClaimScan, StoreError> {
    let rows: Vec<(Uuid, Uuid, i64, i64)> = tx.load(scan_query(request))?;
    let is_enough = rows.last().is_some_and(|(.., total)| *total >= i64::from(request.limit));
    let end = rows.last().map(|(workspace, subscription, ..)| (WorkspaceId(*workspace), SubscriptionId(*subscription)));
    let limit = i64::from(request.limit);
    let candidates = rows.into_iter().map(|(workspace, subscription, due, total)| {
        // The last one is cut to the remaining capacity.
        Candidate { workspace, subscription, takes: due.min(limit - (total - due)) }
    });
    Ok(ClaimScan { candidates: candidates.collect(), next_after: end.filter(|_| is_enough) })
}

type ScanColumns = (SqlUuid, SqlUuid, BigInt, BigInt);

/// Postgres has no skip scan, so each step finds the first entry after the last subscription and counts its due
/// deliveries; its other entries are not read. Of a disabled subscription only tests are due. Both kinds of entries are
/// written out, since each has its index, and the branch that is not requested costs nothing.
///
/// Skips deliveries that another dispatcher has claimed. The OFFSET makes Postgres probe the index for each
/// subscription, rather than compare each with everything in flight.
pub(crate) fn scan_query(request: &ClaimRequest) -> Statement<ScanColumns> {
    let sql = sql!(
        "WITH RECURSIVE walk (workspace_id, subscription_id, due, total) AS (
             SELECT $1::uuid, $2::uuid, 0::bigint, 0::bigint
             UNION ALL
             SELECT next.workspace_id, next.subscription_id, found.due, walk.total + found.due
             FROM walk
             CROSS JOIN LATERAL (
                 SELECT workspace_id, subscription_id FROM webhook_deliveries
                 WHERE state IN ('pending', 'retrying')
                     AND (workspace_id, subscription_id) > (walk.workspace_id, walk.subscription_id)
                 ORDER BY workspace_id, subscription_id, next_attempt_at LIMIT 1
             ) AS next
             CROSS JOIN LATERAL (
                 SELECT count(*) AS due
                 FROM webhook_subscriptions AS subscription
                 CROSS JOIN LATERAL (
                     SELECT 1 FROM (
                         SELECT 1 FROM webhook_deliveries
                         WHERE state IN ('pending', 'retrying') AND workspace_id = next.workspace_id
                             AND subscription_id = next.subscription_id AND subscription.enabled
                             AND next_attempt_at <= $3
                         ORDER BY next_attempt_at LIMIT $4
                     ) AS everything
                     UNION ALL
                     SELECT 1 FROM (
                         SELECT 1 FROM webhook_deliveries
                         WHERE state IN ('pending', 'retrying') AND event = 'webhook.test'
                             AND workspace_id = next.workspace_id AND subscription_id = next.subscription_id
                             AND NOT subscription.enabled AND next_attempt_at <= $3
                         ORDER BY next_attempt_at LIMIT $4
                     ) AS tests
                 ) AS due
                 WHERE subscription.workspace_id = next.workspace_id AND subscription.id = next.subscription_id
                     AND subscription.deleted_at IS NULL AND subscription.id <> ALL ($5)
                     AND NOT EXISTS (
                         SELECT FROM webhook_deliveries AS held
                         WHERE held.state = 'delivering' AND held.workspace_id = next.workspace_id
                             AND held.subscription_id = next.subscription_id
                             AND held.lease_owner <> $6 AND held.lease_until >= $3
                         OFFSET 0
                     )
             ) AS found
             WHERE walk.total < $7
         )
         SELECT workspace_id, subscription_id, due, total FROM walk WHERE due > 0 ORDER BY total"
    );
    let nowhere = (WorkspaceId(Uuid::nil()), SubscriptionId(Uuid::nil()));
    let (workspace, subscription) = request.after.unwrap_or(nowhere);
    let sql = sql.returns().bind::<SqlUuid, _>(workspace.0).bind::<SqlUuid, _>(subscription.0);
    let sql = sql.bind::<Timestamptz, _>(request.now).bind::<BigInt, _>(i64::from(request.limit_per_subscription));
    let sql = sql.bind::<Array<SqlUuid>, _>(request.excluded.iter().map(|id| id.0).collect::<Vec<_>>());
    sql.bind::<SqlUuid, _>(request.owner).bind::<BigInt, _>(i64::from(request.limit))
}

/// Claims the due deliveries of the candidates, and skips those that another transaction has locked.
pub(super) fn take(
    tx: &mut PgTx<'_>,
    request: &ClaimRequest,
    candidates: &[Candidate],
) -> Result<Vec<ClaimedDelivery>, StoreError> {
    let subscriptions = lock(tx, candidates)?;
    // A separate statement, which sees the leases of the previous holder of the lock.
    let rows: Vec<TakenRow> = tx.load(take_query(request, candidates, &subscriptions))?;
    let (rows, lost): (Vec<_>, Vec<_>) =
        rows.into_iter().map(|(row, first, payload, at)| (row, first, (payload, at))).partition(has_content);
    end_without_content(tx, request.now, &lost)?;
    let mut taken = rows
        .into_iter()
        .map(|(row, first_attempt_at, event)| {
            let subscription = subscriptions.get(&(row.workspace_id, row.subscription_id));
            let subscription =
                subscription.ok_or_else(|| StoreError::Internal("a claim without its lock".to_owned()))?;
            claimed(request, row, (first_attempt_at, event), subscription)
        })
        .collect::<Result<Vec<_>, _>>()?;
    // UPDATE … RETURNING has no defined order.
    taken.sort_by_key(|claimed| (claimed.workspace, claimed.subscription.id, claimed.delivery.next_attempt_at));
    Ok(taken)
}

fn claimed(
    request: &ClaimRequest,
    row: DeliveryRow,
    (first_attempt_at, event): (Option<OffsetDateTime>, StoredEvent),
    subscription: &Subscription,
) -> Result<ClaimedDelivery, StoreError> {
    let workspace = WorkspaceId(row.workspace_id);
    let delivery = row.into_delivery(event)?;
    let was_tried = delivery.attempts_now() > 0;
    let state = if was_tried { DeliveryState::Retrying } else { DeliveryState::Pending };
    Ok(ClaimedDelivery {
        workspace,
        delivery: Delivery { state, ..delivery },
        first_attempt_at: first_attempt_at.filter(|_| was_tried),
        subscription: subscription.clone(),
        leased_until: request.now + LEASE,
    })
}

type Locked = HashMap<(Uuid, Uuid), Subscription>;

/// Locks the candidates' subscriptions without waiting: each belongs to one dispatcher at a time.
///
/// It also makes the claim commit asynchronously, so that sending does not wait for the disk. If a crash of the
/// database loses the claim, the deliveries are due, as they were before.
fn lock(tx: &mut PgTx<'_>, candidates: &[Candidate]) -> Result<Locked, StoreError> {
    let sql = sql!(
        "WITH fast AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS setting)
         SELECT {SUBSCRIPTION_COLUMNS}
         FROM webhook_subscriptions CROSS JOIN fast
         WHERE deleted_at IS NULL AND fast.setting = 'off'
             AND (workspace_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
         FOR NO KEY UPDATE OF webhook_subscriptions SKIP LOCKED"
    );
    let sql = sql.returns::<RowOf<SubscriptionRow>>();
    let sql = sql.bind::<Array<SqlUuid>, _>(candidates.iter().map(|it| it.workspace).collect::<Vec<_>>());
    let sql = sql.bind::<Array<SqlUuid>, _>(candidates.iter().map(|it| it.subscription).collect::<Vec<_>>());
    let rows: Vec<SubscriptionRow> = tx.load(sql)?;
    rows.into_iter()
        .map(|row| {
            let workspace = row.workspace_id;
            row.into_subscription().map(|subscription| ((workspace, subscription.id.0), subscription))
        })
        .collect()
}

type TakenRow = (DeliveryRow, Option<OffsetDateTime>, Option<String>, Option<OffsetDateTime>);
type Taken = (DeliveryRow, Option<OffsetDateTime>, StoredEvent);

fn has_content((row, _, event): &Taken) -> bool {
    row.has_content(event)
}

/// Events are kept longer than deliveries, so this takes somebody who dropped a partition by hand. Such deliveries end,
/// rather than be claimed again and again.
fn end_without_content(tx: &mut PgTx<'_>, now: OffsetDateTime, lost: &[Taken]) -> Result<(), StoreError> {
    if lost.is_empty() {
        return Ok(());
    }
    log::error!("{} webhook deliveries end as failed: their events are no longer stored", lost.len());
    let sql = sql!(
        "UPDATE webhook_deliveries SET state = 'failed', failed_reason = 'content_lost', finished_at = $1,
             next_attempt_at = NULL, lease_owner = NULL, lease_until = NULL
         FROM unnest($2::uuid[], $3::uuid[]) AS it (workspace_id, id)
         WHERE webhook_deliveries.workspace_id = it.workspace_id AND webhook_deliveries.id = it.id"
    );
    let sql = sql.bind::<Timestamptz, _>(now);
    let sql = sql.bind::<Array<SqlUuid>, _>(lost.iter().map(|(row, ..)| row.workspace_id).collect::<Vec<_>>());
    let sql = sql.bind::<Array<SqlUuid>, _>(lost.iter().map(|(row, ..)| row.id).collect::<Vec<_>>());
    tx.execute(sql).map(drop)
}

type ClaimedColumns = (RowOf<DeliveryRow>, Nullable<Timestamptz>, Nullable<Text>, Nullable<Timestamptz>);

/// The payloads are read for what was claimed only; the OFFSET makes Postgres read each event by its key.
///
/// Rows are found by ctid, which cannot change while they are locked, so that no estimate can make Postgres choose
/// another plan. The conditions for due deliveries are those of [`scan_query`].
pub(crate) fn take_query(
    request: &ClaimRequest,
    candidates: &[Candidate],
    locked: &Locked,
) -> Statement<ClaimedColumns> {
    let sql = sql!(
        "WITH taken AS (
         UPDATE webhook_deliveries SET state = 'delivering', lease_owner = $1, lease_until = $2,
             first_attempt_at = CASE attempts WHEN attempts_before THEN $3 ELSE first_attempt_at END
         WHERE ctid = ANY (ARRAY(
             SELECT due.ctid
             FROM unnest($4::uuid[], $5::uuid[], $6::boolean[], $7::bigint[])
                 AS candidate (workspace_id, subscription_id, enabled, takes)
             CROSS JOIN LATERAL (
                 SELECT ctid FROM (
                     SELECT ctid FROM webhook_deliveries
                     WHERE state IN ('pending', 'retrying') AND workspace_id = candidate.workspace_id
                         AND subscription_id = candidate.subscription_id AND candidate.enabled
                         AND next_attempt_at <= $3
                     ORDER BY next_attempt_at LIMIT candidate.takes
                     FOR NO KEY UPDATE SKIP LOCKED
                 ) AS everything
                 UNION ALL
                 SELECT ctid FROM (
                     SELECT ctid FROM webhook_deliveries
                     WHERE state IN ('pending', 'retrying') AND event = 'webhook.test'
                         AND workspace_id = candidate.workspace_id AND subscription_id = candidate.subscription_id
                         AND NOT candidate.enabled AND next_attempt_at <= $3
                     ORDER BY next_attempt_at LIMIT candidate.takes
                     FOR NO KEY UPDATE SKIP LOCKED
                 ) AS tests
             ) AS due
             WHERE NOT EXISTS (
                 SELECT FROM webhook_deliveries AS held
                 WHERE held.state = 'delivering' AND held.workspace_id = candidate.workspace_id
                     AND held.subscription_id = candidate.subscription_id
                     AND held.lease_owner <> $1 AND held.lease_until >= $3
                 OFFSET 0
             )
         ))
         RETURNING {DELIVERY_COLUMNS}, first_attempt_at
         )
         SELECT {DELIVERY_COLUMNS}, first_attempt_at, stored.payload, stored.happened_at
         FROM taken
         LEFT JOIN LATERAL (
             SELECT payload, created_at AS happened_at FROM events
             WHERE workspace_id = taken.workspace_id AND id = taken.event_id
             OFFSET 0
         ) AS stored ON true"
    );
    let chosen = candidates.iter().filter_map(|it| Some((it, locked.get(&(it.workspace, it.subscription))?)));
    let (chosen, enabled): (Vec<_>, Vec<_>) = chosen.map(|(it, subscription)| (it, subscription.enabled)).unzip();
    let sql = sql.returns().bind::<SqlUuid, _>(request.owner).bind::<Timestamptz, _>(request.now + LEASE);
    let sql = sql.bind::<Timestamptz, _>(request.now);
    let sql = sql.bind::<Array<SqlUuid>, _>(chosen.iter().map(|it| it.workspace).collect::<Vec<_>>());
    let sql = sql.bind::<Array<SqlUuid>, _>(chosen.iter().map(|it| it.subscription).collect::<Vec<_>>());
    let sql = sql.bind::<Array<Bool>, _>(enabled);
    sql.bind::<Array<BigInt>, _>(chosen.iter().map(|it| it.takes).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use domain::ports::{Abort, DeliveryQueue};

    use super::*;
    use crate::plans::common::jobs::store_over;
    use crate::plans::common::webhooks::{emit, request, subscribe};
    use crate::plans::common::{Database, block_on};

    /// Another dispatcher may claim between the scan and the claim, and release its locks.
    #[test]
    fn deliveries_claimed_in_between_are_skipped() {
        let database = Database::migrated();
        block_on(async {
            let (store, workspace) = store_over(&database, |_| ()).await;
            subscribe(&store, workspace, 1).await;
            emit(&store, workspace, 9).await;
            let (slow, quick) = (request(1), request(2));
            let asked = slow.clone();
            let found = store.run_autocommit(move |tx| scan(tx, &asked)).await.unwrap();
            assert_eq!(found.candidates.len(), 1);
            assert_eq!(store.claim(&quick).await.unwrap().deliveries.len(), 4);
            let taking = store.transact(workspace, move |tx| take(tx, &slow, &found.candidates).map_err(Abort::Store));
            assert!(taking.await.unwrap().unwrap().is_empty());
        });
    }
}
