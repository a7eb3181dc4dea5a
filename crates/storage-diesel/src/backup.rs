//! What backups and restores need from the database in addition to the dump itself.

use std::collections::BTreeMap;

use diesel::connection::SimpleConnection;
use diesel::sql_types::{BigInt, Bool, Text};
use diesel::{PgConnection, QueryResult, RunQueryDsl};

use crate::engine::errors::store_error;
use crate::engine::pool::connect;
use crate::engine::statement::{Statement, sql};
use domain::ports::StoreError;

/// While this table exists, a restore is unfinished.
const MARK_SQL: &str = "CREATE TABLE IF NOT EXISTS public.unfinished_restore ()";
const UNMARK_SQL: &str = "DROP TABLE public.unfinished_restore";

/// User tables, without those of extensions; a partitioned table stands for its partitions.
fn tables_query() -> Statement<Text> {
    sql!(
        "SELECT format('%I.%I', nspname, relname) FROM pg_class
        JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE relkind IN ('r', 'p') AND NOT relispartition AND nspname <> 'information_schema' AND nspname !~ '^pg_'
            AND (nspname, relname) <> ('public', 'unfinished_restore')
            AND NOT EXISTS (SELECT FROM pg_depend
                WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
        ORDER BY 1"
    )
    .returns()
}

/// A snapshot of the whole database, which `pg_dump --snapshot` can also read for as long as this value lives.
pub struct Snapshot {
    connection: PgConnection,
    /// The name by which other sessions use it.
    pub id: String,
    /// The major version of the server.
    pub server_major: u32,
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Snapshot").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Snapshot {
    pub fn open(database_url: &str) -> Result<Self, StoreError> {
        let mut connection = connect(database_url)?;
        let begun = connection
            .batch_execute(
                "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; \
                 BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            )
            .and_then(|()| sql!("SELECT pg_export_snapshot()").returns::<Text>().get_result(&mut connection));
        let id = begun.map_err(store_error)?;
        let major = sql!("SELECT current_setting('server_version_num')::bigint / 10000").returns::<BigInt>();
        let major: i64 = major.get_result(&mut connection).map_err(store_error)?;
        Ok(Self { connection, id, server_major: u32::try_from(major).unwrap_or(0) })
    }

    /// The number of rows of each table.
    pub fn counts(&mut self) -> Result<BTreeMap<String, i64>, StoreError> {
        let tables: Vec<String> = tables_query().load(&mut self.connection).map_err(store_error)?;
        let counts = tables.into_iter().map(|table| {
            // The server returned the name quoted.
            let query = Statement::new(format!("SELECT count(*) FROM {table}")).planned_each_time().returns::<BigInt>();
            Ok((table, query.get_result(&mut self.connection)?))
        });
        counts.collect::<QueryResult<_>>().map_err(store_error)
    }

    /// The versions of the applied migrations, oldest first; fails if the database is not the service's.
    pub fn migrations(&mut self) -> Result<Vec<String>, StoreError> {
        let query = sql!("SELECT version::text FROM __diesel_schema_migrations ORDER BY version").returns::<Text>();
        query.load(&mut self.connection).map_err(store_error)
    }
}

/// The tables of a database, in any schema.
pub fn tables(database_url: &str) -> Result<Vec<String>, StoreError> {
    tables_query().load(&mut connect(database_url)?).map_err(store_error)
}

/// Whether a restore into this database is unfinished.
pub fn restore_is_unfinished(database_url: &str) -> Result<bool, StoreError> {
    let query = sql!("SELECT to_regclass('public.unfinished_restore') IS NOT NULL").returns::<Bool>();
    query.get_result(&mut connect(database_url)?).map_err(store_error)
}

/// Marks the database as incomplete or complete.
pub fn mark_restore(database_url: &str, is_unfinished: bool) -> Result<(), StoreError> {
    let sql = if is_unfinished { MARK_SQL } else { UNMARK_SQL };
    connect(database_url)?.batch_execute(sql).map_err(store_error)
}
