//! Transactions, and the hand-off from async code to blocking threads.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use backon::{ExponentialBuilder, RetryableWithContext};
use diesel::PgConnection;
use diesel::connection::{AnsiTransactionManager, TransactionManager};
use domain::WorkspaceId;
use domain::ports::{Abort, Job, Store, StoreError};
use log_context::Context;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use crate::directory::link_requests::LINK_REQUESTS_DROPPED;
use crate::email::queue::EMAILS_QUEUED;
use crate::errors::store_error;
use crate::pool::{self, OnQueued, PgOptions, PgPool};
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
    pool: PgPool,
    metrics: PoolMetrics,
    // One permit per connection: this bounds the blocking threads, and none of them waits for a connection.
    permits: Arc<Semaphore>,
    acquire_timeout: Duration,
    retry_budget: Duration,
    on_queued: Option<OnQueued>,
    on_email_queued: Option<OnQueued>,
    on_link_requested: Option<OnQueued>,
}

/// The workspace id of transactions that belong to no workspace.
pub(crate) const NO_WORKSPACE: WorkspaceId = WorkspaceId(Uuid::nil());

impl std::fmt::Debug for PgStore {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("PgStore").field("pool", &self.pool.state()).finish_non_exhaustive()
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
        Ok(Self {
            metrics,
            permits: Arc::new(Semaphore::new(pool.max_size() as usize)),
            pool,
            acquire_timeout: Duration::from_millis(options.acquire_timeout_ms),
            retry_budget: Duration::from_millis(options.lock_timeout_ms),
            on_queued: options.on_queued.clone(),
            on_email_queued: options.on_email_queued.clone(),
            on_link_requested: options.on_link_requested.clone(),
        })
    }

    /// Runs blocking work on its own thread. The thread keeps the permit until it ends, even if the caller was dropped.
    /// A panic propagates to the caller, and its connection is not reused. Log lines on the thread keep the caller's
    /// context.
    pub(crate) async fn run_blocking<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnOnce(&PgPool) -> T + Send + 'static,
    {
        let permit = self.permit().await?;
        let (pool, context) = (self.pool.clone(), Context::current());
        #[expect(clippy::disallowed_methods, reason = "the only hand-off to blocking threads")]
        let thread = tokio::task::spawn_blocking(move || {
            let _held_to_the_end = permit;
            context.enter(|| work(&pool))
        });
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
        self.run_blocking(move |pool| {
            let began = Instant::now();
            let done = pool::with_connection(pool, |connection| {
                work(&mut PgTx::new(connection, NO_WORKSPACE, TxMode::Autocommit))
            });
            record_job(port_method::<W>(), outcome_of(&done), began);
            done
        })
        .await?
    }

    /// Runs one transaction, and retries it after a conflict. `None` if a rule rejected it.
    pub(crate) async fn transact<T, W>(&self, workspace: WorkspaceId, work: W) -> Result<Option<T>, StoreError>
    where
        T: Send + 'static,
        W: FnMut(&mut PgTx<'_>) -> Result<T, Abort> + Send + 'static,
    {
        self.transact_as(port_method::<W>(), workspace, work).await
    }

    async fn transact_as<T, W>(
        &self,
        operation: &'static str,
        workspace: WorkspaceId,
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
            match self.run_blocking(move |pool| transaction(pool, operation, workspace, work)).await {
                Ok((work, done)) => (Some(work), done),
                Err(error) => (None, Err(error)),
            }
        };
        // A lock wait that timed out used up the retry budget; the lock will not be free in a moment.
        let lost = |error: &StoreError| matches!(error, StoreError::Contended) && start.elapsed() < self.retry_budget;
        let (_, done) = attempt.retry(again()).context(Some(work)).when(lost).await;
        Ok(done?.map(|Committed { value, queued }| {
            self.notify(queued);
            value
        }))
    }

    /// Notifies background workers of committed work; the connection is back in the pool by then.
    fn notify(&self, queued: Queued) {
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
            log::error!("dropped a link request: the queue is full");
            metrics::counter!(LINK_REQUESTS_DROPPED).increment(1);
        } else if let Some(on_requested) = &self.on_link_requested {
            on_requested();
        }
    }

    async fn permit(&self) -> Result<OwnedSemaphorePermit, StoreError> {
        if let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
            self.metrics.waited(Duration::ZERO);
            return Ok(permit);
        }
        let (began, _waiting) = (Instant::now(), self.metrics.wait());
        let turn = Arc::clone(&self.permits).acquire_owned();
        let turn = tokio::time::timeout(self.acquire_timeout, turn).await;
        self.metrics.waited(began.elapsed());
        if let Ok(Ok(permit)) = turn {
            return Ok(permit);
        }
        self.metrics.timed_out();
        Err(StoreError::Busy)
    }
}

#[async_trait]
impl Store for PgStore {
    async fn run(&self, workspace: WorkspaceId, mut job: Job) -> Result<(), StoreError> {
        self.transact_as(current_operation(), workspace, move |tx| job(tx)).await.map(drop)
    }

    async fn statement(&self, workspace: WorkspaceId, job: Job) -> Result<(), StoreError> {
        let operation = current_operation();
        let (done, queued) = self.run_blocking(move |pool| autocommit(pool, operation, workspace, job)).await?;
        self.notify(queued);
        done
    }
}

/// The caller's operation, for metrics.
fn current_operation() -> &'static str {
    Context::current().operation().unwrap_or("-")
}

/// The result of a committed transaction.
struct Committed<T> {
    value: T,
    queued: Queued,
}

/// Runs the work once and reports whether it was committed. Returns the work for a retry.
fn transaction<T, W>(
    pool: &PgPool,
    operation: &'static str,
    workspace: WorkspaceId,
    mut work: W,
) -> (W, Result<Option<Committed<T>>, StoreError>)
where
    W: FnMut(&mut PgTx<'_>) -> Result<T, Abort>,
{
    let began = Instant::now();
    let done = pool::check_out_with(pool, AnsiTransactionManager::begin_transaction)
        .and_then(|mut connection| within_transaction(&mut connection, workspace, &mut work));
    let outcome = if matches!(done, Ok(None)) { "rejected" } else { outcome_of(&done) };
    record_job(operation, outcome, began);
    (work, done)
}

fn within_transaction<T>(
    connection: &mut PgConnection,
    workspace: WorkspaceId,
    work: &mut impl FnMut(&mut PgTx<'_>) -> Result<T, Abort>,
) -> Result<Option<Committed<T>>, StoreError> {
    let mut tx = PgTx::new(connection, workspace, TxMode::Transaction);
    let done = work(&mut tx);
    let (failed, queued) = (tx.failed(), tx.queued());
    match done {
        Ok(_) if failed => {
            roll_back(connection);
            Err(StoreError::Internal("a job continued after a failed statement".to_owned()))
        }
        // A server error means that nothing was committed; a broken connection leaves that open. Only the former can be
        // `Contended`, so only the former is retried.
        Ok(value) => {
            AnsiTransactionManager::commit_transaction(connection).map_err(store_error)?;
            Ok(Some(Committed { value, queued }))
        }
        Err(Abort::Rule) => {
            roll_back(connection);
            Ok(None)
        }
        Err(Abort::Store(error)) => {
            roll_back(connection);
            Err(error)
        }
    }
}

/// A connection that cannot roll back is broken, and the pool drops it; the server then rolls back.
fn roll_back(connection: &mut PgConnection) {
    if let Err(error) = AnsiTransactionManager::rollback_transaction(connection) {
        log::debug!("a rollback failed: {error}");
    }
}

/// Runs the job without a transaction, and returns what it queued. Retried if the connection broke: such jobs read, or
/// reserve a number, where a second reservation does no harm.
fn autocommit(
    pool: &PgPool,
    operation: &'static str,
    workspace: WorkspaceId,
    mut job: Job,
) -> (Result<(), StoreError>, Queued) {
    let (began, mut queued, mut is_rejected) = (Instant::now(), Queued::default(), false);
    let done = pool::with_connection(pool, |connection| {
        let mut tx = PgTx::new(connection, workspace, TxMode::Autocommit);
        let done = job(&mut tx);
        // What was queued stays queued even if a later statement fails.
        queued.deliveries |= tx.queued;
        queued.emails += tx.queued_emails;
        is_rejected = matches!(done, Err(Abort::Rule));
        match done {
            Ok(()) | Err(Abort::Rule) => Ok(()),
            Err(Abort::Store(error)) => Err(error),
        }
    });
    record_job(operation, if is_rejected { "rejected" } else { outcome_of(&done) }, began);
    (done, queued)
}
