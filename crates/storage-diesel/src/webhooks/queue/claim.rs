//! Claims due deliveries, subscription by subscription.

use std::collections::HashMap;

use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::ports::{Abort, StoreError};
use domain::webhooks::{ClaimRequest, ClaimedDelivery, Claims, Delivery, DeliveryState, LEASE, Subscription};
use domain::{SubscriptionId, WorkspaceId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::Failures;
use super::scan::{Candidate, ClaimScan, scan};
use crate::columns::columns;
use crate::statement::{RowOf, Statement, placed_sql};
use crate::store::{NO_WORKSPACE, PgStore};
use crate::tx::PgTx;
use crate::webhooks::deliveries::{DeliveryRow, StoredEvent};
use crate::webhooks::subscriptions::SubscriptionRow;

const SUBSCRIPTION_COLUMNS: &str = columns!(SubscriptionRow);
const DELIVERY_COLUMNS: &str = columns!(DeliveryRow);

impl PgStore {
    /// Claims due deliveries in one transaction.
    pub(super) async fn claim_together(&self, request: &ClaimRequest) -> Result<Claims, StoreError> {
        let request = request.clone();
        let claim = move |tx: &mut PgTx<'_>| {
            let ClaimScan { candidates, next_after } = scan(tx, &request)?;
            let deliveries = if candidates.is_empty() { Vec::new() } else { take(tx, &request, &candidates)? };
            Ok(Claims { deliveries, next_after })
        };
        let claim = move |tx: &mut PgTx<'_>| claim(tx).map_err(Abort::Store);
        Ok(self.transact(NO_WORKSPACE, claim).await?.unwrap_or_default())
    }

    /// Claims due deliveries in a cluster, where those of one workspace are on one node: in a transaction for each workspace.
    pub(super) async fn claim_by_workspace(&self, request: &ClaimRequest) -> Result<Claims, StoreError> {
        let wanted = request.clone();
        let ClaimScan { candidates, next_after } = self.run_autocommit(move |tx| scan(tx, &wanted)).await?;
        let mut claims = Claims { next_after, ..Claims::default() };
        let (mut failed, mut failures) = (None, Failures::default());
        for candidates in candidates.chunk_by(|one, next| one.workspace == next.workspace).map(<[_]>::to_vec) {
            let end = candidates.last().map(|it| (WorkspaceId(it.workspace), SubscriptionId(it.subscription)));
            let request = request.clone();
            let take = move |tx: &mut PgTx<'_>| take(tx, &request, &candidates).map_err(Abort::Store);
            match self.transact(NO_WORKSPACE, take).await {
                Ok(taken) => claims.deliveries.extend(taken.unwrap_or_default()),
                // What is claimed of others is sent; these are due as before.
                Err(error) => {
                    if let Some((workspace, _)) = end {
                        log::error!("could not claim webhook deliveries of workspace {}: {error}", workspace.0);
                    }
                    failures.note(&error);
                    failed = Some(error);
                }
            }
            if failures.are_too_slow() {
                claims.next_after = end;
                break;
            }
        }
        match failed {
            Some(error) if claims.deliveries.is_empty() && claims.next_after.is_none() => Err(error),
            _ => Ok(claims),
        }
    }
}

/// Claims the due deliveries of the candidates, and skips those that another transaction has locked.
fn take(
    tx: &mut PgTx<'_>,
    request: &ClaimRequest,
    candidates: &[Candidate],
) -> Result<Vec<ClaimedDelivery>, StoreError> {
    let subscriptions = lock(tx, candidates)?;
    // A separate statement, which sees the leases of the previous holder of the lock.
    let rows: Vec<TakenRow> = tx.load(take_query(tx.is_cluster, request, candidates, &subscriptions))?;
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
    let sql = placed_sql!(
        tx.is_cluster,
        "workspace_id = $3",
        "WITH fast AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS setting)
         SELECT {SUBSCRIPTION_COLUMNS}
         FROM webhook_subscriptions CROSS JOIN fast
         WHERE deleted_at IS NULL AND fast.setting = 'off'
             AND (workspace_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[])) {one}
         FOR NO KEY UPDATE OF webhook_subscriptions SKIP LOCKED"
    );
    let sql = sql.returns::<RowOf<SubscriptionRow>>();
    let sql = sql.bind::<Array<SqlUuid>, _>(candidates.iter().map(|it| it.workspace).collect::<Vec<_>>());
    let sql = sql.bind::<Array<SqlUuid>, _>(candidates.iter().map(|it| it.subscription).collect::<Vec<_>>());
    let sql = sql.of_one(tx.is_cluster, candidates.first().map(|it| it.workspace));
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
    let sql = placed_sql!(
        tx.is_cluster,
        "webhook_deliveries.workspace_id = $4",
        "UPDATE webhook_deliveries SET state = 'failed', failed_reason = 'content_lost', finished_at = $1,
             next_attempt_at = NULL, lease_owner = NULL, lease_until = NULL
         FROM unnest($2::uuid[], $3::uuid[]) AS it (workspace_id, id)
         WHERE webhook_deliveries.workspace_id = it.workspace_id AND webhook_deliveries.id = it.id {one}"
    );
    let sql = sql.bind::<Timestamptz, _>(now);
    let sql = sql.bind::<Array<SqlUuid>, _>(lost.iter().map(|(row, ..)| row.workspace_id).collect::<Vec<_>>());
    let sql = sql.bind::<Array<SqlUuid>, _>(lost.iter().map(|(row, ..)| row.id).collect::<Vec<_>>());
    let workspace = lost.first().map(|(row, ..)| row.workspace_id);
    tx.execute(sql.of_one(tx.is_cluster, workspace)).map(drop)
}

type ClaimedColumns = (RowOf<DeliveryRow>, Nullable<Timestamptz>, Nullable<Text>, Nullable<Timestamptz>);

/// The payloads are read for what was claimed only; the OFFSET makes Postgres read each event by its key.
///
/// Rows are found by ctid, which cannot change while they are locked, so that no estimate can make Postgres choose
/// another plan. Queries of their own hide the number of candidates from the planner, which would otherwise plan for it each time: longer
/// than a claim of a few takes. The conditions for due deliveries are those of [`scan_query`].
pub(crate) fn take_query(
    is_cluster: bool,
    request: &ClaimRequest,
    candidates: &[Candidate],
    locked: &Locked,
) -> Statement<ClaimedColumns> {
    let sql = placed_sql!(
        is_cluster,
        "workspace_id = $8",
        "WITH taken AS (
         UPDATE webhook_deliveries SET state = 'delivering', lease_owner = $1, lease_until = $2,
             first_attempt_at = CASE attempts WHEN attempts_before THEN $3 ELSE first_attempt_at END
         WHERE ctid = ANY (ARRAY(
             SELECT due.ctid
             FROM unnest((SELECT $4::uuid[]), (SELECT $5::uuid[]), (SELECT $6::boolean[]), (SELECT $7::bigint[]))
                 AS candidate (workspace_id, subscription_id, enabled, takes)
             CROSS JOIN LATERAL (
                 SELECT ctid FROM (
                     SELECT ctid FROM webhook_deliveries
                     WHERE state IN ('pending', 'retrying') AND workspace_id = candidate.workspace_id
                         AND subscription_id = candidate.subscription_id AND candidate.enabled
                         AND next_attempt_at <= $3 {one}
                     ORDER BY next_attempt_at LIMIT candidate.takes
                     FOR NO KEY UPDATE SKIP LOCKED
                 ) AS everything
                 UNION ALL
                 SELECT ctid FROM (
                     SELECT ctid FROM webhook_deliveries
                     WHERE state IN ('pending', 'retrying') AND event = 'webhook.test'
                         AND workspace_id = candidate.workspace_id AND subscription_id = candidate.subscription_id
                         AND NOT candidate.enabled AND next_attempt_at <= $3 {one}
                     ORDER BY next_attempt_at LIMIT candidate.takes
                     FOR NO KEY UPDATE SKIP LOCKED
                 ) AS tests
             ) AS due
             WHERE NOT EXISTS (
                 SELECT FROM webhook_deliveries AS held
                 WHERE held.state = 'delivering' AND held.workspace_id = candidate.workspace_id
                     AND held.subscription_id = candidate.subscription_id
                     AND held.lease_owner <> $1 AND held.lease_until >= $3 {one}
                 OFFSET 0
             )
         )) {one}
         RETURNING {DELIVERY_COLUMNS}, first_attempt_at
         )
         SELECT {DELIVERY_COLUMNS}, first_attempt_at, stored.payload, stored.happened_at
         FROM taken
         LEFT JOIN LATERAL (
             SELECT payload, created_at AS happened_at FROM events
             WHERE workspace_id = taken.workspace_id AND id = taken.event_id {one}
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
    let sql = sql.bind::<Array<BigInt>, _>(chosen.iter().map(|it| it.takes).collect::<Vec<_>>());
    sql.of_one(is_cluster, candidates.first().map(|it| it.workspace))
}

#[cfg(test)]
mod tests {
    use domain::ports::DeliveryQueue;

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
