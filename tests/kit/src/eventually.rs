//! Waiting for what other threads and processes do.

use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(10);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Waits until something is so, with a bound.
///
/// # Panics
/// When it is not so in time.
pub async fn eventually(what: &str, is_so: impl AsyncFn() -> bool) {
    let waiting = async {
        let mut looks = tokio::time::interval(LOOK_EVERY);
        loop {
            looks.tick().await;
            if is_so().await {
                return;
            }
        }
    };
    let done = tokio::time::timeout(PATIENCE, waiting).await;
    assert!(done.is_ok(), "not so within {PATIENCE:?}: {what}");
}
