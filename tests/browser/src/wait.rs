//! Waiting for what a page does by itself.

use std::time::Duration;

/// The bound of every wait. It only ends a test that hangs: other work may share the machine.
pub(crate) const BOUND: Duration = Duration::from_secs(20);
const INTERVAL: Duration = Duration::from_millis(40);

/// Looks again until there is an answer; `Err` holds what the last look saw.
pub(crate) async fn poll<T>(mut look: impl AsyncFnMut() -> Result<T, String>) -> Result<T, String> {
    let mut last = String::new();
    let looking = async {
        let mut looks = tokio::time::interval(INTERVAL);
        loop {
            looks.tick().await;
            match look().await {
                Ok(found) => return found,
                Err(seen) => last = seen,
            }
        }
    };
    let found = tokio::time::timeout(BOUND, looking).await;
    found.map_err(|_| last)
}

/// Waits until the condition holds. Never sleep instead.
pub async fn wait_until(what: &str, is_so: impl AsyncFn() -> bool) {
    let look = async || if is_so().await { Ok(()) } else { Err(String::new()) };
    assert!(poll(look).await.is_ok(), "timed out after {BOUND:?}: {what}");
}
