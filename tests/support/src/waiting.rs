//! Waits for effects of other threads and processes.

use std::time::{Duration, Instant};

/// How long tests wait for other threads and processes, which is long enough on a busy machine.
pub const WAIT_TIMEOUT: Duration = Duration::from_mins(1);
/// Pause between polls, so that waiting does not slow down the awaited work.
pub const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Polls until there is a result, up to a timeout; `Err` contains the state at the last poll.
#[cfg(feature = "load")]
pub async fn poll<T>(mut check: impl AsyncFnMut() -> Result<T, String>) -> Result<T, String> {
    let mut last = String::new();
    let polling = async {
        loop {
            match check().await {
                Ok(outcome) => return outcome,
                Err(state) => last = state,
            }
            // Pauses after each poll, however long it took: a poll that blocks would otherwise keep the service, which may
            // also run on this thread, from making progress.
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    };
    let outcome = tokio::time::timeout(WAIT_TIMEOUT, polling).await;
    outcome.map_err(|_| last)
}

/// Waits until the condition holds, up to a timeout. Use this instead of sleeping.
///
/// # Panics
/// If it does not hold in time.
#[cfg(feature = "load")]
pub async fn eventually(goal: &str, condition: impl AsyncFn() -> bool) {
    let check = async || if condition().await { Ok(()) } else { Err(String::new()) };
    assert!(poll(check).await.is_ok(), "timed out after {WAIT_TIMEOUT:?}: {goal}");
}

/// [`eventually`] on a thread without a runtime.
///
/// # Panics
/// If it does not hold in time.
pub fn eventually_on_thread(goal: &str, condition: impl Fn() -> bool) {
    let end = Instant::now() + WAIT_TIMEOUT;
    while !condition() {
        assert!(Instant::now() < end, "timed out after {WAIT_TIMEOUT:?}: {goal}");
        std::thread::park_timeout(POLL_INTERVAL);
    }
}
