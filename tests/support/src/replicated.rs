//! A separate cluster with a streaming replica.

use diesel::connection::SimpleConnection;
use diesel::dsl::sql;
use diesel::sql_types::{BigInt, Text};
use diesel::{Connection, PgConnection, RunQueryDsl};
use embedded_postgres::{DATABASE, ThrowawayCluster};

use crate::program::signal;

/// A migrated database on a primary, and its replica.
#[derive(Debug)]
pub struct Replicated {
    pub primary: ThrowawayCluster,
    pub replica: ThrowawayCluster,
}

impl Default for Replicated {
    fn default() -> Self {
        Self::new()
    }
}

impl Replicated {
    /// Starts both. Commits wait for the disk, as in production.
    ///
    /// # Panics
    /// If one does not start.
    pub fn new() -> Self {
        let settings = [("synchronous_commit".to_owned(), "on".to_owned())];
        let start = || {
            let primary = embedded_postgres::throwaway_with(&settings)?;
            let replica = primary.replica()?;
            Ok::<_, embedded_postgres::EmbeddedPostgresError>(Self { primary, replica })
        };
        let replicated = start().unwrap_or_else(|error| panic!("no replicated Postgres: {error}"));
        storage_diesel::migrate(&replicated.url()).unwrap_or_else(|error| panic!("{error}"));
        replicated
    }

    pub fn url(&self) -> String {
        self.primary.database_url(DATABASE)
    }

    pub fn replica_url(&self) -> String {
        self.replica.database_url(DATABASE)
    }

    /// Pauses replay on the replica once it has caught up. It still receives the log.
    pub fn pause(&self) {
        self.catch_up();
        execute(&self.replica_url(), "SELECT pg_wal_replay_pause()");
        let is_paused = || text(&self.replica_url(), "pg_get_wal_replay_pause_state()") == "paused";
        while !is_paused() {
            std::thread::yield_now();
        }
    }

    pub fn resume(&self) {
        execute(&self.replica_url(), "SELECT pg_wal_replay_resume()");
    }

    /// Suspends every process of the replica: connections stay open, but get no response.
    ///
    /// # Panics
    /// If there is none.
    pub fn freeze(&self) -> Frozen {
        let pid_file = self.replica.dir().join("postgres/postmaster.pid");
        let text = std::fs::read_to_string(&pid_file).unwrap_or_else(|error| panic!("{}: {error}", pid_file.display()));
        let server = text.lines().next().unwrap_or_default().trim().to_owned();
        let children = std::fs::read_to_string(format!("/proc/{server}/task/{server}/children")).unwrap_or_default();
        let mut processes = vec![server];
        processes.extend(children.split_whitespace().map(str::to_owned));
        assert!(signal("STOP", &processes), "STOP {processes:?}");
        Frozen(processes)
    }

    /// Waits until the replica has caught up with the primary.
    ///
    /// # Panics
    /// If it takes too long.
    pub fn catch_up(&self) {
        let lag = storage_diesel::replica_lag(&self.url(), &self.replica_url(), std::time::Duration::from_mins(1));
        assert!(matches!(lag, Ok(Some(_))), "{lag:?}");
    }

    /// The number of replica connections that the service has used for reads, not only for settings.
    pub fn readers(&self) -> i64 {
        let count = "(SELECT count(*) FROM pg_stat_activity
            WHERE application_name = 'workspace-service' AND query NOT LIKE '%set_config%')";
        diesel::select(sql::<BigInt>(count)).get_result(&mut connect(&self.replica_url())).unwrap_or_default()
    }
}

/// Processes that are suspended until this value is dropped.
#[derive(Debug)]
pub struct Frozen(Vec<String>);

impl Drop for Frozen {
    fn drop(&mut self) {
        assert!(signal("CONT", &self.0), "CONT {:?}", self.0);
    }
}

fn connect(url: &str) -> PgConnection {
    PgConnection::establish(url).unwrap_or_else(|error| panic!("{error}"))
}

fn execute(url: &str, statement: &str) {
    connect(url).batch_execute(statement).unwrap_or_else(|error| panic!("{statement}: {error}"));
}

fn text(url: &str, expression: &str) -> String {
    diesel::select(sql::<Text>(expression)).get_result(&mut connect(url)).unwrap_or_else(|error| panic!("{error}"))
}
