//! Watches over the embedded cluster for as long as the service runs.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, anyhow};
use embedded_postgres::{Cluster, ClusterOptions, Programs};

/// How long a server that died may stay unnoticed.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// A cluster whose server is started again when it dies.
pub(crate) struct ClusterSupervisor {
    end: Sender<()>,
    thread: JoinHandle<anyhow::Result<()>>,
}

impl ClusterSupervisor {
    /// Watches over a cluster from now on.
    pub(crate) fn of(cluster: Cluster, programs: Programs, options: ClusterOptions) -> Self {
        let (end, ended) = mpsc::channel();
        let thread = std::thread::spawn(move || watch(cluster, &programs, &options, &ended));
        Self { end, thread }
    }

    /// Stops the server unless another process uses it.
    pub(crate) fn close(self) -> anyhow::Result<()> {
        drop(self.end);
        self.thread.join().map_err(|_| anyhow!("the watch over the embedded Postgres panicked"))?
    }
}

fn watch(
    mut cluster: Cluster,
    programs: &Programs,
    options: &ClusterOptions,
    ended: &Receiver<()>,
) -> anyhow::Result<()> {
    while ended.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
        if cluster.server_pid().is_some() {
            continue;
        }
        log::error!("the embedded Postgres is gone, see {}; starting it again", cluster.log_file().display());
        match Cluster::join_or_start(programs, options) {
            // The former claim goes after the new one is there, so nobody stops the server in between.
            Ok(again) => cluster = again,
            Err(error) => log::error!("the embedded Postgres did not start: {error}; trying again"),
        }
    }
    cluster.stop().context("the embedded Postgres did not stop cleanly")
}
