//! Counts audit entries per action, actor and hour.

use diesel::sql_types::{BigInt, Bool, Text, Timestamptz, Uuid as SqlUuid};
use domain::WorkspaceId;
use domain::identity::audit::{AuditAction, AuditActor, AuditBound, AuditEntry, LeftOutCount};
use domain::ports::StoreError;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::convert;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

/// Counts an entry; returns whether it exceeds the bound. The row stays locked until the transaction ends, so that two
/// entries cannot both be the last one allowed.
pub(crate) fn count_query(workspace: Uuid, entry: &AuditEntry, bound: AuditBound) -> Statement<Bool> {
    let sql = sql!(
        "INSERT INTO audit_counts AS counted
             (workspace_id, hour, actor_type, actor_id, action, actor_name, entries, left_out)
         VALUES ($1, $2, $3, $4, $5, $6, 1, 0)
         ON CONFLICT (workspace_id, hour, actor_type, actor_id, action) DO UPDATE SET
             actor_name = excluded.actor_name,
             entries = counted.entries + (counted.entries < $7)::int,
             left_out = counted.left_out + (counted.entries >= $7)::int
         RETURNING left_out > 0"
    );
    let actor = &entry.actor;
    sql.returns()
        .bind(workspace)
        .bind(entry.hour())
        .bind(actor.actor.kind.as_str())
        .bind(actor.actor.id.unwrap_or_default())
        .bind(entry.action.as_str())
        .bind(actor.name.clone())
        .bind(i32::try_from(bound.per_hour).unwrap_or(i32::MAX))
}

pub(crate) fn find_query(before: OffsetDateTime, limit: u32) -> Statement<SqlUuid> {
    let sql = sql!(
        "SELECT workspace_id FROM audit_counts WHERE left_out > 0 AND hour < $1
         ORDER BY hour LIMIT $2"
    );
    sql.returns().bind(before).bind(i64::from(limit))
}

pub(crate) fn find_left_out(
    tx: &mut PgTx<'_>,
    before: OffsetDateTime,
    limit: u32,
) -> Result<Vec<WorkspaceId>, StoreError> {
    let mut ids: Vec<Uuid> = tx.load(find_query(before, limit))?;
    ids.sort_unstable();
    ids.dedup();
    Ok(ids.into_iter().map(WorkspaceId).collect())
}

type CountColumns = (Timestamptz, Text, SqlUuid, Text, Text, BigInt);
type CountRow = (OffsetDateTime, String, Uuid, String, String, i64);

pub(crate) fn take_query(workspace: Uuid, before: OffsetDateTime, limit: u32) -> Statement<CountColumns> {
    let sql = sql!(
        "DELETE FROM audit_counts WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM audit_counts WHERE workspace_id = $1 AND hour < $2 AND left_out > 0
             ORDER BY hour LIMIT $3 FOR UPDATE
         ))
         RETURNING hour, actor_type, actor_id, actor_name, action, left_out"
    );
    sql.returns().bind(workspace).bind(before).bind(i64::from(limit))
}

pub(crate) fn take_left_out(
    tx: &mut PgTx<'_>,
    before: OffsetDateTime,
    limit: u32,
) -> Result<Vec<LeftOutCount>, StoreError> {
    let rows: Vec<CountRow> = tx.load(take_query(tx.workspace, before, limit))?;
    let count = |(hour, kind, id, name, action, left_out): CountRow| {
        Ok(LeftOutCount {
            hour,
            actor: AuditActor { actor: convert::actor(&kind, (!id.is_nil()).then_some(id))?, name },
            action: convert::parse_stored(&action, AuditAction::parse)?,
            left_out: convert::count(left_out)?,
        })
    };
    rows.into_iter().map(count).collect()
}

/// Removes counts of earlier hours in which no entries were left out.
pub(crate) fn prune_query(before: OffsetDateTime, limit: u32) -> Statement {
    let sql = sql!(
        "DELETE FROM audit_counts WHERE left_out = 0 AND ctid = ANY (ARRAY(
             SELECT ctid FROM audit_counts WHERE hour < $1 AND left_out = 0
             ORDER BY hour LIMIT $2 FOR UPDATE SKIP LOCKED
         ))"
    );
    sql.bind(before).bind(i64::from(limit))
}
