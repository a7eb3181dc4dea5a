//! Stored undos of changes made in the console.

use diesel::sql_types::{Text, Timestamptz, Uuid as SqlUuid};
use domain::console::undos::{MAX_UNDOS, Undo};
use domain::ports::{StoreError, UndoRepo};
use domain::records::{FormerValues, RecordKind};
use domain::{UndoId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

/// Id, kind, creation time, expiry, and the entries as text.
type UndoColumns = (SqlUuid, Text, Timestamptz, Timestamptz, Text);
type UndoRow = (Uuid, String, OffsetDateTime, OffsetDateTime, String);

/// How many older undos per member are kept in addition to a new one.
const MAX_OTHERS: u32 = MAX_UNDOS - 1;

impl UndoRepo for PgTx<'_> {
    fn keep(&mut self, member: UserId, undo: &Undo) -> Result<(), StoreError> {
        self.execute(keep_query(self.workspace, member, undo)?).map(drop)
    }

    fn get_for_update(&mut self, member: UserId, id: UndoId) -> Result<Option<Undo>, StoreError> {
        let row: Option<UndoRow> = self.first(get_query(self.workspace, member, id))?;
        Ok(row.map(into_undo).transpose()?.flatten())
    }

    fn keep_entries(&mut self, id: UndoId, entries: &[FormerValues]) -> Result<(), StoreError> {
        let sql = sql!("UPDATE console_undos SET entries = $3::jsonb WHERE workspace_id = $1 AND id = $2");
        self.execute(sql.bind(self.workspace).bind(id.0).bind(as_text(entries)?)).map(drop)
    }
}

/// `None` for an undo of a kind that only a newer release knows.
fn into_undo((id, kind, made_at, expires_at, entries): UndoRow) -> Result<Option<Undo>, StoreError> {
    let Some(kind) = RecordKind::parse(&kind) else { return Ok(None) };
    let entries = serde_json::from_str(&entries).map_err(|error| StoreError::Internal(error.to_string()))?;
    Ok(Some(Undo { id: UndoId(id), kind, made_at, expires_at, entries }))
}

fn as_text(entries: &[FormerValues]) -> Result<String, StoreError> {
    serde_json::to_string(entries).map_err(|error| StoreError::Internal(error.to_string()))
}

pub(crate) fn keep_query(workspace: Uuid, member: UserId, undo: &Undo) -> Result<Statement, StoreError> {
    let entries = as_text(&undo.entries)?;
    let sql = sql!(
        "WITH surplus AS (
             DELETE FROM console_undos WHERE workspace_id = $1 AND id = ANY (ARRAY(
                 SELECT id FROM console_undos WHERE workspace_id = $1 AND user_id = $3
                 ORDER BY made_at DESC, id DESC OFFSET {MAX_OTHERS}
             ))
         )
         INSERT INTO console_undos (workspace_id, id, user_id, kind, made_at, expires_at, entries)
             VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb)"
    );
    let sql = sql.bind(workspace).bind(undo.id.0).bind(member.0).bind(undo.kind.as_str()).bind(undo.made_at);
    Ok(sql.bind(undo.expires_at).bind(entries))
}

pub(crate) fn get_query(workspace: Uuid, member: UserId, id: UndoId) -> Statement<UndoColumns> {
    let sql = sql!(
        "SELECT id, kind, made_at, expires_at, entries::text FROM console_undos
         WHERE workspace_id = $1 AND id = $2 AND user_id = $3 FOR UPDATE"
    );
    sql.returns().bind(workspace).bind(id.0).bind(member.0)
}

/// Removes the undos of any workspace that expired before a time.
pub(crate) fn prune_query(now: OffsetDateTime, limit: u32) -> Statement {
    let sql = sql!(
        "DELETE FROM console_undos WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM console_undos WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
         ))"
    );
    sql.bind(now).bind(i64::from(limit))
}

/// Removes undos with former values of these records, whose content is being erased. A workspace has few.
pub(crate) fn delete_on_query(workspace: Uuid, records: &[Uuid]) -> Statement {
    let sql = sql!(
        "DELETE FROM console_undos WHERE workspace_id = $1 AND EXISTS (
             SELECT FROM jsonb_array_elements(entries) AS entry WHERE (entry->>'id')::uuid = ANY ($2)
         )"
    );
    sql.bind(workspace).bind(records.to_vec())
}
