//! The backlog: events that are queued later. Each case has its own store, because the queue crosses workspaces.

use std::collections::{HashMap, HashSet};

use time::Duration;

use super::webhook_records::{all_due, send_all};
use super::{StoreUnderTest, TestWorkspace};
use domain::SubscriptionId;
use domain::events::{Event, Module};
use domain::ports::DeliveryQueue;
use domain::webhooks::{
    BACKLOG_RETENTION, Backlog, ClaimRequest, DEFAULT_MAX_WAITING, DeliveryFilter, DeliveryState, RETENTION,
    Subscription, Verdict, body_of,
};
use uuid::Uuid;

const QUEUE_LIMIT: usize = DEFAULT_MAX_WAITING as usize;
/// Divides the bound.
const SUBSCRIPTIONS: usize = 100;

/// Emits as many events as fill the queue, plus `more`.
async fn overfilled(world: &TestWorkspace, more: usize) -> Vec<SubscriptionId> {
    let ids = world.subscribe_many(SUBSCRIPTIONS).await;
    world.emit_many("deal.won", i64::try_from(QUEUE_LIMIT / SUBSCRIPTIONS + more).unwrap()).await;
    ids
}

async fn backlog(world: &TestWorkspace) -> Backlog {
    world.read(|tx| tx.deliveries().backlog()).await
}

async fn queue_all(world: &TestWorkspace, queue: &dyn DeliveryQueue) -> (u64, u64) {
    let (mut deliveries, mut events, mut after) = (0, 0, None);
    loop {
        let step = queue.queue_backlogs(after, world.now(), world.now() - BACKLOG_RETENTION).await.unwrap();
        deliveries += step.deliveries;
        events += step.events;
        after = step.next_after;
        if step.events == 0 && after.is_none() {
            return (deliveries, events);
        }
    }
}

/// Sends all due deliveries successfully; appends the events of each subscription in the order they were sent.
async fn send_due(world: &TestWorkspace, queue: &dyn DeliveryQueue, sent: &mut HashMap<SubscriptionId, Vec<String>>) {
    for it in send_all(world, queue, Verdict::Succeeded).await {
        sent.entry(it.subscription.id).or_default().push(it.delivery.event.clone());
    }
}

/// At most the limit waits; the rest follows as room becomes available, each event once per subscription, in order.
pub async fn deliveries_over_the_limit_are_queued_in_order(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let world = subject.world().await;
    let ids = overfilled(&world, 3).await;
    let most = QUEUE_LIMIT as u64;
    let full = backlog(&world).await;
    assert_eq!((full.waiting, full.behind, full.max_waiting), (most, 3, most));
    assert!(full.oldest_behind_at.is_some_and(|at| at < world.now()));
    // Later events wait as well, even for a subscription with nothing waiting.
    let late =
        world.subscribe(Subscription { events: vec!["deal.lost".to_owned()], ..world.subscription(Module::Crm) });
    let late = late.await;
    world.emit(vec![world.event(Module::Crm, "deal.lost")]).await;
    assert_eq!((backlog(&world).await.behind, world.count_deliveries(late).await), (4, 0));
    assert_eq!(queue_all(&world, queue).await, (0, 0), "no room");
    let mut sent = HashMap::new();
    send_due(&world, queue, &mut sent).await;
    subject.clock.advance(Duration::seconds(1));
    assert_eq!(queue_all(&world, queue).await, (3 * 100 + 101, 4));
    assert_eq!(queue_all(&world, queue).await, (0, 0), "each once");
    send_due(&world, queue, &mut sent).await;
    let expected = [vec!["deal.won"; QUEUE_LIMIT / SUBSCRIPTIONS + 3], vec!["deal.lost"]].concat();
    for id in ids {
        assert_eq!(sent[&id], expected);
    }
    assert_eq!(sent[&late], ["deal.lost"]);
    assert_eq!(backlog(&world).await, Backlog { max_waiting: most, ..Backlog::default() });
    // With an empty backlog, events are queued at once again.
    world.emit(vec![world.event(Module::Crm, "deal.lost")]).await;
    assert_eq!(world.count_deliveries(late).await, 2);
}

/// The body of a late delivery has the bytes of its event and the delivery's own id.
pub async fn a_late_delivery_has_the_bytes_of_its_event(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let world = subject.world().await;
    overfilled(&world, 0).await;
    let event = Event { at: world.now(), ..world.event(Module::Crm, "deal.lost") };
    // Two at once: for less than a 64th of the limit, waiting deliveries are not counted each time.
    world.emit(vec![event.clone(), event.clone()]).await;
    send_all(&world, queue, Verdict::Succeeded).await;
    subject.clock.advance(Duration::hours(3));
    assert_eq!(queue_all(&world, queue).await, (200, 2));
    let request = ClaimRequest { limit: 1, ..all_due(Uuid::from_u128(1), world.now()) };
    let claimed = queue.claim(&request).await.unwrap().deliveries.remove(0).delivery;
    assert_eq!(claimed.body, body_of(claimed.id, world.workspace.id, claimed.event_id, &event));
    assert_eq!(world.stored_delivery(claimed.id).await.body, claimed.body);
    assert_eq!(claimed.created_at, world.now(), "the retry window starts when it is queued");
}

/// An event goes to the subscriptions that matched when it happened, whatever changed since, unless they were deleted.
pub async fn late_events_go_to_subscriptions_that_matched(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let world = subject.world().await;
    let ids = overfilled(&world, 1).await;
    let disabled = world.subscribe(Subscription { enabled: false, ..world.subscription(Module::Crm) }).await;
    send_all(&world, queue, Verdict::Succeeded).await;
    // Enabled, created, narrowed, disabled and deleted after the event.
    world.change(disabled, |it| it.enabled = true).await;
    let new = world.subscribe(world.subscription(Module::Crm)).await;
    world.change(ids[0], |it| it.events = vec!["contact.created".to_owned()]).await;
    world.change(ids[1], |it| it.enabled = false).await;
    world.unsubscribe(ids[2]).await;
    assert_eq!(queue_all(&world, queue).await, (99, 1));
    let waiting = async |id| {
        let filter = DeliveryFilter { states: vec![DeliveryState::Pending], ..DeliveryFilter::default() };
        world.list_deliveries(id, filter).await.len()
    };
    for (id, expected) in [(disabled, 0), (new, 0), (ids[0], 1), (ids[1], 1), (ids[2], 0), (ids[3], 1)] {
        assert_eq!(waiting(id).await, expected);
    }
}

/// Deliveries that wait for a disabled subscription do not count against the limit.
pub async fn a_disabled_subscription_takes_no_room(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let world = subject.world().await;
    let ids = overfilled(&world, 1).await;
    for id in &ids[1..] {
        world.change(*id, |it| it.enabled = false).await;
    }
    assert_eq!(backlog(&world).await.waiting, (QUEUE_LIMIT / SUBSCRIPTIONS) as u64);
    assert_eq!(queue_all(&world, queue).await, (100, 1));
    world.emit_many("deal.lost", 1).await;
    let filter = DeliveryFilter { event: Some("deal.lost".to_owned()), ..DeliveryFilter::default() };
    assert_eq!(world.list_deliveries(ids[0], filter).await.len(), 1);
}

/// One workspace's backlog does not block another's, and an event that is too old is dropped.
pub async fn backlogs_are_per_workspace_and_end(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let (full, other) = (subject.world().await, subject.world().await);
    overfilled(&full, 2).await;
    let listener = other.subscribe_many(1).await[0];
    other.emit_many("deal.won", 2).await;
    assert_eq!((other.count_deliveries(listener).await, backlog(&other).await.behind), (2, 0));
    send_all(&full, queue, Verdict::Succeeded).await;
    subject.clock.advance(BACKLOG_RETENTION + Duration::HOUR);
    assert_eq!(queue_all(&full, queue).await, (0, 2));
    assert_eq!(backlog(&full).await.behind, 0);
}

/// An event in the backlog is delivered however late: the service may have been stopped, or its clock may have jumped ahead.
pub async fn a_late_backlog_is_delivered(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let world = subject.world().await;
    overfilled(&world, 2).await;
    send_all(&world, queue, Verdict::Succeeded).await;
    subject.clock.advance(RETENTION + Duration::days(10));
    let (queued, events) = queue_all(&world, queue).await;
    assert!(queued > 0 && events == 2, "{queued} of {events}");
}

/// Deliveries for a disabled subscription end after the retention, in batches; those of an enabled one, and tests, do not.
pub async fn deliveries_of_disabled_subscriptions_end(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let world = subject.world().await;
    let id = world.subscribe_many(1).await[0];
    world.emit_many("deal.won", 3).await;
    world.change(id, |it| it.enabled = false).await;
    let expire = async |limit| queue.expire_deliveries(world.now() - RETENTION, world.now(), limit).await.unwrap();
    assert_eq!(expire(10).await, 0);
    let enabled = world.subscribe_many(1).await[0];
    world.emit_many("deal.lost", 1).await;
    world.add(world.test_delivery(id)).await;
    subject.clock.advance(RETENTION + Duration::HOUR);
    assert_eq!((expire(2).await, expire(2).await, expire(2).await), (2, 1, 0));
    let failed = DeliveryFilter { states: vec![DeliveryState::Failed], ..DeliveryFilter::default() };
    let failed = world.list_deliveries(id, failed).await;
    assert!(failed.len() == 3 && failed.iter().all(|it| it.finished_at == Some(world.now())));
    let claimed = world.claim(queue, 1).await;
    let claimed: HashSet<_> = claimed.iter().map(|it| (it.subscription.id, it.delivery.event.as_str())).collect();
    assert_eq!(claimed, HashSet::from([(enabled, "deal.lost"), (id, "webhook.test")]));
}
