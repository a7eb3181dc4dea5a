//! How many there were in the current second.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A count that begins again every second. Time is what has elapsed since some fixed start.
#[derive(Debug, Default)]
pub(crate) struct PerSecond(Mutex<Second>);

#[derive(Debug, Default)]
struct Second {
    number: u64,
    count: u32,
}

impl PerSecond {
    /// Counts one more. Returns the count so far, and the last one of the second before if this begins a new one.
    pub(crate) fn count(&self, now: Duration) -> (u32, u32) {
        let mut second = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = second.turn(now);
        second.count = second.count.saturating_add(1);
        (second.count, last)
    }

    /// Begins a new second, if it is time. Returns the count of the one before; 0 if it is not time.
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
