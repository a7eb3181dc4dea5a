//! Threads for blocking work. The most recently freed thread gets the next job.
//!
//! Tokio hands jobs to its blocking threads in turn, and has more threads than concurrent jobs: each job would get a thread whose stack
//! and memory have left the caches (docs/performance.md).

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, ThreadId};
use std::time::Duration;

use domain::ports::StoreError;
use tokio::sync::oneshot;

/// How long an idle thread is kept.
const IDLE_TIMEOUT: Duration = Duration::from_secs(10);

/// A handle to the threads. When it is dropped, idle threads end, and the others end after their job.
#[derive(Clone)]
pub(crate) struct Threads {
    name: &'static str,
    idle: Arc<Idle>,
}

/// A thread's next job, and the channel for the one after it.
struct Task {
    job: Box<dyn FnOnce(Busy) + Send>,
    sender: Sender<Task>,
}

/// A thread that has a job.
struct Busy {
    sender: Sender<Task>,
    idle: Weak<Idle>,
}

impl Threads {
    pub(crate) fn new(name: &'static str) -> Self {
        Self { name, idle: Arc::default() }
    }

    /// Runs work on one of the threads, to its end even if the caller is dropped. A panic propagates to the caller. `held` is dropped
    /// only once the thread can take another job, so that a job waiting for `held` gets this thread.
    ///
    /// The caller bounds how many jobs run at once. A new thread inherits the priority of the calling thread.
    pub(crate) async fn run<T, H>(
        &self,
        mut held: H,
        work: impl FnOnce(&mut H) -> T + Send + 'static,
    ) -> Result<T, StoreError>
    where
        T: Send + 'static,
        H: Send + 'static,
    {
        let (result_sender, result) = oneshot::channel();
        self.start(Box::new(move |thread| {
            let result = catch_unwind(AssertUnwindSafe(|| work(&mut held)));
            thread.free();
            drop(held);
            // The caller may be gone.
            drop(result_sender.send(result));
        }))?;
        match result.await {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(panic)) => resume_unwind(panic),
            Err(_) => Err(StoreError::Unavailable("the service is stopping".to_owned())),
        }
    }

    fn start(&self, mut job: Box<dyn FnOnce(Busy) + Send>) -> Result<(), StoreError> {
        while let Some(sender) = self.idle.take_last() {
            match sender.clone().send(Task { job, sender }) {
                Ok(()) => return Ok(()),
                Err(unsent) => job = unsent.0.job,
            }
        }
        let (sender, tasks) = channel();
        let (first, idle) = (Task { job, sender }, Arc::downgrade(&self.idle));
        let thread = thread::Builder::new().name(self.name.to_owned()).spawn(move || work(first, &tasks, &idle));
        thread.map(drop).map_err(|error| StoreError::Unavailable(format!("no thread can be started: {error}")))
    }
}

fn work(first: Task, tasks: &Receiver<Task>, idle: &Weak<Idle>) {
    let mut next = Some(first);
    while let Some(Task { job, sender }) = next {
        job(Busy { sender, idle: Weak::clone(idle) });
        next = wait(tasks, idle);
    }
}

/// The next task; `None` if the thread should end.
fn wait(tasks: &Receiver<Task>, idle: &Weak<Idle>) -> Option<Task> {
    match tasks.recv_timeout(IDLE_TIMEOUT) {
        Ok(task) => Some(task),
        Err(RecvTimeoutError::Disconnected) => None,
        Err(RecvTimeoutError::Timeout) => {
            let is_idle = idle.upgrade()?.remove(thread::current().id());
            // Otherwise it was just taken, and a task is about to arrive.
            if is_idle { None } else { tasks.recv().ok() }
        }
    }
}

impl Busy {
    fn free(self) {
        if let Some(idle) = self.idle.upgrade() {
            idle.lock().push((thread::current().id(), self.sender));
        }
    }
}

/// The idle threads, in the order in which they were freed. Each ends when its sender is dropped.
#[derive(Default)]
struct Idle(Mutex<Vec<(ThreadId, Sender<Task>)>>);

impl Idle {
    fn lock(&self) -> MutexGuard<'_, Vec<(ThreadId, Sender<Task>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_last(&self) -> Option<Sender<Task>> {
        Some(self.lock().pop()?.1)
    }

    /// Returns whether the thread was idle.
    fn remove(&self, thread: ThreadId) -> bool {
        let mut threads = self.lock();
        let index = threads.iter().position(|(id, _)| *id == thread);
        index.map(|index| threads.remove(index)).is_some()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::{Future, poll_fn};
    use std::pin::pin;
    use std::task::Poll;

    use super::*;
    use crate::plans::common::block_on;

    async fn id(threads: &Threads) -> ThreadId {
        threads.run((), |()| thread::current().id()).await.unwrap()
    }

    #[test]
    fn sequential_jobs_share_a_thread_and_concurrent_ones_do_not() {
        block_on(async {
            let threads = Threads::new("test");
            let first = id(&threads).await;
            let (release, released) = channel();
            let long = threads.run((), move |()| {
                released.recv().unwrap();
                thread::current().id()
            });
            let mut long = pin!(long);
            assert!(poll_fn(|context| Poll::Ready(long.as_mut().poll(context).is_pending())).await);
            let second = id(&threads).await;
            assert_ne!(first, second);
            assert_eq!(id(&threads).await, second);
            release.send(()).unwrap();
            assert_eq!(long.await.unwrap(), first);
            assert_eq!(id(&threads).await, first, "the one that was freed last");
            assert_eq!(threads.idle.lock().len(), 2);
        });
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_thread_keeps_working() {
        block_on(async {
            let threads = Threads::new("test");
            let first = id(&threads).await;
            let failing = threads.clone();
            let failed = tokio::spawn(async move { failing.run((), |()| panic!("on purpose")).await }).await;
            assert!(failed.unwrap_err().is_panic());
            assert_eq!(id(&threads).await, first);
        });
    }

    /// Dropped when the thread is idle again.
    struct Held(Threads, Sender<usize>);

    impl Drop for Held {
        fn drop(&mut self) {
            self.1.send(self.0.idle.lock().len()).unwrap();
        }
    }

    #[test]
    fn held_values_are_dropped_once_the_thread_is_free() {
        block_on(async {
            let threads = Threads::new("test");
            let (sender, idle) = channel();
            threads.run(Held(threads.clone(), sender), |held| assert_eq!(held.0.idle.lock().len(), 0)).await.unwrap();
            assert_eq!(idle.recv().unwrap(), 1);
        });
    }

    thread_local! {
        static DROPPED_WITH_THREAD: Cell<Option<Sender<()>>> = const { Cell::new(None) };
    }

    #[test]
    fn threads_end_with_their_handle() {
        block_on(async {
            let threads = Threads::new("test");
            let (sender, ended) = channel();
            threads.run((), |()| DROPPED_WITH_THREAD.set(Some(sender))).await.unwrap();
            drop(threads);
            assert_eq!(ended.recv_timeout(IDLE_TIMEOUT / 2), Err(RecvTimeoutError::Disconnected));
        });
    }
}
