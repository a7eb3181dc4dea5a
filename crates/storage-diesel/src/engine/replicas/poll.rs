//! Polls the log position of the primary and the replay position of the replica, on a separate thread.

use std::thread;
use std::time::{Duration, Instant};

use diesel::sql_types::{BigInt, Bool};
use diesel::{PgConnection, RunQueryDsl};

use super::replica::Replica;
use super::samples::{Position, Samples};
use crate::engine::pool::connect_alone;
use crate::engine::sessions::Sessions;
use crate::engine::statement::{Statement, sql};

/// The pause while there are reads: for about this long, reads after a write go to the primary.
const PAUSE: Duration = Duration::from_millis(50);
/// The pause while there are no reads.
pub(super) const IDLE_PAUSE: Duration = Duration::from_secs(1);
/// The pause before an unreachable server is polled again.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// The pause between polls while a lag is measured.
const LAG_INTERVAL: Duration = Duration::from_millis(5);

/// The log position of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LogPosition {
    is_replica: bool,
    /// Identifies a server and its replicas.
    system: i64,
    /// The timeline, which grows when a replica is promoted.
    timeline: i64,
    database: i64,
    /// On a primary, a position after everything that was committed; on a replica, how far it has replayed the log.
    position: Position,
}

/// Committed data is on the disk, unless commits do not wait for the disk.
fn primary_query() -> Statement<(Bool, BigInt, BigInt, BigInt, BigInt)> {
    sql!(
        "WITH ahead AS (
            SELECT CASE WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn()
                ELSE pg_current_wal_flush_lsn() END AS lsn
        )
        SELECT false, (SELECT system_identifier FROM pg_control_system()),
            ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::bigint,
            (SELECT oid::bigint FROM pg_database WHERE datname = current_database()), (lsn - '0/0'::pg_lsn)::bigint
        FROM ahead"
    )
    .returns()
}

/// The timeline is that of the last replayed checkpoint, so it lags after another server was promoted.
fn replica_query() -> Statement<(Bool, BigInt, BigInt, BigInt, BigInt)> {
    sql!(
        "SELECT pg_is_in_recovery(), (SELECT system_identifier FROM pg_control_system()),
            (SELECT timeline_id::bigint FROM pg_control_checkpoint()),
            (SELECT oid::bigint FROM pg_database WHERE datname = current_database()),
            coalesce((pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint, 0)"
    )
    .returns()
}

fn position_of(
    connection: &mut PgConnection,
    query: Statement<(Bool, BigInt, BigInt, BigInt, BigInt)>,
) -> Result<LogPosition, String> {
    let row: (bool, i64, i64, i64, i64) = query.get_result(connection).map_err(|error| error.to_string())?;
    let (is_replica, system, timeline, database, position) = row;
    Ok(LogPosition { is_replica, system, timeline, database, position })
}

fn position_of_primary(connection: &mut PgConnection) -> Result<LogPosition, String> {
    position_of(connection, primary_query())
        .map_err(|reason| format!("cannot read the log position of the primary: {reason}"))
}

fn position_of_replica(connection: &mut PgConnection) -> Result<LogPosition, String> {
    position_of(connection, replica_query())
}

/// Checks that one is a replica of the other.
fn check(replica: LogPosition, primary: LogPosition) -> Result<(), String> {
    if !replica.is_replica {
        return Err("it is not in recovery, so it is not a replica".to_owned());
    }
    if replica.system != primary.system {
        return Err("it is a replica of another server".to_owned());
    }
    if replica.database != primary.database {
        return Err("its address names a different database than the primary's".to_owned());
    }
    if replica.timeline != primary.timeline {
        return Err(format!(
            "it is on timeline {}, but the primary is on {}: after a promotion it is used again after its next restart point",
            replica.timeline, primary.timeline
        ));
    }
    Ok(())
}

/// Why a server cannot be used as a replica.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ReplicaError(String);

/// How long a replica takes to get everything that the primary has now; `None` if it takes longer than `bound`.
///
/// # Errors
/// [`ReplicaError`] if a server cannot be reached or has the wrong role.
pub fn replica_lag(primary_url: &str, replica_url: &str, bound: Duration) -> Result<Option<Duration>, ReplicaError> {
    let mut primary = connect_alone(primary_url).map_err(ReplicaError)?;
    let mut replica = connect_alone(replica_url).map_err(ReplicaError)?;
    let began = Instant::now();
    let primary_position = position_of_primary(&mut primary).map_err(ReplicaError)?;
    loop {
        let replica_position = position_of_replica(&mut replica).map_err(ReplicaError)?;
        check(replica_position, primary_position).map_err(ReplicaError)?;
        let lag = began.elapsed();
        if replica_position.position >= primary_position.position {
            return Ok(Some(lag));
        }
        if lag >= bound {
            return Ok(None);
        }
        thread::park_timeout(LAG_INTERVAL);
    }
}

/// Polls until the replica is dropped.
pub(super) fn run(replica: &Replica, primary_url: &str) {
    let mut link = None;
    while !replica.has_ended() {
        let polled = match link.take() {
            Some(link) => ServerConnections::poll(link, replica),
            None => ServerConnections::open(replica, primary_url).and_then(|link| link.poll(replica)),
        };
        match polled {
            Ok(alive) => {
                link = Some(alive);
                thread::park_timeout(if replica.is_idle() { IDLE_PAUSE } else { PAUSE });
            }
            Err(reason) => {
                replica.record_failure(&reason);
                thread::park_timeout(RETRY_PAUSE);
            }
        }
    }
}

/// Connections to both servers.
struct ServerConnections {
    primary: PgConnection,
    replica: PgConnection,
    samples: Samples,
}

impl ServerConnections {
    fn open(replica: &Replica, primary_url: &str) -> Result<Self, String> {
        let options = replica.options();
        let primary =
            connect_alone(primary_url).map_err(|reason| format!("the primary cannot be reached: {reason}"))?;
        let mut link = Self { primary, replica: connect_alone(&options.database_url)?, samples: Samples::default() };
        if !replica.is_set_up() {
            // This lets its pools open connections.
            link.compare()?;
            let sessions = Sessions::check(&options.database_url, options.sessions.prepares());
            replica.set_up(sessions.map_err(|error| error.to_string())?);
        }
        Ok(link)
    }

    /// Records the position of the primary, then returns that of the replica.
    fn compare(&mut self) -> Result<Position, String> {
        // Taken before the primary is polled: everything committed until then is before the position that it returns.
        let at = Instant::now();
        let primary_position = position_of_primary(&mut self.primary)?;
        let replica_position = position_of_replica(&mut self.replica)?;
        check(replica_position, primary_position)?;
        self.samples.add(at, primary_position.position);
        Ok(replica_position.position)
    }

    fn poll(mut self, replica: &Replica) -> Result<Self, String> {
        let position = self.compare()?;
        replica.record_sample(self.samples.replayed(position));
        Ok(self)
    }
}
