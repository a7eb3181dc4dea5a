//! Repeated background work.

use std::fmt::Display;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, OptionFuture};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::backoff::Backoff;
use crate::failures::{self, caught, report_panic};
use crate::notifier::Notifier;

/// The pause after the first failure. It doubles with each further failure, up to the poll interval.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause of a job without a poll interval.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// When a job continues after a successful step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// There may be more to do.
    AtOnce,
    /// At this time or when woken, but no later than at the poll interval.
    At(Instant),
    /// When woken or at the poll interval, counted from the start of the step.
    Wait,
}

impl Next {
    /// Whether there may be more to do: continue at once, or wait.
    pub const fn at_once_if(has_more: bool) -> Self {
        if has_more { Self::AtOnce } else { Self::Wait }
    }
}

type Step = Box<dyn Fn() -> BoxFuture<'static, Result<Next, String>> + Send + Sync>;

/// A step that is run repeatedly. If it fails or panics, this is logged and the step is retried after a pause.
pub struct Job {
    name: &'static str,
    every: Option<Duration>,
    wake: Option<Notifier>,
    step: Step,
}

impl Job {
    /// `name` identifies the job in logs and metrics, such as `pruning credentials`.
    pub fn new<F, E: Display>(name: &'static str, step: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<Next, E>> + Send + 'static,
    {
        let step = move || step().map(|result| result.map_err(|error| error.to_string())).boxed();
        Self { name, every: None, wake: None, step: Box::new(step) }
    }

    /// Like [`Job::new`], for a step that gets a clone of `with`.
    pub fn with<T, F, E: Display>(name: &'static str, with: T, step: impl Fn(T) -> F + Send + Sync + 'static) -> Self
    where
        T: Clone + Send + Sync + 'static,
        F: Future<Output = Result<Next, E>> + Send + 'static,
    {
        Self::new(name, move || step(with.clone()))
    }

    /// Runs the step at this poll interval.
    #[must_use]
    pub fn every(self, interval: Duration) -> Self {
        Self { every: Some(interval), ..self }
    }

    /// Runs the step on notifications too. After a failure, the job waits for the pause regardless of notifications.
    #[must_use]
    pub fn woken_by(self, wake: &Notifier) -> Self {
        Self { wake: Some(wake.clone()), ..self }
    }

    /// Runs until `stop` is cancelled; a step in progress is finished.
    pub async fn run(self, stop: CancellationToken) {
        failures::begin(self.name);
        let mut backoff = Backoff::new(self.name, FIRST_PAUSE, self.every.unwrap_or(LONGEST_PAUSE));
        while !stop.is_cancelled() {
            let mut continue_at = self.every.map(|every| Instant::now() + every);
            match caught(async { (self.step)().await }).await {
                Ok(Ok(next)) => {
                    backoff.succeeded();
                    match next {
                        Next::AtOnce => {
                            // The step may never have yielded.
                            tokio::task::yield_now().await;
                            continue;
                        }
                        Next::At(time) => continue_at = Some(continue_at.map_or(time, |poll| poll.min(time))),
                        Next::Wait => {}
                    }
                }
                Ok(Err(error)) => {
                    failures::failed(self.name, "error");
                    log::debug!("{} failed: {error}", self.name);
                    backoff.failed(&error, Instant::now());
                }
                Err(panic) => {
                    report_panic(self.name, &*panic);
                    backoff.failed(&"it panicked", Instant::now());
                }
            }
            tokio::select! {
                () = stop.cancelled() => return,
                Some(()) = OptionFuture::from(backoff.until().or(continue_at).map(tokio::time::sleep_until)) => {}
                Some(()) = OptionFuture::from(self.wake.as_ref().map(Notifier::notified)), if backoff.until().is_none() => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    const EVERY: Duration = Duration::from_secs(10);

    /// Runs a job for this long and returns the number of steps; steps are numbered from 0.
    async fn steps(
        wake: Option<&Notifier>,
        within: Duration,
        step: impl Fn(u32) -> Result<Next, &'static str> + Send + Sync + 'static,
    ) -> u32 {
        let runs = Arc::new(AtomicU32::new(0));
        let mut job = Job::with("testing", Arc::clone(&runs), move |runs| {
            std::future::ready(step(runs.fetch_add(1, Ordering::SeqCst)))
        })
        .every(EVERY);
        if let Some(wake) = wake {
            job = job.woken_by(wake);
        }
        let _ = tokio::time::timeout(within, job.run(CancellationToken::new())).await;
        runs.load(Ordering::SeqCst)
    }

    #[tokio::test(start_paused = true)]
    async fn a_job_polls_and_continues_at_once_while_there_is_more() {
        assert_eq!(steps(None, EVERY * 5 / 2, |_| Ok(Next::Wait)).await, 3);
        let more_twice = |number| Ok(if number < 2 { Next::AtOnce } else { Next::Wait });
        assert_eq!(steps(None, EVERY / 2, more_twice).await, 3);
    }

    #[tokio::test(start_paused = true)]
    async fn a_step_may_say_when_the_next_one_is_due() {
        let due_soon = |number| Ok(if number < 3 { Next::At(Instant::now() + EVERY / 10) } else { Next::Wait });
        assert_eq!(steps(None, EVERY / 2, due_soon).await, 4);
        let due_late = |_| Ok(Next::At(Instant::now() + EVERY * 10));
        assert_eq!(steps(None, EVERY * 5 / 2, due_late).await, 3, "the poll interval comes first");
        let wake = Notifier::default();
        wake.notify();
        assert_eq!(steps(Some(&wake), EVERY / 2, due_late).await, 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_notification_wakes_a_job_unless_it_is_failing() {
        let wake = Notifier::default();
        wake.notify();
        assert_eq!(steps(Some(&wake), EVERY / 2, |_| Ok(Next::Wait)).await, 2);
        wake.notify();
        assert_eq!(steps(Some(&wake), FIRST_PAUSE / 2, |_| Err("why")).await, 1);
    }

    #[tokio::test(start_paused = true)]
    async fn failures_and_panics_are_retried_after_growing_pauses() {
        let fail = |number: u32| {
            assert!(number.is_multiple_of(2), "a panic");
            Err("why")
        };
        let count = steps(None, 100 * EVERY, fail).await;
        assert!((100..250).contains(&count), "{count}");
        let once = |number| if number == 0 { Err("why") } else { Ok(Next::Wait) };
        assert_eq!(steps(None, EVERY / 2, once).await, 2, "long before the poll interval has elapsed");
    }

    #[tokio::test(start_paused = true)]
    async fn a_job_without_polling_waits_to_be_woken() {
        let (wake, runs) = (Notifier::default(), Arc::new(AtomicU32::new(0)));
        let job = Job::with("testing", Arc::clone(&runs), |runs| async move {
            runs.fetch_add(1, Ordering::SeqCst);
            Ok::<_, String>(Next::Wait)
        });
        let running = tokio::spawn(job.woken_by(&wake).run(CancellationToken::new()));
        tokio::time::sleep(100 * EVERY).await;
        assert_eq!(runs.load(Ordering::SeqCst), 1, "notified before it started");
        wake.notify();
        tokio::time::sleep(EVERY).await;
        assert_eq!(runs.load(Ordering::SeqCst), 2);
        running.abort();
    }

    #[tokio::test(start_paused = true)]
    async fn a_stop_finishes_the_step_and_starts_no_other() {
        let (stop, runs) = (CancellationToken::new(), Arc::new(AtomicU32::new(0)));
        let job = Job::with("testing", Arc::clone(&runs), |runs| async move {
            tokio::time::sleep(EVERY).await;
            runs.fetch_add(1, Ordering::SeqCst);
            Ok::<_, String>(Next::AtOnce)
        });
        let running = tokio::spawn(job.run(stop.clone()));
        tokio::time::sleep(EVERY / 2).await;
        stop.cancel();
        running.await.unwrap();
        assert_eq!(runs.load(Ordering::SeqCst), 1);
    }
}
