//! Claims due deliveries of the subscriptions that a scan found.

use std::collections::HashMap;

use diesel::sql_types::{Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::WorkspaceId;
use domain::ports::StoreError;
use domain::webhooks::{ClaimRequest, ClaimedDelivery, Delivery, DeliveryState, LEASE, Subscription};
use time::OffsetDateTime;
use uuid::Uuid;

use super::scan::Candidate;
use crate::engine::columns::columns;
use crate::engine::statement::{RowOf, Statement, placed_sql, sql};
use crate::engine::tx::PgTx;
use crate::events::chunk_rows;
use crate::webhooks::deliveries::{DeliveryRow, StoredEvent};

const DELIVERY_COLUMNS: &str = columns!(DeliveryRow);

/// Claims the due deliveries of the candidates. Skips candidates that another transaction has locked or changed.
pub(super) fn take(
    tx: &mut PgTx<'_>,
    request: &ClaimRequest,
    candidates: &[Candidate],
) -> Result<Vec<ClaimedDelivery>, StoreError> {
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<TakenRow> = tx.load(take_query(tx.is_cluster, request, candidates))?;
    let mut rows: Vec<Taken> =
        rows.into_iter().map(|(row, first, payload, at, record)| (row, first, (payload, at, record))).collect();
    chunk_rows::complete(tx, rows.iter_mut().map(|(row, _, event)| row.stored(event)).collect())?;
    let (rows, without_content): (Vec<_>, Vec<_>) = rows.into_iter().partition(has_content);
    end_without_content(tx, request.now, &without_content)?;
    let subscriptions: HashMap<_, _> =
        candidates.iter().map(|it| ((it.workspace, it.subscription.id.0), &it.subscription)).collect();
    let mut deliveries = rows
        .into_iter()
        .map(|(row, first_attempt_at, event)| {
            let subscription = subscriptions.get(&(row.workspace_id, row.subscription_id));
            let subscription =
                subscription.ok_or_else(|| StoreError::Internal("a claim without its subscription".to_owned()))?;
            into_claimed(request, row, (first_attempt_at, event), subscription)
        })
        .collect::<Result<Vec<_>, _>>()?;
    // UPDATE … RETURNING has no defined order.
    deliveries.sort_by_key(|claimed| (claimed.workspace, claimed.subscription.id, claimed.delivery.next_attempt_at));
    Ok(deliveries)
}

fn into_claimed(
    request: &ClaimRequest,
    row: DeliveryRow,
    (first_attempt_at, event): (Option<OffsetDateTime>, StoredEvent),
    subscription: &Subscription,
) -> Result<ClaimedDelivery, StoreError> {
    let workspace = WorkspaceId(row.workspace_id);
    let delivery = row.into_delivery(event)?;
    let was_attempted = delivery.attempts_now() > 0;
    let state = if was_attempted { DeliveryState::Retrying } else { DeliveryState::Pending };
    Ok(ClaimedDelivery {
        workspace,
        delivery: Delivery { state, ..delivery },
        first_attempt_at: first_attempt_at.filter(|_| was_attempted),
        subscription: subscription.clone(),
        leased_until: request.now + LEASE,
    })
}

type TakenRow = (DeliveryRow, Option<OffsetDateTime>, Option<String>, Option<OffsetDateTime>, Option<Uuid>);
type Taken = (DeliveryRow, Option<OffsetDateTime>, StoredEvent);

fn has_content((row, _, event): &Taken) -> bool {
    row.has_content(event)
}

/// Ends deliveries whose event is missing, so that they are not claimed again and again. Events are kept longer than
/// deliveries, so this only happens if a partition was dropped by hand.
fn end_without_content(tx: &mut PgTx<'_>, now: OffsetDateTime, rows: &[Taken]) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    log::error!("{} webhook deliveries failed permanently: their events are no longer stored", rows.len());
    let sql = placed_sql!(
        tx.is_cluster,
        "webhook_deliveries.workspace_id = $4",
        "UPDATE webhook_deliveries SET state = 'failed', failed_reason = 'content_lost', finished_at = $1,
             next_attempt_at = NULL, lease_owner = NULL, lease_until = NULL
         FROM unnest($2::uuid[], $3::uuid[]) AS it (workspace_id, id)
         WHERE webhook_deliveries.workspace_id = it.workspace_id AND webhook_deliveries.id = it.id {one}"
    );
    let sql = sql.bind(now).bind_each(rows, |(row, ..)| row.workspace_id).bind_each(rows, |(row, ..)| row.id);
    let workspace = rows.first().map(|(row, ..)| row.workspace_id);
    tx.execute(sql.of_one(tx.is_cluster, workspace)).map(drop)
}

/// The subscriptions to claim deliveries of, each locked for one dispatcher at a time, unless changed since the scan.
///
/// The claim commits asynchronously, so that sending does not wait for the disk. If a database crash loses the claim, the
/// deliveries are due as before.
const LOCKED_HERE: &str = "SELECT candidate.* FROM unnest(
                 (SELECT $4::uuid[]), (SELECT $5::uuid[]), (SELECT $6::boolean[]), (SELECT $7::bigint[]), (SELECT $8::bigint[])
             ) AS candidate (workspace_id, subscription_id, enabled, takes, version)
             CROSS JOIN (SELECT set_config('synchronous_commit', 'off', true) AS setting OFFSET 0) AS fast
             CROSS JOIN LATERAL (
                 SELECT 1 FROM webhook_subscriptions
                 WHERE workspace_id = candidate.workspace_id AND id = candidate.subscription_id
                     AND version = candidate.version AND deleted_at IS NULL
                 LIMIT 1
                 FOR NO KEY UPDATE SKIP LOCKED
             ) AS locked
             WHERE fast.setting = 'off'";
/// In a cluster, a previous statement has locked them.
const LOCKED_BEFORE: &str = "SELECT * FROM unnest($4::uuid[], $5::uuid[], $6::boolean[], $7::bigint[], $8::bigint[])
                 AS candidate (workspace_id, subscription_id, enabled, takes, version)";

/// Functions on one node of a cluster cannot read distributed tables.
const HELD_IN_CLUSTER: &str = "EXISTS (
                 SELECT FROM webhook_deliveries AS held
                 WHERE held.state = 'delivering' AND held.workspace_id = candidate.workspace_id
                     AND held.subscription_id = candidate.subscription_id
                     AND held.lease_owner <> $1 AND held.lease_until >= $3 AND held.workspace_id = $9
                 OFFSET 0
             )";
const HELD: &str = "webhook_is_held_by_another(candidate.workspace_id, candidate.subscription_id, $1, $3)";

type ClaimedColumns =
    (RowOf<DeliveryRow>, Nullable<Timestamptz>, Nullable<Text>, Nullable<Timestamptz>, Nullable<SqlUuid>);

macro_rules! take_sql {
    ($locked:expr, $held:expr, $one:literal) => {
        sql!(
            "WITH candidate AS MATERIALIZED (
             {locked}
             ), taken AS (
             UPDATE webhook_deliveries SET state = 'delivering', lease_owner = $1, lease_until = $2, attempt_again = false,
                 attempts_before = CASE WHEN attempt_again THEN attempts ELSE attempts_before END,
                 first_attempt_at = CASE WHEN attempt_again OR attempts = attempts_before THEN $3 ELSE first_attempt_at END
             WHERE ctid = ANY (ARRAY(
                 SELECT due.ctid
                 FROM candidate
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
                 WHERE NOT {held}
             )) {one}
             RETURNING {DELIVERY_COLUMNS}, first_attempt_at
             )
             SELECT {DELIVERY_COLUMNS}, first_attempt_at, stored.payload, stored.happened_at, stored.record_id
             FROM taken
             LEFT JOIN LATERAL (
                 SELECT payload, created_at AS happened_at, record_id FROM events
                 WHERE workspace_id = taken.workspace_id AND id = taken.event_id {one}
                 OFFSET 0
             ) AS stored ON true",
            locked = $locked,
            held = $held,
            one = $one
        )
    };
}

/// Payloads are read only for claimed deliveries; the OFFSET makes Postgres read each event by its key.
///
/// Rows are found by ctid, which cannot change while they are locked, so that no estimate can make Postgres choose another
/// plan. Subqueries hide the number of candidates from the planner, which would otherwise plan for it each time and take longer
/// than a small claim. The conditions for due deliveries are those of [`scan_query`](super::scan::scan_query).
pub(crate) fn take_query(
    is_cluster: bool,
    request: &ClaimRequest,
    candidates: &[Candidate],
) -> Statement<ClaimedColumns> {
    let sql = if is_cluster {
        take_sql!(LOCKED_BEFORE, HELD_IN_CLUSTER, "AND workspace_id = $9")
    } else {
        take_sql!(LOCKED_HERE, HELD, "")
    };
    let sql = sql.returns().bind(request.owner).bind(request.now + LEASE).bind(request.now);
    let sql = sql.bind_each(candidates, |it| it.workspace).bind_each(candidates, |it| it.subscription.id.0);
    let sql = sql.bind_each(candidates, |it| it.subscription.enabled).bind_each(candidates, |it| it.takes);
    let sql = sql.bind_each(candidates, |it| it.subscription.version);
    sql.of_one(is_cluster, candidates.first().map(|it| it.workspace))
}

#[cfg(test)]
mod tests {
    use diesel::RunQueryDsl;
    use diesel::connection::SimpleConnection;
    use diesel::sql_types::Bool;
    use domain::ports::{DeliveryQueue, Store};

    use super::super::scan::scan;
    use super::*;
    use crate::plans::common::jobs::{NOW, job, store_over, wait_until};
    use crate::plans::common::webhooks::{emit, request, subscribe};
    use crate::plans::common::{Database, block_on};

    /// Another dispatcher may claim between scan and claim, and release its locks.
    #[test]
    fn deliveries_claimed_in_between_are_skipped() {
        block_on(async {
            let (_database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
            subscribe(&store, workspace, 1).await;
            emit(&store, workspace, 9).await;
            let (slow, quick) = (request(1), request(2));
            let scan_request = slow.clone();
            let scanned = store.run_autocommit(move |tx| scan(tx, &scan_request)).await.unwrap();
            assert_eq!(scanned.candidates.len(), 1);
            assert_eq!(store.claim(&quick).await.unwrap().deliveries.len(), 4);
            let taken = store.run_autocommit(move |tx| take(tx, &slow, &scanned.candidates)).await;
            assert!(taken.unwrap().is_empty());
        });
    }

    /// Deliveries are sent with the subscription's state at the time of the claim.
    #[test]
    fn a_subscription_changed_in_between_is_skipped() {
        block_on(async {
            let (_database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
            let id = subscribe(&store, workspace, 1).await[0];
            emit(&store, workspace, 1).await;
            let scan_request = request(1);
            let scanned = store.run_autocommit(move |tx| scan(tx, &scan_request)).await.unwrap();
            let change = job(move |tx| {
                let saved = tx.subscriptions().get_for_update(id)?.map(|it| {
                    let version = it.version + 1;
                    Subscription { url: "https://example.org".to_owned(), version, ..it }
                });
                tx.subscriptions().save(&saved.unwrap())
            });
            store.run(workspace, change).await.unwrap();
            let taken = store.run_autocommit(move |tx| take(tx, &request(1), &scanned.candidates)).await;
            assert!(taken.unwrap().is_empty());
            let next = store.claim(&request(1)).await.unwrap().deliveries;
            assert_eq!(next.iter().map(|it| it.subscription.url.as_str()).collect::<Vec<_>>(), ["https://example.org"]);
        });
    }

    /// Other claims may commit after a statement began and before it acquires the lock.
    #[test]
    fn leases_committed_while_a_statement_runs_are_seen() {
        block_on(async {
            let (database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
            let subscription = subscribe(&store, workspace, 1).await[0];
            emit(&store, workspace, 1).await;
            let mut other = database.connection();
            other.batch_execute("SELECT pg_advisory_lock(1)").unwrap();
            let (mut asking, claimer) = (database.connection(), request(1).owner);
            let sql = Statement::<Bool>::once(format!(
                "SELECT webhook_is_held_by_another('{}', '{}', '{claimer}', '{NOW}')
                 FROM (SELECT pg_advisory_lock(1) OFFSET 0) AS waited",
                workspace.0, subscription.0
            ));
            let competing_claim = std::thread::spawn(move || sql.get_result::<bool>(&mut asking).unwrap());
            let waits = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
            wait_until(&database, waits).await;
            assert_eq!(store.claim(&request(2)).await.unwrap().deliveries.len(), 1);
            other.batch_execute("SELECT pg_advisory_unlock(1)").unwrap();
            assert!(competing_claim.join().unwrap());
        });
    }
}
