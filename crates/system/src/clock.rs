//! The clock.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use domain::kernel::to_microseconds;
use domain::ports::Clock;
use time::OffsetDateTime;

/// The origin of elapsed times.
static STARTED: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The system clock.
#[derive(Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the Clock port's one real adapter")]
    fn now(&self) -> OffsetDateTime {
        to_microseconds(OffsetDateTime::now_utc())
    }

    fn elapsed(&self) -> Duration {
        STARTED.elapsed()
    }
}
