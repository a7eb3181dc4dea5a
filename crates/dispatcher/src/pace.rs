//! How often the queue is claimed from.

use std::time::Duration;

use tokio::time::Instant;

use crate::in_flight::CLAIM_PER_SUBSCRIPTION;

/// The average interval between claims, unless the last one found [`LARGE_CLAIM`] deliveries. Deliveries queued in the meantime are claimed
/// together, because each claim costs the database as much as creating a record.
pub(crate) const CLAIM_INTERVAL: Duration = Duration::from_millis(5);
/// How many claims may begin ahead of schedule, so that a short burst of events is not delayed.
pub(crate) const CLAIMS_AHEAD: u32 = 4;
/// After a claim that found this many deliveries, the next one is worth its cost without a wait.
const LARGE_CLAIM: usize = CLAIM_PER_SUBSCRIPTION as usize;

/// Schedules the next claim.
pub(crate) struct Pace {
    /// When the next claim would begin if all claims were [`CLAIM_INTERVAL`] apart.
    scheduled_at: Instant,
}

impl Pace {
    pub(crate) const fn new(now: Instant) -> Self {
        Self { scheduled_at: now }
    }

    pub(crate) fn next_at(&self) -> Instant {
        self.scheduled_at.checked_sub(CLAIM_INTERVAL * CLAIMS_AHEAD).unwrap_or(self.scheduled_at)
    }

    pub(crate) fn began(&mut self, now: Instant) {
        self.scheduled_at = self.scheduled_at.max(now) + CLAIM_INTERVAL;
    }

    pub(crate) fn found(&mut self, deliveries: usize, now: Instant) {
        if deliveries >= LARGE_CLAIM {
            self.scheduled_at = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many claims can begin at `now` without a wait, and how long the next one must wait.
    fn at_once(pace: &mut Pace, now: Instant) -> (u32, Duration) {
        let mut begun = 0;
        while pace.next_at() <= now {
            pace.began(now);
            begun += 1;
        }
        (begun, pace.next_at() - now)
    }

    #[test]
    fn a_few_claims_begin_at_once_and_then_one_per_interval() {
        let start = Instant::now() + Duration::from_hours(1);
        let mut pace = Pace::new(start);
        assert_eq!(at_once(&mut pace, start), (CLAIMS_AHEAD + 1, CLAIM_INTERVAL));
        for step in 1..10 {
            assert_eq!(at_once(&mut pace, start + CLAIM_INTERVAL * step), (1, CLAIM_INTERVAL), "{step}");
        }
        let later = start + CLAIM_INTERVAL * 9 + CLAIM_INTERVAL * 3;
        assert_eq!(at_once(&mut pace, later), (3, CLAIM_INTERVAL), "the unused ones");
        let much_later = later + Duration::from_mins(1);
        assert_eq!(at_once(&mut pace, much_later), (CLAIMS_AHEAD + 1, CLAIM_INTERVAL), "no more than the maximum");
    }

    #[test]
    fn after_a_large_claim_the_next_begins_at_once() {
        let start = Instant::now() + Duration::from_hours(1);
        let mut pace = Pace::new(start);
        at_once(&mut pace, start);
        pace.found(LARGE_CLAIM - 1, start);
        assert!(pace.next_at() > start);
        pace.found(LARGE_CLAIM, start);
        assert!(pace.next_at() <= start);
    }
}
