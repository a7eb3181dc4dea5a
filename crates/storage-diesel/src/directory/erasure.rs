//! Erases deleted workspaces, a bounded number of rows per transaction.
//!
//! A step continues where the last one ended, because it deletes what is left: a killed process loses no progress. The
//! workspace's row is locked meanwhile, so that two callers never erase the same workspace, and is deleted last.

use diesel::sql_types::Uuid as SqlUuid;
use domain::WorkspaceId;
use domain::identity::workspaces::ErasureStep;
use domain::ports::StoreError;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;
use crate::kinds::TABLES;

/// Deletes at most `$2` rows of workspace `$1`, in the order of the table's key, whose index finds them however many rows
/// other workspaces have. A `ctid` is unique only within a partition, so a few more rows of a partitioned table may be deleted.
macro_rules! erase_sql {
    ($table:literal, $key:literal) => {
        $crate::engine::statement::sql!(
            "DELETE FROM {table} WHERE workspace_id = $1 AND ctid = ANY (ARRAY(
                 SELECT ctid FROM {table} WHERE workspace_id = $1 ORDER BY {key} LIMIT $2
             ))",
            table = $table,
            key = $key
        )
    };
}
pub(crate) use erase_sql;

/// Clears a reference between issues, so that they can be deleted in any order.
macro_rules! unlink_sql {
    ($column:literal) => {
        sql!(
            "UPDATE issues SET {column} = NULL WHERE workspace_id = $1 AND ctid = ANY (ARRAY(
                 SELECT ctid FROM issues WHERE workspace_id = $1 AND {column} IS NOT NULL
                 ORDER BY workspace_id, kind, {column} LIMIT $2
             ))",
            column = $column
        )
    };
}

macro_rules! erased {
    ($name:ident: $($table:literal by $key:literal),* $(,)?) => {
        fn $name() -> Vec<(&'static str, Statement)> {
            vec![$(($table, erase_sql!($table, $key))),*]
        }
    };
}

/// The tables that are erased row by row, in this order: tables that refer to another come before it. A test compares this
/// with the schema. Members with their users, and then the workspace itself, follow.
pub(crate) fn erased() -> impl Iterator<Item = (&'static str, Statement)> {
    let kind_tables = TABLES.iter().rev().map(|table| (table.name, (table.emptied)()));
    before_kinds().into_iter().chain(kind_tables).chain(after_kinds())
}

/// The statements of a step, which runs them in order until it has changed enough rows.
pub(crate) fn statements() -> impl Iterator<Item = Statement> {
    [unlink_sql!("parent_id"), unlink_sql!("epic_id")].into_iter().chain(erased().map(|(_, statement)| statement))
}

erased! {
    before_kinds:
    "webhook_attempts" by "workspace_id, delivery_id, number",
    "webhook_backlog" by "workspace_id, event_id",
    "webhook_deliveries" by "workspace_id, id",
    "events_unnumbered" by "workspace_id, event_id",
    "event_positions" by "workspace_id, position, event_id",
    "event_sequences" by "workspace_id",
    "events" by "workspace_id, id",
    "event_chunks" by "workspace_id, record_id, month, digest",
    "webhook_replays" by "workspace_id, id",
    "webhook_subscriptions" by "workspace_id, id",
    "mail_parts" by "workspace_id, mail_id, id",
    "mails" by "workspace_id, id",
    "mail_hours" by "workspace_id, hour",
    "person_erasure_records" by "workspace_id, erasure_id, record_id",
    "person_erasures" by "workspace_id, id",
    "tracking_links" by "workspace_id, lookup_id",
    "portal_sessions" by "workspace_id, id",
    "drafts" by "workspace_id, user_id, record_id, visibility",
    "presences" by "workspace_id, record_id, user_id",
    "ticket_reads" by "workspace_id, user_id, ticket_id",
    "comments" by "workspace_id, id",
    "record_comments" by "workspace_id, id",
    "cycle_history" by "workspace_id, cycle_id, issue_id, day",
    "cascades" by "workspace_id, project_id, project_version, record_id",
    "time_rates" by "workspace_id, member_id, place_id",
}

erased! {
    after_kinds:
    "issue_counters" by "workspace_id, kind",
    // After deals, because their deletion adds changes; changes before totals, because folding turns changes into totals.
    "deal_total_changes" by "workspace_id, id",
    "deal_totals" by "workspace_id, stage, status, currency",
    "kb_vain_searches" by "workspace_id, term",
    "idempotency_keys" by "workspace_id, credential_id, route, key",
    "idempotency_bytes" by "workspace_id, hour, id",
    "crm_quota_blocks" by "workspace_id, month, id",
    "crm_quota" by "workspace_id, month",
    "request_counts" by "workspace_id, day",
    "sign_in_links" by "workspace_id, user_id",
    "demo_workspaces" by "workspace_id",
    "sign_in_challenges" by "workspace_id, lookup_id",
    "sessions" by "workspace_id, id",
    "saved_views" by "workspace_id, id",
    "console_undos" by "workspace_id, id",
    "invitations" by "workspace_id, user_id",
    "api_keys" by "workspace_id, id",
    "import_refusals" by "workspace_id, digest, row_number",
    "import_records" by "workspace_id, import_id, record_id",
    "imports" by "workspace_id, digest",
    "audit_counts" by "workspace_id, hour, actor_type, actor_id, action",
    "audit_log" by "workspace_id, id",
}

/// The workspace whose erasure has been due longest and that no other transaction has locked.
pub(crate) fn due_query(now: OffsetDateTime) -> Statement<SqlUuid> {
    let sql = sql!(
        "SELECT id FROM workspaces WHERE erase_at IS NOT NULL AND erase_at <= $1
         ORDER BY erase_at LIMIT 1 FOR UPDATE SKIP LOCKED"
    );
    sql.returns().bind(now)
}

pub(super) fn step(tx: &mut PgTx<'_>, now: OffsetDateTime, limit: u32) -> Result<ErasureStep, StoreError> {
    let Some(workspace) = tx.first::<_, Uuid>(due_query(now))? else { return Ok(ErasureStep::default()) };
    let mark_erasing = sql!("UPDATE workspaces SET erasing = true WHERE id = $1 AND NOT erasing");
    tx.execute(mark_erasing.bind(workspace))?;
    let limit = limit as usize;
    let mut rows = 0;
    for statement in statements() {
        let remaining = i64::try_from(limit.saturating_sub(rows)).unwrap_or(i64::MAX);
        rows += tx.execute(statement.bind(workspace).bind(remaining))?;
        if rows >= limit {
            break;
        }
    }
    if rows < limit {
        rows += erase_members(tx, workspace, limit - rows)?;
    }
    if rows > 0 {
        return Ok(ErasureStep { rows: rows as u64, erased: None });
    }
    tx.execute(sql!("DELETE FROM workspaces WHERE id = $1").bind(workspace))?;
    Ok(ErasureStep { rows: 1, erased: Some(WorkspaceId(workspace)) })
}

/// Deletes memberships, and in the same transaction the users who have no other.
fn erase_members(tx: &mut PgTx<'_>, workspace: Uuid, limit: usize) -> Result<usize, StoreError> {
    let sql = sql!(
        "DELETE FROM members WHERE workspace_id = $1 AND user_id = ANY (ARRAY(
             SELECT user_id FROM members WHERE workspace_id = $1 ORDER BY workspace_id, user_id LIMIT $2
         ))
         RETURNING user_id"
    );
    let sql = sql.returns::<SqlUuid>().bind(workspace);
    let member_ids: Vec<Uuid> = tx.load(sql.bind(i64::try_from(limit).unwrap_or(i64::MAX)))?;
    if member_ids.is_empty() {
        return Ok(0);
    }
    // Locked first, so that the next statement sees concurrent invitations to other workspaces.
    let lock = sql!("SELECT id FROM users WHERE id = ANY ($1) ORDER BY id FOR UPDATE");
    tx.load::<_, Uuid>(lock.returns::<SqlUuid>().bind(member_ids.clone()))?;
    let deletable_query = sql!(
        "SELECT id FROM users
         WHERE id = ANY ($1) AND NOT is_operator AND NOT EXISTS (SELECT FROM members WHERE user_id = users.id)"
    );
    let deletable: Vec<Uuid> = tx.load(deletable_query.returns::<SqlUuid>().bind(member_ids.clone()))?;
    // The networks they signed in from are deleted with them.
    for sql in [
        sql!("DELETE FROM password_resets WHERE user_id = ANY ($1)"),
        sql!("DELETE FROM second_factors WHERE user_id = ANY ($1)"),
        sql!("DELETE FROM users WHERE id = ANY ($1)"),
    ] {
        tx.execute(sql.bind(deletable.clone()))?;
    }
    Ok(member_ids.len())
}
