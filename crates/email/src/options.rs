//! What an operator, or a test, decides about the worker.

use std::time::Duration;

use domain::email::ATTEMPT_WITHIN;

/// How a worker works.
#[derive(Debug, Clone, Copy)]
pub struct MailSenderOptions {
    /// How often it looks by itself: for letters that are due again, and for those of other instances.
    pub look_every: Duration,
    /// How long one attempt may take in all; well below [`LEASE`](domain::email::LEASE).
    pub attempt_within: Duration,
    /// How long what is under way may take once the end was asked for.
    pub finish_within: Duration,
}

impl Default for MailSenderOptions {
    fn default() -> Self {
        Self {
            look_every: Duration::from_secs(5),
            attempt_within: ATTEMPT_WITHIN.unsigned_abs(),
            finish_within: Duration::from_secs(5),
        }
    }
}
