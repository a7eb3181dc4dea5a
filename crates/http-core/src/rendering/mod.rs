//! Threads for work that keeps a core busy for milliseconds and does not use the store: HTML of large texts, compression of
//! large pages, rows of files. On a thread that serves HTTP, it would block the other requests of that thread.
//!
//! The threads have a lower priority than those that serve requests. Their queue is bounded, and workspaces take turns.

mod queue;

pub(crate) use queue::Admission;

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, available_parallelism};

use queue::FairQueue;
use telemetry::log_context::Context;
use tokio::sync::oneshot;

use crate::answers::Owner;
use crate::errors::HttpError;

const REFUSED: &str = "service_renderings_refused_total";

pub(crate) fn describe_metrics() {
    metrics::describe_counter!(REFUSED, "Large texts not rendered because too many were waiting");
    metrics::counter!(REFUSED).increment(0);
}

type Job = Box<dyn FnOnce() + Send>;

/// The process's rendering threads, half as many as there are cores. They start with the first job.
#[derive(Default)]
pub(crate) struct RenderingPool {
    shared: Arc<Shared>,
    /// The number of threads.
    threads: OnceLock<usize>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    queue: FairQueue<Job>,
    is_closed: bool,
}

impl std::fmt::Debug for RenderingPool {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("RenderingPool").field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl RenderingPool {
    /// Runs work on one of the threads when it is the owner's turn. If the returned future is dropped before that, the work does not
    /// start. A panic propagates to the caller. Fails with [`HttpError::Busy`] if the queue is full.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        owner: Owner,
        admission: Admission,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, HttpError> {
        let (sender, receiver) = oneshot::channel();
        let context = Context::current();
        let job = Box::new(move || {
            if !sender.is_closed() {
                let result = catch_unwind(AssertUnwindSafe(|| context.enter(work)));
                // The caller may have been dropped meanwhile.
                drop(sender.send(result));
            }
        });
        if self.start() == 0 || self.shared.lock().queue.push(owner, admission, job).is_err() {
            metrics::counter!(REFUSED).increment(1);
            return Err(HttpError::Busy);
        }
        self.shared.changed.notify_one();
        match receiver.await {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(panic)) => resume_unwind(panic),
            // The service is stopping.
            Err(_) => Err(HttpError::Busy),
        }
    }

    /// Starts the threads unless they are running. Returns their number.
    fn start(&self) -> usize {
        *self.threads.get_or_init(|| {
            let count = (available_parallelism().map_or(1, NonZero::get) / 2).max(1);
            let start = |number: &usize| {
                let shared = Arc::clone(&self.shared);
                let thread = thread::Builder::new().name(format!("rendering-{number}"));
                let started = thread.spawn(move || work(&shared));
                started.inspect_err(|error| log::error!("cannot start a thread for rendering: {error}")).is_ok()
            };
            (1..=count).filter(start).count()
        })
    }
}

impl Drop for RenderingPool {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.is_closed = true;
        state.queue = FairQueue::default();
        drop(state);
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic cannot leave the queue inconsistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next job; `None` once the pool is dropped.
    fn next(&self) -> Option<Job> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            match state.queue.pop() {
                Some(job) => return Some(job),
                None => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

fn work(shared: &Shared) {
    background::lower_priority();
    while let Some(job) = shared.next() {
        job();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use domain::limits::AddressGroup;
    use futures_util::future::join_all;

    use super::*;

    fn owner() -> Owner {
        Owner::Address(AddressGroup::from(None))
    }

    #[actix_web::test]
    async fn work_runs_on_another_thread_and_a_panic_reaches_its_caller() {
        let pool = RenderingPool::default();
        let thread =
            pool.run(owner(), Admission::Bounded, || thread::current().name().map(str::to_owned)).await.unwrap();
        assert!(thread.is_some_and(|name| name.starts_with("rendering-")));
        let panic = AssertUnwindSafe(pool.run(owner(), Admission::Bounded, || panic!("on purpose")));
        assert!(futures_util::FutureExt::catch_unwind(panic).await.is_err());
        assert_eq!(pool.run(owner(), Admission::Bounded, || 7).await.unwrap(), 7, "the thread still works");
    }

    #[actix_web::test]
    async fn a_full_queue_refuses_work_and_abandoned_work_does_not_begin() {
        let pool = Arc::new(RenderingPool::default());
        let threads = pool.start();
        let (release, released) = mpsc::channel::<()>();
        let released = Arc::new(Mutex::new(released));
        let busy = Arc::new(AtomicUsize::new(0));
        // Keeps every thread busy until it is released.
        let blocking: Vec<_> = (0..threads)
            .map(|_| {
                let (pool, released, busy) = (Arc::clone(&pool), Arc::clone(&released), Arc::clone(&busy));
                let block = move || {
                    busy.fetch_add(1, Ordering::Relaxed);
                    drop(released.lock().map(|receiver| receiver.recv()));
                };
                actix_web::rt::spawn(async move { pool.run(owner(), Admission::Bounded, block).await })
            })
            .collect();
        while busy.load(Ordering::Relaxed) < threads {
            actix_web::rt::task::yield_now().await;
        }
        let (started_sender, started_receiver) = mpsc::channel();
        let waiting = join_all((0..100).map(|_| {
            let started_sender = started_sender.clone();
            pool.run(owner(), Admission::Bounded, move || started_sender.send(()))
        }));
        let outcomes = actix_web::rt::time::timeout(std::time::Duration::from_millis(50), waiting).await;
        assert!(outcomes.is_err(), "some wait for a thread");
        let refused = pool.run(owner(), Admission::Bounded, || ()).await;
        assert!(matches!(refused, Err(HttpError::Busy)), "those that wait fill the queue");
        for _ in 0..threads {
            release.send(()).unwrap();
        }
        for task in blocking {
            task.await.unwrap().unwrap();
        }
        while pool.shared.lock().queue.len() > 0 {
            actix_web::rt::task::yield_now().await;
        }
        drop(started_sender);
        assert_eq!(started_receiver.recv().ok(), None, "their callers were dropped");
    }
}
