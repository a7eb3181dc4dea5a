//! Distributes the tables, one by one.
//!
//! Each step is a transaction, and finished steps are skipped: the command may be killed at any time and run again.

use diesel::connection::SimpleConnection;
use diesel::sql_types::{BigInt, Bool, Text};
use diesel::{Connection, PgConnection, QueryResult, RunQueryDsl};

use super::{CLASSES, Class, LOOK_UPS, SEQUENTIAL_SHARDS, cluster, keys};
use crate::engine::pool::{PgOptions, connect_alone};
use crate::engine::statement::{Statement, sql};
use crate::migrations::{MIGRATION_LOCK, MigrationError, state};

/// Why tables were not distributed.
#[derive(Debug, thiserror::Error)]
pub enum DistributeError {
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    #[error(
        "the database does not have the citus extension: start every node with shared_preload_libraries = 'citus', and run CREATE \
         EXTENSION citus in the database on each node"
    )]
    NoExtension,
    #[error("this is a worker of the cluster: set DATABASE_URL to the coordinator")]
    NotCoordinator,
    #[error("the coordinator has no name in the cluster: run SELECT citus_set_coordinator_host('HOST', PORT) on it")]
    CoordinatorUnnamed,
    #[error("the cluster has no workers: run SELECT citus_add_node('HOST', PORT) on the coordinator for each of them")]
    NoWorkers,
    /// Tables are locked while their rows move, and foreign keys are missing meanwhile.
    #[error(
        "the service has {0} connections to the database: stop all of its instances first, and start them afterwards"
    )]
    InUse(i64),
    #[error(
        "the database schema lacks {missing} migrations, starting with {first}; apply them with `workspace-service migrate`"
    )]
    Pending { missing: usize, first: String },
    #[error("another `distribute` or `migrate` is running: wait until it has finished, then run this again")]
    Locked,
    #[error("{0}")]
    Migrations(#[from] MigrationError),
    #[error("{step}: {source}; run the command again to resume")]
    Failed { step: String, source: diesel::result::Error },
    /// Another client wrote to the tables while the key was missing.
    #[error(
        "the foreign key {key} of {table} cannot be recreated: {source}; delete or change the rows of {table} that refer to nothing, and \
         run the command again"
    )]
    Violated { key: String, table: String, source: diesel::result::Error },
    #[error("the cluster cannot be examined: {0}")]
    Database(#[from] diesel::result::Error),
}

/// What the command did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Distributed {
    /// The tables whose class changed, with the number of moved rows, or 0 if none moved.
    pub tables: Vec<(&'static str, Class, i64)>,
    /// The number of tables that already had their class.
    pub unchanged: usize,
    /// The number of restored foreign keys.
    pub foreign_keys: usize,
}

/// Gives every table its class. The service connects as `role`, or as the current role. `on_step` is called before each step.
///
/// # Errors
/// [`DistributeError`], with a fix; completed steps are kept.
pub fn distribute(
    database_url: &str,
    role: Option<&str>,
    mut on_step: impl FnMut(&str),
) -> Result<Distributed, DistributeError> {
    let mut connection = connect_alone(database_url).map_err(DistributeError::Unreachable)?;
    let connection = &mut connection;
    // Otherwise a concurrent `migrate` would not be noticed.
    lock(connection)?;
    let pending = state(connection)?.pending;
    if let Some(first) = pending.first() {
        return Err(DistributeError::Pending { missing: pending.len(), first: first.clone() });
    }
    // First, because nothing else is known to exist without it.
    cluster::ensure_ready(connection)?;
    let missing = without_class(connection)?;
    let mut distributed = Distributed { unchanged: CLASSES.len() - missing.len(), ..Distributed::default() };
    let names: Vec<_> = missing.iter().map(|(table, _)| *table).collect();
    if !names.is_empty() {
        on_step("dropping the foreign keys of tables to be distributed");
        keys::drop_keys_of(connection, &names).map_err(failed("dropping foreign keys"))?;
        // A service that starts after this finds that keys are missing.
        cluster::ensure_unused(connection)?;
    }
    for (index, (table, class)) in missing.iter().enumerate() {
        on_step(&format!("{} of {}: {table} ({})", index + 1, missing.len(), class.name()));
        let rows = give_class(connection, table, *class).map_err(failed(table))?;
        distributed.tables.push((table, *class, rows));
    }
    let dropped = keys::dropped(connection)?;
    for (index, key) in dropped.iter().enumerate() {
        on_step(&format!("foreign key {} of {}: {} of {}", index + 1, dropped.len(), key.1, key.0));
        keys::restore(connection, key).map_err(|source| not_restored(key, source))?;
    }
    distributed.foreign_keys = dropped.len();
    keys::forget(connection)?;
    limit_lock_waits(connection, role).map_err(failed("setting lock_timeout for the role"))?;
    Ok(distributed)
}

impl Class {
    /// The display name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sharded => "sharded",
            Self::Reference => "reference",
            Self::Local => "local",
        }
    }
}

fn failed(step: &str) -> impl FnOnce(diesel::result::Error) -> DistributeError {
    |source| DistributeError::Failed { step: step.to_owned(), source }
}

fn not_restored((table, key, _): &keys::Key, source: diesel::result::Error) -> DistributeError {
    // An error of a shard may have no kind.
    if source.to_string().contains("violates foreign key constraint") {
        return DistributeError::Violated { key: key.clone(), table: table.clone(), source };
    }
    failed(key)(source)
}

/// Takes the lock of migrations for the whole session: nothing else distributes or migrates meanwhile.
fn lock(connection: &mut PgConnection) -> Result<(), DistributeError> {
    let sql = sql!("SELECT pg_try_advisory_lock({MIGRATION_LOCK})").returns::<Bool>();
    if sql.get_result(connection)? { Ok(()) } else { Err(DistributeError::Locked) }
}

/// The tables that do not have their class yet. Citus itself adds a new table with a key to a reference table, but removes it
/// again with that key.
fn without_class(connection: &mut PgConnection) -> QueryResult<Vec<(&'static str, Class)>> {
    let sql = Statement::new(
        "SELECT logicalrelid::regclass::text,
            CASE WHEN partmethod = 'h' THEN 's' WHEN repmodel = 't' THEN 'r' WHEN autoconverted THEN '' ELSE 'l' END
        FROM pg_dist_partition",
    );
    let current: Vec<(String, String)> = sql.returns::<(Text, Text)>().load(connection)?;
    let letter = |class| match class {
        Class::Sharded => "s",
        Class::Reference => "r",
        Class::Local => "l",
    };
    let has = |table: &str, class| current.iter().any(|(name, of)| name == table && of == letter(class));
    Ok(CLASSES.iter().copied().filter(|(table, class)| !has(table, *class)).collect())
}

/// Returns the number of moved rows.
fn give_class(connection: &mut PgConnection, table: &str, class: Class) -> QueryResult<i64> {
    connection.transaction(|connection| {
        connection.batch_execute(SEQUENTIAL_SHARDS)?;
        connection.batch_execute("SET LOCAL statement_timeout = 0; SET LOCAL client_min_messages = warning")?;
        let rows = match class {
            Class::Local => 0,
            _ => Statement::new(format!("SELECT count(*) FROM {table}")).returns::<BigInt>().get_result(connection)?,
        };
        match class {
            Class::Sharded => {
                for (_, index) in LOOK_UPS.iter().filter(|(index_table, _)| *index_table == table) {
                    connection.batch_execute(&format!(
                        "DROP INDEX {index}; CREATE UNIQUE INDEX {index} ON {table} (lookup_id, workspace_id)"
                    ))?;
                }
                let colocate_with = if table == FIRST_SHARDED { "default" } else { FIRST_SHARDED };
                connection.batch_execute(&format!(
                    "SELECT create_distributed_table('{table}', 'workspace_id', colocate_with => '{colocate_with}')"
                ))?;
            }
            Class::Reference => connection.batch_execute(&format!("SELECT create_reference_table('{table}')"))?,
            Class::Local => {
                connection.batch_execute(&format!("SELECT citus_add_local_table_to_metadata('{table}')"))?;
            }
        }
        Ok(rows)
    })
}

/// All other sharded tables are co-located with this one.
const FIRST_SHARDED: &str = "companies";

/// Session settings apply only to the node that the service connects to. Without this, a lock wait on another node would end
/// with the statement timeout instead of as a conflict that is retried. Citus propagates the command to all nodes.
fn limit_lock_waits(connection: &mut PgConnection, role: Option<&str>) -> QueryResult<()> {
    let sql = sql!(
        "SELECT format('ALTER ROLE %I IN DATABASE %I SET lock_timeout = %s',
             coalesce($2, current_user), current_database(), $1::bigint)"
    );
    let milliseconds = i64::try_from(PgOptions::new("").lock_timeout_ms).unwrap_or(i64::MAX);
    let sql = sql.returns::<Text>().bind(milliseconds);
    let command: String = sql.bind(role.map(str::to_owned)).get_result(connection)?;
    connection.batch_execute(&command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plans::common::Database;

    #[test]
    fn lock_waits_are_limited_for_the_role_of_the_service() {
        let database = Database::migrated();
        let mut connection = database.connection();
        connection.batch_execute("CREATE ROLE \"app's\"").unwrap();
        limit_lock_waits(&mut connection, None).unwrap();
        limit_lock_waits(&mut connection, Some("app's")).unwrap();
        let sql = "SELECT count(*) FILTER (WHERE setrole = current_user::regrole), count(*) FROM pg_db_role_setting
            WHERE setconfig = '{lock_timeout=4000}'
                AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())";
        let own_and_all: (i64, i64) =
            Statement::new(sql).returns::<(BigInt, BigInt)>().get_result(&mut connection).unwrap();
        assert_eq!(own_and_all, (1, 2));
    }

    #[test]
    fn a_violated_key_names_the_rows_to_fix() {
        let database = Database::migrated();
        let mut connection = database.connection();
        keys::drop_keys_of(&mut connection, &["webhook_attempts"]).unwrap();
        let insert_orphan = "INSERT INTO webhook_attempts (workspace_id, delivery_id, number, started_at, duration_ms)
            VALUES (gen_random_uuid(), gen_random_uuid(), 1, now(), 1)";
        connection.batch_execute(insert_orphan).unwrap();
        let dropped = keys::dropped(&mut connection).unwrap();
        let source = keys::restore(&mut connection, &dropped[0]).unwrap_err();
        let message = not_restored(&dropped[0], source).to_string();
        assert!(message.contains("delete or change the rows of webhook_attempts"), "{message}");
        connection.batch_execute("DELETE FROM webhook_attempts").unwrap();
        for key in &dropped {
            keys::restore(&mut connection, key).unwrap();
        }
        assert_eq!(keys::dropped(&mut connection).unwrap(), []);
    }
}
