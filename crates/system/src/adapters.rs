//! The clock, ids and randomness.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use domain::kernel::to_microseconds;
use domain::ports::{Clock, Ids, Random};
use ring::rand::{SecureRandom as _, SystemRandom};
use time::OffsetDateTime;
use uuid::Uuid;

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

/// UUIDs of version 7, increasing within this process.
#[derive(Debug, Default)]
pub struct UuidV7Ids;

impl Ids for UuidV7Ids {
    #[expect(clippy::disallowed_methods, reason = "this is the Ids port's one real adapter")]
    fn new_id(&self) -> Uuid {
        Uuid::now_v7()
    }
}

/// The operating system's secure randomness.
#[derive(Debug)]
pub struct SecureRandom(SystemRandom);

impl Default for SecureRandom {
    fn default() -> Self {
        Self(SystemRandom::new())
    }
}

impl Random for SecureRandom {
    fn fill(&self, bytes: &mut [u8]) {
        // A crash is better than weak secrets: the service cannot run without the system's randomness.
        assert!(self.0.fill(bytes).is_ok(), "the operating system gave no random bytes");
    }
}
