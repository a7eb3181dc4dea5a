//! Subscriptions whose deliveries the store could not claim.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::SubscriptionId;
use tokio::time::Instant;

/// How long claims leave them out at least.
const LEAST: Duration = Duration::from_secs(1);
/// How long at most.
const LONGEST: Duration = Duration::from_secs(30);
/// This many times as long as the claim took: one that waits for a lock until it times out holds up those of others.
const TIMES: u32 = 4;
/// Claims carry them. With this many, the store is failing rather than they.
const MOST: usize = 1_024;

/// Claims leave them out for a while, since each look at them costs the store a transaction that fails.
#[derive(Debug, Default)]
pub(crate) struct Unclaimable {
    until: BTreeMap<SubscriptionId, Instant>,
}

impl Unclaimable {
    /// Those that a claim could not claim, which took so long.
    pub(crate) fn add(&mut self, failed: Vec<SubscriptionId>, took: Duration, now: Instant) {
        let room = MOST.saturating_sub(self.until.len());
        let until = now + (took * TIMES).clamp(LEAST, LONGEST);
        self.until.extend(failed.into_iter().take(room).map(|id| (id, until)));
    }

    pub(crate) fn are_many(&self) -> bool {
        self.until.len() >= MOST
    }

    /// Tries again those whose time is over. Returns whether there are such.
    pub(crate) fn forget(&mut self, now: Instant) -> bool {
        let before = self.until.len();
        self.until.retain(|_, until| *until > now);
        self.until.len() < before
    }

    /// When the next ones are tried again.
    pub(crate) fn next_at(&self) -> Option<Instant> {
        self.until.values().min().copied()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = SubscriptionId> + '_ {
        self.until.keys().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn ids(from: usize, count: usize) -> impl Iterator<Item = SubscriptionId> {
        (from..from + count).map(|it| SubscriptionId(Uuid::from_u128(it as u128)))
    }

    #[test]
    fn what_failed_is_left_out_for_a_while_and_not_without_bound() {
        let (now, mut unclaimable) = (Instant::now(), Unclaimable::default());
        unclaimable.add(ids(0, 2).collect(), Duration::ZERO, now);
        unclaimable.add(ids(2, MOST).collect(), Duration::ZERO, now + LEAST / 2);
        assert_eq!(unclaimable.iter().count(), MOST);
        assert!(unclaimable.are_many() && !unclaimable.forget(now + LEAST / 2));
        assert_eq!(unclaimable.next_at(), Some(now + LEAST));
        assert!(unclaimable.forget(now + LEAST) && !unclaimable.are_many());
        assert_eq!(unclaimable.iter().next(), ids(2, 1).next());
        assert!(unclaimable.forget(now + LEAST * 2));
        assert_eq!((unclaimable.iter().next(), unclaimable.next_at()), (None, None));
    }

    #[test]
    fn what_failed_slowly_is_left_out_longer() {
        let now = Instant::now();
        for (took, least) in [(4, 16), (9, 30)] {
            let mut unclaimable = Unclaimable::default();
            unclaimable.add(ids(0, 1).collect(), Duration::from_secs(took), now);
            assert_eq!(unclaimable.next_at(), Some(now + Duration::from_secs(least)), "{took}");
        }
    }
}
