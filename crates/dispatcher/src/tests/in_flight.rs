//! How slots are shared.

use std::time::Duration;

use domain::SubscriptionId;
use domain::webhooks::{ClaimRequest, ClaimedDelivery, MAX_CONCURRENT_PER_SUBSCRIPTION};
use tokio::task::{Id, JoinSet};
use tokio::time::Instant;

use super::{Rig, START};
use crate::in_flight::{InFlight, SLOW_AFTER};

/// A fixture with deliveries of many subscriptions and its own clock.
struct Fixture {
    rig: Rig,
    in_flight: InFlight,
    now: Instant,
    ids: JoinSet<()>,
    running: Vec<(Id, SubscriptionId)>,
}

impl Fixture {
    fn new(requests: usize) -> Self {
        let (rig, ids) = (Rig::new(), JoinSet::new());
        Self { rig, in_flight: InFlight::new(requests), now: Instant::now(), ids, running: Vec::new() }
    }

    async fn claimed(&self, subscription: SubscriptionId, count: usize) -> Vec<ClaimedDelivery> {
        self.rig.enqueue(subscription, count);
        let request = ClaimRequest {
            owner: uuid::Uuid::nil(),
            limit: 10_000,
            limit_per_subscription: 10_000,
            excluded: Vec::new(),
            after: None,
            releases_expired: true,
            now: START,
        };
        let claims = domain::ports::DeliveryQueue::claim(self.rig.queue.as_ref(), &request).await.unwrap();
        claims.deliveries
    }

    /// Adds `count` deliveries of a new subscription.
    async fn take(&mut self, count: usize) -> SubscriptionId {
        let subscription = self.rig.subscribe("http://127.0.0.1/").0;
        self.take_of(subscription, count).await;
        subscription
    }

    async fn take_of(&mut self, subscription: SubscriptionId, count: usize) {
        let claimed = self.claimed(subscription, count).await;
        self.in_flight.take(claimed, &[], self.now);
    }

    /// Starts everything that may start; returns the number of requests.
    fn start(&mut self) -> usize {
        let before = self.running.len();
        while let Some(claimed) = self.in_flight.next(START) {
            let id = self.ids.spawn(std::future::pending()).id();
            self.in_flight.started(id, claimed.subscription.id, claimed.delivery.body.len(), self.now);
            self.running.push((id, claimed.subscription.id));
        }
        self.running.len() - before
    }

    fn advance(&mut self, time: Duration) {
        self.now += time;
        self.in_flight.mark_slow(self.now);
    }

    /// Ends all requests of a subscription.
    fn finish(&mut self, subscription: SubscriptionId) {
        let (finished, running): (Vec<_>, Vec<_>) = self.running.drain(..).partition(|(_, id)| *id == subscription);
        self.running = running;
        for (id, _) in finished {
            self.in_flight.finished(id, self.now);
        }
    }
}

#[tokio::test]
async fn responsive_subscriptions_share_slots_beyond_a_quarter() {
    let mut fixture = Fixture::new(64);
    for _ in 0..10 {
        fixture.take(20).await;
    }
    // In turn, until a quarter of the slots is taken and each subscription has one.
    assert_eq!(fixture.start(), 16);
    for _ in 0..100 {
        fixture.take(1).await;
    }
    assert_eq!(fixture.start(), 48, "no more than the total");
}

#[tokio::test]
async fn slow_subscriptions_leave_half_of_the_slots_to_others() {
    let mut fixture = Fixture::new(64);
    let mut late = Vec::new();
    for _ in 0..64 {
        late.push(fixture.take(20).await);
    }
    fixture.start();
    fixture.advance(SLOW_AFTER);
    // All have responded slowly, and get fewer slots from now on.
    for subscription in late {
        fixture.finish(subscription);
    }
    assert_eq!(fixture.in_flight.running(), 0);
    assert_eq!(fixture.start(), 32);
    let prompt = fixture.take(20).await;
    assert_eq!(fixture.start(), MAX_CONCURRENT_PER_SUBSCRIPTION);
    assert_eq!(fixture.running.iter().filter(|(_, id)| *id == prompt).count(), MAX_CONCURRENT_PER_SUBSCRIPTION);
}

#[tokio::test]
async fn a_quick_response_among_overdue_requests_changes_nothing() {
    let mut fixture = Fixture::new(64);
    let slow = fixture.take(30).await;
    fixture.start();
    fixture.advance(SLOW_AFTER);
    let (quick, _) = fixture.running.pop().unwrap();
    fixture.in_flight.finished(quick, fixture.now);
    assert_eq!(fixture.start(), 1);
    fixture.advance(Duration::ZERO);
    let (quick, _) = fixture.running.pop().unwrap();
    fixture.in_flight.finished(quick, fixture.now);
    assert!(fixture.in_flight.excluded().contains(&slow), "a slow subscription gets no more while it has deliveries");
    fixture.finish(slow);
    assert!(fixture.start() > 0);
    fixture.finish(slow);
    // The last responses were quick, and no request is overdue any more.
    fixture.take_of(slow, 1).await;
    assert!(!fixture.in_flight.excluded().contains(&slow));
}

#[tokio::test]
async fn queued_deliveries_of_slow_subscriptions_are_shed() {
    let mut fixture = Fixture::new(64);
    fixture.take(3_000).await;
    fixture.start();
    fixture.advance(SLOW_AFTER);
    fixture.take(1_096).await;
    assert_eq!(fixture.in_flight.room(), 0);
    fixture.in_flight.shed();
    assert_eq!(fixture.in_flight.total(), MAX_CONCURRENT_PER_SUBSCRIPTION + 1_096);
    assert!(fixture.in_flight.room() > 0);
}

#[tokio::test]
async fn all_counters_return_to_zero() {
    let mut fixture = Fixture::new(64);
    let mut all = Vec::new();
    for count in 1..30 {
        all.push(fixture.take(count).await);
    }
    while fixture.in_flight.total() > 0 {
        fixture.start();
        let (_, first) = fixture.running[0];
        fixture.advance(Duration::from_millis(300));
        fixture.finish(first);
    }
    assert_eq!((fixture.in_flight.running(), fixture.in_flight.excluded()), (0, Vec::new()));
    fixture.advance(Duration::from_hours(1));
    fixture.in_flight.evict_idle(fixture.now);
    assert!(fixture.in_flight.is_empty());
}
