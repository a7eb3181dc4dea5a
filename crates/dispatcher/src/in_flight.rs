//! Deliveries in hand, and which of them may be sent now.
//!
//! A receiver that hangs must delay nobody else, though requests in all are bounded. So a subscription is *late* once a
//! request of it takes as long as [`SLOW_AFTER`], until one takes less and none hangs any more. Of `n` requests at once
//! in all, late subscriptions have half at the most. Within either kind each has [`MAX_CONCURRENT_PER_SUBSCRIPTION`] until a quarter of `n` is
//! taken by the kind, and one beyond that.
//!
//! So receivers that are known to hang leave half of all to the others; and of those that begin to hang, it takes over
//! `n / 4` at once to use up the other half, for as long as one attempt. What is in hand is bounded the same way: see
//! [`InFlight::shed`].

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use domain::SubscriptionId;
use domain::webhooks::{ATTEMPT_TIMEOUT, ClaimedDelivery, MAX_CONCURRENT_PER_SUBSCRIPTION};
use time::OffsetDateTime;
use tokio::task::Id;
use tokio::time::Instant;

/// A request that takes longer holds up its slot.
pub(crate) const SLOW_AFTER: Duration = Duration::from_secs(1);
/// Of how many deliveries of one subscription in hand none are claimed any more.
const MAX_PER_SUBSCRIPTION: usize = 16;
/// How many deliveries of one subscription one claim takes.
pub(crate) const CLAIM_PER_SUBSCRIPTION: u32 = 16;
/// How many deliveries one claim takes.
const CLAIM: usize = 256;
/// How many deliveries are in hand at the most.
const MAX_IN_FLIGHT: usize = 4_096;
/// How many bytes their bodies have at the most, one claim aside.
const MAX_BYTES: usize = 64 * 1_024 * 1_024;
/// What a lease must leave beyond the longest attempt, for writing down what came of it.
const LEASE_MARGIN: time::Duration = time::Duration::seconds(5);
/// How long it is remembered that a subscription was late.
const SLOW_RETENTION: Duration = Duration::from_mins(15);
/// How many late subscriptions are remembered that have nothing in hand.
const MAX_REMEMBERED: usize = 4_096;

/// What is held of one subscription.
struct SubscriptionSlots {
    queued: VecDeque<ClaimedDelivery>,
    running: usize,
    /// How many of its requests under way take too long.
    overdue: usize,
    is_slow: bool,
    /// Whether the store may have more than was claimed.
    has_more: bool,
    /// In which queues of `ready` it stands; one that it has no place in any more is passed over there.
    is_listed: [bool; 2],
    seen: Instant,
}

impl SubscriptionSlots {
    fn new(now: Instant) -> Self {
        Self {
            queued: VecDeque::new(),
            running: 0,
            overdue: 0,
            is_slow: false,
            has_more: false,
            is_listed: [false; 2],
            seen: now,
        }
    }

    fn total(&self) -> usize {
        self.queued.len() + self.running
    }

    /// Whether none of it should be claimed. Late ones get more when they have done what they hold.
    fn is_saturated(&self) -> bool {
        self.total() > if self.is_slow { 0 } else { MAX_PER_SUBSCRIPTION }
    }
}

/// A request under way.
struct RunningRequest {
    subscription: SubscriptionId,
    bytes: usize,
    since: Instant,
    is_overdue: bool,
}

/// Deliveries that wait to be sent, and requests under way.
pub(crate) struct InFlight {
    requests: usize,
    subscriptions: HashMap<SubscriptionId, SubscriptionSlots>,
    running: HashMap<Id, RunningRequest>,
    /// Requests in the order in which they began, to find late ones; those that are over are still in it.
    begun: VecDeque<(Instant, Id)>,
    /// Subscriptions that have something to send: those that are prompt, and late ones.
    ready: [VecDeque<SubscriptionId>; 2],
    queued: usize,
    bytes: usize,
    /// Of late subscriptions: requests under way, and all that is in hand.
    slow_running: usize,
    slow_held: usize,
}

impl InFlight {
    /// Nothing in hand; at most so many requests at once.
    pub(crate) fn new(requests: usize) -> Self {
        Self {
            // Halves and quarters of less would be nothing.
            requests: requests.max(4),
            subscriptions: HashMap::new(),
            running: HashMap::new(),
            begun: VecDeque::new(),
            ready: [VecDeque::new(), VecDeque::new()],
            queued: 0,
            bytes: 0,
            slow_running: 0,
            slow_held: 0,
        }
    }

    /// Whether nothing is left of anything, for tests.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        let counts =
            [self.queued, self.bytes, self.slow_running, self.slow_held, self.begun.len(), self.subscriptions.len()];
        counts == [0; 6] && self.running.is_empty() && self.ready.iter().all(VecDeque::is_empty)
    }

    pub(crate) fn running(&self) -> usize {
        self.running.len()
    }

    pub(crate) fn total(&self) -> usize {
        self.queued + self.running.len()
    }

    /// How many may be claimed.
    pub(crate) fn room(&self) -> usize {
        if self.bytes >= MAX_BYTES { 0 } else { MAX_IN_FLIGHT.saturating_sub(self.total()).min(CLAIM) }
    }

    /// Subscriptions of which nothing is to be claimed.
    pub(crate) fn excluded(&self) -> Vec<SubscriptionId> {
        let no_slow = self.slow_held >= MAX_IN_FLIGHT / 2 || self.slow_running >= self.requests / 2;
        let is_saturated = |share: &SubscriptionSlots| share.is_saturated() || (share.is_slow && no_slow);
        self.subscriptions.iter().filter(|(_, share)| is_saturated(share)).map(|(id, _)| *id).collect()
    }

    /// Takes what was claimed while the subscriptions of `without` were left out.
    pub(crate) fn take(&mut self, deliveries: Vec<ClaimedDelivery>, without: &[SubscriptionId], now: Instant) {
        for share in self.subscriptions.values_mut() {
            share.has_more = false;
        }
        let mut taken: HashMap<SubscriptionId, u32> = HashMap::new();
        for claimed in deliveries {
            let id = claimed.subscription.id;
            *taken.entry(id).or_default() += 1;
            let share = self.subscriptions.entry(id).or_insert_with(|| SubscriptionSlots::new(now));
            self.queued += 1;
            self.bytes += claimed.delivery.body.len();
            self.slow_held += usize::from(share.is_slow);
            share.queued.push_back(claimed);
            list(&mut self.ready, id, share);
        }
        let full = taken.iter().filter(|(_, count)| **count >= CLAIM_PER_SUBSCRIPTION).map(|(id, _)| id);
        for id in full.chain(without) {
            if let Some(share) = self.subscriptions.get_mut(id) {
                share.has_more = true;
            }
        }
    }

    /// A delivery that may be sent, which then is counted as under way: [`InFlight::started`] must follow.
    pub(crate) fn next(&mut self, now: OffsetDateTime) -> Option<ClaimedDelivery> {
        self.next_of(false, now).or_else(|| self.next_of(true, now))
    }

    fn next_of(&mut self, is_slow: bool, now: OffsetDateTime) -> Option<ClaimedDelivery> {
        let queue = usize::from(is_slow);
        for _ in 0..self.ready[queue].len() {
            let slots = self.slots(is_slow);
            if slots == 0 {
                return None;
            }
            let id = self.ready[queue].pop_front()?;
            let Some(share) = self.subscriptions.get_mut(&id) else { continue };
            share.is_listed[queue] = false;
            if share.is_slow != is_slow {
                continue;
            }
            if share.running < slots {
                while let Some(claimed) = share.queued.pop_front() {
                    self.queued -= 1;
                    if claimed.leased_until - now >= ATTEMPT_TIMEOUT + LEASE_MARGIN {
                        share.running += 1;
                        self.slow_running += usize::from(is_slow);
                        list(&mut self.ready, id, share);
                        return Some(claimed);
                    }
                    // Its lease could end during the attempt: it is left, and claimed again when it has.
                    self.bytes -= claimed.delivery.body.len();
                    self.slow_held -= usize::from(is_slow);
                }
            }
            // Where all slots of its own are taken, the end of a request lists it again.
            list(&mut self.ready, id, share);
        }
        None
    }

    /// How many requests at once each subscription may have now.
    fn slots(&self, is_slow: bool) -> usize {
        let total = self.running.len();
        let taken = if is_slow { self.slow_running } else { total.saturating_sub(self.slow_running) };
        if total >= self.requests || (is_slow && taken >= self.requests / 2) {
            0
        } else if taken < self.requests / 4 {
            MAX_CONCURRENT_PER_SUBSCRIPTION
        } else {
            1
        }
    }

    /// Names the request that [`InFlight::next`] led to.
    pub(crate) fn started(&mut self, request: Id, subscription: SubscriptionId, bytes: usize, now: Instant) {
        self.running.insert(request, RunningRequest { subscription, bytes, since: now, is_overdue: false });
        self.begun.push_back((now, request));
    }

    /// A request is over. Says whether its subscription could do with another claim.
    pub(crate) fn finished(&mut self, request: Id, now: Instant) -> bool {
        let Some(over) = self.running.remove(&request) else { return false };
        self.bytes -= over.bytes;
        let Some(share) = self.subscriptions.get_mut(&over.subscription) else { return false };
        share.overdue -= usize::from(over.is_overdue);
        // One quick answer among requests that hang means nothing.
        let is_slow = now - over.since >= SLOW_AFTER || share.overdue > 0;
        share.running -= 1;
        share.seen = now;
        self.slow_running -= usize::from(share.is_slow);
        self.slow_held -= usize::from(share.is_slow);
        self.set_slow(over.subscription, is_slow);
        let Some(share) = self.subscriptions.get_mut(&over.subscription) else { return false };
        list(&mut self.ready, over.subscription, share);
        let wants_more = share.has_more && !share.is_saturated();
        if share.total() == 0 && !share.is_slow {
            self.subscriptions.remove(&over.subscription);
        }
        wants_more
    }

    fn set_slow(&mut self, subscription: SubscriptionId, is_slow: bool) {
        let Some(share) = self.subscriptions.get_mut(&subscription) else { return };
        if share.is_slow == is_slow {
            return;
        }
        share.is_slow = is_slow;
        if is_slow {
            self.slow_running += share.running;
            self.slow_held += share.total();
        } else {
            self.slow_running -= share.running;
            self.slow_held -= share.total();
        }
        list(&mut self.ready, subscription, share);
    }

    /// When the next request under way becomes late.
    pub(crate) fn next_slow_at(&self) -> Option<Instant> {
        self.begun.front().map(|(since, _)| *since + SLOW_AFTER)
    }

    /// Finds requests that have become late.
    pub(crate) fn mark_slow(&mut self, now: Instant) {
        let is_known =
            |(since, request): &mut (Instant, Id)| now >= *since + SLOW_AFTER || !self.running.contains_key(request);
        let mut late = Vec::new();
        while let Some((_, request)) = self.begun.pop_front_if(is_known) {
            late.push(request);
        }
        for request in late {
            let Some(running) = self.running.get_mut(&request) else { continue };
            running.is_overdue = true;
            let subscription = running.subscription;
            if let Some(share) = self.subscriptions.get_mut(&subscription) {
                share.overdue += 1;
            }
            self.set_slow(subscription, true);
        }
    }

    /// Makes room where there is none: leaves what late subscriptions hold to their leases, so that it does not keep
    /// others' deliveries from being claimed.
    pub(crate) fn shed(&mut self) {
        for share in self.subscriptions.values_mut().filter(|share| share.is_slow) {
            for claimed in share.queued.drain(..) {
                self.queued -= 1;
                self.slow_held -= 1;
                self.bytes -= claimed.delivery.body.len();
            }
        }
    }

    /// Lets go of all that is not under way.
    pub(crate) fn drop_queued(&mut self) {
        for share in self.subscriptions.values_mut() {
            for claimed in share.queued.drain(..) {
                self.queued -= 1;
                self.slow_held -= usize::from(share.is_slow);
                self.bytes -= claimed.delivery.body.len();
            }
        }
    }

    /// Forgets subscriptions that have nothing in hand, and were not late for a while.
    pub(crate) fn forget(&mut self, now: Instant) {
        self.subscriptions.retain(|_, share| share.total() > 0 || (share.is_slow && now - share.seen < SLOW_RETENTION));
        if self.subscriptions.len() > MAX_REMEMBERED + MAX_IN_FLIGHT {
            self.subscriptions.retain(|_, share| share.total() > 0);
        }
    }
}

/// Lists a subscription that has something to send where it is looked for.
fn list(ready: &mut [VecDeque<SubscriptionId>; 2], id: SubscriptionId, share: &mut SubscriptionSlots) {
    let queue = usize::from(share.is_slow);
    if !share.is_listed[queue] && !share.queued.is_empty() && share.running < MAX_CONCURRENT_PER_SUBSCRIPTION {
        share.is_listed[queue] = true;
        ready[queue].push_back(id);
    }
}
