//! Supervises the embedded Postgres cluster while the service runs.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context;
use background::{Job, Next, Worker};
use embedded_postgres::{Cluster, ClusterOptions, EmbeddedPostgresError, Programs};

/// The maximum time until a dead server is noticed.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How long shutdown waits for a restart in progress. Otherwise it could leave a server running that nothing stops.
const STOP_TIMEOUT: Duration = Duration::from_mins(5);

/// A cluster whose server is restarted when it exits or its programs were replaced.
pub(crate) struct ClusterSupervisor {
    cluster: Arc<Mutex<Cluster>>,
    worker: Worker,
}

impl ClusterSupervisor {
    pub(crate) fn start(cluster: Cluster, programs: Programs, options: ClusterOptions) -> io::Result<Self> {
        let cluster = Arc::new(Mutex::new(cluster));
        let watched = Arc::clone(&cluster);
        // Blocking is fine here: the worker runs only this job.
        let check = move || std::future::ready(check_server(&watched, &programs, &options));
        let job = Job::new("supervising the embedded Postgres", check).every(POLL_INTERVAL);
        // Urgent, because a server that it restarts inherits its priority and serves requests.
        Ok(Self { cluster, worker: Worker::of_urgent_jobs("embedded-postgres", vec![job])? })
    }

    /// Whether another process had started the server.
    pub(crate) fn joined(&self) -> bool {
        self.cluster.lock().unwrap_or_else(PoisonError::into_inner).joined()
    }

    /// Whether the server's programs were replaced while it was running.
    pub(crate) fn is_outdated(&self) -> bool {
        self.cluster.lock().unwrap_or_else(PoisonError::into_inner).is_outdated()
    }

    /// Stops the server unless another process uses it. Must be called outside any runtime.
    pub(crate) fn close(self) -> anyhow::Result<()> {
        self.worker.stop_blocking(STOP_TIMEOUT);
        let cluster = Arc::into_inner(self.cluster).context("the embedded Postgres is still starting")?;
        let cluster = cluster.into_inner().unwrap_or_else(PoisonError::into_inner);
        cluster.stop().context("the embedded Postgres did not stop cleanly")
    }
}

/// Restarts the server if it has exited or is outdated, and rotates its log if it is long.
fn check_server(
    cluster: &Mutex<Cluster>,
    programs: &Programs,
    options: &ClusterOptions,
) -> Result<Next, EmbeddedPostgresError> {
    let mut cluster = cluster.lock().unwrap_or_else(PoisonError::into_inner);
    if let Err(error) = cluster.rotate_log() {
        log::debug!("cannot rotate {}: {error}", cluster.log_file().display());
    }
    // Only in the process that started the server: a command that joined leaves the restart to the service.
    if !cluster.joined() && cluster.is_outdated() {
        log::warn!(
            "the programs of the embedded Postgres were replaced while it was running; restarting it with the new ones"
        );
        cluster.stop_outdated()?;
        *cluster = Cluster::join_or_start(programs, options)?;
    } else if cluster.server_pid().is_none() {
        log::error!("the embedded Postgres exited (see {}); restarting it", cluster.log_file().display());
        // The old claim is dropped after the new one exists, so that no other process stops the server in between.
        *cluster = Cluster::join_or_start(programs, options)?;
    }
    Ok(Next::Wait)
}
