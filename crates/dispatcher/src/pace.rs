//! How often the queue is claimed from.

use std::time::Duration;

use tokio::time::Instant;

use crate::in_flight::CLAIM_PER_SUBSCRIPTION;

/// Average time from one claim to the next, unless it found [`MANY`]: what is queued meanwhile is claimed together. Each claim costs the
/// database as much as a create.
pub(crate) const CLAIM_INTERVAL: Duration = Duration::from_millis(5);
/// This many claims may begin before their turn, so that events that come in quick succession now and then do not wait for each other.
pub(crate) const CLAIMS_AHEAD: u32 = 4;
/// After a claim of this many, the next need not wait to be worth its cost.
const MANY: usize = CLAIM_PER_SUBSCRIPTION as usize;

/// When the next claim may begin.
pub(crate) struct Pace {
    /// When it would begin if each had come [`CLAIM_INTERVAL`] after the one before.
    even_at: Instant,
}

impl Pace {
    pub(crate) const fn new(now: Instant) -> Self {
        Self { even_at: now }
    }

    pub(crate) fn next_at(&self) -> Instant {
        self.even_at.checked_sub(CLAIM_INTERVAL * CLAIMS_AHEAD).unwrap_or(self.even_at)
    }

    pub(crate) fn began(&mut self, now: Instant) {
        self.even_at = self.even_at.max(now) + CLAIM_INTERVAL;
    }

    pub(crate) fn found(&mut self, deliveries: usize, now: Instant) {
        if deliveries >= MANY {
            self.even_at = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many claims begin from `now` on until one has to wait, and until when.
    fn at_once(pace: &mut Pace, now: Instant) -> (u32, Duration) {
        let mut begun = 0;
        while pace.next_at() <= now {
            pace.began(now);
            begun += 1;
        }
        (begun, pace.next_at() - now)
    }

    #[test]
    fn a_few_claims_begin_at_once_and_then_one_each_interval() {
        let start = Instant::now() + Duration::from_hours(1);
        let mut pace = Pace::new(start);
        assert_eq!(at_once(&mut pace, start), (CLAIMS_AHEAD + 1, CLAIM_INTERVAL));
        for step in 1..10 {
            assert_eq!(at_once(&mut pace, start + CLAIM_INTERVAL * step), (1, CLAIM_INTERVAL), "{step}");
        }
        let later = start + CLAIM_INTERVAL * 9 + CLAIM_INTERVAL * 3;
        assert_eq!(at_once(&mut pace, later), (3, CLAIM_INTERVAL), "those that did not begin");
        let much_later = later + Duration::from_mins(1);
        assert_eq!(at_once(&mut pace, much_later), (CLAIMS_AHEAD + 1, CLAIM_INTERVAL), "and no more of them");
    }

    #[test]
    fn after_many_the_next_begins_at_once() {
        let start = Instant::now() + Duration::from_hours(1);
        let mut pace = Pace::new(start);
        at_once(&mut pace, start);
        pace.found(MANY - 1, start);
        assert!(pace.next_at() > start);
        pace.found(MANY, start);
        assert!(pace.next_at() <= start);
    }
}
