//! A clock that moves through the time in which the records were created, and ids with its times.

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

    /// Moves the clock forward, never back.
    pub(super) fn move_to(&self, time: OffsetDateTime) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        *now = time.max(*now);
    }

    /// Sets the clock to any time and returns the previous one. What expires must be created at the time of the start, because
    /// housekeeping, which uses the real clock, may delete anything that expired weeks ago at any moment.
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

/// Ids with the time of this clock, just as ids of other records have the time of their creation.
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
