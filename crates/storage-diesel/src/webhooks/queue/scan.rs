//! Finds subscriptions with due deliveries, without locks.

use diesel::sql_types::{BigInt, Uuid as SqlUuid};
use domain::ports::StoreError;
use domain::webhooks::{ClaimRequest, Subscription};
use domain::{SubscriptionId, WorkspaceId};
use uuid::Uuid;

use crate::engine::columns::columns;
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::PgTx;
use crate::webhooks::subscriptions::SubscriptionRow;

/// Maximum number of workspaces per claim in a cluster.
const WORKSPACES: usize = 16;
const WORKSPACES_PLUS_ONE: usize = WORKSPACES + 1;

const SUBSCRIPTION_COLUMNS: &str = columns!(SubscriptionRow, "subscription.");

/// A subscription with due deliveries.
#[derive(Clone)]
pub(crate) struct Candidate {
    pub(crate) workspace: Uuid,
    pub(crate) subscription: Subscription,
    /// How many deliveries to claim.
    pub(crate) takes: i64,
}

/// The result of a scan.
pub(super) struct ClaimScan {
    pub(super) candidates: Vec<Candidate>,
    pub(super) next_after: Option<(WorkspaceId, SubscriptionId)>,
}

/// Finds subscriptions with due deliveries, in order after the end of the last scan, until the limit is reached.
pub(super) fn scan(tx: &mut PgTx<'_>, request: &ClaimRequest) -> Result<ClaimScan, StoreError> {
    let (rows, is_cut) =
        if tx.is_cluster { scan_cluster(tx, request)? } else { (tx.load(scan_query(request))?, false) };
    let limit = i64::from(request.limit);
    let is_enough = is_cut || rows.last().is_some_and(|(.., total)| *total >= limit);
    let candidates = rows.into_iter().map(|(row, due, total)| {
        let workspace = row.workspace_id;
        // The last candidate is cut to the remaining capacity.
        Ok(Candidate { workspace, subscription: row.into_subscription()?, takes: due.min(limit - (total - due)) })
    });
    let candidates = candidates.collect::<Result<Vec<_>, StoreError>>()?;
    let end = candidates.last().map(|it| (WorkspaceId(it.workspace), it.subscription.id));
    Ok(ClaimScan { candidates, next_after: end.filter(|_| is_enough) })
}

/// A subscription, the number of its due deliveries, and the running total.
type ScanRow = (SubscriptionRow, i64, i64);

/// Scans a cluster; also returns whether there may be more. Each workspace is a transaction, so a claim covers only a few.
fn scan_cluster(tx: &mut PgTx<'_>, request: &ClaimRequest) -> Result<(Vec<ScanRow>, bool), StoreError> {
    let mut workspaces: Vec<Uuid> = tx.load(workspaces_in_cluster_query(request))?;
    let is_cut = workspaces.len() > WORKSPACES;
    workspaces.truncate(WORKSPACES);
    let (mut rows, mut total) = (Vec::new(), 0);
    for workspace in workspaces {
        let subscriptions: Vec<(SubscriptionRow, i64)> = tx.load(scan_one_query(request, workspace))?;
        for (row, due) in subscriptions {
            if total >= i64::from(request.limit) {
                return Ok((rows, true));
            }
            total += due;
            rows.push((row, due, total));
        }
    }
    Ok((rows, is_cut))
}

type ScanColumns = (RowOf<SubscriptionRow>, BigInt, BigInt);

/// Postgres has no skip scan, so each step finds the first entry after the last subscription and counts its due
/// deliveries; its other entries are not read. Only the tests of a disabled subscription are due. Both kinds of entries are
/// written out, since each has its index, and the branch that is not requested costs nothing.
///
/// Skips deliveries that another dispatcher has claimed. The OFFSETs make Postgres probe an index for each subscription, instead
/// of comparing each with everything in flight or reading them all.
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
         SELECT subscription.*, walk.due, walk.total FROM walk
         CROSS JOIN LATERAL (
             SELECT {SUBSCRIPTION_COLUMNS} FROM webhook_subscriptions AS subscription
             WHERE subscription.workspace_id = walk.workspace_id AND subscription.id = walk.subscription_id
             OFFSET 0
         ) AS subscription
         WHERE walk.due > 0 ORDER BY walk.total"
    );
    bind_scan(sql.returns(), request)
}

/// A subscription that may be claimed, after the end of the last scan.
const FREE: &str = "(subscription.workspace_id, subscription.id) > ($1, $2) AND subscription.deleted_at IS NULL
                 AND subscription.id <> ALL ($4) AND NOT EXISTS (
                     SELECT FROM webhook_deliveries AS held
                     WHERE held.state = 'delivering' AND held.workspace_id = subscription.workspace_id
                         AND held.subscription_id = subscription.id
                         AND held.lease_owner <> $5 AND held.lease_until >= $3
                 )";

/// The workspaces of such subscriptions with due deliveries, one more than a claim covers. It reads all shards at once without
/// locks, so deliveries may be gone when they are claimed. They are not counted, so that reading the head of a long queue is enough.
fn workspaces_in_cluster_query(request: &ClaimRequest) -> Statement<SqlUuid> {
    let sql = sql!(
        "SELECT subscription.workspace_id FROM webhook_subscriptions AS subscription
         WHERE {FREE} AND EXISTS (
             SELECT FROM webhook_deliveries AS due
             WHERE due.workspace_id = subscription.workspace_id AND due.subscription_id = subscription.id
                 AND due.state IN ('pending', 'retrying') AND due.next_attempt_at <= $3
                 AND (subscription.enabled OR due.event = 'webhook.test')
         )
         GROUP BY subscription.workspace_id ORDER BY subscription.workspace_id
         LIMIT {WORKSPACES_PLUS_ONE}"
    );
    bind_free(sql.returns(), request)
}

/// The subscriptions of one workspace, which has few, with due deliveries, and how many of these a claim takes.
fn scan_one_query(request: &ClaimRequest, workspace: Uuid) -> Statement<(RowOf<SubscriptionRow>, BigInt)> {
    let sql = sql!(
        "SELECT {SUBSCRIPTION_COLUMNS}, found.due
         FROM webhook_subscriptions AS subscription
         CROSS JOIN LATERAL (
             SELECT count(*) AS due FROM (
                 SELECT 1 FROM (
                     SELECT 1 FROM webhook_deliveries
                     WHERE workspace_id = $8 AND subscription_id = subscription.id AND subscription.enabled
                         AND state IN ('pending', 'retrying') AND next_attempt_at <= $3
                     ORDER BY next_attempt_at LIMIT $6
                 ) AS everything
                 UNION ALL
                 SELECT 1 FROM (
                     SELECT 1 FROM webhook_deliveries
                     WHERE workspace_id = $8 AND subscription_id = subscription.id AND NOT subscription.enabled
                         AND state IN ('pending', 'retrying') AND event = 'webhook.test' AND next_attempt_at <= $3
                     ORDER BY next_attempt_at LIMIT $6
                 ) AS tests
             ) AS due
         ) AS found
         WHERE subscription.workspace_id = $8 AND found.due > 0 AND {FREE}
         ORDER BY subscription.id LIMIT $7"
    );
    let sql = bind_free(sql.returns(), request).bind(i64::from(request.limit_per_subscription));
    sql.bind(i64::from(request.limit)).bind(workspace)
}

fn bind_free<ST>(sql: Statement<ST>, request: &ClaimRequest) -> Statement<ST> {
    bind_claimer(bind_after(sql, request).bind(request.now), request)
}

fn bind_scan<ST>(sql: Statement<ST>, request: &ClaimRequest) -> Statement<ST> {
    let sql = bind_after(sql, request).bind(request.now);
    bind_claimer(sql.bind(i64::from(request.limit_per_subscription)), request).bind(i64::from(request.limit))
}

fn bind_after<ST>(sql: Statement<ST>, request: &ClaimRequest) -> Statement<ST> {
    let before_all = (WorkspaceId(Uuid::nil()), SubscriptionId(Uuid::nil()));
    let (workspace, subscription) = request.after.unwrap_or(before_all);
    sql.bind(workspace.0).bind(subscription.0)
}

fn bind_claimer<ST>(sql: Statement<ST>, request: &ClaimRequest) -> Statement<ST> {
    sql.bind_each(&request.excluded, |id| id.0).bind(request.owner)
}
