//! Databases from before the baseline: nothing had been released, but what was in use is taken over.

use diesel::sql_types::BigInt;
use diesel::{PgConnection, QueryResult, RunQueryDsl, sql_query};

use super::{MigrationError, note, run_each, steps};
use crate::statement::sql;

/// How it is named among what is pending.
pub(super) const NAME: &str = "takeover";

/// The versions that the baseline replaced, in their order.
const REPLACED: &str = include_str!("../../../../migrations/takeover/replaced.txt");
/// How many of them a landing had: b9cfaa01, and the last one before the baseline.
const LANDINGS: [usize; 2] = [75, 79];
/// The version of the last migration of the baseline.
pub(super) const LAST_OF_BASELINE: &str = "0010";
const FROM_B9CFAA01: &str = include_str!("../../../../migrations/takeover/from_b9cfaa01.sql");
const FROM_ALL: &str = include_str!("../../../../migrations/takeover/from_all.sql");
#[cfg(test)]
pub(super) const TEXTS: &[(&str, &str)] = &[("from_b9cfaa01", FROM_B9CFAA01), ("from_all", FROM_ALL)];

pub(super) fn replaced() -> impl Iterator<Item = &'static str> {
    REPLACED.lines()
}

/// Whether a database with these migrations is one to take over.
///
/// # Errors
/// [`MigrationError::HalfMigrated`] if it has migrations of no landing.
pub(super) fn is_due(applied: &[String]) -> Result<bool, MigrationError> {
    let count = applied.iter().filter(|version| replaced().any(|known| known == *version)).count();
    if count == 0 {
        return Ok(false);
    }
    let is_whole =
        applied.len() == count && replaced().take(count).all(|version| applied.iter().any(|it| it == version));
    if is_whole && LANDINGS.contains(&count) { Ok(true) } else { Err(MigrationError::HalfMigrated(count)) }
}

/// Makes the schema that of the baseline, without the functions, and notes the migrations of the baseline instead of the others. Runs in
/// the transaction of the caller.
pub(super) fn run(connection: &mut PgConnection) -> QueryResult<()> {
    let noted = sql!("SELECT count(*) FROM __diesel_schema_migrations").returns::<BigInt>();
    let noted: i64 = noted.get_result(connection)?;
    if usize::try_from(noted) == Ok(LANDINGS[0]) {
        run_each(connection, FROM_B9CFAA01)?;
    }
    run_each(connection, FROM_ALL)?;
    sql_query("DELETE FROM __diesel_schema_migrations").execute(connection)?;
    let steps = steps().map_err(|error| diesel::result::Error::QueryBuilderError(error.to_string().into()))?;
    let versions: Vec<String> = steps.iter().map(|step| step.name().version().to_string()).collect();
    let baseline: Vec<&str> = versions.iter().map(String::as_str).filter(|it| *it <= LAST_OF_BASELINE).collect();
    note(connection, &baseline)
}
