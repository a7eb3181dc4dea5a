//! A pool behind a gate, and the hand-off from async code to blocking threads.

use std::sync::Arc;
use std::time::Duration;

use background::YieldingThreads;
use domain::WorkspaceId;
use domain::ports::{StoreError, Weight};
use log_context::Context;

use crate::disk::DiskState;
use crate::gate::{Admitted, Asked, Gate, Lane, Shares};
use crate::pool::{self, PgOptions, PgPool, Purpose};
use crate::store_metrics::PoolMetrics;

/// The name of the threads of heavy jobs, and the label of their pool in metrics.
const HEAVY: &str = "heavy";

/// A pool behind a gate, which admits one job per connection: this bounds the blocking threads, and none of them waits
/// for a connection.
#[derive(Clone)]
pub(crate) struct Gated {
    pub(crate) pool: PgPool,
    /// What jobs that give way to others use; `None` where all jobs have the same priority.
    aside: Option<Arc<Aside>>,
    /// Opens a transaction.
    pub(crate) begin: Arc<str>,
    pub(crate) stays_open: Duration,
    gate: Gate,
    pub(crate) disk: DiskState,
    /// Whether the database is a node of a cluster.
    pub(crate) is_cluster: bool,
}

impl Gated {
    /// Puts a pool behind a gate; heavy jobs use at most `heavy` of its connections.
    fn new(
        options: &PgOptions,
        purpose: Purpose,
        (pool, is_cluster): (PgPool, bool),
        heavy: u32,
        metrics: PoolMetrics,
    ) -> Self {
        let shares = Shares::of(pool.max_size() as usize, heavy as usize);
        let heavy = heavy.clamp(1, pool.max_size());
        Self {
            aside: Aside::new(options, purpose, &pool, heavy).map(Arc::new),
            pool,
            begin: pool::begin_sql(options, purpose).into(),
            stays_open: Duration::from_millis(options.stays_open_ms),
            gate: Gate::new(shares, Duration::from_millis(options.acquire_timeout_ms), metrics),
            disk: options.disk.clone(),
            is_cluster,
        }
    }

    /// Runs blocking work on its own thread when it is the workspace's turn. The thread keeps its place in the pool until
    /// it ends, even if the caller was dropped. A panic propagates to the caller, and its connection is not reused. Log
    /// lines on the thread keep the caller's context.
    pub(crate) async fn run<T, W>(&self, workspace: WorkspaceId, is_heavy: bool, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnOnce(&Self, &mut Admitted) -> T + Send + 'static,
    {
        let mut admitted = self.gate.admit(Asked { lane: Lane::of(workspace), is_heavy }).await?;
        let (mut gated, context) = (self.clone(), Context::current());
        let aside = self.aside.as_ref().filter(|aside| aside.of_all_jobs || admitted.is_heavy());
        if let Some(pool) = aside.and_then(|aside| aside.pool.as_ref()) {
            gated.pool = pool.clone();
        }
        let work = move || context.enter(|| work(&gated, &mut admitted));
        let thread = match aside {
            Some(aside) => aside.threads.run(work),
            #[expect(clippy::disallowed_methods, reason = "the hand-off to blocking threads")]
            None => Some(tokio::task::spawn_blocking(work)),
        };
        thread.ok_or_else(stopping)?.await.map_err(|error| match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => stopping(),
        })
    }
}

fn stopping() -> StoreError {
    StoreError::Unavailable("the service is stopping".to_owned())
}

/// Threads, and where the service runs the server connections too, of jobs that give way to the others: heavy ones, or all of a pool
/// for searches.
struct Aside {
    threads: YieldingThreads,
    /// `None`: they use the connections of the others.
    pool: Option<PgPool>,
    of_all_jobs: bool,
}

impl Aside {
    /// `None` for jobs of workers, whose threads give way all together.
    fn new(options: &PgOptions, purpose: Purpose, pool: &PgPool, heavy: u32) -> Option<Self> {
        if options.is_background {
            return None;
        }
        let of_all_jobs = purpose == Purpose::Searches;
        let threads = YieldingThreads::new(HEAVY, if of_all_jobs { pool.max_size() } else { heavy } as usize);
        let threads = threads.inspect_err(|error| log::warn!("heavy jobs do not give way to others: {error}")).ok()?;
        let has_connections = options.is_embedded && !of_all_jobs;
        let pool = has_connections
            .then(|| pool::open_lazily(options, Purpose::HeavyJobs, heavy, &PoolMetrics::new(HEAVY, heavy)));
        Some(Self { threads, pool, of_all_jobs })
    }
}

/// The pools of one server.
#[derive(Clone)]
pub(crate) struct Pools {
    pub(crate) jobs: Gated,
    /// Connections of searches alone.
    pub(crate) searches: Option<Gated>,
}

impl Pools {
    /// `jobs`, and what the options say of searches, whose metrics get this name.
    pub(crate) fn new(
        options: &PgOptions,
        jobs: PgPool,
        is_cluster: bool,
        metrics: PoolMetrics,
        searches: &'static str,
    ) -> Self {
        let size = options.search_pool_size;
        Self {
            jobs: Gated::new(options, Purpose::Jobs, (jobs, is_cluster), options.heavy_jobs, metrics),
            searches: (size > 0).then(|| {
                let metrics = PoolMetrics::new(searches, size);
                let pool = pool::open_lazily(options, Purpose::Searches, size, &metrics);
                // The other half stays for workspaces that search little.
                Gated::new(options, Purpose::Searches, (pool, is_cluster), size / 2, metrics)
            }),
        }
    }

    /// The pool for a job of this weight, and whether the job is a heavy one there.
    pub(crate) fn of(&self, weight: Weight) -> (&Gated, bool) {
        match (&self.searches, weight) {
            (Some(searches), Weight::Search) => (searches, false),
            _ => (&self.jobs, weight != Weight::Light),
        }
    }
}
