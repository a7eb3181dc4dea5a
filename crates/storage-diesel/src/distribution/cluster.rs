//! Checks the cluster before the command changes anything. Statements that name tables of Citus are not `sql!` literals: a
//! plain Postgres cannot parse them.

use diesel::sql_types::{BigInt, Bool};
use diesel::{PgConnection, QueryResult, RunQueryDsl};

use super::DistributeError;
use crate::engine::statement::{Statement, sql};

/// The application name of the service's pools (`pool.rs`).
const SERVICE: &str = "workspace-service";

/// Refuses a database in which tables cannot be distributed, and suggests a fix.
pub(super) fn ensure_ready(connection: &mut PgConnection) -> Result<(), DistributeError> {
    if !holds(connection, sql!("SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')").returns())? {
        return Err(DistributeError::NoExtension);
    }
    // The tables of Citus may be named only once they exist.
    if !holds(connection, Statement::new("SELECT groupid = 0 FROM pg_dist_local_group").returns())? {
        return Err(DistributeError::NotCoordinator);
    }
    if !holds(connection, Statement::new("SELECT EXISTS (SELECT FROM pg_dist_node WHERE groupid = 0)").returns())? {
        return Err(DistributeError::CoordinatorUnnamed);
    }
    let workers = Statement::new(
        "SELECT count(*) FROM pg_dist_node WHERE noderole = 'primary' AND isactive AND shouldhaveshards AND groupid <> 0",
    );
    if workers.returns::<BigInt>().get_result::<i64>(connection)? == 0 {
        return Err(DistributeError::NoWorkers);
    }
    ensure_unused(connection)
}

/// Refuses a database that the service is connected to.
pub(super) fn ensure_unused(connection: &mut PgConnection) -> Result<(), DistributeError> {
    let sessions = sql!(
        "SELECT count(*) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = '{SERVICE}' AND pid <> pg_backend_pid()"
    );
    match sessions.returns::<BigInt>().get_result::<i64>(connection)? {
        0 => Ok(()),
        sessions => Err(DistributeError::InUse(sessions)),
    }
}

fn holds(connection: &mut PgConnection, sql: Statement<Bool>) -> QueryResult<bool> {
    sql.get_result(connection)
}
