//! Schema migrations, compiled in.

use diesel::connection::SimpleConnection;
use diesel::migration::Migration;
use diesel::pg::Pg;
use diesel::{Connection, PgConnection};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use crate::errors::unreachable_reason;

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations");

/// Several instances may start at once: one migrates, the others wait for at most 60 s and find nothing to do. The lock
/// ends with the connection.
const MIGRATION_LOCK_SQL: &str =
    "SET lock_timeout = '60s'; SELECT pg_advisory_lock(7163390478209124); RESET lock_timeout;";

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
}

/// Brings the schema up to date; returns the names of the migrations applied.
///
/// # Errors
/// [`MigrationError`]; the migrations before the failed one stay applied.
pub fn migrate(database_url: &str) -> Result<Vec<String>, MigrationError> {
    with_lock(database_url, |connection| {
        let steps = connection.pending_migrations(MIGRATIONS)?;
        steps.iter().map(|step| apply(connection, &**step)).collect()
    })
}

/// The names of the migrations that [`migrate`] would apply.
///
/// # Errors
/// [`MigrationError`].
pub fn pending(database_url: &str) -> Result<Vec<String>, MigrationError> {
    with_lock(database_url, |connection| {
        let steps = connection.pending_migrations(MIGRATIONS)?;
        Ok(steps.iter().map(|step| step.name().to_string()).collect())
    })
}

/// Reverts every migration, dropping all data: for tests.
///
/// # Errors
/// [`MigrationError`].
pub fn revert_all(database_url: &str) -> Result<(), MigrationError> {
    with_lock(database_url, |connection| connection.revert_all_migrations(MIGRATIONS).map(drop))
}

type Work<T> = diesel::migration::Result<T>;

fn with_lock<T>(database_url: &str, work: impl FnOnce(&mut PgConnection) -> Work<T>) -> Result<T, MigrationError> {
    let url = crate::pool::with_timeouts(database_url);
    let mut connection =
        PgConnection::establish(&url).map_err(|error| MigrationError::Unreachable(unreachable_reason(&error)))?;
    connection.batch_execute(MIGRATION_LOCK_SQL).map_err(|error| MigrationError::Locked(error.to_string()))?;
    work(&mut connection).map_err(|error| MigrationError::Failed(error.to_string()))
}

fn apply(connection: &mut PgConnection, step: &dyn Migration<Pg>) -> Work<String> {
    let name = step.name().to_string();
    connection.run_migration(step).map_err(|error| format!("{name}: {error}"))?;
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use diesel::migration::MigrationSource;

    #[test]
    fn every_step_bounds_its_wait_for_locks() {
        let steps: Vec<Box<dyn Migration<Pg>>> = MIGRATIONS.migrations().unwrap();
        assert!(!steps.is_empty());
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations");
        for step in steps {
            let up = std::fs::read_to_string(folder.join(step.name().to_string()).join("up.sql")).unwrap();
            assert!(up.contains("SET LOCAL lock_timeout"), "{}", step.name());
        }
    }
}
