//! Reads and writes many rows of a table with one statement each. Rows are sent as JSON, one object per row with a field
//! per column, so that every table needs only one bound value.
//!
//! Keys and ids are arrays in one condition instead of a join: a plan made before Postgres had statistics then reads the
//! workspace's rows at most once, instead of once per key. Where the primary key should be used, the condition on
//! `deleted_at` is written so that it fits no partial index: until a table is analysed, Postgres assumes that partial
//! indexes are much smaller than they are.

use diesel::sql_types::{BigInt, Nullable, Text, Uuid as SqlUuid};
use domain::kernel::{KeySet, KeyedRecord, RecordKeys};
use domain::ports::{BatchRepo, RowLock, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::engine::errors::expect_rows;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;
use crate::records::StoredKind;

/// Id, `external_id`, the other key, and bytes.
pub(crate) type KeyColumns = (SqlUuid, Nullable<Text>, Nullable<Text>, BigInt);

/// A record whose table is written in batches.
pub(crate) trait BatchTable: StoredKind {
    /// `$1` is the workspace, `$2` the external ids, `$3` the ids, and `$4` the other keys if there are any.
    fn keys_query(workspace: Uuid, keys: &KeySet, lock: RowLock) -> Statement<KeyColumns>;
    /// `$1` is the workspace, `$2` the ids.
    fn many() -> Statement<Self::Columns>;
    /// The row, with its search words under `words`.
    fn document(&self, workspace: Uuid) -> Map<String, Value>;
    /// `$1` is the documents.
    fn insertion() -> Statement;
    /// `$1` is the workspace, `$2` the documents, `$3` the ids.
    fn update() -> Statement;
    /// Updates one record, unless another record has one of its unique values. Same bound values as above.
    fn update_one() -> Statement;
}

/// The keys of live records with one of the ids or one of the keys; `$others` is empty, or a `UNION` with the ids of records
/// that have one of the natural keys `$4`. Rows are locked in the order of their ids, so that two transactions cannot deadlock.
macro_rules! keys_sql {
    ($table:literal, $natural:literal, $others:literal, $bytes:literal, lock $lock:literal) => {
        $crate::engine::statement::sql!(
            "SELECT id, external_id, {natural}, ({bytes})::bigint FROM {table}
             WHERE workspace_id = $1 AND num_nonnulls(deleted_at) = 0 AND id = ANY (ARRAY(
                 SELECT id FROM {table} WHERE workspace_id = $1 AND deleted_at IS NULL AND external_id = ANY ($2)
                 {others}
                 UNION
                 SELECT unnest($3::uuid[])
             ))
             ORDER BY id {lock}",
            table = $table,
            natural = $natural,
            others = $others,
            bytes = $bytes,
            lock = $lock
        )
    };
    ($table:literal, $natural:literal, $others:literal, $bytes:literal, $lock:expr) => {
        match $lock {
            domain::ports::RowLock::None => $crate::crm::batch::keys_sql!($table, $natural, $others, $bytes, lock ""),
            domain::ports::RowLock::ForUpdate => $crate::crm::batch::keys_sql!($table, $natural, $others, $bytes, lock "FOR NO KEY UPDATE"),
        }
    };
}
pub(crate) use keys_sql;

/// The live rows with the ids of `$2`.
macro_rules! many_sql {
    ($table:literal, $row:ty) => {{
        const COLUMNS: &str = $crate::engine::columns::columns!($row);
        $crate::engine::statement::sql!(
            "SELECT {COLUMNS} FROM {table} WHERE workspace_id = $1 AND num_nonnulls(deleted_at) = 0 AND id = ANY ($2)",
            table = $table
        )
    }};
}
pub(crate) use many_sql;

/// Adds the rows of `$1`; `$derived` are the columns that are neither in the row nor `search`, and `$values` their values.
macro_rules! insertion_sql {
    ($table:literal, $row:ty, $derived:literal, $values:literal) => {{
        const COLUMNS: &str = $crate::engine::columns::columns!($row);
        const NEW: &str = $crate::engine::columns::columns!($row, "new.");
        $crate::engine::statement::sql!(
            "INSERT INTO {table} ({COLUMNS}{derived}, search)
             SELECT {NEW}{values}, array_to_tsvector(ARRAY(SELECT json_array_elements_text(document -> 'words')))
             FROM json_array_elements($1::text::json) AS documents (document),
                 json_populate_record(NULL::{table}, document) AS new",
            table = $table,
            derived = $derived,
            values = $values
        )
    }};
}
pub(crate) use insertion_sql;

/// Writes all columns of the rows of `$2` except those of the primary key. `$3` is their ids, so that Postgres finds the rows by
/// the primary key. An unchanged value of a `$long` column keeps the stored value, which Postgres does not store again. These
/// values are compared as text, because 1 and 1.0 are equal as JSON. A row is skipped if another live row has its value of a
/// `$unique` column; unlike a violated index, this does not cause a Postgres error. With `if`, the check applies only where the
/// condition holds.
macro_rules! update_sql {
    (
        $table:literal, $row:ty, long[$($long:literal),*], unique[$($unique:literal $(if $changed:literal)?),*], $derived:literal,
        $values:expr
    ) => {{
        const COLUMNS: &str = $crate::engine::columns::columns!($row, "", after 2, except [$($long),*]);
        const NEW: &str = $crate::engine::columns::columns!($row, "new.", after 2, except [$($long),*]);
        const LONG: &str = concat!($(
            $long, " = CASE WHEN ", $table, ".", $long, "::text IS NOT DISTINCT FROM new.", $long, "::text THEN ",
            $table, ".", $long, " ELSE new.", $long, " END, "
        ),*);
        const FREE: &str = concat!($(
            " AND NOT EXISTS (SELECT FROM ", $table, " AS other WHERE other.deleted_at IS NULL AND other.workspace_id = $1 AND other.",
            $unique, " = new.", $unique, " AND other.id <> new.id" $(, " AND ", $changed)?, ")"
        ),*);
        $crate::engine::statement::sql!(
            "WITH new AS MATERIALIZED (
                 SELECT record.*, array_to_tsvector(ARRAY(SELECT json_array_elements_text(document -> 'words'))) AS words
                 FROM json_array_elements($2::text::json) AS documents (document),
                     json_populate_record(NULL::{table}, document) AS record
             )
             UPDATE {table} SET ({COLUMNS}{derived}) = ROW({NEW}{values}), {LONG}
                 search = CASE WHEN {table}.search IS NOT DISTINCT FROM new.words THEN {table}.search ELSE new.words END
             FROM new
             WHERE {table}.workspace_id = $1 AND {table}.id = ANY ($3) AND {table}.id = new.id
                 AND num_nonnulls({table}.deleted_at) = 0{FREE}",
            table = $table,
            derived = $derived,
            values = $values
        )
    }};
}
pub(crate) use update_sql;

impl<T: BatchTable> BatchRepo<T> for PgTx<'_> {
    fn lock_batches(&mut self) -> Result<(), StoreError> {
        // On the node of the workspace's rows, as in `lock_hierarchy`.
        let sql = sql!(
            "SELECT FROM (SELECT pg_advisory_xact_lock(hashtextextended($1, 0))
             FROM (SELECT count(*) FROM crm_quota WHERE workspace_id = $2) AS here) AS locked"
        );
        let lock = format!("batches of {} {}", T::TABLE, self.workspace);
        self.execute(sql.bind(lock).bind(self.workspace)).map(drop)
    }

    fn with_keys(&mut self, keys: &KeySet, lock: RowLock) -> Result<Vec<KeyedRecord>, StoreError> {
        let query = T::keys_query(self.workspace, keys, lock);
        let rows: Vec<(Uuid, Option<String>, Option<String>, i64)> = self.load(query)?;
        let record = |(id, external_id, natural, bytes): (_, _, _, i64)| {
            Ok(KeyedRecord {
                id,
                keys: RecordKeys { external_id, natural },
                bytes: crate::engine::convert::count(bytes)?,
            })
        };
        rows.into_iter().map(record).collect()
    }

    fn get_many(&mut self, ids: &[Uuid]) -> Result<Vec<T>, StoreError> {
        let sql = many_query::<T>(self.workspace, ids);
        T::read(self, sql, usize::MAX)
    }

    fn insert_many(&mut self, records: &[T]) -> Result<(), StoreError> {
        expect_rows(self.execute(T::insertion().bind(documents(self.workspace, records)))?, records.len())
    }

    fn save_many(&mut self, records: &[T]) -> Result<(), StoreError> {
        let affected = self.execute(update_query(self.workspace, records))?;
        expect_rows(affected, records.len())
    }
}

/// The bound values of a [`keys_sql!`].
pub(crate) fn bind_keys(sql: Statement, workspace: Uuid, keys: &KeySet) -> Statement<KeyColumns> {
    bind_external_ids(sql, workspace, keys).bind(keys.natural.clone())
}

/// The bound values of a [`keys_sql!`] without natural keys.
pub(crate) fn bind_external_ids(sql: Statement, workspace: Uuid, keys: &KeySet) -> Statement<KeyColumns> {
    sql.returns().bind(workspace).bind(keys.external_ids.clone()).bind(keys.ids.clone())
}

pub(crate) fn many_query<T: BatchTable>(workspace: Uuid, ids: &[Uuid]) -> Statement<T::Columns> {
    T::many().bind(workspace).bind(ids.to_vec())
}

/// Writes a locked record.
pub(crate) fn save_one<T: BatchTable>(tx: &mut PgTx<'_>, record: &T) -> Result<(), StoreError> {
    let affected = tx.execute(bind_update(T::update_one(), tx.workspace, std::slice::from_ref(record)))?;
    tx.expect_saved(affected, record)
}

pub(crate) fn update_query<T: BatchTable>(workspace: Uuid, records: &[T]) -> Statement {
    bind_update(T::update(), workspace, records)
}

fn bind_update<T: BatchTable>(sql: Statement, workspace: Uuid, records: &[T]) -> Statement {
    let ids: Vec<_> = records.iter().map(T::uuid).collect();
    sql.bind(workspace).bind(documents(workspace, records)).bind(ids)
}

/// The rows as one JSON text.
fn documents<T: BatchTable>(workspace: Uuid, records: &[T]) -> String {
    records.iter().map(|record| record.document(workspace)).collect::<Value>().to_string()
}
