//! One replica: its freshness, and reads on it.

use std::pin::pin;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::thread::Thread;
use std::time::{Duration, Instant};

use domain::WorkspaceId;
use domain::ports::{Abort, ReadJob, StoreError, Weight};

use super::metrics::ReplicaMetrics;
use super::poll::IDLE_PAUSE;
use crate::engine::fair_pool::{FairPool, Pools};
use crate::engine::gate::Admitted;
use crate::engine::pool::{self, PgOptions, Purpose};
use crate::engine::sessions::Sessions;
use crate::engine::store_metrics::{PoolMetrics, outcome_of, record_job};
use crate::engine::tx::{PgTx, TxMode};

/// A replica that has not answered for this long hangs or cannot be reached.
const CONTACT: Duration = Duration::from_millis(1_500);
/// How often a long read checks that the replica does not hang.
const CHECK_INTERVAL: Duration = Duration::from_millis(250);
/// How long a replica is not used after a connection broke or could not be opened.
const SUSPENSION: Duration = Duration::from_secs(1);
/// Reads are recorded at most this often, to avoid contention between threads.
const RECORD_INTERVAL: Duration = Duration::from_millis(100);

/// The beginning of the error message of a read-only server.
const READ_ONLY: &str = "cannot execute ";

/// The names of a replica and of its pool of searches, in metrics.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names {
    pub(super) replica: &'static str,
    pub(super) searches: &'static str,
}

pub(super) struct Replica {
    names: Names,
    /// The options of its pools, except for what sessions keep, which is detected.
    options: PgOptions,
    max_lag: Duration,
    pools: OnceLock<Pools>,
    metrics: ReplicaMetrics,
    /// The origin of all stored moments, which are nanoseconds since then; 0 means unset.
    origin: Instant,
    complete_upto: AtomicU64,
    last_contact: AtomicU64,
    suspended_until: AtomicU64,
    last_read: AtomicU64,
    is_idle: AtomicBool,
    has_ended: AtomicBool,
    poller: OnceLock<Thread>,
    /// The health that was logged last.
    health: AtomicU8,
}

/// The state of a replica, for the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Health {
    Unknown,
    Usable,
    Behind,
    Lost,
}

/// The result of a read on a replica.
enum ReadOutcome {
    Answered,
    /// The primary must answer, for this reason.
    Fallback(&'static str),
}

impl Replica {
    pub(super) fn new(names: Names, options: PgOptions, max_lag: Duration) -> Self {
        Self {
            names,
            options,
            max_lag,
            pools: OnceLock::new(),
            metrics: ReplicaMetrics::new(names.replica),
            origin: Instant::now(),
            complete_upto: AtomicU64::new(0),
            last_contact: AtomicU64::new(0),
            suspended_until: AtomicU64::new(0),
            last_read: AtomicU64::new(0),
            is_idle: AtomicBool::new(false),
            has_ended: AtomicBool::new(false),
            poller: OnceLock::new(),
            health: AtomicU8::new(Health::Unknown as u8),
        }
    }

    pub(super) const fn options(&self) -> &PgOptions {
        &self.options
    }

    pub(super) fn is_set_up(&self) -> bool {
        self.pools.get().is_some()
    }

    /// Creates its pools, which connect on first use.
    pub(super) fn set_up(&self, sessions: Sessions) {
        self.pools.get_or_init(|| {
            let options = PgOptions { sessions, ..self.options.clone() };
            let metrics = PoolMetrics::new(self.names.replica, options.pool_size.max(1));
            let jobs = pool::open_lazily(&options, Purpose::Jobs, options.pool_size.max(1), &metrics);
            // Replicas run plain Postgres; statements that the replica of a cluster refuses run on the primary.
            Pools::new(&options, jobs, false, metrics, self.names.searches)
        });
    }

    /// Sets the thread that polls it.
    pub(super) fn set_poller(&self, poller: Thread) {
        self.poller.get_or_init(|| poller);
    }

    pub(super) fn end(&self) {
        self.has_ended.store(true, Ordering::Relaxed);
        self.wake();
    }

    pub(super) fn has_ended(&self) -> bool {
        self.has_ended.load(Ordering::Relaxed)
    }

    fn wake(&self) {
        if let Some(poller) = self.poller.get() {
            poller.unpark();
        }
    }

    fn moment(&self, at: Instant) -> u64 {
        u64::try_from(at.saturating_duration_since(self.origin).as_nanos()).unwrap_or(u64::MAX - 1) + 1
    }

    /// How long ago a moment was; `None` if it is unset.
    fn age(&self, moment: &AtomicU64, now: Instant) -> Option<Duration> {
        let moment = moment.load(Ordering::Acquire);
        (moment > 0).then(|| Duration::from_nanos(self.moment(now).saturating_sub(moment)))
    }

    /// Whether there were no recent reads. If so, the next read wakes the poller.
    pub(super) fn is_idle(&self) -> bool {
        let is_idle = self.age(&self.last_read, Instant::now()).is_none_or(|age| age > IDLE_PAUSE);
        self.is_idle.store(is_idle, Ordering::Relaxed);
        is_idle
    }

    /// Records that there are reads, so that the replica is polled.
    pub(super) fn record_read(&self, now: Instant) {
        if self.age(&self.last_read, now).is_none_or(|age| age > RECORD_INTERVAL) {
            self.last_read.store(self.moment(now), Ordering::Release);
            if self.is_idle.swap(false, Ordering::Relaxed) {
                self.wake();
            }
        }
    }

    /// Records up to when the replica has everything.
    pub(super) fn record_sample(&self, complete_upto: Option<Instant>) {
        let now = Instant::now();
        self.complete_upto.store(complete_upto.map_or(0, |at| self.moment(at)), Ordering::Release);
        self.last_contact.store(self.moment(now), Ordering::Release);
        let lag = complete_upto.map(|at| now.saturating_duration_since(at));
        let is_usable = lag.is_some_and(|lag| lag < self.max_lag);
        self.metrics.set_usable(is_usable);
        let Some(lag) = lag else { return };
        self.metrics.set_lag(lag);
        if self.set_health(if is_usable { Health::Usable } else { Health::Behind }) {
            let name = self.names.replica;
            if is_usable {
                log::info!("{name} serves reads");
            } else {
                log::warn!(
                    "{name} is {:.1} s behind: reads go to the primary until it has caught up",
                    lag.as_secs_f64()
                );
            }
        }
    }

    /// Records that the replica or the primary could not be polled.
    pub(super) fn record_failure(&self, reason: &str) {
        self.complete_upto.store(0, Ordering::Release);
        self.last_contact.store(0, Ordering::Release);
        self.metrics.set_usable(false);
        if self.set_health(Health::Lost) {
            log::warn!("{} serves no reads; they go to the primary: {reason}", self.names.replica);
        }
    }

    fn set_health(&self, health: Health) -> bool {
        self.health.swap(health as u8, Ordering::Relaxed) != health as u8
    }

    fn is_in_contact(&self) -> bool {
        self.age(&self.last_contact, Instant::now()).is_some_and(|age| age < CONTACT)
    }

    /// Whether the replica has everything that was committed before `last_write` and does not lag too far behind.
    pub(super) fn may_serve(&self, now: Instant, last_write: Option<Instant>) -> bool {
        let (upto, now_moment) = (self.complete_upto.load(Ordering::Acquire), self.moment(now));
        upto > 0
            && last_write.is_none_or(|at| self.moment(at) < upto)
            && self.age(&self.complete_upto, now).is_some_and(|lag| lag < self.max_lag)
            && self.age(&self.last_contact, now).is_some_and(|age| age < CONTACT)
            && self.suspended_until.load(Ordering::Acquire) <= now_moment
    }

    fn suspend(&self) {
        self.suspended_until.store(self.moment(Instant::now() + SUSPENSION), Ordering::Release);
    }

    /// Runs a read. Returns false if the primary must run it.
    pub(super) async fn read(
        &self,
        operation: &'static str,
        workspace: WorkspaceId,
        weight: Weight,
        job: ReadJob,
    ) -> bool {
        let Some(pools) = self.pools.get() else { return false };
        let (fair_pool, is_heavy) = pools.of(weight);
        let run = move |fair_pool: &_, admitted: &mut _| attempt(fair_pool, admitted, operation, workspace, &job);
        let mut run = pin!(fair_pool.run(workspace, is_heavy, run));
        let outcome = loop {
            match tokio::time::timeout(CHECK_INTERVAL, &mut run).await {
                Ok(Ok(outcome)) => break outcome,
                Ok(Err(_)) => break ReadOutcome::Fallback("busy"),
                Err(_) if self.is_in_contact() => {}
                // The thread ends with the connection; nothing waits for it.
                Err(_) => break ReadOutcome::Fallback(UNAVAILABLE),
            }
        };
        match outcome {
            ReadOutcome::Answered => {
                self.metrics.count_read();
                true
            }
            ReadOutcome::Fallback(reason) => {
                if reason == UNAVAILABLE {
                    self.suspend();
                }
                self.metrics.count_fallback(reason);
                false
            }
        }
    }
}

const UNAVAILABLE: &str = "unavailable";

fn attempt(
    fair_pool: &FairPool,
    admitted: &mut Admitted,
    operation: &'static str,
    workspace: WorkspaceId,
    job: &ReadJob,
) -> ReadOutcome {
    let (began, mut is_rejected) = (Instant::now(), false);
    let result = pool::with_connection(&fair_pool.pool, &fair_pool.begin, admitted, |connection| {
        let result = job(&mut PgTx::new(connection, workspace, TxMode::Autocommit));
        is_rejected = matches!(result, Err(Abort::Rule));
        match result {
            Ok(()) | Err(Abort::Rule) => Ok(()),
            Err(Abort::Store(error)) => Err(error),
        }
    });
    record_job(operation, if is_rejected { "rejected" } else { outcome_of(&result) }, began);
    match result {
        // The primary may have what the replica does not have yet.
        Ok(()) if is_rejected => ReadOutcome::Fallback("missing"),
        Ok(()) => ReadOutcome::Answered,
        // The replica itself may be slow.
        Err(StoreError::TimedOut) => ReadOutcome::Fallback("slow"),
        Err(StoreError::Unavailable(reason)) if reason.starts_with(READ_ONLY) => {
            log::error!("{operation} writes in a read-only job, so it runs on the primary: {reason}");
            ReadOutcome::Fallback("write")
        }
        Err(StoreError::Unavailable(reason)) => {
            log::debug!("a read on a replica failed: {reason}");
            ReadOutcome::Fallback(UNAVAILABLE)
        }
        Err(error) => {
            log::debug!("a read on a replica failed: {error}");
            ReadOutcome::Fallback("conflict")
        }
    }
}
