//! Lowers the priority of background work in server processes on this machine.

use background::NICE;
use diesel::sql_types::Integer;
use diesel::{PgConnection, RunQueryDsl};
use rustix::process::{Pid, setpriority_process};

use crate::engine::statement::sql;

/// Lowers the priority of the connection's server process, which runs on this machine. This cannot be undone: raising a
/// priority takes a privilege. If it fails, the process keeps the same share as others.
pub(crate) fn lower_priority(connection: &mut PgConnection) {
    let process_id = sql!("SELECT pg_backend_pid()").returns::<Integer>().get_result::<i32>(connection);
    let lowered = match process_id.map(Pid::from_raw) {
        Ok(Some(pid)) => setpriority_process(Some(pid), NICE).map_err(|error| error.to_string()),
        Ok(None) => Err("it has no number".to_owned()),
        Err(error) => Err(error.to_string()),
    };
    if let Err(reason) = lowered {
        log::debug!("cannot lower the priority of a server process: {reason}");
    }
}
