//! Polling for another process.

use std::time::{Duration, Instant};

/// Short enough not to delay a warm start, long enough to cost nothing.
const PAUSE: Duration = Duration::from_millis(3);

/// Polls `ready` until it returns a value, fails, or `timeout` has elapsed (`None`).
pub(crate) fn until<T, E>(timeout: Duration, mut ready: impl FnMut() -> Result<Option<T>, E>) -> Result<Option<T>, E> {
    let end = Instant::now() + timeout;
    loop {
        if let Some(answer) = ready()? {
            return Ok(Some(answer));
        }
        if Instant::now() >= end {
            return Ok(None);
        }
        pause();
    }
}

/// Returns true as soon as `condition` holds, false once `timeout` has elapsed.
pub(crate) fn holds(timeout: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let result = until(timeout, || Ok::<_, std::convert::Infallible>(condition().then_some(())));
    matches!(result, Ok(Some(())))
}

#[expect(clippy::disallowed_methods, reason = "another process offers nothing to block on; every caller is bounded")]
fn pause() {
    std::thread::sleep(PAUSE);
}
