//! Takes over databases from before the baseline: nothing had been released, but some were in use.

use diesel::{PgConnection, RunQueryDsl, sql_query};

use super::{MigrationError, applied, record_applied, run_each, versions};

/// Its name in the list of pending steps.
pub(super) const NAME: &str = "takeover";

/// The versions that the baseline replaced, in order.
const REPLACED: &str = include_str!("../../../../migrations/takeover/replaced.txt");
/// The numbers of replaced migrations at the two supported states: b9cfaa01, and the last one before the baseline.
const LANDINGS: [usize; 2] = [75, 79];
/// The version of the first migration after the baseline.
pub(super) const FIRST_AFTER_BASELINE: &str = "0011";
const FROM_B9CFAA01: &str = include_str!("../../../../migrations/takeover/from_b9cfaa01.sql");
const FROM_ALL: &str = include_str!("../../../../migrations/takeover/from_all.sql");
#[cfg(test)]
pub(super) const TEXTS: &[(&str, &str)] = &[("from_b9cfaa01", FROM_B9CFAA01), ("from_all", FROM_ALL)];

pub(super) fn replaced() -> impl Iterator<Item = &'static str> {
    REPLACED.lines()
}

/// Whether to take over a database with these migrations.
///
/// # Errors
/// [`MigrationError::HalfMigrated`] if its migrations match neither supported state.
pub(super) fn is_due(applied: &[String]) -> Result<bool, MigrationError> {
    let count = applied.iter().filter(|version| replaced().any(|old_version| old_version == *version)).count();
    if count == 0 {
        return Ok(false);
    }
    let is_whole =
        applied.len() == count && replaced().take(count).all(|version| applied.iter().any(|it| it == version));
    if is_whole && LANDINGS.contains(&count) { Ok(true) } else { Err(MigrationError::HalfMigrated(count)) }
}

/// Changes the schema to that of the baseline, without the functions, and records the baseline's migrations in place of the others.
/// Runs in the caller's transaction.
pub(super) fn run(connection: &mut PgConnection) -> Result<(), MigrationError> {
    if applied(connection)?.len() == LANDINGS[0] {
        run_each(connection, FROM_B9CFAA01)?;
    }
    run_each(connection, FROM_ALL)?;
    sql_query("DELETE FROM __diesel_schema_migrations").execute(connection)?;
    let versions = versions()?;
    let baseline: Vec<&str> = versions.iter().map(String::as_str).filter(|it| *it < FIRST_AFTER_BASELINE).collect();
    Ok(record_applied(connection, &baseline)?)
}
