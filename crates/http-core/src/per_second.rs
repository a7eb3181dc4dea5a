//! Counts events in the current second.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A count that restarts every second. Times are durations since a fixed start.
#[derive(Debug, Default)]
pub(crate) struct PerSecond(Mutex<Second>);

#[derive(Debug, Default)]
struct Second {
    number: u64,
    count: u32,
}

impl PerSecond {
    /// Adds one. Returns the current count, and the final count of the previous second if a new one begins.
    pub(crate) fn count(&self, now: Duration) -> (u32, u32) {
        let mut second = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = second.turn(now);
        second.count = second.count.saturating_add(1);
        (second.count, last)
    }

    /// Begins a new second if it is due and returns the count of the previous one; 0 if it is not due.
    pub(crate) fn turn(&self, now: Duration) -> u32 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).turn(now)
    }
}

impl Second {
    fn turn(&mut self, now: Duration) -> u32 {
        if self.number == now.as_secs() {
            return 0;
        }
        std::mem::replace(self, Self { number: now.as_secs(), count: 0 }).count
    }
}
