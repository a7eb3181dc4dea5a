//! A pool behind a gate, and the transfer of work from async code to blocking threads.

use std::sync::Arc;
use std::time::Duration;

use diesel::PgConnection;
use domain::WorkspaceId;
use domain::limits::EventBytes;
use domain::ports::{StoreError, Weight};
use telemetry::log_context::Context;

use crate::engine::disk::DiskState;
use crate::engine::gate::{Admitted, Gate, JobRequest, Lane, Shares};
use crate::engine::pool::{self, PgOptions, PgPool, Purpose};
use crate::engine::store_metrics::PoolMetrics;
use crate::engine::threads::Threads;

/// A pool behind a gate, which admits one job per connection. This bounds the number of blocking threads, and none of them
/// waits for a connection.
#[derive(Clone)]
pub(crate) struct FairPool {
    pub(crate) pool: PgPool,
    /// Opens a transaction.
    pub(crate) begin: Arc<str>,
    pub(crate) stays_open: Duration,
    gate: Gate,
    threads: Threads,
    pub(crate) disk: DiskState,
    pub(crate) event_bytes: Arc<EventBytes>,
    /// Whether the database is a node of a cluster.
    pub(crate) is_cluster: bool,
}

impl FairPool {
    /// Puts a pool behind a gate; heavy jobs use at most `heavy` of its connections.
    fn new(
        options: &PgOptions,
        purpose: Purpose,
        (pool, is_cluster): (PgPool, bool),
        heavy: u32,
        metrics: PoolMetrics,
    ) -> Self {
        let shares = Shares::of(pool.max_size() as usize, heavy as usize);
        Self {
            pool,
            begin: pool::begin_sql(options, purpose).into(),
            stays_open: Duration::from_millis(options.stays_open_ms),
            gate: Gate::new(shares, Duration::from_millis(options.acquire_timeout_ms), metrics),
            threads: Threads::new(options.pool_name),
            disk: options.disk.clone(),
            event_bytes: Arc::clone(&options.event_bytes),
            is_cluster,
        }
    }

    /// Runs repeatable work without a transaction. In a cluster it is retried after a conflict: the shard of a statement may have
    /// been moved or split since the statement was planned.
    pub(crate) fn with_connection<T>(
        &self,
        admitted: &mut Admitted,
        mut work: impl FnMut(&mut PgConnection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        match pool::with_connection(&self.pool, &self.begin, admitted, &mut work) {
            Err(StoreError::Contended) if self.is_cluster => {
                pool::with_connection(&self.pool, &self.begin, admitted, work)
            }
            done => done,
        }
    }

    /// Runs blocking work on its own thread when it is the workspace's turn. The thread keeps its place in the pool until it
    /// ends, even if the caller was dropped. A panic propagates to the caller, and the connection is not reused. Log lines on the
    /// thread keep the caller's context.
    pub(crate) async fn run<T, W>(&self, workspace: WorkspaceId, is_heavy: bool, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnOnce(&Self, &mut Admitted) -> T + Send + 'static,
    {
        let admitted = self.gate.admit(JobRequest { lane: Lane::of(workspace), is_heavy }).await?;
        let (fair_pool, context) = (self.clone(), Context::current());
        self.threads.run(admitted, move |admitted| context.enter(|| work(&fair_pool, admitted))).await
    }
}

/// The pools of one server.
#[derive(Clone)]
pub(crate) struct Pools {
    pub(crate) jobs: FairPool,
    /// Connections reserved for searches.
    pub(crate) searches: Option<FairPool>,
}

impl Pools {
    /// `jobs`, and a pool for searches according to the options; the name is used for its metrics.
    pub(crate) fn new(
        options: &PgOptions,
        jobs: PgPool,
        is_cluster: bool,
        metrics: PoolMetrics,
        searches: &'static str,
    ) -> Self {
        let size = options.search_pool_size;
        Self {
            jobs: FairPool::new(options, Purpose::Jobs, (jobs, is_cluster), options.heavy_jobs, metrics),
            searches: (size > 0).then(|| {
                let metrics = PoolMetrics::new(searches, size);
                let pool = pool::open_lazily(options, Purpose::Searches, size, &metrics);
                // The other half is left for workspaces that search little.
                FairPool::new(options, Purpose::Searches, (pool, is_cluster), size / 2, metrics)
            }),
        }
    }

    /// The pool for a job of this weight, and whether the job is a heavy one there.
    pub(crate) fn of(&self, weight: Weight) -> (&FairPool, bool) {
        match (&self.searches, weight) {
            (Some(searches), Weight::Search) => (searches, false),
            _ => (&self.jobs, weight != Weight::Light),
        }
    }
}
