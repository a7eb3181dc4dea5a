//! The schema, compiled in: migrations, which create tables and are applied once, and functions, which are applied again when
//! their files change.

mod commands;
mod functions;
mod takeover;

use const_format::formatcp;
use diesel::connection::SimpleConnection;
use diesel::migration::{Migration, MigrationSource};
use diesel::pg::Pg;
use diesel::sql_types::{Array, Bool, Text};
use diesel::{Connection, PgConnection, QueryResult, RunQueryDsl, sql_query};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use crate::distribution::SEQUENTIAL_SHARDS;
use crate::engine::placement::is_cluster;
use crate::engine::pool::connect_alone;
use crate::engine::statement::Statement;
use crate::privileges;

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations/tables");
/// The text of each migration by name.
const TEXTS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// The lock for changes of the schema.
pub(crate) const MIGRATION_LOCK: i64 = 7_163_390_478_209_124;

/// The lock belongs to the transaction of each step, so it is never left behind, even with a pooler that shares connections.
const TRY_LOCK_SQL: &str = formatcp!("SELECT pg_try_advisory_xact_lock({MIGRATION_LOCK}) AS holds");
const WAIT_FOR_LOCK_SQL: &str = formatcp!(
    "SET LOCAL lock_timeout = '60s'; SELECT pg_advisory_xact_lock({MIGRATION_LOCK}); SET LOCAL lock_timeout TO DEFAULT"
);

#[derive(Debug, thiserror::Error)]
pub enum MigrationError {
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    /// Another instance's migration did not finish in time.
    #[error("another instance seems to be migrating: {0}")]
    Locked(String),
    /// A migration failed and was rolled back.
    #[error("{0}")]
    Failed(String),
    /// The schema has migrations that this program does not know.
    #[error(
        "the schema is newer than this program, which does not know the migrations {0}: run the release that made them, or a newer one"
    )]
    Newer(String),
    /// The schema has some of the migrations that the baseline replaced.
    #[error(
        "the schema has {0} of the migrations that this version replaced, which is not a complete set: start b9cfaa01, or the version that \
         the database was last used with, to apply the rest, and then this one; or restore a backup"
    )]
    HalfMigrated(usize),
}

impl From<diesel::result::Error> for MigrationError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

/// How a database's schema compares with the schema that this program needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaState {
    /// The names of the migrations that [`migrate`] would apply, and `functions` if it would apply them.
    pub pending: Vec<String>,
    /// Whether no migration was ever applied.
    pub is_empty: bool,
}

/// Brings the schema up to date; returns the names of the applied migrations. Several instances may do so concurrently: one of
/// them applies each step while the others wait for at most 60 s. If nothing is pending and every function is secure, it changes
/// nothing and needs no right to change the schema.
///
/// # Errors
/// [`MigrationError`]; migrations before the failed one stay applied.
pub fn migrate(database_url: &str) -> Result<Vec<String>, MigrationError> {
    let mut connection = connect(database_url)?;
    let mut applied = Vec::new();
    if !state(&mut connection)?.pending.is_empty() {
        while let Some(name) = apply_next(&mut connection)? {
            applied.push(name);
        }
    }
    secure_functions(&mut connection)?;
    Ok(applied)
}

/// Revokes PUBLIC's right to call functions that run with the rights of the schema's owner, if the connecting role may. They can
/// have this right after a restore without privileges, for example.
pub fn secure(database_url: &str) -> Result<(), MigrationError> {
    secure_functions(&mut connect(database_url)?)
}

fn secure_functions(connection: &mut PgConnection) -> Result<(), MigrationError> {
    if !privileges::is_due(connection)? {
        return Ok(());
    }
    connection.transaction(|connection| {
        lock(connection)?;
        Ok(privileges::secure(connection)?)
    })
}

/// Compares the schema with the schema that this program needs. Only reads.
pub fn schema_state(database_url: &str) -> Result<SchemaState, MigrationError> {
    state(&mut connect(database_url)?)
}

/// The names of the migrations that [`migrate`] would apply.
pub fn pending(database_url: &str) -> Result<Vec<String>, MigrationError> {
    Ok(schema_state(database_url)?.pending)
}

/// The versions of the migrations that this program knows, including those that it takes over.
pub fn known_versions() -> Result<Vec<String>, MigrationError> {
    let mut versions_known = versions()?;
    versions_known.extend(takeover::replaced().map(str::to_owned));
    Ok(versions_known)
}

/// Reverts every migration, which drops all data. For tests.
pub fn revert_all(database_url: &str) -> Result<(), MigrationError> {
    let mut connection = connect(database_url)?;
    functions::drop_all(&mut connection)?;
    connection.revert_all_migrations(MIGRATIONS).map(drop).map_err(|error| MigrationError::Failed(error.to_string()))
}

fn connect(database_url: &str) -> Result<PgConnection, MigrationError> {
    connect_alone(database_url).map_err(MigrationError::Unreachable)
}

/// Applies the first pending step, if any, in a transaction that holds the lock.
fn apply_next(connection: &mut PgConnection) -> Result<Option<String>, MigrationError> {
    connection.transaction(|connection| {
        lock(connection)?;
        let pending = state(connection)?.pending;
        let Some(name) = pending.into_iter().next() else { return Ok(None) };
        let failed =
            |error: Box<dyn std::error::Error + Send + Sync>| MigrationError::Failed(format!("{name}: {error}"));
        let in_cluster = is_cluster(connection)?;
        if in_cluster {
            connection.batch_execute(SEQUENTIAL_SHARDS)?;
        }
        match &*name {
            takeover::NAME => takeover::run(connection).map_err(|error| failed(error.into()))?,
            functions::NAME => functions::apply(connection).map_err(|error| failed(error.into()))?,
            _ => run_step(connection, &name, in_cluster).map_err(failed)?,
        }
        privileges::secure(connection)?;
        Ok(Some(name))
    })
}

/// Applies one migration; in a cluster, command by command.
fn run_step(
    connection: &mut PgConnection,
    name: &str,
    in_cluster: bool,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // Creates the table of migrations, the first time.
    connection.applied_migrations()?;
    let Some(step) = steps()?.into_iter().find(|step| step.name().to_string() == name) else { return Ok(()) };
    if !in_cluster {
        return connection.run_migration(&*step).map(drop);
    }
    let text = TEXTS.iter().find(|(migration, _)| *migration == name).map_or("", |(_, text)| text);
    run_each(connection, text)?;
    Ok(record_applied(connection, &[&step.name().version().to_string()])?)
}

/// Runs the commands of a text one by one, as Citus requires; without Citus it makes no difference.
fn run_each(connection: &mut PgConnection, text: &str) -> QueryResult<()> {
    commands::commands(text).into_iter().try_for_each(|command| connection.batch_execute(command))
}

/// Records migrations as applied.
fn record_applied(connection: &mut PgConnection, versions: &[&str]) -> QueryResult<()> {
    let sql = sql_query("INSERT INTO __diesel_schema_migrations (version) SELECT unnest($1)");
    sql.bind::<Array<Text>, _>(versions).execute(connection).map(drop)
}

fn lock(connection: &mut PgConnection) -> Result<(), MigrationError> {
    if Statement::<Bool>::once(TRY_LOCK_SQL).get_result::<bool>(connection)? {
        return Ok(());
    }
    log::info!("another instance migrates the database: waiting for it, for at most 60 s");
    connection.batch_execute(WAIT_FOR_LOCK_SQL).map_err(|error| MigrationError::Locked(error.to_string()))
}

fn has_table(connection: &mut PgConnection, name: &str) -> QueryResult<bool> {
    // Not to_regclass: within a transaction it may cache that the table did not exist before the lock was acquired.
    let sql = Statement::<Bool>::once(
        "SELECT EXISTS (SELECT FROM pg_tables WHERE tablename = $1 AND schemaname = ANY (current_schemas(false)))",
    );
    sql.bind(name.to_owned()).get_result(connection)
}

fn applied(connection: &mut PgConnection) -> QueryResult<Vec<String>> {
    if !has_table(connection, "__diesel_schema_migrations")? {
        return Ok(Vec::new());
    }
    Statement::<Text>::once("SELECT version FROM __diesel_schema_migrations ORDER BY version").load(connection)
}

pub(crate) fn state(connection: &mut PgConnection) -> Result<SchemaState, MigrationError> {
    let applied = applied(connection)?;
    let is_empty = applied.is_empty();
    if takeover::is_due(&applied)? {
        return Ok(SchemaState { pending: vec![takeover::NAME.to_owned(), functions::NAME.to_owned()], is_empty });
    }
    let known_migrations: Vec<(String, String)> =
        steps()?.iter().map(|step| (step.name().version().to_string(), step.name().to_string())).collect();
    let unknown: Vec<_> =
        applied.iter().filter(|version| known_migrations.iter().all(|(known, _)| known != *version)).cloned().collect();
    if !unknown.is_empty() {
        return Err(MigrationError::Newer(unknown.join(", ")));
    }
    let mut pending: Vec<_> = known_migrations.into_iter().filter(|(version, _)| !applied.contains(version)).collect();
    pending.sort();
    let mut pending: Vec<String> = pending.into_iter().map(|(_, name)| name).collect();
    if functions::are_due(connection)? {
        pending.push(functions::NAME.to_owned());
    }
    Ok(SchemaState { pending, is_empty })
}

/// The versions of the migrations of this program.
fn versions() -> Result<Vec<String>, MigrationError> {
    Ok(steps()?.iter().map(|step| step.name().version().to_string()).collect())
}

fn steps() -> Result<Vec<Box<dyn Migration<Pg>>>, MigrationError> {
    MIGRATIONS.migrations().map_err(|error| MigrationError::Failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_bounds_its_wait_for_locks() {
        let steps = steps().unwrap();
        assert!(!steps.is_empty());
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations/tables");
        for step in steps {
            let up = std::fs::read_to_string(folder.join(step.name().to_string()).join("up.sql")).unwrap();
            assert!(up.contains("SET LOCAL lock_timeout"), "{}", step.name());
            let (name, text) = TEXTS.iter().find(|(name, _)| *name == step.name().to_string()).unwrap();
            assert_eq!(*text, up, "{name}");
        }
    }

    /// Checks for commands that Citus does not allow on distributed tables. The baseline is applied before tables are distributed.
    #[test]
    fn migrations_can_be_applied_to_distributed_tables() {
        let after_baseline = TEXTS.iter().filter(|(name, _)| *name >= takeover::FIRST_AFTER_BASELINE);
        for (name, text) in after_baseline.chain(takeover::TEXTS) {
            for command in commands::commands(text) {
                let code = command.lines().filter(|line| !line.trim_start().starts_with("--")).collect::<String>();
                if code.trim_start().starts_with("ALTER TABLE") {
                    let parts = code.matches("ADD ").count() + code.matches("DROP ").count();
                    let is_alone = !code.contains("ADD CONSTRAINT") || parts == 1;
                    assert!(is_alone, "{name}: ADD CONSTRAINT has to be the only part of its ALTER TABLE: {command}");
                    assert!(!code.contains("SET STORAGE"), "{name}: a distributed table cannot: {command}");
                }
            }
        }
    }
}
