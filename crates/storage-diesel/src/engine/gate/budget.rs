//! How much database time a workspace has used recently.

use std::time::Duration;

/// How much a workspace may use at once after an idle period.
const BURST_MS: f64 = 500.0;
/// The share of one connection's time that a workspace may use indefinitely.
const RATE: f64 = 0.25;
/// Debt beyond this is forgiven, so that one long job does not count for minutes.
const MAX_DEBT_MS: f64 = 2_000.0;

/// A leaky bucket of connection time. The cost of most jobs is known only afterwards: a page of fifty long texts takes a
/// hundred times as long as a page of fifty short ones.
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
        let recovered = now.saturating_sub(self.at).as_secs_f64() * 1_000.0 * RATE;
        (self.left_ms + recovered).min(BURST_MS)
    }

    /// Whether it is used up: further jobs of the workspace count as heavy.
    pub(super) fn is_used_up(&self, now: Duration) -> bool {
        self.left(now) < 0.0
    }

    /// Whether it is unused, so that it need not be kept.
    pub(super) fn is_full(&self, now: Duration) -> bool {
        self.left(now) >= BURST_MS
    }

    pub(super) fn charge(&mut self, used: Duration, now: Duration) {
        self.left_ms = (self.left(now) - used.as_secs_f64() * 1_000.0).max(-MAX_DEBT_MS);
        self.at = now;
    }
}
