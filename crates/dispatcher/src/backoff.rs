//! Pauses between attempts at a store that fails.

use std::time::Duration;

use domain::ports::StoreError;
use tokio::time::Instant;

const INITIAL_BACKOFF: Duration = Duration::from_millis(50);
const MAX_BACKOFF: Duration = Duration::from_secs(5);

/// Waits longer after each failure, and logs where a row of failures begins and ends.
#[derive(Debug)]
pub(crate) struct Backoff {
    /// What cannot be done, for the log.
    what: &'static str,
    pause: Duration,
    until: Option<Instant>,
}

impl Backoff {
    pub(crate) fn new(what: &'static str) -> Self {
        Self { what, pause: INITIAL_BACKOFF, until: None }
    }

    /// When to try again, while the last attempt failed.
    pub(crate) fn until(&self) -> Option<Instant> {
        self.until
    }

    /// Whether an attempt may be made.
    pub(crate) fn is_over(&self, now: Instant) -> bool {
        self.until.is_none_or(|until| until <= now)
    }

    pub(crate) fn failed(&mut self, error: &StoreError, now: Instant) {
        if self.until.is_none() {
            log::warn!("{} cannot go on: {error}; it is tried again", self.what);
        }
        self.until = Some(now + self.pause);
        self.pause = (self.pause * 2).min(MAX_BACKOFF);
    }

    pub(crate) fn succeeded(&mut self) {
        if self.until.take().is_some() {
            self.pause = INITIAL_BACKOFF;
            log::info!("{} goes on", self.what);
        }
    }
}
