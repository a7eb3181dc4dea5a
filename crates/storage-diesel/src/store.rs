//! Transactions, and the hand-off from async code to blocking threads.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use backon::{ExponentialBuilder, RetryableWithContext};
use domain::WorkspaceId;
use domain::ports::{Abort, Job, Store, StoreError, Weight};
use log_context::Context;
use uuid::Uuid;

use crate::attempt::{Committed, transaction};
use crate::directory::link_requests::LINK_REQUESTS_DROPPED;
use crate::disk::{self, DiskState};
use crate::distribution;
use crate::email::queue::EMAILS_QUEUED;
use crate::errors::store_error;
use crate::gate::{Admitted, Asked, Gate, Lane, Shares};
use crate::pool::{self, OnEvents, OnQueued, PgOptions, PgPool, Purpose};
use crate::store_metrics::{PoolMetrics, outcome_of, port_method, record_job};
use crate::tx::{PgTx, Queued, TxMode};

/// The retries of a job that lost a conflict: after 4, 16 and 64 ms, each plus up to 100 % jitter, so that jobs that
/// failed together do not collide again.
fn again() -> ExponentialBuilder {
    let pauses = ExponentialBuilder::new().with_min_delay(Duration::from_millis(4)).with_factor(4.0);
    pauses.with_max_times(3).with_jitter()
}

/// The storage ports on Postgres. Cheap to clone.
#[derive(Clone)]
pub struct PgStore {
    jobs: Gated,
    /// Connections of searches alone.
    searches: Option<Gated>,
    retry_budget: Duration,
    on_events: Option<OnEvents>,
    on_queued: Option<OnQueued>,
    on_email_queued: Option<OnQueued>,
    on_link_requested: Option<OnQueued>,
}

/// A pool behind a gate, which admits one job per connection: this bounds the blocking threads, and none of them waits
/// for a connection.
#[derive(Clone)]
pub(crate) struct Gated {
    pub(crate) pool: PgPool,
    /// Opens a transaction.
    pub(crate) begin: Arc<str>,
    pub(crate) stays_open: Duration,
    gate: Gate,
    pub(crate) disk: DiskState,
    /// Whether the database is a node of a cluster.
    pub(crate) is_cluster: bool,
}

/// The metrics' label of the pool of searches.
const SEARCHES: &str = "searches";

/// The workspace id of transactions that belong to no workspace.
pub(crate) const NO_WORKSPACE: WorkspaceId = WorkspaceId(Uuid::nil());

impl std::fmt::Debug for PgStore {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("PgStore").field("pool", &self.jobs.pool.state()).finish_non_exhaustive()
    }
}

impl PgStore {
    /// Connects to a database that must be available now; later outages are tolerated.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] with libpq's message.
    pub fn connect(options: &PgOptions) -> Result<Self, StoreError> {
        let metrics = PoolMetrics::new(options.pool_name, options.pool_size.max(1));
        let pool = pool::open(options, &metrics)?;
        let is_cluster = distribution::is_cluster(&mut *pool::check_out(&pool)?).map_err(store_error)?;
        let timeout = Duration::from_millis(options.acquire_timeout_ms);
        let stays_open = Duration::from_millis(options.stays_open_ms);
        let shares = |pool: &PgPool, heavy: u32| Shares::of(pool.max_size() as usize, heavy as usize);
        let gate = Gate::new(shares(&pool, options.heavy_jobs), timeout, metrics);
        let searches = (options.search_pool_size > 0).then(|| {
            let metrics = PoolMetrics::new(SEARCHES, options.search_pool_size);
            let pool = pool::open_lazily(options, Purpose::Searches, options.search_pool_size, &metrics);
            // The other half stays for workspaces that search little.
            let gate = Gate::new(shares(&pool, options.search_pool_size / 2), timeout, metrics);
            let begin = pool::begin_sql(options, Purpose::Searches).into();
            Gated { pool, gate, begin, stays_open, disk: options.disk.clone(), is_cluster }
        });
        Ok(Self {
            jobs: Gated {
                pool,
                gate,
                begin: pool::begin_sql(options, Purpose::Jobs).into(),
                stays_open,
                disk: options.disk.clone(),
                is_cluster,
            },
            searches,
            retry_budget: Duration::from_millis(options.lock_timeout_ms),
            on_events: options.on_events.clone(),
            on_queued: options.on_queued.clone(),
            on_email_queued: options.on_email_queued.clone(),
            on_link_requested: options.on_link_requested.clone(),
        })
    }

    /// Runs blocking work of no workspace on its own thread.
    pub(crate) async fn run_blocking<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnOnce(&PgPool) -> T + Send + 'static,
    {
        self.run_admitted(NO_WORKSPACE, Weight::Light, |gated, _| work(&gated.pool)).await
    }

    /// Runs blocking work on its own thread when it is the workspace's turn. The thread keeps its place in the pool until
    /// it ends, even if the caller was dropped. A panic propagates to the caller, and its connection is not reused. Log
    /// lines on the thread keep the caller's context.
    async fn run_admitted<T, W>(&self, workspace: WorkspaceId, weight: Weight, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnOnce(&Gated, &mut Admitted) -> T + Send + 'static,
    {
        let (gated, is_heavy) = match (&self.searches, weight) {
            (Some(searches), Weight::Search) => (searches, false),
            _ => (&self.jobs, weight != Weight::Light),
        };
        let mut admitted = gated.gate.admit(Asked { lane: Lane::of(workspace), is_heavy }).await?;
        let (gated, context) = (gated.clone(), Context::current());
        #[expect(clippy::disallowed_methods, reason = "the only hand-off to blocking threads")]
        let thread = tokio::task::spawn_blocking(move || context.enter(|| work(&gated, &mut admitted)));
        thread.await.map_err(|error| match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => StoreError::Unavailable("the service is stopping".to_owned()),
        })
    }

    /// Runs statements across workspaces in autocommit mode; they must be safe to retry.
    pub(crate) async fn run_autocommit<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: Fn(&mut PgTx<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        self.run_autocommit_in(NO_WORKSPACE, work).await
    }

    /// Like [`PgStore::run_autocommit`], in one workspace.
    pub(crate) async fn run_autocommit_in<T, W>(&self, workspace: WorkspaceId, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: Fn(&mut PgTx<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        self.run_admitted(workspace, Weight::Light, move |gated, _| {
            let began = Instant::now();
            let done = pool::with_connection(&gated.pool, &gated.begin, |connection| {
                work(&mut PgTx::new(connection, workspace, TxMode::Autocommit).on_cluster(gated.is_cluster))
            });
            record_job(port_method::<W>(), outcome_of(&done), began);
            gated.disk.note(&done);
            done
        })
        .await?
    }

    /// Whether the disk has room, if a write of this process failed for lack of it.
    pub(crate) async fn check_disk(&self) -> Result<(), StoreError> {
        if !self.jobs.disk.is_suspect() {
            return Ok(());
        }
        let tried = self
            .transact(NO_WORKSPACE, |tx| tx.execute(diesel::sql_query(disk::TRIAL)).map(drop).map_err(Abort::Store));
        self.jobs.disk.judge(tried.await.map(drop))
    }

    /// Runs one transaction, and retries it after a conflict. `None` if a rule rejected it.
    pub(crate) async fn transact<T, W>(&self, workspace: WorkspaceId, work: W) -> Result<Option<T>, StoreError>
    where
        T: Send + 'static,
        W: FnMut(&mut PgTx<'_>) -> Result<T, Abort> + Send + 'static,
    {
        self.transact_as(port_method::<W>(), workspace, Weight::Light, work).await
    }

    async fn transact_as<T, W>(
        &self,
        operation: &'static str,
        workspace: WorkspaceId,
        weight: Weight,
        work: W,
    ) -> Result<Option<T>, StoreError>
    where
        T: Send + 'static,
        W: FnMut(&mut PgTx<'_>) -> Result<T, Abort> + Send + 'static,
    {
        let start = Instant::now();
        // The work moves to the thread and returns with the outcome; it is lost if the thread never ran.
        let attempt = |work: Option<W>| async move {
            let Some(work) = work else {
                return (None, Err(StoreError::Internal("the closure of a transaction is lost".to_owned())));
            };
            let run = move |gated: &_, admitted: &mut _| transaction(gated, admitted, operation, workspace, work);
            match self.run_admitted(workspace, weight, run).await {
                Ok((work, done)) => (Some(work), done),
                Err(error) => (None, Err(error)),
            }
        };
        // A lock wait that timed out used up the retry budget; the lock will not be free in a moment.
        let lost = |error: &StoreError| matches!(error, StoreError::Contended) && start.elapsed() < self.retry_budget;
        let (_, done) = attempt.retry(again()).context(Some(work)).when(lost).await;
        Ok(done?.map(|Committed { value, queued }| {
            self.notify(workspace, queued);
            value
        }))
    }

    /// Notifies background workers of committed work; the connection is back in the pool by then.
    fn notify(&self, workspace: WorkspaceId, queued: Queued) {
        if let Some(on_events) = self.on_events.as_ref().filter(|_| queued.events) {
            on_events(workspace);
        }
        if let Some(on_queued) = self.on_queued.as_ref().filter(|_| queued.deliveries) {
            on_queued();
        }
        if queued.emails > 0 {
            metrics::counter!(EMAILS_QUEUED).increment(queued.emails);
            if let Some(on_queued) = &self.on_email_queued {
                on_queued();
            }
        }
    }

    /// Like `notify`, for a link request that was committed or dropped.
    pub(crate) fn notify_link_request(&self, is_kept: bool) {
        if !is_kept {
            // The counter is for operators: a flood of requests must not become one of lines.
            log::debug!("dropped a link request: too many wait, of its network or in all");
            metrics::counter!(LINK_REQUESTS_DROPPED).increment(1);
        } else if let Some(on_requested) = &self.on_link_requested {
            on_requested();
        }
    }
}

#[async_trait]
impl Store for PgStore {
    async fn run(&self, workspace: WorkspaceId, job: Job) -> Result<(), StoreError> {
        self.run_weighed(workspace, Weight::Light, job).await
    }

    async fn statement(&self, workspace: WorkspaceId, job: Job) -> Result<(), StoreError> {
        self.statement_weighed(workspace, Weight::Light, job).await
    }

    async fn run_weighed(&self, workspace: WorkspaceId, weight: Weight, mut job: Job) -> Result<(), StoreError> {
        self.transact_as(current_operation(), workspace, weight, move |tx| job(tx)).await.map(drop)
    }

    async fn statement_weighed(&self, workspace: WorkspaceId, weight: Weight, job: Job) -> Result<(), StoreError> {
        let operation = current_operation();
        let run = move |gated: &_, _: &mut _| autocommit(gated, operation, workspace, job);
        let (done, queued) = self.run_admitted(workspace, weight, run).await?;
        self.notify(workspace, queued);
        done
    }
}

/// The caller's operation, for metrics.
fn current_operation() -> &'static str {
    Context::current().operation().unwrap_or("-")
}

/// Runs the job without a transaction, and returns what it queued. Retried if the connection broke: such jobs read, or
/// reserve a number, where a second reservation does no harm.
fn autocommit(
    gated: &Gated,
    operation: &'static str,
    workspace: WorkspaceId,
    mut job: Job,
) -> (Result<(), StoreError>, Queued) {
    let (began, mut queued, mut is_rejected) = (Instant::now(), Queued::default(), false);
    let done = pool::with_connection(&gated.pool, &gated.begin, |connection| {
        let mut tx = PgTx::new(connection, workspace, TxMode::Autocommit).on_cluster(gated.is_cluster);
        let done = job(&mut tx);
        // What was queued stays queued even if a later statement fails.
        queued.deliveries |= tx.queued;
        queued.emails += tx.queued_emails;
        queued.events |= tx.has_events;
        is_rejected = matches!(done, Err(Abort::Rule));
        match done {
            Ok(()) | Err(Abort::Rule) => Ok(()),
            Err(Abort::Store(error)) => Err(error),
        }
    });
    record_job(operation, if is_rejected { "rejected" } else { outcome_of(&done) }, began);
    gated.disk.note(&done);
    (done, queued)
}
