//! Background work on its own runtime, so that it and the requests do not block each other.

use std::io;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::backoff::pauses;
use crate::failures::{caught, report_panic};
use crate::job::Job;

/// The pause before work that panicked is restarted. It doubles each time, up to `LONGEST_PAUSE`.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause. Work that ran for longer than this before it panicked starts with the first pause again.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// The nice value of low-priority threads. They get about a tenth of a busy core, and all of an idle one.
pub const NICE: i32 = 10;

/// Permanently lowers the priority of the calling thread: raising it again needs a privilege.
pub fn lower_priority() {
    // On other systems the priority belongs to the whole process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICE) {
        log::debug!("cannot lower the priority of a thread: {error}");
    }
}

/// Work that runs until it is stopped. If the worker is dropped instead, the work ends as in a crash.
#[derive(Debug)]
pub struct Worker {
    name: &'static str,
    /// `None` only during the drop.
    runtime: Option<Runtime>,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Worker {
    /// Runs work on `threads` threads. `set_up` is called in the new runtime and returns the function that starts the work. That
    /// function is called again after each panic.
    ///
    /// # Errors
    /// If the runtime cannot be created, and the errors of `set_up`.
    pub fn start<R, F, E>(name: &'static str, threads: usize, set_up: impl FnOnce() -> Result<R, E>) -> Result<Self, E>
    where
        R: FnMut(CancellationToken) -> F + Send + 'static,
        F: Future<Output = ()> + Send + 'static,
        E: From<io::Error>,
    {
        let runtime = runtime(name, threads, lower_priority)?;
        let run = {
            // `enter` and not `block_on`, because the service starts its workers inside the runtime of its requests.
            let _entered = runtime.enter();
            set_up()
        };
        let run = match run {
            Ok(run) => run,
            Err(error) => {
                // A runtime that is dropped waits for its threads, which is not allowed inside another runtime.
                runtime.shutdown_background();
                return Err(error);
            }
        };
        let stop = CancellationToken::new();
        let task = runtime.spawn(supervise(name, run, stop.clone()));
        Ok(Self { name, runtime: Some(runtime), stop, task })
    }

    /// Runs jobs concurrently on one thread with a lower priority than requests. Fails if the runtime cannot be created.
    pub fn of_jobs(name: &'static str, jobs: Vec<Job>) -> io::Result<Self> {
        Ok(Self::with_runtime(runtime(name, 1, lower_priority)?, name, jobs))
    }

    /// Like [`Worker::of_jobs`], with the priority of requests. Use it for jobs that start a program, which inherits the priority of
    /// its thread.
    pub fn of_urgent_jobs(name: &'static str, jobs: Vec<Job>) -> io::Result<Self> {
        Ok(Self::with_runtime(runtime(name, 1, || ())?, name, jobs))
    }

    fn with_runtime(runtime: Runtime, name: &'static str, jobs: Vec<Job>) -> Self {
        let stop = CancellationToken::new();
        // Jobs catch their own panics.
        let running: JoinSet<()> = {
            let _entered = runtime.enter();
            jobs.into_iter().map(|job| job.run(stop.clone())).collect()
        };
        let task = runtime.spawn(async { drop(running.join_all().await) });
        Self { name, runtime: Some(runtime), stop, task }
    }

    /// Waits for at most `within` until work in progress is finished, then cancels it.
    pub async fn stop(mut self, within: Duration) {
        self.stop.cancel();
        let stopped = tokio::time::timeout(within, &mut self.task).await.is_ok();
        self.report(stopped, within);
    }

    /// Like `stop`, outside of any runtime.
    pub fn stop_blocking(mut self, within: Duration) {
        self.stop.cancel();
        if let Some(runtime) = &self.runtime {
            let task = &mut self.task;
            let stopped = runtime.block_on(async { tokio::time::timeout(within, task).await.is_ok() });
            self.report(stopped, within);
        }
    }

    fn report(&self, stopped: bool, within: Duration) {
        if !stopped {
            log::warn!("{} did not stop within {} s: cancelling work in progress", self.name, within.as_secs());
        }
    }

    /// Ends the work at once, as in a crash: nothing is finished, recorded or released.
    pub fn crash(self) {
        drop(self);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // No further step starts. Without the abort, steps would continue until the threads notice.
        self.task.abort();
        if let Some(runtime) = self.runtime.take() {
            // Its threads may be blocked in a database call; do not wait for them.
            runtime.shutdown_background();
        }
    }
}

fn runtime(name: &str, threads: usize, on_start: fn()) -> io::Result<Runtime> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(threads).thread_name(name).on_thread_start(on_start).enable_all().build()
}

async fn supervise<R, F>(name: &'static str, mut run: R, stop: CancellationToken)
where
    R: FnMut(CancellationToken) -> F,
    F: Future<Output = ()>,
{
    let new_pauses = || pauses(FIRST_PAUSE, LONGEST_PAUSE);
    let mut remaining_pauses = new_pauses();
    loop {
        let started = Instant::now();
        let Err(panic) = caught(async { run(stop.clone()).await }).await else { return };
        report_panic(name, &*panic);
        if started.elapsed() > LONGEST_PAUSE {
            remaining_pauses = new_pauses();
        }
        let pause = remaining_pauses.next().unwrap_or(LONGEST_PAUSE);
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Next;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::mpsc;

    const WAIT_TIMEOUT: Duration = Duration::from_secs(30);

    #[test]
    fn work_that_panics_is_restarted_until_the_stop() {
        static STARTS: AtomicU32 = AtomicU32::new(0);
        let (sender, messages) = mpsc::channel();
        let worker = Worker::start("testing", 1, || {
            Ok::<_, io::Error>(move |stop: CancellationToken| {
                let sender = sender.clone();
                async move {
                    sender.send("started").unwrap();
                    let starts = STARTS.fetch_add(1, Ordering::SeqCst);
                    assert!(starts > 1, "a panic");
                    stop.cancelled().await;
                    sender.send("stopped").unwrap();
                }
            })
        });
        let next = || messages.recv_timeout(WAIT_TIMEOUT).unwrap();
        assert_eq!([next(), next(), next()], ["started"; 3]);
        worker.unwrap().stop_blocking(WAIT_TIMEOUT);
        assert_eq!(next(), "stopped");
    }

    #[test]
    fn a_failed_setup_starts_nothing() {
        type Run = fn(CancellationToken) -> std::future::Ready<()>;
        let failed = Worker::start("testing", 1, || Err::<Run, _>(io::Error::other("why")));
        assert_eq!(failed.unwrap_err().to_string(), "why");
    }

    #[tokio::test]
    async fn a_stop_is_bounded_and_a_worker_may_be_dropped_within_a_runtime() {
        let hanging = || {
            let job = Job::new("hanging", std::future::pending::<Result<Next, String>>);
            Worker::of_jobs("testing", vec![job]).unwrap()
        };
        let started = Instant::now();
        hanging().stop(Duration::from_millis(10)).await;
        hanging().crash();
        drop(hanging());
        assert!(started.elapsed() < WAIT_TIMEOUT);
    }
}
