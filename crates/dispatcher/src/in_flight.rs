//! Claimed deliveries, and which of them may be sent now.
//!
//! An unresponsive receiver must not delay others, although the number of concurrent requests is bounded. A subscription becomes
//! *slow* when one of its requests takes [`SLOW_AFTER`]. It stays slow until a request takes less and none in flight has taken
//! that long. Of `n` concurrent requests, slow subscriptions use at most half. Among slow and among responsive subscriptions,
//! each gets [`MAX_CONCURRENT_PER_SUBSCRIPTION`] slots until the class uses a quarter of `n`, and one slot beyond that.
//!
//! So slow receivers leave half of the slots to the others. To use up the other half for the duration of one attempt, more than
//! `n / 4` receivers must become slow at once. Claimed deliveries are bounded in the same way: see [`InFlight::shed`].

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use domain::SubscriptionId;
use domain::webhooks::{ATTEMPT_TIMEOUT, ClaimedDelivery, MAX_CONCURRENT_PER_SUBSCRIPTION};
use time::OffsetDateTime;
use tokio::task::Id;
use tokio::time::Instant;

/// A request that takes longer makes its subscription slow.
pub(crate) const SLOW_AFTER: Duration = Duration::from_secs(1);
/// No more deliveries of a subscription are claimed while it has this many.
const MAX_PER_SUBSCRIPTION: usize = 16;
/// Maximum deliveries per subscription and claim.
pub(crate) const CLAIM_PER_SUBSCRIPTION: u32 = 16;
/// Maximum deliveries per claim.
const CLAIM: usize = 256;
/// Maximum number of claimed deliveries.
const MAX_IN_FLIGHT: usize = 4_096;
/// Maximum total size of the bodies in bytes; one claim may exceed it.
const MAX_BYTES: usize = 64 * 1_024 * 1_024;
/// How long a lease must last beyond the longest attempt, to record the outcome.
const LEASE_MARGIN: time::Duration = time::Duration::seconds(5);
/// How long a slow subscription is remembered after its last delivery.
const SLOW_RETENTION: Duration = Duration::from_mins(15);
/// Maximum number of slow subscriptions remembered without deliveries.
const MAX_REMEMBERED: usize = 4_096;

/// The claimed deliveries of one subscription.
struct SubscriptionSlots {
    queued: VecDeque<ClaimedDelivery>,
    running: usize,
    /// Requests in flight that exceed [`SLOW_AFTER`].
    overdue: usize,
    is_slow: bool,
    /// Whether the store may have more than was claimed.
    has_more: bool,
    /// The queues of `ready` that list it. An entry in the wrong queue is skipped there.
    is_listed: [bool; 2],
    used_at: Instant,
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
            used_at: now,
        }
    }

    fn total(&self) -> usize {
        self.queued.len() + self.running
    }

    /// Whether no more should be claimed. A slow subscription gets more deliveries once it has none left.
    fn is_saturated(&self) -> bool {
        self.total() > if self.is_slow { 0 } else { MAX_PER_SUBSCRIPTION }
    }
}

struct RunningRequest {
    subscription: SubscriptionId,
    bytes: usize,
    since: Instant,
    is_overdue: bool,
}

/// Deliveries waiting to be sent, and requests in flight.
#[derive(Default)]
pub(crate) struct InFlight {
    requests: usize,
    subscriptions: HashMap<SubscriptionId, SubscriptionSlots>,
    running: HashMap<Id, RunningRequest>,
    /// Requests by start time, to find overdue ones; includes finished ones.
    by_start: VecDeque<(Instant, Id)>,
    /// Subscriptions with deliveries to send: first the responsive ones, then the slow ones.
    ready: [VecDeque<SubscriptionId>; 2],
    queued: usize,
    bytes: usize,
    /// For slow subscriptions: requests in flight, and all claimed deliveries.
    slow_running: usize,
    slow_held: usize,
}

impl InFlight {
    /// At most `requests` are sent concurrently.
    pub(crate) fn new(requests: usize) -> Self {
        Self {
            // A quarter of fewer would be zero.
            requests: requests.max(4),
            ..Self::default()
        }
    }

    /// Whether all counters are back at zero.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        let counts =
            [self.queued, self.bytes, self.slow_running, self.slow_held, self.by_start.len(), self.subscriptions.len()];
        counts == [0; 6] && self.running.is_empty() && self.ready.iter().all(VecDeque::is_empty)
    }

    pub(crate) fn running(&self) -> usize {
        self.running.len()
    }

    pub(crate) fn total(&self) -> usize {
        self.queued + self.running.len()
    }

    /// How many more deliveries may be claimed.
    pub(crate) fn room(&self) -> usize {
        if self.bytes >= MAX_BYTES { 0 } else { MAX_IN_FLIGHT.saturating_sub(self.total()).min(CLAIM) }
    }

    /// Subscriptions to exclude from the next claim.
    pub(crate) fn excluded(&self) -> Vec<SubscriptionId> {
        let no_slow = self.slow_held >= MAX_IN_FLIGHT / 2 || self.slow_running >= self.requests / 2;
        let is_saturated = |share: &SubscriptionSlots| share.is_saturated() || (share.is_slow && no_slow);
        self.subscriptions.iter().filter(|(_, share)| is_saturated(share)).map(|(id, _)| *id).collect()
    }

    /// Adds claimed deliveries. `excluded` are the subscriptions that the claim excluded.
    pub(crate) fn take(&mut self, deliveries: Vec<ClaimedDelivery>, excluded: &[SubscriptionId], now: Instant) {
        for share in self.subscriptions.values_mut() {
            share.has_more = false;
        }
        let mut counts: HashMap<SubscriptionId, u32> = HashMap::new();
        for claimed in deliveries {
            let id = claimed.subscription.id;
            *counts.entry(id).or_default() += 1;
            let share = self.subscriptions.entry(id).or_insert_with(|| SubscriptionSlots::new(now));
            self.queued += 1;
            self.bytes += claimed.delivery.body.len();
            self.slow_held += usize::from(share.is_slow);
            share.queued.push_back(claimed);
            list(&mut self.ready, id, share);
        }
        let full = counts.iter().filter(|(_, count)| **count >= CLAIM_PER_SUBSCRIPTION).map(|(id, _)| id);
        for id in full.chain(excluded) {
            if let Some(share) = self.subscriptions.get_mut(id) {
                share.has_more = true;
            }
        }
    }

    /// The next delivery to send. It counts as in flight from now on, so [`InFlight::started`] must follow.
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
                    // Its lease could expire during the attempt, so drop it. It will be claimed again afterwards.
                    self.bytes -= claimed.delivery.body.len();
                    self.slow_held -= usize::from(is_slow);
                }
            }
            // If all its slots are taken, it is listed again when one of its requests ends.
            list(&mut self.ready, id, share);
        }
        None
    }

    /// Concurrent requests allowed per subscription now.
    fn slots(&self, is_slow: bool) -> usize {
        let total = self.running.len();
        let used = if is_slow { self.slow_running } else { total.saturating_sub(self.slow_running) };
        if total >= self.requests || (is_slow && used >= self.requests / 2) {
            0
        } else if used < self.requests / 4 {
            MAX_CONCURRENT_PER_SUBSCRIPTION
        } else {
            1
        }
    }

    /// Registers the request for the delivery that [`InFlight::next`] returned.
    pub(crate) fn started(&mut self, request: Id, subscription: SubscriptionId, bytes: usize, now: Instant) {
        self.running.insert(request, RunningRequest { subscription, bytes, since: now, is_overdue: false });
        self.by_start.push_back((now, request));
    }

    /// Removes a finished request. Returns whether its subscription may be claimed from again.
    pub(crate) fn finished(&mut self, request: Id, now: Instant) -> bool {
        let Some(over) = self.running.remove(&request) else { return false };
        self.bytes -= over.bytes;
        let Some(share) = self.subscriptions.get_mut(&over.subscription) else { return false };
        share.overdue -= usize::from(over.is_overdue);
        // One quick response while other requests are overdue does not make it responsive.
        let is_slow = now - over.since >= SLOW_AFTER || share.overdue > 0;
        share.running -= 1;
        share.used_at = now;
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

    /// When the next request becomes overdue.
    pub(crate) fn next_slow_at(&self) -> Option<Instant> {
        self.by_start.front().map(|(since, _)| *since + SLOW_AFTER)
    }

    /// Marks overdue requests and makes their subscriptions slow.
    pub(crate) fn mark_slow(&mut self, now: Instant) {
        let is_settled =
            |(since, request): &mut (Instant, Id)| now >= *since + SLOW_AFTER || !self.running.contains_key(request);
        let mut late = Vec::new();
        while let Some((_, request)) = self.by_start.pop_front_if(is_settled) {
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

    /// Frees capacity for other subscriptions: drops queued deliveries of slow ones, whose leases then expire.
    pub(crate) fn shed(&mut self) {
        self.drop_queued_if(|share| share.is_slow);
    }

    /// Drops all deliveries that are not in flight.
    pub(crate) fn drop_queued(&mut self) {
        self.drop_queued_if(|_| true);
    }

    fn drop_queued_if(&mut self, is_dropped: fn(&SubscriptionSlots) -> bool) {
        for share in self.subscriptions.values_mut().filter(|share| is_dropped(share)) {
            for claimed in share.queued.drain(..) {
                self.queued -= 1;
                self.slow_held -= usize::from(share.is_slow);
                self.bytes -= claimed.delivery.body.len();
            }
        }
    }

    /// Evicts subscriptions that have no deliveries and have not been slow recently.
    pub(crate) fn evict_idle(&mut self, now: Instant) {
        self.subscriptions
            .retain(|_, share| share.total() > 0 || (share.is_slow && now - share.used_at < SLOW_RETENTION));
        if self.subscriptions.len() > MAX_REMEMBERED + MAX_IN_FLIGHT {
            self.subscriptions.retain(|_, share| share.total() > 0);
        }
    }
}

/// Adds a subscription with deliveries to send to its ready queue.
fn list(ready: &mut [VecDeque<SubscriptionId>; 2], id: SubscriptionId, share: &mut SubscriptionSlots) {
    let queue = usize::from(share.is_slow);
    if !share.is_listed[queue] && !share.queued.is_empty() && share.running < MAX_CONCURRENT_PER_SUBSCRIPTION {
        share.is_listed[queue] = true;
        ready[queue].push_back(id);
    }
}
