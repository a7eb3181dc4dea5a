//! Erasure of the content of records. The file of each kind declares for each column whether it is erased, and to what value.
//!
//! Statements take pairs of workspace and id, so that one step can erase records of many workspaces.

use diesel::sql_types::Uuid as SqlUuid;
use domain::ports::{RecordErasureRepo, StoreError};
use domain::records::RecordKind;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::distribution::Locking;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;
use crate::kinds::{KindTable, TABLES, table_of};

/// How the content of the records of a kind is erased.
pub(crate) struct ContentErasure {
    /// The records to erase, longest deleted first. Rows that another transaction has locked are skipped.
    pub(crate) due: Locking<(SqlUuid, SqlUuid)>,
    /// Removes at most `$3` comments; `None` if the records have none.
    pub(crate) comments: Option<Statement>,
    /// Resets the fields to neutral values and marks the records as erased.
    pub(crate) members: Statement,
    /// The erased columns and the kept columns.
    #[cfg(test)]
    pub(crate) columns: [&'static [&'static str]; 2],
}

/// Part of [`erased!`].
macro_rules! comments_on {
    () => {
        None
    };
    ($table:literal, $column:literal) => {
        Some($crate::engine::statement::sql!(
            "DELETE FROM {table} USING (
                 SELECT comment.workspace_id, comment.id
                 FROM unnest($1::uuid[], $2::uuid[]) AS gone (workspace_id, id)
                 JOIN {table} AS comment ON comment.workspace_id = gone.workspace_id AND comment.{column} = gone.id
                 LIMIT $3
             ) AS chosen
             WHERE {table}.workspace_id = chosen.workspace_id AND {table}.id = chosen.id",
            table = $table,
            column = $column
        ))
    };
}
pub(crate) use comments_on;

/// Part of [`erased!`].
macro_rules! due {
    ($table:literal) => {
        $crate::distribution::locking_sql!(
            one = "workspace_id = $3";
            "SELECT workspace_id, id FROM {table}
             WHERE {one}deleted_at IS NOT NULL AND erased_at IS NULL AND deleted_at <= $1
             ORDER BY deleted_at LIMIT $2 FOR UPDATE SKIP LOCKED",
            table = $table;
            "SELECT workspace_id FROM {table}
             WHERE deleted_at IS NOT NULL AND erased_at IS NULL AND deleted_at <= $1
             ORDER BY deleted_at LIMIT $2",
            table = $table
        )
    };
}
pub(crate) use due;

/// Declares for a [kind](crate::records::StoredKind) where the comments on its records are, which columns are erased to which
/// expression, and which are kept: ids, times, numbers and choices, which say nothing about a person. A test compares this
/// with the schema.
macro_rules! erased {
    (
        $table:literal, comments($($comments:literal by $column:literal)?):
        { $($erased:ident = $neutral:literal),* $(,)? } keeps { $($kept:ident),* $(,)? }
    ) => {
        fn erasure() -> $crate::directory::records_erasure::ContentErasure {
            const MEMBERS: &str = concat!($(stringify!($erased), " = ", $neutral, ", "),*);
            $crate::directory::records_erasure::ContentErasure {
                due: $crate::directory::records_erasure::due!($table),
                comments: $crate::directory::records_erasure::comments_on!($($comments, $column)?),
                members: $crate::engine::statement::sql!(
                    "UPDATE {table} SET {members} deleted_at = coalesce(deleted_at, $3), erased_at = $3
                     FROM unnest($1::uuid[], $2::uuid[]) AS gone (workspace_id, id)
                     WHERE {table}.workspace_id = gone.workspace_id AND {table}.id = gone.id
                         AND {table}.erased_at IS NULL",
                    table = $table,
                    members = MEMBERS
                ),
                #[cfg(test)]
                columns: [&[$(stringify!($erased)),*], &[$(stringify!($kept)),*]],
            }
        }
    };
}
pub(crate) use erased;

/// The records to erase.
pub(crate) fn due_query(table: &KindTable, before: OffsetDateTime, limit: i64) -> Locking<(SqlUuid, SqlUuid)> {
    (table.erasure)().due.bind(before).bind(limit)
}

/// Removes the content of at most `$3` events of records, except the actor and the id. Erased events are recognised
/// by their end, which no other payload has: the data object closes an enclosing one.
fn events_query() -> Statement {
    sql!(
        "UPDATE events SET payload = format('{{\"actor\":%s,\"changes\":{{}},\"data\":{{\"id\":%s}},\"erased\":true}}',
                 coalesce(event_skeleton(payload) ->> 'actor', 'null'),
                 coalesce((event_skeleton(payload) #> '{{data,id}}')::text, 'null'))
           FROM (
               SELECT event.workspace_id, event.id
               FROM unnest($1::uuid[], $2::uuid[]) AS gone (workspace_id, id)
               JOIN events AS event ON event.workspace_id = gone.workspace_id AND event.record_id = gone.id
               WHERE event.payload NOT LIKE '%,\"erased\":true}}'
               LIMIT $3
           ) AS chosen
           WHERE events.workspace_id = chosen.workspace_id AND events.id = chosen.id"
    )
}

/// Removes at most `$3` chunks of long values that no event of the records refers to any more.
fn chunks_query() -> Statement {
    sql!(
        "DELETE FROM event_chunks USING (
             SELECT chunk.workspace_id, chunk.record_id, chunk.month, chunk.digest
             FROM unnest($1::uuid[], $2::uuid[]) AS gone (workspace_id, id)
             JOIN event_chunks AS chunk ON chunk.workspace_id = gone.workspace_id AND chunk.record_id = gone.id
             LIMIT $3
         ) AS chosen
         WHERE event_chunks.workspace_id = chosen.workspace_id AND event_chunks.record_id = chosen.record_id
             AND event_chunks.month = chosen.month AND event_chunks.digest = chosen.digest"
    )
}

/// Removes at most `$3` drafts of comments on records.
fn drafts_query() -> Statement {
    sql!(
        "DELETE FROM drafts USING (
             SELECT draft.workspace_id, draft.user_id, draft.record_id, draft.visibility
             FROM unnest($1::uuid[], $2::uuid[]) AS gone (workspace_id, id)
             JOIN drafts AS draft ON draft.workspace_id = gone.workspace_id AND draft.record_id = gone.id
             LIMIT $3
         ) AS chosen
         WHERE drafts.workspace_id = chosen.workspace_id AND drafts.user_id = chosen.user_id
             AND drafts.record_id = chosen.record_id AND drafts.visibility = chosen.visibility"
    )
}

/// Records by workspace and id.
pub(crate) struct ErasedRecords {
    pub(crate) workspaces: Vec<Uuid>,
    pub(crate) ids: Vec<Uuid>,
}

/// The statements that remove comments, drafts, the content of events and their long values, and that reset the fields. Also
/// used by plan tests.
pub(crate) fn statements(
    table: &KindTable,
    gone: &ErasedRecords,
    at: OffsetDateTime,
    most: i64,
) -> [Option<Statement>; 5] {
    let ContentErasure { comments, members, .. } = (table.erasure)();
    let bound = |sql: Statement| sql.bind(gone.workspaces.clone()).bind(gone.ids.clone());
    [
        comments.map(|sql| bound(sql).bind(most).planned_each_time()),
        Some(bound(drafts_query()).bind(most).planned_each_time()),
        Some(bound(events_query()).bind(most).planned_each_time()),
        Some(bound(chunks_query()).bind(most).planned_each_time()),
        Some(bound(members).bind(at).planned_each_time()),
    ]
}

/// Erases records: first the data about them, so that after an unfinished step they are still due.
pub(super) fn erase(
    tx: &mut PgTx<'_>,
    table: &KindTable,
    records: &ErasedRecords,
    at: OffsetDateTime,
    most: u32,
) -> Result<u64, StoreError> {
    let most = u64::from(most);
    let mut rows = 0;
    for sql in statements(table, records, at, i64::try_from(most).unwrap_or(i64::MAX)).into_iter().flatten() {
        rows += tx.execute(sql)? as u64;
        if rows >= most {
            break;
        }
    }
    Ok(rows)
}

impl RecordErasureRepo for PgTx<'_> {
    fn erase(&mut self, kind: RecordKind, ids: &[Uuid], at: OffsetDateTime, most: u32) -> Result<u64, StoreError> {
        let records = ErasedRecords { workspaces: vec![self.workspace; ids.len()], ids: ids.to_vec() };
        let table = table_of(kind.as_str());
        let table = table.ok_or_else(|| StoreError::Internal(format!("there is no table of the kind {kind}")))?;
        erase(self, table, &records, at, most)
    }
}

/// Erases records deleted at or before `before`, kind by kind, until about `limit` rows are changed.
pub(super) fn step(
    tx: &mut PgTx<'_>,
    before: OffsetDateTime,
    at: OffsetDateTime,
    limit: u32,
) -> Result<u64, StoreError> {
    let mut rows = 0;
    for table in TABLES {
        let remaining = limit.saturating_sub(u32::try_from(rows).unwrap_or(u32::MAX));
        if remaining == 0 {
            break;
        }
        let due: Vec<(Uuid, Uuid)> = due_query(table, before, i64::from(remaining)).load(tx, remaining as usize)?;
        if due.is_empty() {
            continue;
        }
        let (workspaces, ids) = due.into_iter().unzip();
        rows += erase(tx, table, &ErasedRecords { workspaces, ids }, at, remaining)?;
    }
    Ok(rows)
}
