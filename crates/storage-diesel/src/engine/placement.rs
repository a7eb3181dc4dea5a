//! Detects whether the tables are distributed over the nodes of a Citus cluster (`distribution.rs`).

use diesel::sql_types::Bool;
use diesel::{PgConnection, QueryResult, RunQueryDsl};
use domain::ports::StoreError;

use crate::engine::errors::store_error;
use crate::engine::statement::sql;

/// The message for a database whose distribution was interrupted.
pub const DISTRIBUTION_UNFINISHED: &str =
    "foreign keys are missing, because `workspace-service distribute` did not finish";

/// Whether to use the statements that Citus can send to other nodes. Only Citus has this setting. These statements also work
/// without Citus, so a test may set it.
pub(crate) fn is_cluster(connection: &mut PgConnection) -> QueryResult<bool> {
    sql!("SELECT current_setting('citus.version', true) IS NOT NULL").returns::<Bool>().get_result(connection)
}

/// Whether foreign keys were dropped to distribute tables and may not all be restored.
pub(crate) fn keys_are_dropped(connection: &mut PgConnection) -> QueryResult<bool> {
    sql!("SELECT to_regclass('dropped_foreign_keys') IS NOT NULL").returns::<Bool>().get_result(connection)
}

/// Refuses a database whose distribution was interrupted.
pub(crate) fn ensure_complete(connection: &mut PgConnection) -> Result<(), StoreError> {
    if keys_are_dropped(connection).map_err(store_error)? {
        return Err(StoreError::Internal(format!(
            "{DISTRIBUTION_UNFINISHED}: run it again until it says that the service may be started"
        )));
    }
    Ok(())
}
