//! Bytes that workspaces added to their event logs, per day.

use diesel::sql_types::{BigInt, Date as SqlDate, Nullable, Text, Uuid as SqlUuid};
use domain::WorkspaceId;
use domain::limits::{Allowance, EventBytesOfDay, EventBytesUsed, Plan, WorkspaceLimits};
use domain::ports::StoreError;
use time::Date;
use uuid::Uuid;

use crate::engine::convert;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

/// Workspace, slug, plan, own limit; day and bytes.
type UsedColumns = (SqlUuid, Text, Text, Nullable<BigInt>, SqlDate, BigInt);
pub(crate) type UsedRow = (Uuid, String, String, Option<i64>, Date, i64);

pub(super) fn add(tx: &mut PgTx<'_>, days: &[EventBytesOfDay]) -> Result<Vec<EventBytesUsed>, StoreError> {
    let rows: Vec<UsedRow> = tx.load(add_query(days))?;
    rows.into_iter().map(used).collect()
}

pub(super) fn largest(tx: &mut PgTx<'_>, day: Date, limit: u32) -> Result<Vec<EventBytesUsed>, StoreError> {
    let rows: Vec<UsedRow> = tx.load(largest_query(day, limit))?;
    rows.into_iter().map(used).collect()
}

pub(crate) fn used((workspace, slug, plan, own, day, bytes): UsedRow) -> Result<EventBytesUsed, StoreError> {
    let limits =
        WorkspaceLimits { event_bytes_per_day: own.map(convert::count).transpose()?, ..WorkspaceLimits::default() };
    Ok(EventBytesUsed {
        added: EventBytesOfDay { workspace: WorkspaceId(workspace), day, bytes: convert::count(bytes)? },
        slug,
        allowance: Allowance { plan: convert::parse_stored(&plan, Plan::parse)?, limits },
    })
}

/// In the order of the keys, so that two instances cannot deadlock.
fn add_query(days: &[EventBytesOfDay]) -> Statement<UsedColumns> {
    let sql = sql!(
        "WITH counted AS (
             INSERT INTO request_counts AS stored (workspace_id, day, requests, event_bytes)
             SELECT workspaces.id, added.day, 0, added.bytes
             FROM unnest($1::uuid[], $2::date[], $3::bigint[]) AS added (workspace_id, day, bytes)
             JOIN workspaces ON workspaces.id = added.workspace_id
             ORDER BY workspaces.id, added.day
             ON CONFLICT (workspace_id, day) DO UPDATE SET event_bytes = stored.event_bytes + excluded.event_bytes
             RETURNING workspace_id, day, event_bytes
         )
         SELECT counted.workspace_id, slug, plan, event_bytes_per_day, day, event_bytes
         FROM counted JOIN workspaces ON workspaces.id = counted.workspace_id"
    );
    let sql = sql.returns().bind_each(days, |one| one.workspace.0).bind_each(days, |one| one.day);
    sql.bind_each(days, |one| i64::try_from(one.bytes).unwrap_or(i64::MAX))
}

pub(crate) fn largest_query(day: Date, limit: u32) -> Statement<UsedColumns> {
    let sql = sql!(
        "SELECT workspace_id, slug, plan, event_bytes_per_day, day, event_bytes
         FROM (SELECT * FROM request_counts WHERE day = $1 AND event_bytes > 0 ORDER BY event_bytes DESC LIMIT $2) AS largest
         JOIN workspaces ON workspaces.id = largest.workspace_id
         ORDER BY event_bytes DESC, workspace_id"
    );
    sql.returns().bind(day).bind(i64::from(limit))
}
