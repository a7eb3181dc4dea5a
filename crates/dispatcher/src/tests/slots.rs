//! Who may send how much at once.

use std::time::Duration;

use domain::SubscriptionId;
use domain::webhooks::{AT_ONCE, ClaimRequest, ClaimedDelivery};
use tokio::task::{Id, JoinSet};
use tokio::time::Instant;

use super::{Rig, START};
use crate::hand::{Hand, LATE_AFTER};

/// A hand with deliveries of many subscriptions, and a time of its own.
struct Table {
    rig: Rig,
    hand: Hand,
    now: Instant,
    ids: JoinSet<()>,
    running: Vec<(Id, SubscriptionId)>,
}

impl Table {
    fn new(requests: usize) -> Self {
        let (rig, ids) = (Rig::new(), JoinSet::new());
        Self { rig, hand: Hand::new(requests), now: Instant::now(), ids, running: Vec::new() }
    }

    async fn claimed(&self, subscription: SubscriptionId, count: usize) -> Vec<ClaimedDelivery> {
        self.rig.enqueue(subscription, count);
        let request = ClaimRequest {
            owner: uuid::Uuid::nil(),
            limit: 10_000,
            limit_a_subscription: 10_000,
            without: Vec::new(),
            after: None,
            now: START,
        };
        let claims = domain::ports::DeliveryQueue::claim(self.rig.queue.as_ref(), &request).await.unwrap();
        claims.deliveries
    }

    /// Takes so many deliveries of a new subscription.
    async fn take(&mut self, count: usize) -> SubscriptionId {
        let subscription = self.rig.subscribe("http://127.0.0.1/").0;
        self.take_of(subscription, count).await;
        subscription
    }

    async fn take_of(&mut self, subscription: SubscriptionId, count: usize) {
        let claimed = self.claimed(subscription, count).await;
        self.hand.take(claimed, &[], self.now);
    }

    /// Starts all that may start; says how many.
    fn start(&mut self) -> usize {
        let before = self.running.len();
        while let Some(claimed) = self.hand.next(START) {
            let id = self.ids.spawn(std::future::pending()).id();
            self.hand.started(id, claimed.subscription.id, claimed.delivery.body.len(), self.now);
            self.running.push((id, claimed.subscription.id));
        }
        self.running.len() - before
    }

    fn pass(&mut self, time: Duration) {
        self.now += time;
        self.hand.mark_late(self.now);
    }

    /// Ends all requests of a subscription.
    fn finish(&mut self, subscription: SubscriptionId) {
        let (over, running): (Vec<_>, Vec<_>) = self.running.drain(..).partition(|(_, of)| *of == subscription);
        self.running = running;
        for (id, _) in over {
            self.hand.finished(id, self.now);
        }
    }
}

#[tokio::test]
async fn prompt_subscriptions_share_when_a_quarter_is_taken() {
    let mut table = Table::new(64);
    for _ in 0..10 {
        table.take(20).await;
    }
    // In turn, until a quarter is taken, and each has its one.
    assert_eq!(table.start(), 16);
    for _ in 0..100 {
        table.take(1).await;
    }
    assert_eq!(table.start(), 48, "and no more than all");
}

#[tokio::test]
async fn late_subscriptions_leave_half_to_others() {
    let mut table = Table::new(64);
    let mut late = Vec::new();
    for _ in 0..64 {
        late.push(table.take(20).await);
    }
    table.start();
    table.pass(LATE_AFTER);
    // They have all answered, late: what they may begin from now on is less.
    for subscription in late {
        table.finish(subscription);
    }
    assert_eq!(table.hand.running(), 0);
    assert_eq!(table.start(), 32);
    let prompt = table.take(20).await;
    assert_eq!(table.start(), AT_ONCE);
    assert_eq!(table.running.iter().filter(|(_, of)| *of == prompt).count(), AT_ONCE);
}

#[tokio::test]
async fn a_quick_answer_among_hanging_ones_makes_nobody_prompt() {
    let mut table = Table::new(64);
    let crafty = table.take(30).await;
    table.start();
    table.pass(LATE_AFTER);
    let (quick, _) = table.running.pop().unwrap();
    table.hand.finished(quick, table.now);
    assert_eq!(table.start(), 1);
    table.pass(Duration::ZERO);
    let (quick, _) = table.running.pop().unwrap();
    table.hand.finished(quick, table.now);
    assert!(table.hand.without().contains(&crafty), "late ones get no more while they hold some");
    table.finish(crafty);
    assert!(table.start() > 0);
    table.finish(crafty);
    // The last ones were quick, and nothing hangs any more.
    table.take_of(crafty, 1).await;
    assert!(!table.hand.without().contains(&crafty));
}

#[tokio::test]
async fn what_late_subscriptions_hold_gives_way() {
    let mut table = Table::new(64);
    table.take(3_000).await;
    table.start();
    table.pass(LATE_AFTER);
    table.take(1_096).await;
    assert_eq!(table.hand.room(), 0);
    table.hand.shed();
    assert_eq!(table.hand.in_hand(), AT_ONCE + 1_096);
    assert!(table.hand.room() > 0);
}

#[tokio::test]
async fn nothing_is_left_when_all_is_done() {
    let mut table = Table::new(64);
    let mut all = Vec::new();
    for count in 1..30 {
        all.push(table.take(count).await);
    }
    while table.hand.in_hand() > 0 {
        table.start();
        let (_, first) = table.running[0];
        table.pass(Duration::from_millis(300));
        table.finish(first);
    }
    assert_eq!((table.hand.running(), table.hand.without()), (0, Vec::new()));
    table.pass(Duration::from_hours(1));
    table.hand.forget(table.now);
    assert!(table.hand.is_empty());
}
