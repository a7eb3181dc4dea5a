//! Waits for effects of other threads and processes.

use std::time::Duration;

/// How long tests wait for what happens elsewhere, also on a busy machine.
pub(crate) const WAIT_TIMEOUT: Duration = Duration::from_mins(1);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Waits until the condition holds, up to a timeout.
///
/// # Panics
/// If it does not hold in time.
pub async fn eventually(what: &str, is_so: impl AsyncFn() -> bool) {
    let waiting = async {
        // A pause after each look, however long it took: a look that blocks would otherwise keep the service, which may
        // run on this thread too, from doing what is waited for.
        while !is_so().await {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    };
    let done = tokio::time::timeout(WAIT_TIMEOUT, waiting).await;
    assert!(done.is_ok(), "timed out after {WAIT_TIMEOUT:?}: {what}");
}
