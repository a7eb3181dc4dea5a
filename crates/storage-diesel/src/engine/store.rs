//! Transactions, and the transfer of work from async code to blocking threads.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use backon::{ExponentialBuilder, RetryableWithContext};
use domain::WorkspaceId;
use domain::limits::{EventBytes, EventBytesOfDay};
use domain::ports::{Abort, Job, JobProfile, ReadJob, Store, StoreError, Weight};
use telemetry::log_context::Context;
use uuid::Uuid;

use crate::engine::attempt::{Committed, transaction};
use crate::engine::disk;
use crate::engine::errors::store_error;
use crate::engine::fair_pool::{FairPool, Pools};
use crate::engine::gate::Admitted;
use crate::engine::placement;
use crate::engine::pool::{self, OnEvents, OnQueued, PgOptions, PgPool, Purpose};
use crate::engine::queued::Queued;
use crate::engine::replicas::Replicas;
use crate::engine::store_metrics::{
    EMAILS_QUEUED, LINK_REQUESTS_DROPPED, PoolMetrics, outcome_of, port_method, record_job,
};
use crate::engine::tx::{PgTx, TxMode};

/// Retries after a conflict: after 4, 16 and 64 ms, each plus up to 100 % jitter, so that jobs that failed together do not
/// collide again.
fn retry_policy() -> ExponentialBuilder {
    let pauses = ExponentialBuilder::new().with_min_delay(Duration::from_millis(4)).with_factor(4.0);
    pauses.with_max_times(3).with_jitter()
}

/// The storage ports on Postgres. Cheap to clone.
#[derive(Clone)]
pub struct PgStore {
    pools: Pools,
    /// Replicas, for reads that need not see the latest data.
    replicas: Option<Arc<Replicas>>,
    retry_budget: Duration,
    on_events: Option<OnEvents>,
    on_queued: Option<OnQueued>,
    on_email_queued: Option<OnQueued>,
    on_link_requested: Option<OnQueued>,
}

/// The metrics label of the search pool.
const SEARCHES: &str = "searches";

/// The workspace id of transactions that belong to no workspace.
pub(crate) const NO_WORKSPACE: WorkspaceId = WorkspaceId(Uuid::nil());

impl std::fmt::Debug for PgStore {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("PgStore").field("pool", &self.pools.jobs.pool.state()).finish_non_exhaustive()
    }
}

impl PgStore {
    /// Connects to a database that must be available now; later outages are tolerated.
    pub fn connect(options: &PgOptions) -> Result<Self, StoreError> {
        let metrics = PoolMetrics::new(options.pool_name, options.pool_size.max(1));
        let pool = pool::open(options, &metrics)?;
        let connection = &mut *pool::check_out(&pool)?;
        placement::ensure_complete(connection)?;
        let is_cluster = placement::is_cluster(connection).map_err(store_error)?;
        Ok(Self::from_pool(options, pool, is_cluster, metrics))
    }

    /// A store on the same database with its own connections, which are opened on first use.
    #[must_use]
    pub fn separate_store(&self, options: &PgOptions) -> Self {
        let metrics = PoolMetrics::new(options.pool_name, options.pool_size.max(1));
        let pool = pool::open_lazily(options, Purpose::Jobs, options.pool_size.max(1), &metrics);
        Self::from_pool(options, pool, self.is_cluster(), metrics)
    }

    fn from_pool(options: &PgOptions, jobs: PgPool, is_cluster: bool, metrics: PoolMetrics) -> Self {
        Self {
            pools: Pools::new(options, jobs, is_cluster, metrics, SEARCHES),
            replicas: Replicas::open(options),
            retry_budget: Duration::from_millis(options.lock_timeout_ms),
            on_events: options.on_events.clone(),
            on_queued: options.on_queued.clone(),
            on_email_queued: options.on_email_queued.clone(),
            on_link_requested: options.on_link_requested.clone(),
        }
    }

    /// Whether the tables may be distributed over the nodes of a cluster (`distribution.rs`).
    pub(crate) const fn is_cluster(&self) -> bool {
        self.pools.jobs.is_cluster
    }

    /// Runs blocking work that belongs to no workspace on its own thread.
    pub(crate) async fn run_blocking<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnOnce(&PgPool) -> T + Send + 'static,
    {
        self.run_admitted(NO_WORKSPACE, Weight::Light, |fair_pool, _| work(&fair_pool.pool)).await
    }

    async fn run_admitted<T, W>(&self, workspace: WorkspaceId, weight: Weight, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnOnce(&FairPool, &mut Admitted) -> T + Send + 'static,
    {
        let (fair_pool, is_heavy) = self.pools.of(weight);
        fair_pool.run(workspace, is_heavy, work).await
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
        self.run_autocommit_as(port_method::<W>(), workspace, work).await
    }

    /// Like [`PgStore::run_autocommit_in`], as the operation with this name in metrics.
    pub(crate) async fn run_autocommit_as<T, W>(
        &self,
        operation: &'static str,
        workspace: WorkspaceId,
        work: W,
    ) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: Fn(&mut PgTx<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        self.run_admitted(workspace, Weight::Light, move |fair_pool, admitted| {
            let began = Instant::now();
            let result = fair_pool.with_connection(admitted, |connection| {
                work(&mut PgTx::new(connection, workspace, TxMode::Autocommit).on_cluster(fair_pool.is_cluster))
            });
            record_job(operation, outcome_of(&result), began);
            fair_pool.disk.record(&result);
            result
        })
        .await?
    }

    /// Bytes that workspaces added to their event logs, across all stores of the process.
    pub fn event_bytes(&self) -> Arc<EventBytes> {
        Arc::clone(&self.pools.jobs.event_bytes)
    }

    /// If a write of this process failed because the disk was full, checks that there is space again.
    pub(crate) async fn check_disk(&self) -> Result<(), StoreError> {
        if !self.pools.jobs.disk.is_suspect() {
            return Ok(());
        }
        let trial = self.run_transaction(|tx| tx.execute(diesel::sql_query(disk::TRIAL)).map(drop)).await;
        self.pools.jobs.disk.judge(trial)
    }

    /// Runs one transaction across workspaces that no rule can reject, and retries it after a conflict.
    pub(crate) async fn run_transaction<T, W>(&self, mut work: W) -> Result<T, StoreError>
    where
        T: Default + Send + 'static,
        W: FnMut(&mut PgTx<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        let job = move |tx: &mut PgTx<'_>| work(tx).map_err(Abort::Store);
        let committed = self.transact_as(port_method::<W>(), NO_WORKSPACE, JobProfile::default(), job).await?;
        Ok(committed.unwrap_or_default())
    }

    /// Runs one transaction, and retries it after a conflict. `None` if a rule rejected it.
    pub(crate) async fn transact<T, W>(&self, workspace: WorkspaceId, work: W) -> Result<Option<T>, StoreError>
    where
        T: Send + 'static,
        W: FnMut(&mut PgTx<'_>) -> Result<T, Abort> + Send + 'static,
    {
        self.transact_as(port_method::<W>(), workspace, JobProfile::default(), work).await
    }

    async fn transact_as<T, W>(
        &self,
        operation: &'static str,
        workspace: WorkspaceId,
        profile: JobProfile,
        work: W,
    ) -> Result<Option<T>, StoreError>
    where
        T: Send + 'static,
        W: FnMut(&mut PgTx<'_>) -> Result<T, Abort> + Send + 'static,
    {
        let start = Instant::now();
        // The work moves to the thread and comes back with the outcome; it is lost if the thread never ran.
        let attempt = |work: Option<W>| async move {
            let Some(work) = work else {
                return (None, Err(StoreError::Internal("the closure of a transaction is lost".to_owned())));
            };
            let replicas = self.replicas.clone();
            let run = move |fair_pool: &_, admitted: &mut _| {
                let (work, result) = transaction(fair_pool, admitted, operation, workspace, work);
                if let Some(replicas) = replicas {
                    replicas.record_write(profile.holder, workspace, queued_work(&result));
                }
                (work, result)
            };
            match self.run_admitted(workspace, profile.weight, run).await {
                Ok((work, result)) => (Some(work), result),
                Err(error) => (None, Err(error)),
            }
        };
        // A lock wait that timed out has used up the time for retries, and the lock is unlikely to be free soon.
        let is_retryable =
            |error: &StoreError| matches!(error, StoreError::Contended) && start.elapsed() < self.retry_budget;
        let (_, result) = attempt.retry(retry_policy()).context(Some(work)).when(is_retryable).await;
        self.share_write(profile, workspace, queued_work(&result)).await;
        Ok(result?.map(|Committed { value, queued }| {
            self.notify(workspace, queued);
            value
        }))
    }

    /// Shares a write with other instances.
    async fn share_write(&self, profile: JobProfile, workspace: WorkspaceId, queued: Queued) {
        if let Some(replicas) = &self.replicas {
            replicas.share(profile.holder, workspace, queued).await;
        }
    }

    /// Notifies background workers of committed work; the connection is back in the pool by then.
    fn notify(&self, workspace: WorkspaceId, queued: Queued) {
        if let Some(on_events) = self.on_events.as_ref().filter(|_| queued.events) {
            on_events(workspace);
        }
        if let Some((day, bytes)) = queued.log_bytes {
            self.pools.jobs.event_bytes.add(EventBytesOfDay { workspace, day, bytes });
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

    /// Like `notify`, for a link request that was stored or dropped.
    pub(crate) fn notify_link_request(&self, is_stored: bool) {
        if !is_stored {
            // Counted instead of logged: a flood of requests must not flood the log.
            log::debug!("dropped a link request: too many are waiting, from its network or in total");
            metrics::counter!(LINK_REQUESTS_DROPPED).increment(1);
        } else if let Some(on_requested) = &self.on_link_requested {
            on_requested();
        }
    }
}

#[async_trait]
impl Store for PgStore {
    async fn run(&self, workspace: WorkspaceId, job: Job) -> Result<(), StoreError> {
        self.run_with_profile(workspace, JobProfile::default(), job).await
    }

    async fn statement(&self, workspace: WorkspaceId, job: Job) -> Result<(), StoreError> {
        self.statement_with_profile(workspace, JobProfile::default(), job).await
    }

    async fn run_with_profile(
        &self,
        workspace: WorkspaceId,
        profile: JobProfile,
        mut job: Job,
    ) -> Result<(), StoreError> {
        self.transact_as(current_operation(), workspace, profile, move |tx| job(tx)).await.map(drop)
    }

    async fn statement_with_profile(
        &self,
        workspace: WorkspaceId,
        profile: JobProfile,
        job: Job,
    ) -> Result<(), StoreError> {
        let (operation, replicas) = (current_operation(), self.replicas.clone());
        let run = move |fair_pool: &_, admitted: &mut _| {
            let (result, queued) = autocommit(fair_pool, admitted, operation, workspace, job);
            if let Some(replicas) = replicas {
                replicas.record_write(profile.holder, workspace, queued);
            }
            (result, queued)
        };
        let (result, queued) = self.run_admitted(workspace, profile.weight, run).await?;
        self.share_write(profile, workspace, queued).await;
        self.notify(workspace, queued);
        result
    }

    async fn read(&self, workspace: WorkspaceId, profile: JobProfile, job: ReadJob) -> Result<(), StoreError> {
        let operation = current_operation();
        if let Some(replicas) = &self.replicas
            && replicas.read(operation, workspace, profile, &job).await
        {
            return Ok(());
        }
        let job: Job = Box::new(move |tx| job(tx));
        let run = move |fair_pool: &_, admitted: &mut _| autocommit(fair_pool, admitted, operation, workspace, job);
        self.run_admitted(workspace, profile.weight, run).await?.0
    }

    async fn note_write(&self, holder: Uuid) {
        if let Some(replicas) = &self.replicas {
            replicas.record_write(Some(holder), NO_WORKSPACE, Queued::default());
            replicas.share(Some(holder), NO_WORKSPACE, Queued::default()).await;
        }
    }
}

/// The work that a transaction queued.
fn queued_work<T>(result: &Result<Option<Committed<T>>, StoreError>) -> Queued {
    result.as_ref().ok().and_then(|result| Some(result.as_ref()?.queued)).unwrap_or_default()
}

/// The caller's operation, for metrics.
fn current_operation() -> &'static str {
    Context::current().operation().unwrap_or("-")
}

/// Runs the job without a transaction, and returns what it queued. It is retried if the connection breaks: such jobs read, or
/// reserve a number, and a second reservation does no harm.
fn autocommit(
    fair_pool: &FairPool,
    admitted: &mut Admitted,
    operation: &'static str,
    workspace: WorkspaceId,
    mut job: Job,
) -> (Result<(), StoreError>, Queued) {
    let (began, mut queued, mut is_rejected) = (Instant::now(), Queued::default(), false);
    let result = fair_pool.with_connection(admitted, |connection| {
        let tx = PgTx::new(connection, workspace, TxMode::Autocommit).on_cluster(fair_pool.is_cluster);
        let mut tx = tx.counted_by(&fair_pool.event_bytes);
        let result = job(&mut tx);
        // Queued work stays queued even if a later statement fails.
        queued.deliveries |= tx.has_deliveries;
        queued.backlog |= tx.has_backlog;
        queued.emails += tx.queued_emails;
        queued.events |= tx.has_events;
        queued.log_bytes = tx.log_bytes;
        is_rejected = matches!(result, Err(Abort::Rule));
        match result {
            Ok(()) | Err(Abort::Rule) => Ok(()),
            Err(Abort::Store(error)) => Err(error),
        }
    });
    record_job(operation, if is_rejected { "rejected" } else { outcome_of(&result) }, began);
    fair_pool.disk.record(&result);
    (result, queued)
}
