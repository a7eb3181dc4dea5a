//! Watches over the embedded cluster for as long as the service runs.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context;
use background::{Job, Next, Worker};
use embedded_postgres::{Cluster, ClusterOptions, EmbeddedPostgresError, Programs};

/// How long a server that died may stay unnoticed.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How long a start that is under way is waited for at the end: left alone, it would leave a server that nobody stops.
const STOP_TIMEOUT: Duration = Duration::from_mins(5);

/// A cluster whose server is started again when it dies.
pub(crate) struct ClusterSupervisor {
    cluster: Arc<Mutex<Cluster>>,
    worker: Worker,
}

impl ClusterSupervisor {
    /// Watches over a cluster from now on.
    pub(crate) fn start(cluster: Cluster, programs: Programs, options: ClusterOptions) -> io::Result<Self> {
        let cluster = Arc::new(Mutex::new(cluster));
        let watched = Arc::clone(&cluster);
        // It blocks, which holds up nothing: the worker has this job alone.
        let check = move || std::future::ready(restart_if_gone(&watched, &programs, &options));
        let job = Job::new("watching over the embedded Postgres", check).every(POLL_INTERVAL);
        Ok(Self { cluster, worker: Worker::of_jobs("embedded-postgres", vec![job])? })
    }

    /// Stops the server unless another process uses it. To be called outside of every runtime.
    pub(crate) fn close(self) -> anyhow::Result<()> {
        self.worker.stop_blocking(STOP_TIMEOUT);
        let cluster = Arc::into_inner(self.cluster).context("the embedded Postgres is still being started")?;
        let cluster = cluster.into_inner().unwrap_or_else(PoisonError::into_inner);
        cluster.stop().context("the embedded Postgres did not stop cleanly")
    }
}

fn restart_if_gone(
    cluster: &Mutex<Cluster>,
    programs: &Programs,
    options: &ClusterOptions,
) -> Result<Next, EmbeddedPostgresError> {
    let mut cluster = cluster.lock().unwrap_or_else(PoisonError::into_inner);
    if cluster.server_pid().is_none() {
        log::error!("the embedded Postgres is gone, see {}; starting it again", cluster.log_file().display());
        // The former claim goes after the new one is there, so nobody stops the server in between.
        *cluster = Cluster::join_or_start(programs, options)?;
    }
    Ok(Next::Wait)
}
