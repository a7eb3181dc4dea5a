//! The real clock, moved by hand.

use std::sync::atomic::{AtomicI64, Ordering};

use domain::ports::Clock;
use system::SystemClock;
use time::{Duration, OffsetDateTime};

/// Tells the real time plus what a test added.
#[derive(Debug, Default)]
pub struct ShiftedClock(AtomicI64);

impl ShiftedClock {
    /// Moves the clock on.
    pub fn advance(&self, by: Duration) {
        self.0.fetch_add(by.whole_seconds(), Ordering::SeqCst);
    }
}

impl Clock for ShiftedClock {
    fn elapsed(&self) -> std::time::Duration {
        SystemClock.elapsed()
    }

    fn now(&self) -> OffsetDateTime {
        SystemClock.now() + Duration::seconds(self.0.load(Ordering::SeqCst))
    }
}
