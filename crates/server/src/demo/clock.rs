//! A clock that is moved through the time in which the records were made, and ids of its times.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::ports::{Clock, Ids, Random};
use time::OffsetDateTime;
use uuid::Uuid;

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

/// Ids of the clock's time, as those of other records are of the time when they were made.
pub(super) struct DemoIds {
    pub(super) clock: Arc<DemoClock>,
    pub(super) random: Arc<dyn Random>,
}

impl Ids for DemoIds {
    fn new_id(&self) -> Uuid {
        let mut bytes = [0; 10];
        self.random.fill(&mut bytes);
        let milliseconds = self.clock.now().unix_timestamp_nanos() / 1_000_000;
        uuid::Builder::from_unix_timestamp_millis(u64::try_from(milliseconds).unwrap_or_default(), &bytes).into_uuid()
    }
}
