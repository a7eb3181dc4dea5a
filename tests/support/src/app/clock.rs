//! The system clock plus an offset.

use std::sync::atomic::{AtomicI64, Ordering};

use domain::ports::Clock;
use system::SystemClock;
use time::{Duration, OffsetDateTime};

/// Returns the system time plus the offset set by a test.
#[derive(Debug, Default)]
pub struct ShiftedClock(AtomicI64);

impl ShiftedClock {
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
