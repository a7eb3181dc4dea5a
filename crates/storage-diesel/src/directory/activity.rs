//! Aggregated usage of credentials, and pruning of expired stored responses.

use std::collections::BTreeMap;

use domain::identity::usage::{CredentialUsage, UsedCredential};
use domain::ports::StoreError;
use time::{Date, Duration, OffsetDateTime};
use uuid::Uuid;

use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

/// Rows per statement.
const CHUNK: usize = 1_000;

/// Advances last uses, at most once per minute and credential; otherwise a busy credential would get a new row version every
/// few seconds. Credentials that were deleted meanwhile have no row.
macro_rules! last_use_sql {
    ($table:literal, $column:literal) => {
        sql!(
            "WITH due AS (
                 SELECT {table}.workspace_id, {table}.id, seen.used_at
                 FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS seen (workspace_id, id, used_at)
                 JOIN {table} ON {table}.workspace_id = seen.workspace_id AND {table}.id = seen.id
                 WHERE {table}.{column} IS NULL OR {table}.{column} <= seen.used_at - interval '60 seconds'
                 ORDER BY {table}.workspace_id, {table}.id
                 FOR NO KEY UPDATE OF {table}
             )
             UPDATE {table} SET {column} = due.used_at FROM due
             WHERE {table}.workspace_id = due.workspace_id AND {table}.id = due.id",
            table = $table,
            column = $column
        )
    };
}

/// Requests per workspace and day, and last uses per workspace and key. Sorted in the order in which every instance writes
/// them, so that concurrent writers cannot deadlock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sums {
    requests: Vec<((Uuid, Date), u64)>,
    keys: Vec<LastUse>,
    sessions: Vec<LastUse>,
    tools: Vec<LastUse>,
}

/// When a credential of a workspace was last used.
type LastUse = ((Uuid, Uuid), OffsetDateTime);

impl Sums {
    pub(super) fn of(usage: &[CredentialUsage]) -> Self {
        let (mut requests, mut keys, mut sessions) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut tools = BTreeMap::new();
        for one in usage {
            *requests.entry((one.workspace.0, one.day())).or_default() += one.requests;
            let (uses, id) = match one.credential {
                UsedCredential::Key(id) => (&mut keys, id.0),
                UsedCredential::Session(id) => (&mut sessions, id.0),
            };
            let latest = uses.entry((one.workspace.0, id)).or_insert(one.last_used_at);
            *latest = one.last_used_at.max(*latest);
            if let (UsedCredential::Key(_), Some(used_at)) = (one.credential, one.tools_used_at) {
                let latest = tools.entry((one.workspace.0, id)).or_insert(used_at);
                *latest = used_at.max(*latest);
            }
        }
        let sorted = |uses: BTreeMap<_, _>| uses.into_iter().collect();
        Self {
            requests: requests.into_iter().collect(),
            keys: sorted(keys),
            sessions: sorted(sessions),
            tools: sorted(tools),
        }
    }

    /// Writes everything in one transaction; if it fails, the caller keeps the counts for the next flush.
    pub(super) fn write(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError> {
        self.requests.chunks(CHUNK).try_for_each(|chunk| count_requests(tx, chunk))?;
        let mut advance = |uses: &[LastUse], sql: fn() -> Statement| {
            uses.chunks(CHUNK).try_for_each(|chunk| advance_last_use(tx, sql(), chunk))
        };
        advance(&self.keys, || last_use_sql!("api_keys", "last_used_at"))?;
        advance(&self.tools, || last_use_sql!("api_keys", "tools_used_at"))?;
        advance(&self.sessions, || last_use_sql!("sessions", "last_used_at"))
    }
}

fn count_requests(tx: &mut PgTx<'_>, chunk: &[((Uuid, Date), u64)]) -> Result<(), StoreError> {
    let sql = sql!(
        "INSERT INTO request_counts (workspace_id, day, requests)
         SELECT seen.workspace_id, seen.day, seen.requests
         FROM unnest($1::uuid[], $2::date[], $3::bigint[])
             WITH ORDINALITY AS seen (workspace_id, day, requests, place)
         JOIN workspaces ON workspaces.id = seen.workspace_id
         ORDER BY seen.place
         ON CONFLICT (workspace_id, day) DO UPDATE SET requests = request_counts.requests + excluded.requests"
    );
    let sql = sql.bind_each(chunk, |((workspace, _), _)| *workspace).bind_each(chunk, |((_, day), _)| *day);
    tx.execute(sql.bind_each(chunk, |(_, requests)| i64::try_from(*requests).unwrap_or(i64::MAX))).map(drop)
}

fn advance_last_use(tx: &mut PgTx<'_>, sql: Statement<()>, chunk: &[LastUse]) -> Result<(), StoreError> {
    let sql = sql.bind_each(chunk, |((workspace, _), _)| *workspace).bind_each(chunk, |((_, id), _)| *id);
    tx.execute(sql.bind_each(chunk, |(_, time)| *time)).map(drop)
}

/// Deletes the oldest rows of any workspace. Citus cannot lock rows of several shards; there, concurrent pruning waits.
macro_rules! prune_sql {
    ($is_cluster:expr, $table:literal, $key:literal, $oldest:literal) => {
        if $is_cluster {
            sql!(
                "DELETE FROM {table} WHERE ({key}) IN (SELECT {key} FROM {table} WHERE {oldest} LIMIT $2)",
                table = $table,
                key = $key,
                oldest = $oldest
            )
        } else {
            sql!(
                "DELETE FROM {table} WHERE ({key}) IN (
                     SELECT {key} FROM {table} WHERE {oldest} LIMIT $2 FOR UPDATE SKIP LOCKED
                 )",
                table = $table,
                key = $key,
                oldest = $oldest
            )
        }
    };
}
pub(super) use prune_sql;

pub(super) fn prune_idempotency(tx: &mut PgTx<'_>, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
    let sql = prune_sql!(
        tx.is_cluster,
        "idempotency_keys",
        "workspace_id, credential_id, route, key",
        "created_at < $1 ORDER BY created_at"
    );
    let pruned = tx.execute(sql.bind(before).bind(i64::from(limit)))?;
    if pruned >= limit as usize {
        return Ok(pruned as u64);
    }
    let counts = tx.execute(prune_bytes_query(before - Duration::HOUR, limit, tx.is_cluster))?;
    Ok(pruned.max(counts) as u64)
}

/// Deletes the byte counts of hours whose responses were pruned: those that began before `before`.
pub(crate) fn prune_bytes_query(before: OffsetDateTime, limit: u32, is_cluster: bool) -> Statement {
    let sql = prune_sql!(is_cluster, "idempotency_bytes", "workspace_id, hour, id", "hour <= $1 ORDER BY hour");
    sql.bind(before).bind(i64::from(limit))
}
