use std::time::Duration;

use domain::email::ATTEMPT_TIMEOUT;

#[derive(Debug, Clone, Copy)]
pub struct EmailSenderOptions {
    /// Poll interval, for retries and for e-mails queued by other instances.
    pub poll_interval: Duration,
    /// Total time of one attempt; well below [`LEASE`](domain::email::LEASE).
    pub attempt_timeout: Duration,
    /// How long shutdown waits for e-mails in flight.
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
