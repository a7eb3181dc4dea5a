//! A clock that is moved through the time in which the records were made.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::ports::Clock;
use time::OffsetDateTime;

pub(super) struct DemoClock {
    now: Mutex<OffsetDateTime>,
    real: Arc<dyn Clock>,
}

impl DemoClock {
    pub(super) fn new(start: OffsetDateTime, real: Arc<dyn Clock>) -> Self {
        Self { now: Mutex::new(start), real }
    }

    /// Moves on; never back.
    pub(super) fn move_to(&self, time: OffsetDateTime) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        *now = time.max(*now);
    }

    /// Sets it to any time and returns the one before. What expires is made at the time of the start: housekeeping, whose
    /// clock is the real one, deletes what expired weeks ago at any moment.
    pub(super) fn replace(&self, time: OffsetDateTime) -> OffsetDateTime {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut now, time)
    }
}

impl Clock for DemoClock {
    fn now(&self) -> OffsetDateTime {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn elapsed(&self) -> Duration {
        self.real.elapsed()
    }
}
