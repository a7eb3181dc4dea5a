//! Waiting for what other threads and processes do.

use std::time::Duration;

const WAIT_TIMEOUT: Duration = Duration::from_secs(10);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Waits until something is so, with a bound.
///
/// # Panics
/// When it is not so in time.
pub async fn eventually(what: &str, is_so: impl AsyncFn() -> bool) {
    let waiting = async {
        let mut looks = tokio::time::interval(POLL_INTERVAL);
        loop {
            looks.tick().await;
            if is_so().await {
                return;
            }
        }
    };
    let done = tokio::time::timeout(WAIT_TIMEOUT, waiting).await;
    assert!(done.is_ok(), "not so within {WAIT_TIMEOUT:?}: {what}");
}
