//! The functions of the schema: one file each, all applied again when one of them changes.
//!
//! An instance of an older release must not reinstate its functions while a newer one runs. So the files have a revision, and a
//! program applies its functions only if the database has an older revision or none.

use diesel::connection::SimpleConnection;
use diesel::sql_types::{Integer, Text};
use diesel::{OptionalExtension, PgConnection, QueryResult, RunQueryDsl};

use super::{has_table, run_each};
use crate::engine::statement::sql;

/// The name of the functions in the list of pending steps.
pub(super) const NAME: &str = "functions";

/// The text of each function by name.
const TEXTS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/functions.rs"));
/// The hash of all texts at each revision, one per line: the revision is the number of lines.
const REVISIONS: &str = include_str!("../../../../migrations/functions/REVISIONS");

/// Whether the database's functions are older than this program's.
pub(super) fn are_due(connection: &mut PgConnection) -> QueryResult<bool> {
    if !has_table(connection, "schema_functions")? {
        return Ok(true);
    }
    let applied = sql!("SELECT revision, hash FROM schema_functions").returns::<(Integer, Text)>();
    let applied: Option<(i32, String)> = applied.get_result(connection).optional()?;
    let (revision, hash) = current();
    Ok(applied.is_none_or(|(other, of_other)| other < revision || (other == revision && of_other != hash)))
}

/// Applies all functions and records their revision.
pub(super) fn apply(connection: &mut PgConnection) -> QueryResult<()> {
    // Some functions refer to later ones.
    connection.batch_execute("SET LOCAL lock_timeout = '3s'; SET LOCAL check_function_bodies = off")?;
    for (_, text) in TEXTS {
        run_each(connection, text)?;
    }
    let (revision, hash) = current();
    let record_revision = sql!(
        "INSERT INTO schema_functions (revision, hash) VALUES ($1, $2)
         ON CONFLICT (is_only) DO UPDATE SET revision = excluded.revision, hash = excluded.hash, applied_at = now()"
    );
    let _ = record_revision.bind(revision).bind(hash).execute(connection)?;
    // Creates partitions, so that rows written before the service first runs also go to their month. Nothing is dropped.
    connection.batch_execute("SELECT maintain_event_partitions(now(), NULL), maintain_audit_partitions(now(), NULL)")
}

/// Drops the functions and the triggers that call them, for tests that revert everything.
pub(super) fn drop_all(connection: &mut PgConnection) -> QueryResult<()> {
    let names: Vec<&str> = TEXTS.iter().map(|(name, _)| *name).collect();
    connection.batch_execute(&format!("DROP FUNCTION IF EXISTS {} CASCADE", names.join(", ")))
}

/// The revision and hash of the files.
fn current() -> (i32, &'static str) {
    let revision = i32::try_from(REVISIONS.lines().count()).unwrap_or(i32::MAX);
    (revision, REVISIONS.lines().last().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use ring::digest::{Context, SHA256};

    use super::*;

    #[test]
    fn the_last_revision_matches_the_files() {
        let mut hash = Context::new(&SHA256);
        for (name, text) in TEXTS {
            hash.update(name.as_bytes());
            hash.update(&[0]);
            hash.update(text.as_bytes());
            hash.update(&[0]);
        }
        let hash: String = hash.finish().as_ref().iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
        assert_eq!(
            current().1,
            hash,
            "functions have changed: add this line to migrations/functions/REVISIONS:\n{hash}"
        );
    }

    #[test]
    fn each_file_creates_the_function_of_its_name_and_revokes_it_from_public() {
        for (name, text) in TEXTS {
            assert!(text.starts_with(&format!("CREATE OR REPLACE FUNCTION {name}(")), "{name}");
            assert_eq!(text.matches("CREATE OR REPLACE FUNCTION").count(), 1, "{name}");
            assert!(text.contains(&format!("\nCOMMENT ON FUNCTION {name} IS")), "{name}");
            assert!(text.ends_with(&format!("\nREVOKE ALL ON FUNCTION {name} FROM PUBLIC;\n")), "{name}");
            assert_eq!(text.contains("SECURITY DEFINER"), text.contains("SET search_path = %I, pg_temp"), "{name}");
        }
    }
}
