//! How much of the database's time a workspace has used lately.

use std::time::Duration;

/// What a workspace may use at once after a quiet time.
const BURST_MS: f64 = 500.0;
/// The part of one connection's time that a workspace may use for ever.
const RATE: f64 = 0.25;
/// A longer debt is forgotten, so that one long job does not count for minutes.
const MOST_DEBT_MS: f64 = 2_000.0;

/// A leaky bucket of connection time. The cost of most jobs shows only afterwards: a page of fifty long texts takes a
/// hundred times as long as one of fifty short ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Budget {
    left_ms: f64,
    at: Duration,
}

impl Budget {
    pub(super) const fn full(now: Duration) -> Self {
        Self { left_ms: BURST_MS, at: now }
    }

    fn left(&self, now: Duration) -> f64 {
        let gained = now.saturating_sub(self.at).as_secs_f64() * 1_000.0 * RATE;
        (self.left_ms + gained).min(BURST_MS)
    }

    /// Whether it is used up: what the workspace asks for now counts as heavy.
    pub(super) fn is_used_up(&self, now: Duration) -> bool {
        self.left(now) < 0.0
    }

    /// Whether nothing of it is used, so that it need not be remembered.
    pub(super) fn is_full(&self, now: Duration) -> bool {
        self.left(now) >= BURST_MS
    }

    pub(super) fn charge(&mut self, used: Duration, now: Duration) {
        self.left_ms = (self.left(now) - used.as_secs_f64() * 1_000.0).max(-MOST_DEBT_MS);
        self.at = now;
    }
}
