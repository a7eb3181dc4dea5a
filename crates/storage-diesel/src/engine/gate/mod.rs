//! Fair shares of a connection pool: who may use a connection now, and who waits (docs/adr/0024).

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
use self::turns::{Answer, Grant, Turns};
pub(crate) use self::turns::{Asked, Lane};
use crate::engine::store::NO_WORKSPACE;
use crate::engine::store_metrics::PoolMetrics;

/// Admits jobs to a pool. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Gate(Arc<Inner>);

struct Inner {
    state: Mutex<State>,
    metrics: PoolMetrics,
    timeout: Duration,
    /// Times are counted from here.
    began: Instant,
}

struct State {
    turns: Turns,
    /// Whom to wake when a waiting job gets its turn.
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

    /// Waits for the job's turn, at most for the time-out.
    ///
    /// # Errors
    /// [`StoreError::Busy`] after that, or at once if too many jobs wait already.
    pub(crate) async fn admit(&self, asked: Asked) -> Result<Admitted, StoreError> {
        let (ticket, turn) = match self.ask(asked) {
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
        // Dropped when the request is abandoned, too: its place does not stay taken.
        let _place = Place { gate: self, ticket };
        let turn = tokio::time::timeout(self.0.timeout, turn).await;
        self.0.metrics.waited(began.elapsed());
        if let Ok(Ok(admitted)) = turn {
            return Ok(admitted);
        }
        self.0.metrics.timed_out();
        Err(StoreError::Busy)
    }

    fn ask(&self, asked: Asked) -> Entry {
        let now = self.now();
        let mut state = self.lock();
        match state.turns.ask(asked, now) {
            Answer::Granted(grant) => Entry::Admitted(self.admitted(grant, now)),
            Answer::Waits(ticket) => {
                let (sender, receiver) = oneshot::channel();
                state.waiting.insert(ticket, sender);
                Entry::Waits(ticket, receiver)
            }
            Answer::Full => Entry::Full,
        }
    }

    fn admitted(&self, grant: Grant, now: Duration) -> Admitted {
        Admitted { gate: self.clone(), grant: Some(grant), since: now, excused: Duration::ZERO }
    }

    /// Gives free connections to the jobs whose turn it is. They are woken without the lock: a job that was abandoned
    /// meanwhile gives its connection back, which takes the lock again.
    fn hand_out(&self, mut change: impl FnMut(&mut Turns, Duration)) {
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
                // An abandoned job returns it, and it is given to the next.
                drop(waiter.send(admitted));
            }
        }
    }

    fn now(&self) -> Duration {
        self.0.began.elapsed()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No step in the lock can panic half-way.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Entry {
    Admitted(Admitted),
    Waits(u64, oneshot::Receiver<Admitted>),
    Full,
}

/// A place in the queue.
struct Place<'g> {
    gate: &'g Gate,
    ticket: u64,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let was_waiting = self.gate.lock().waiting.remove(&self.ticket).is_some();
        if was_waiting {
            self.gate.hand_out(|turns, _| turns.cancel(self.ticket));
        }
    }
}

/// The right to use one connection, until dropped.
pub(crate) struct Admitted {
    gate: Gate,
    grant: Option<Grant>,
    since: Duration,
    excused: Duration,
}

impl Admitted {
    /// Runs what is not charged to the workspace: waiting for a connection, or a commit, whose time says how fast the disk is.
    pub(crate) fn excused<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let done = work();
        self.excused += began.elapsed();
        done
    }

    /// Charges nothing of what the job took until now if it ended with an outage: nobody is to wait for that afterwards.
    pub(crate) fn forgive_outage<T>(&mut self, done: &Result<T, StoreError>) {
        if matches!(done, Err(StoreError::Unavailable(_))) {
            self.excused = self.gate.now().saturating_sub(self.since);
        }
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let used = self.gate.now().saturating_sub(self.since).saturating_sub(self.excused);
        let mut grant = self.grant.take();
        self.gate.hand_out(|turns, now| {
            if let Some(grant) = grant.take() {
                turns.release(grant, used, now);
            }
        });
    }
}
