//! Records attempts and their outcome.

use std::collections::{BTreeMap, HashMap, HashSet};

use diesel::sql_types::{Bool, Nullable, Uuid as SqlUuid};
use domain::WorkspaceId;
use domain::ports::StoreError;
use domain::webhooks::{Attempt, AttemptRecord, DeliveryState, FailedReason, Verdict};
use domain::work::issues::ERASED;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::statement::{Statement, placed_sql, sql};
use crate::engine::tx::PgTx;

/// One statement per step, regardless of the number of records. Subscriptions are locked before deliveries (see the lock order in `mod.rs`).
pub(super) fn write(tx: &mut PgTx<'_>, records: &[AttemptRecord]) -> Result<(), StoreError> {
    let subscriptions = lock_subscriptions(tx, records)?;
    let (mut owners, erased) = lock_deliveries(tx, records)?;
    // A delivery that was pruned meanwhile has no history.
    let unpruned: Vec<_> = records.iter().filter(|it| owners.contains_key(&(it.workspace.0, it.delivery.0))).collect();
    insert_attempts(tx, &unpruned, &erased)?;
    // The outcome of a delivery is recorded once, by the dispatcher that holds its lease.
    let decides = |it: &&AttemptRecord| owners.insert((it.workspace.0, it.delivery.0), None) == Some(Some(it.owner));
    let deciding: Vec<_> = unpruned.into_iter().filter(decides).collect();
    finish_deliveries(tx, &deciding)?;
    let mut effects = Effects::of(&deciding);
    effects.retain(|id, _| subscriptions.contains(id));
    change_subscriptions(tx, &effects)
}

/// The workspace of the records; in a cluster they all have the same one. There, their ids are also passed as a list, so that
/// Postgres uses the index of the shard, regardless of the planner's statistics.
fn workspace_of<'r>(records: impl IntoIterator<Item = &'r AttemptRecord>) -> Option<Uuid> {
    records.into_iter().next().map(|it| it.workspace.0)
}

/// Groups records by transaction. In a cluster, a transaction writes records of one workspace, whose rows are on one node.
pub(super) fn group_by_transaction(
    is_cluster: bool,
    records: &[AttemptRecord],
) -> BTreeMap<Option<WorkspaceId>, Vec<AttemptRecord>> {
    let mut together = BTreeMap::<_, Vec<_>>::new();
    for record in records {
        together.entry(is_cluster.then_some(record.workspace)).or_default().push(record.clone());
    }
    together
}

type Id = (Uuid, Uuid);
/// The dispatcher that holds each delivery.
type Owners = HashMap<Id, Option<Uuid>>;

/// The effects of records on a subscription.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Effects {
    last_success: Option<OffsetDateTime>,
    /// The first failure after the last success.
    failing_from: Option<OffsetDateTime>,
    /// When the receiver returned 410.
    gone_at: Option<OffsetDateTime>,
}

impl Effects {
    fn of(records: &[&AttemptRecord]) -> BTreeMap<Id, Self> {
        let mut effects_by_id = BTreeMap::<Id, Self>::new();
        let mut in_time = records.to_vec();
        in_time.sort_by_key(|record| record.now);
        for record in in_time {
            // An expired delivery says nothing about the receiver.
            let Some((_, verdict)) = record.attempted() else { continue };
            let effects = effects_by_id.entry((record.workspace.0, record.subscription.0)).or_default();
            if verdict == Verdict::Succeeded {
                (effects.last_success, effects.failing_from) = (Some(record.now), None);
            } else {
                effects.failing_from = effects.failing_from.or(Some(record.now));
            }
            if verdict == Verdict::Gone {
                effects.gone_at = Some(record.now);
            }
        }
        effects_by_id
    }
}

/// Locks the subscriptions whose row may have to change: none as long as all attempts succeed, or all fail.
fn lock_subscriptions(tx: &mut PgTx<'_>, records: &[AttemptRecord]) -> Result<Vec<Id>, StoreError> {
    let effects = Effects::of(&records.iter().collect::<Vec<_>>());
    let column = |value: fn(&Effects) -> bool| effects.values().map(value).collect::<Vec<_>>();
    let sql = placed_sql!(
        tx.is_cluster,
        "webhook_subscriptions.workspace_id = $6",
        "SELECT webhook_subscriptions.workspace_id, webhook_subscriptions.id
         FROM unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::boolean[], $5::boolean[])
             AS it (workspace_id, id, succeeded, failed, gone)
         JOIN webhook_subscriptions USING (workspace_id, id)
         WHERE deleted_at IS NULL AND (
             it.gone OR (it.succeeded AND failing_since IS NOT NULL) OR (it.failed AND failing_since IS NULL)
         ) {one}
         ORDER BY workspace_id, id
         FOR NO KEY UPDATE OF webhook_subscriptions"
    );
    let sql = bind_ids(sql.returns::<(SqlUuid, SqlUuid)>(), effects.keys().copied());
    let sql = sql.bind(column(|it| it.last_success.is_some())).bind(column(|it| it.failing_from.is_some()));
    tx.load(sql.bind(column(|it| it.gone_at.is_some())).of_one(tx.is_cluster, workspace_of(records)))
}

/// Locks the deliveries and returns the owner of each, and which of them an erasure has processed.
///
/// It also makes the records commit asynchronously, so that requests do not wait for their disk writes. If a database crash loses
/// some, their deliveries are sent again when their leases expire, as after a crash of the dispatcher.
fn lock_deliveries(tx: &mut PgTx<'_>, records: &[AttemptRecord]) -> Result<(Owners, HashSet<Id>), StoreError> {
    let sql = placed_sql!(
        tx.is_cluster,
        "webhook_deliveries.workspace_id = $3 AND webhook_deliveries.id = ANY ($2)",
        "WITH fast AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS setting)
         SELECT webhook_deliveries.workspace_id, webhook_deliveries.id, lease_owner, erased
         FROM unnest($1::uuid[], $2::uuid[]) AS it (workspace_id, id)
         JOIN webhook_deliveries USING (workspace_id, id) CROSS JOIN fast
         WHERE fast.setting = 'off' {one}
         ORDER BY workspace_id, id
         FOR NO KEY UPDATE OF webhook_deliveries"
    );
    let sql = sql.returns::<(SqlUuid, SqlUuid, Nullable<SqlUuid>, Bool)>();
    let sql = bind_ids(sql, records.iter().map(|it| (it.workspace.0, it.delivery.0)));
    let sql = sql.of_one(tx.is_cluster, workspace_of(records));
    let rows: Vec<(Uuid, Uuid, Option<Uuid>, bool)> = tx.load(sql)?;
    let erased = rows.iter().filter(|row| row.3).map(|row| (row.0, row.1)).collect();
    Ok((rows.into_iter().map(|(workspace, id, owner, _)| ((workspace, id), owner)).collect(), erased))
}

/// If an attempt number is in use, another dispatcher also claimed the delivery: this attempt is numbered after it. The same
/// attempt is not inserted twice if the outcome of the first COMMIT is unknown. The response to a delivery that was erased
/// meanwhile is not stored, because it may repeat the erased data.
fn insert_attempts(tx: &mut PgTx<'_>, records: &[&AttemptRecord], erased: &HashSet<Id>) -> Result<(), StoreError> {
    let sql = if tx.is_cluster { insert_in_cluster_sql() } else { insert_sql() };
    let attempts: Vec<(Id, &Attempt)> = records
        .iter()
        .filter_map(|it| it.attempted().map(|(attempt, _)| ((it.workspace.0, it.delivery.0), attempt)))
        .collect();
    if attempts.is_empty() {
        return Ok(());
    }
    let rows = attempts.iter().map(|(_, attempt)| *attempt);
    let sql = bind_ids(sql, attempts.iter().map(|(id, _)| *id));
    let sql = sql.bind_each(rows.clone(), |it| i32::try_from(it.number).unwrap_or(i32::MAX));
    let sql = sql.bind_each(rows.clone(), |it| it.started_at).bind_each(rows.clone(), |it| i64::from(it.duration_ms));
    let sql = sql.bind_each(rows.clone(), |it| it.status.map(i32::from));
    let sql = sql.bind_each(rows.clone(), |it| storable(it.error.as_ref()));
    let response = |(id, attempt): &(Id, &Attempt)| match &attempt.response {
        Some(_) if erased.contains(id) => Some(ERASED.to_owned()),
        response => storable(response.as_ref()),
    };
    let sql = sql.bind_each(&attempts, response).bind_each(rows, |it| it.manual);
    tx.execute(sql.of_one(tx.is_cluster, workspace_of(records.iter().copied()))).map(drop)
}

fn insert_sql() -> Statement {
    sql!(
        "INSERT INTO webhook_attempts
             (workspace_id, delivery_id, number, started_at, duration_ms, status, error, response, manual)
         SELECT it.workspace_id, it.delivery_id, CASE WHEN earlier.taken THEN earlier.last + 1 ELSE it.number END,
             it.started_at, it.duration_ms, it.status, it.error, it.response, it.manual
         FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::timestamptz[], $5::bigint[], $6::integer[],
             $7::text[], $8::text[], $9::boolean[])
             AS it (workspace_id, delivery_id, number, started_at, duration_ms, status, error, response, manual)
         CROSS JOIN LATERAL (
             SELECT max(number) AS last, coalesce(bool_or(number = it.number), false) AS taken,
                 coalesce(bool_or(started_at = it.started_at), false) AS written
             FROM webhook_attempts
             WHERE workspace_id = it.workspace_id AND delivery_id = it.delivery_id
         ) AS earlier
         WHERE NOT earlier.written
         ON CONFLICT (workspace_id, delivery_id, number) DO NOTHING"
    )
}

/// Inserts attempts for deliveries of one workspace, which is the last bind. Citus runs an INSERT … SELECT on the target node only if
/// the workspace comes from a table.
fn insert_in_cluster_sql() -> Statement {
    sql!(
        "INSERT INTO webhook_attempts
             (workspace_id, delivery_id, number, started_at, duration_ms, status, error, response, manual)
         SELECT delivery.workspace_id, delivery.id, CASE WHEN earlier.taken THEN earlier.last + 1 ELSE it.number END,
             it.started_at, it.duration_ms, it.status, it.error, it.response, it.manual
         FROM webhook_deliveries AS delivery
         JOIN unnest($1::uuid[], $2::uuid[], $3::integer[], $4::timestamptz[], $5::bigint[], $6::integer[],
             $7::text[], $8::text[], $9::boolean[])
             AS it (workspace_id, delivery_id, number, started_at, duration_ms, status, error, response, manual)
             ON it.delivery_id = delivery.id
         CROSS JOIN LATERAL (
             SELECT max(number) AS last, coalesce(bool_or(number = it.number), false) AS taken,
                 coalesce(bool_or(started_at = it.started_at), false) AS written
             FROM webhook_attempts
             WHERE workspace_id = $10 AND delivery_id = it.delivery_id
         ) AS earlier
         WHERE delivery.workspace_id = $10 AND delivery.id = ANY ($2) AND NOT earlier.written
         ON CONFLICT (workspace_id, delivery_id, number) DO NOTHING"
    )
}

/// Postgres text cannot contain NUL, and a receiver may send any bytes.
fn storable(text: Option<&String>) -> Option<String> {
    text.map(|text| text.replace('\0', "\u{fffd}"))
}

/// A delivery that was requested again during the attempt is due at once, regardless of the outcome.
fn finish_deliveries(tx: &mut PgTx<'_>, records: &[&AttemptRecord]) -> Result<(), StoreError> {
    if records.is_empty() {
        return Ok(());
    }
    let after = |it: &&AttemptRecord| match it.attempted().map(|(_, verdict)| verdict) {
        Some(Verdict::Succeeded) => (DeliveryState::Succeeded, None, Some(it.now)),
        Some(Verdict::Retry(at)) => (DeliveryState::Retrying, Some(at), None),
        Some(Verdict::Failed | Verdict::Gone) | None => (DeliveryState::Failed, None, Some(it.now)),
    };
    let expired: Vec<_> =
        records.iter().map(|it| it.attempted().is_none().then_some(FailedReason::Expired.as_str())).collect();
    let after: Vec<_> = records.iter().map(after).collect();
    let sql = placed_sql!(
        tx.is_cluster,
        "webhook_deliveries.workspace_id = $7 AND webhook_deliveries.id = ANY ($2)",
        "UPDATE webhook_deliveries SET state = CASE WHEN attempt_again THEN 'pending' ELSE it.state END,
             failed_reason = CASE WHEN NOT attempt_again THEN it.expired END,
             attempts = CASE WHEN it.expired IS NULL THEN attempts + 1 ELSE attempts END,
             next_attempt_at = CASE WHEN attempt_again THEN redelivered_at ELSE it.next_attempt_at END,
             finished_at = CASE WHEN NOT attempt_again THEN it.finished_at END, lease_owner = NULL, lease_until = NULL
         FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::text[])
             AS it (workspace_id, id, state, next_attempt_at, finished_at, expired)
         WHERE webhook_deliveries.workspace_id = it.workspace_id AND webhook_deliveries.id = it.id {one}"
    );
    let sql = bind_ids(sql, records.iter().map(|it| (it.workspace.0, it.delivery.0)));
    let sql = sql.bind_each(&after, |(state, ..)| state.as_str()).bind_each(&after, |(_, next, _)| *next);
    let sql = sql.bind_each(&after, |(.., end)| *end).bind(expired);
    tx.execute(sql.of_one(tx.is_cluster, workspace_of(records.iter().copied()))).map(drop)
}

/// The failure columns change without the version, which counts changes by users.
fn change_subscriptions(tx: &mut PgTx<'_>, effects: &BTreeMap<Id, Effects>) -> Result<(), StoreError> {
    if effects.is_empty() {
        return Ok(());
    }
    let column = |value: fn(&Effects) -> Option<OffsetDateTime>| effects.values().map(value).collect::<Vec<_>>();
    let succeeded: Vec<_> = effects.values().map(|it| it.last_success.is_some()).collect();
    let sql = placed_sql!(
        tx.is_cluster,
        "webhook_subscriptions.workspace_id = $6",
        "UPDATE webhook_subscriptions SET
             failing_since = CASE WHEN it.succeeded THEN it.failing_from
                 ELSE coalesce(failing_since, it.failing_from) END,
             disabled_reason = CASE WHEN enabled AND it.gone_at IS NOT NULL THEN 'gone' ELSE disabled_reason END,
             version = CASE WHEN enabled AND it.gone_at IS NOT NULL THEN version + 1 ELSE version END,
             updated_at = CASE WHEN enabled AND it.gone_at IS NOT NULL THEN it.gone_at ELSE updated_at END,
             disabled_told_at = CASE WHEN enabled AND it.gone_at IS NOT NULL THEN NULL ELSE disabled_told_at END,
             enabled = enabled AND it.gone_at IS NULL
         FROM unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::timestamptz[], $5::timestamptz[])
             AS it (workspace_id, id, succeeded, failing_from, gone_at)
         WHERE webhook_subscriptions.workspace_id = it.workspace_id AND webhook_subscriptions.id = it.id {one}"
    );
    let sql = bind_ids(sql, effects.keys().copied()).bind(succeeded).bind(column(|it| it.failing_from));
    let sql = sql.bind(column(|it| it.gone_at));
    let workspace = effects.keys().next().map(|(workspace, _)| *workspace);
    tx.execute(sql.of_one(tx.is_cluster, workspace)).map(drop)
}

fn bind_ids<ST>(sql: Statement<ST>, ids: impl Iterator<Item = Id>) -> Statement<ST> {
    let (workspaces, ids): (Vec<_>, Vec<_>) = ids.unzip();
    sql.bind(workspaces).bind(ids)
}
