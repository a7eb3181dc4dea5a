//! Reads on streaming replicas (docs/adr/0035).
//!
//! **Invariant**: a holder's read goes to a replica only if the replica has everything that was committed before the holder's
//! last write was acknowledged.

mod marks;
mod metrics;
mod poll;
mod replica;
mod samples;

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use ::metrics::Counter;
use domain::WorkspaceId;
use domain::ports::{JobProfile, ReadJob, SharedWrites};
use uuid::Uuid;

use self::marks::Marks;
pub(crate) use self::metrics::describe;
pub use self::poll::{ReplicaError, replica_lag};
use self::replica::{Names, Replica};
use crate::engine::pool::{self, PgOptions};
use crate::engine::queued::Queued;

/// Maximum number of replicas of one service.
pub const MAX_REPLICAS: usize = 8;

const fn names(replica: &'static str, searches: &'static str) -> Names {
    Names { replica, searches }
}

const NAMES: [Names; MAX_REPLICAS] = [
    names("replica_1", "replica_1_searches"),
    names("replica_2", "replica_2_searches"),
    names("replica_3", "replica_3_searches"),
    names("replica_4", "replica_4_searches"),
    names("replica_5", "replica_5_searches"),
    names("replica_6", "replica_6_searches"),
    names("replica_7", "replica_7_searches"),
    names("replica_8", "replica_8_searches"),
];

/// How long a read waits for its turn or a connection before it goes to the primary.
const MAX_WAIT: Duration = Duration::from_millis(250);
/// A replica aborts a statement after this fraction of the time limit, so that the request has time left for the primary.
const PART_OF_TIMEOUT: u64 = 2;

/// The replicas, and the state that decides whether a read may go to one of them.
pub(crate) struct Replicas {
    all: Vec<Arc<Replica>>,
    marks: Marks,
    /// The writes of other instances.
    shared: Option<Arc<dyn SharedWrites>>,
    primary_reads: Counter,
}

impl Replicas {
    /// `None` without replicas. An unreachable replica is used once it can be reached.
    pub(crate) fn open(options: &PgOptions) -> Option<Arc<Self>> {
        if options.replica_urls.is_empty() {
            return None;
        }
        let max_lag = Duration::from_millis(options.replica_max_lag_ms);
        let acquire_timeout_ms = u64::try_from(MAX_WAIT.as_millis()).unwrap_or(u64::MAX);
        let replicas = options.replica_urls.iter().zip(NAMES).map(|(url, names)| {
            let database_url = pool::with_short_timeouts(url);
            let statement_timeout_ms = options.statement_timeout_ms / PART_OF_TIMEOUT;
            let settings = PgOptions { database_url, acquire_timeout_ms, statement_timeout_ms, ..options.clone() };
            let replica = Arc::new(Replica::new(names, settings, max_lag));
            let (polled, primary) = (Arc::clone(&replica), options.database_url.clone());
            let spawned = thread::spawn(move || poll::run(&polled, &primary));
            replica.set_poller(spawned.thread().clone());
            replica
        });
        Some(Arc::new(Self {
            all: replicas.collect(),
            marks: Marks::new(max_lag),
            shared: options.shared_writes.clone(),
            primary_reads: metrics::primary_reads(),
        }))
    }

    /// Records the end of a job that may have written, on the job's thread, because the caller may be gone by then.
    pub(crate) fn record_write(&self, holder: Option<Uuid>, workspace: WorkspaceId, queued: Queued) {
        let now = Instant::now();
        writers(holder, workspace, queued).for_each(|id| self.marks.record(id, now));
    }

    /// Shares the write with other instances before the caller gets the result.
    pub(crate) async fn share(&self, holder: Option<Uuid>, workspace: WorkspaceId, queued: Queued) {
        if let Some(shared) = &self.shared {
            let ids: Vec<_> = writers(holder, workspace, queued).collect();
            if !ids.is_empty() {
                shared.share(&ids).await;
            }
        }
    }

    /// Runs the job on a replica, if one has everything that the holder must see. Returns false if the primary must run it.
    pub(crate) async fn read(
        &self,
        operation: &'static str,
        workspace: WorkspaceId,
        profile: JobProfile,
        job: &ReadJob,
    ) -> bool {
        let is_done = match self.choose(profile.holder, workspace).await {
            Some(replica) => replica.read(operation, workspace, profile.weight, Arc::clone(job)).await,
            None => false,
        };
        if !is_done {
            self.primary_reads.increment(1);
        }
        is_done
    }

    async fn choose(&self, holder: Option<Uuid>, workspace: WorkspaceId) -> Option<&Replica> {
        let now = Instant::now();
        self.all.iter().for_each(|replica| replica.record_read(now));
        let ids = [holder?, workspace.0];
        let usable = self.usable(ids)?;
        let Some(shared) = &self.shared else { return Some(usable) };
        let numbers = shared.latest(&ids).await?;
        let now = Instant::now();
        ids.iter().zip(numbers).for_each(|(id, number)| self.marks.record_shared(*id, number, now));
        self.usable(ids)
    }

    /// The same replica for each read of a holder, as long as it is usable, so that the holder's reads do not go back in time.
    fn usable(&self, ids: [Uuid; 2]) -> Option<&Replica> {
        let (now, last_write) = (Instant::now(), self.marks.last_of(&ids));
        let first = usize::from(ids[0].into_bytes()[15]) % self.all.len();
        let (before, from) = self.all.split_at(first);
        from.iter().chain(before).find(|replica| replica.may_serve(now, last_write)).map(Arc::as_ref)
    }
}

/// The ids that count as having written: the holder, and if webhooks report the write now or later, everybody in the workspace,
/// because receivers read with other credentials.
fn writers(holder: Option<Uuid>, workspace: WorkspaceId, queued: Queued) -> impl Iterator<Item = Uuid> {
    holder.into_iter().chain((queued.deliveries || queued.backlog).then_some(workspace.0))
}

impl Drop for Replicas {
    fn drop(&mut self) {
        self.all.iter().for_each(|replica| replica.end());
    }
}
