//! Fair shares of a connection pool: which jobs may use a connection now, and which wait (docs/adr/0024).

mod budget;
mod shares;
#[cfg(test)]
mod tests;
mod turns;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use domain::WorkspaceId;
use domain::ports::StoreError;
use tokio::sync::oneshot;

pub(crate) use self::shares::Shares;
use self::turns::{Decision, Grant, Turns};
pub(crate) use self::turns::{JobRequest, Lane};
use crate::engine::store::NO_WORKSPACE;
use crate::engine::store_metrics::PoolMetrics;

/// Admits jobs to a pool. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Gate(Arc<Inner>);

struct Inner {
    state: Mutex<State>,
    metrics: PoolMetrics,
    timeout: Duration,
    /// The origin of all times.
    began: Instant,
}

struct State {
    turns: Turns,
    /// The senders that wake waiting jobs, by ticket.
    waiting: HashMap<u64, oneshot::Sender<Admitted>>,
}

impl Lane {
    pub(crate) fn of(workspace: WorkspaceId) -> Self {
        if workspace == NO_WORKSPACE { Self::Directory } else { Self::Workspace(workspace) }
    }
}

impl Gate {
    pub(crate) fn new(shares: Shares, timeout: Duration, metrics: PoolMetrics) -> Self {
        let state = State { turns: Turns::new(shares), waiting: HashMap::new() };
        Self(Arc::new(Inner { state: Mutex::new(state), metrics, timeout, began: Instant::now() }))
    }

    /// Waits for the job's turn, at most until the timeout.
    ///
    /// # Errors
    /// [`StoreError::Busy`] after the timeout, or at once if too many jobs are waiting.
    pub(crate) async fn admit(&self, request: JobRequest) -> Result<Admitted, StoreError> {
        let (ticket, turn) = match self.request(request) {
            Entry::Admitted(admitted) => {
                self.0.metrics.waited(Duration::ZERO);
                return Ok(admitted);
            }
            Entry::Waits(ticket, turn) => (ticket, turn),
            Entry::Full => {
                self.0.metrics.refused();
                return Err(StoreError::Busy);
            }
        };
        let (began, _counted) = (Instant::now(), self.0.metrics.wait());
        // Also dropped when the request is abandoned, which removes it from the queue.
        let _entry = QueueEntry { gate: self, ticket };
        let turn = tokio::time::timeout(self.0.timeout, turn).await;
        self.0.metrics.waited(began.elapsed());
        if let Ok(Ok(admitted)) = turn {
            return Ok(admitted);
        }
        self.0.metrics.timed_out();
        Err(StoreError::Busy)
    }

    fn request(&self, request: JobRequest) -> Entry {
        let now = self.now();
        let mut state = self.lock();
        match state.turns.request(request, now) {
            Decision::Granted(grant) => Entry::Admitted(self.admitted(grant, now)),
            Decision::Waits(ticket) => {
                let (sender, receiver) = oneshot::channel();
                state.waiting.insert(ticket, sender);
                Entry::Waits(ticket, receiver)
            }
            Decision::Full => Entry::Full,
        }
    }

    fn admitted(&self, grant: Grant, now: Duration) -> Admitted {
        Admitted { gate: self.clone(), grant: Some(grant), since: now, uncharged: Duration::ZERO }
    }

    /// Grants free connections to the jobs whose turn it is. Jobs are woken without the lock: a job that was abandoned meanwhile
    /// returns its connection, which takes the lock again.
    fn grant_free(&self, mut change: impl FnMut(&mut Turns, Duration)) {
        let now = self.now();
        let mut woken = Vec::new();
        {
            let mut state = self.lock();
            change(&mut state.turns, now);
            while let Some((ticket, grant)) = state.turns.next(now) {
                woken.push((state.waiting.remove(&ticket), grant));
            }
        }
        for (waiter, grant) in woken {
            let admitted = self.admitted(grant, now);
            if let Some(waiter) = waiter {
                // An abandoned job returns the connection, and the next job gets it.
                drop(waiter.send(admitted));
            }
        }
    }

    fn now(&self) -> Duration {
        self.0.began.elapsed()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code under the lock can panic and leave it inconsistent.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Entry {
    Admitted(Admitted),
    Waits(u64, oneshot::Receiver<Admitted>),
    Full,
}

/// A waiting job, removed from the queue when dropped.
struct QueueEntry<'g> {
    gate: &'g Gate,
    ticket: u64,
}

impl Drop for QueueEntry<'_> {
    fn drop(&mut self) {
        let was_waiting = self.gate.lock().waiting.remove(&self.ticket).is_some();
        if was_waiting {
            self.gate.grant_free(|turns, _| turns.cancel(self.ticket));
        }
    }
}

/// The right to use one connection, until dropped.
pub(crate) struct Admitted {
    gate: Gate,
    grant: Option<Grant>,
    since: Duration,
    uncharged: Duration,
}

impl Admitted {
    /// Runs work that is not charged to the workspace: waiting for a connection, or a commit, whose duration depends on the disk.
    pub(crate) fn uncharged<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let result = work();
        self.uncharged += began.elapsed();
        result
    }

    /// If the job ended with an outage, its time so far is not charged: the workspace must not wait for that afterwards.
    pub(crate) fn forgive_outage<T>(&mut self, result: &Result<T, StoreError>) {
        if matches!(result, Err(StoreError::Unavailable(_))) {
            self.uncharged = self.gate.now().saturating_sub(self.since);
        }
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let used = self.gate.now().saturating_sub(self.since).saturating_sub(self.uncharged);
        let mut grant = self.grant.take();
        self.gate.grant_free(|turns, now| {
            if let Some(grant) = grant.take() {
                turns.release(grant, used, now);
            }
        });
    }
}
