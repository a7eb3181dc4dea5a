//! What an operator, or a test, decides about the worker.

use std::time::Duration;

use domain::email::ATTEMPT_TIMEOUT;

/// How a worker works.
#[derive(Debug, Clone, Copy)]
pub struct EmailSenderOptions {
    /// How often it looks by itself: for letters that are due again, and for those of other instances.
    pub poll_interval: Duration,
    /// How long one attempt may take in all; well below [`LEASE`](domain::email::LEASE).
    pub attempt_timeout: Duration,
    /// How long what is under way may take once the end was asked for.
    pub drain_timeout: Duration,
}

impl Default for EmailSenderOptions {
    fn default() -> Self {
        Self {
            poll_interval: Duration::from_secs(5),
            attempt_timeout: ATTEMPT_TIMEOUT.unsigned_abs(),
            drain_timeout: Duration::from_secs(5),
        }
    }
}
