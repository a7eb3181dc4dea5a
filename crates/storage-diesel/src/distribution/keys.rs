//! Foreign keys while tables are distributed.
//!
//! Citus refuses a foreign key between a distributed table and one that is not distributed yet. So the keys of these tables
//! are dropped first and restored at the end. Meanwhile a table records them, so that an interrupted command finds them when
//! it is run again.

use diesel::connection::SimpleConnection;
use diesel::sql_types::Text;
use diesel::{Connection, PgConnection, QueryResult, RunQueryDsl};

use crate::engine::placement::keys_are_dropped;
use crate::engine::statement::{Statement, sql};

/// This table exists only while tables are being distributed.
const DROPPED_KEYS_TABLE: &str = "CREATE TABLE IF NOT EXISTS dropped_foreign_keys (
         owner text NOT NULL, name text NOT NULL, definition text NOT NULL, PRIMARY KEY (owner, name)
     )";

/// A foreign key: its table, name and definition, all quoted by the server.
pub(super) type Key = (String, String, String);

/// Drops the keys from and to the tables, and records them.
pub(super) fn drop_keys_of(connection: &mut PgConnection, tables: &[&str]) -> QueryResult<()> {
    connection.transaction(|connection| {
        connection.batch_execute(DROPPED_KEYS_TABLE)?;
        // Keys of partitions are dropped with those of their table.
        let sql = sql!(
            "SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) FROM pg_constraint
             WHERE contype = 'f' AND conparentid = 0 AND connamespace = current_schema()::regnamespace
                 AND (conrelid = ANY ($1::text[]::regclass[]) OR confrelid = ANY ($1::text[]::regclass[]))
             ORDER BY 1, 2"
        );
        let tables: Vec<_> = tables.iter().map(|table| (*table).to_owned()).collect();
        let keys: Vec<Key> = sql.returns::<(Text, Text, Text)>().bind(tables).load(connection)?;
        for (owner, name, definition) in keys {
            let sql = Statement::new("INSERT INTO dropped_foreign_keys VALUES ($1, $2, $3) ON CONFLICT DO NOTHING");
            sql.bind(owner.clone()).bind(name.clone()).bind(definition).execute(connection)?;
            connection.batch_execute(&format!("ALTER TABLE {owner} DROP CONSTRAINT {name}"))?;
        }
        Ok(())
    })
}

/// The keys still to be restored.
pub(super) fn dropped(connection: &mut PgConnection) -> QueryResult<Vec<Key>> {
    if !keys_are_dropped(connection)? {
        return Ok(Vec::new());
    }
    Statement::new("SELECT owner, name, definition FROM dropped_foreign_keys ORDER BY owner, name")
        .returns::<(Text, Text, Text)>()
        .load(connection)
}

/// Restores a key, which checks its rows.
pub(super) fn restore(connection: &mut PgConnection, (owner, name, definition): &Key) -> QueryResult<()> {
    connection.transaction(|connection| {
        connection.batch_execute(&format!("ALTER TABLE {owner} ADD CONSTRAINT {name} {definition}"))?;
        let sql = Statement::new("DELETE FROM dropped_foreign_keys WHERE owner = $1 AND name = $2");
        sql.bind(owner.clone()).bind(name.clone()).execute(connection).map(drop)
    })
}

/// Drops the table of recorded keys, once none is left.
pub(super) fn forget(connection: &mut PgConnection) -> QueryResult<()> {
    connection.batch_execute("DROP TABLE IF EXISTS dropped_foreign_keys")
}
