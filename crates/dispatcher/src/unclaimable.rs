//! Subscriptions whose deliveries the store could not claim.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::SubscriptionId;
use tokio::time::Instant;

/// The shortest time for which claims exclude a subscription.
const MIN_EXCLUSION: Duration = Duration::from_secs(1);
/// The longest time for which claims exclude a subscription.
const MAX_EXCLUSION: Duration = Duration::from_secs(30);
/// How much longer than the failed claim the exclusion lasts. A claim that waits for a lock until it times out delays all others.
const CLAIM_TIME_FACTOR: u32 = 4;
/// The maximum number of excluded subscriptions, because every claim lists them. With this many, the store itself is failing.
const MAX_EXCLUDED: usize = 1_024;

/// Subscriptions that claims exclude for a while, since each attempt to claim from them costs the store a failed transaction.
#[derive(Debug, Default)]
pub(crate) struct Unclaimable {
    until: BTreeMap<SubscriptionId, Instant>,
}

impl Unclaimable {
    /// Excludes subscriptions that a claim could not claim from. `took` is the duration of the claim.
    pub(crate) fn add(&mut self, failed: Vec<SubscriptionId>, took: Duration, now: Instant) {
        let room = MAX_EXCLUDED.saturating_sub(self.until.len());
        let until = now + (took * CLAIM_TIME_FACTOR).clamp(MIN_EXCLUSION, MAX_EXCLUSION);
        self.until.extend(failed.into_iter().take(room).map(|id| (id, until)));
    }

    pub(crate) fn is_full(&self) -> bool {
        self.until.len() >= MAX_EXCLUDED
    }

    /// Ends exclusions whose time is over. Returns whether there were any.
    pub(crate) fn end_due(&mut self, now: Instant) -> bool {
        let before = self.until.len();
        self.until.retain(|_, until| *until > now);
        self.until.len() < before
    }

    /// When the next exclusion ends.
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
        (from..from + count).map(|number| SubscriptionId(Uuid::from_u128(number as u128)))
    }

    #[test]
    fn failed_subscriptions_are_excluded_for_a_while_up_to_a_limit() {
        let (now, mut unclaimable) = (Instant::now(), Unclaimable::default());
        unclaimable.add(ids(0, 2).collect(), Duration::ZERO, now);
        unclaimable.add(ids(2, MAX_EXCLUDED).collect(), Duration::ZERO, now + MIN_EXCLUSION / 2);
        assert_eq!(unclaimable.iter().count(), MAX_EXCLUDED);
        assert!(unclaimable.is_full() && !unclaimable.end_due(now + MIN_EXCLUSION / 2));
        assert_eq!(unclaimable.next_at(), Some(now + MIN_EXCLUSION));
        assert!(unclaimable.end_due(now + MIN_EXCLUSION) && !unclaimable.is_full());
        assert_eq!(unclaimable.iter().next(), ids(2, 1).next());
        assert!(unclaimable.end_due(now + MIN_EXCLUSION * 2));
        assert_eq!((unclaimable.iter().next(), unclaimable.next_at()), (None, None));
    }

    #[test]
    fn subscriptions_that_failed_slowly_are_excluded_longer() {
        let now = Instant::now();
        for (took, least) in [(4, 16), (9, 30)] {
            let mut unclaimable = Unclaimable::default();
            unclaimable.add(ids(0, 1).collect(), Duration::from_secs(took), now);
            assert_eq!(unclaimable.next_at(), Some(now + Duration::from_secs(least)), "{took}");
        }
    }
}
