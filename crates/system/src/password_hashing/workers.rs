//! The threads that compute hashes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use domain::identity::accounts::HashTurn;
use telemetry::log_context::Context;
use tokio::sync::oneshot;

use super::HashingError;
use super::argon::{Buffer, HashOutput, HashWork};
use super::queue::{HashQueue, MAX_WAITING, PushOutcome};

/// The number of hashes computed at the same time. Each takes a core, and its thread keeps 19 MiB.
const THREADS: usize = 2;

pub(super) type Reply = oneshot::Sender<Result<HashOutput, HashingError>>;

struct Job {
    work: HashWork,
    /// Closed when nobody waits for the result any more.
    reply: Reply,
    context: Context,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    queue: HashQueue<Job>,
    is_closed: bool,
}

/// A handle to the threads, which end when it is dropped.
pub(super) struct Workers(Arc<Shared>);

impl Workers {
    pub(super) fn start() -> Result<Self, HashingError> {
        // If a thread fails to start, dropping this ends those started before.
        let workers = Self(Arc::default());
        for number in 1..=THREADS {
            let shared = Arc::clone(&workers.0);
            let thread = thread::Builder::new().name(format!("passwords-{number}"));
            thread.spawn(move || run(&shared)).map_err(|error| HashingError::Thread(error.to_string()))?;
        }
        Ok(workers)
    }

    pub(super) fn waiting(&self) -> usize {
        self.0.lock().queue.len()
    }

    /// Queues work. If it is refused or displaced, its `Reply` is dropped.
    pub(super) fn submit(&self, turn: HashTurn, work: HashWork, reply: Reply) {
        let job = Job { work, reply, context: Context::current() };
        let outcome = {
            let mut state = self.0.lock();
            if state.queue.len() >= MAX_WAITING {
                state.queue.remove(|job| job.reply.is_closed());
            }
            state.queue.push(turn, job)
        };
        if !matches!(outcome, PushOutcome::Refused(_)) {
            self.0.changed.notify_one();
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.is_closed = true;
        // Notifies everything that waits.
        state.queue = HashQueue::default();
        drop(state);
        self.0.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // The queue is never left half changed by a panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next job; `None` when the queue is closed.
    fn next(&self) -> Option<Job> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            match state.queue.pop() {
                Some(job) if job.reply.is_closed() => {}
                Some(job) => return Some(job),
                None => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

fn run(shared: &Shared) {
    let mut buffer = Buffer::default();
    while let Some(Job { work, reply, context }) = shared.next() {
        let result = catch_unwind(AssertUnwindSafe(|| context.enter(|| work.run(&mut buffer))));
        let result = result.unwrap_or_else(|_| Err(HashingError::Argon("it panicked".to_owned())));
        // Fails if nobody waits any more.
        let _ = reply.send(result);
    }
}
