//! Subscriptions whose deliveries the store could not claim while it could those of others.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::SubscriptionId;
use tokio::time::Instant;

/// How long claims leave them out.
const LEFT_OUT: Duration = Duration::from_secs(1);
/// Claims carry them. With this many, the store is failing rather than they.
const MOST: usize = 1_024;

/// Claims leave them out for a while, since each look at them costs the store a transaction that fails.
#[derive(Debug, Default)]
pub(crate) struct Unclaimable {
    until: BTreeMap<SubscriptionId, Instant>,
}

impl Unclaimable {
    pub(crate) fn add(&mut self, failed: Vec<SubscriptionId>, now: Instant) {
        let room = MOST.saturating_sub(self.until.len());
        self.until.extend(failed.into_iter().take(room).map(|id| (id, now + LEFT_OUT)));
    }

    pub(crate) fn is_full(&self) -> bool {
        self.until.len() >= MOST
    }

    /// Those that are left out now.
    pub(crate) fn at(&mut self, now: Instant) -> impl Iterator<Item = SubscriptionId> + '_ {
        self.until.retain(|_, until| *until > now);
        self.until.keys().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn what_failed_is_left_out_for_a_while_and_not_without_bound() {
        let (now, mut unclaimable) = (Instant::now(), Unclaimable::default());
        let ids =
            |from: usize, count: usize| (from..from + count).map(|it| SubscriptionId(Uuid::from_u128(it as u128)));
        unclaimable.add(ids(0, 2).collect(), now);
        unclaimable.add(ids(2, MOST).collect(), now + LEFT_OUT / 2);
        assert_eq!(unclaimable.at(now + LEFT_OUT / 2).count(), MOST);
        assert!(unclaimable.is_full());
        assert_eq!(unclaimable.at(now + LEFT_OUT).next(), ids(2, 1).next());
        assert!(!unclaimable.is_full());
        assert_eq!(unclaimable.at(now + LEFT_OUT * 2).next(), None);
    }
}
