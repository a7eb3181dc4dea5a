//! Replays of webhooks. Each case has its own store, because the queue crosses workspaces.

use time::{Duration, OffsetDateTime};

use super::webhook_records::send_all;
use super::{StoreUnderTest, TestWorkspace};
use domain::events::{Event, Module};
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::ports::DeliveryQueue;
use domain::webhooks::{
    ClaimedDelivery, DEFAULT_MAX_WAITING, Delivery, DeliveryFilter, DeliveryState, MAX_DUE_IN_REPLAY, RETENTION,
    Replay, ReplayCount, ReplaySelection, ReplayState, Subscription, Verdict, body_of,
};
use domain::{ReplayId, SubscriptionId};

const DUE: u64 = MAX_DUE_IN_REPLAY as u64;

impl TestWorkspace {
    /// The selection of a replay of the past two hours.
    async fn recent(&self, id: SubscriptionId) -> ReplaySelection {
        let subscription = self.stored_subscription(id).await.unwrap();
        ReplaySelection::new(&subscription, self.now() - Duration::hours(2), None, None, false)
    }

    async fn count(&self, selection: &ReplaySelection) -> ReplayCount {
        let selection = selection.clone();
        self.read(move |tx| tx.replays().count(&selection, 10_000)).await
    }

    /// Requests a replay.
    async fn replay(&self, selection: &ReplaySelection) -> Replay {
        let count = self.count(selection).await;
        self.add(Replay {
            id: ReplayId(self.id()),
            subscription_id: selection.subscription,
            since: selection.since,
            until: selection.until,
            events: None,
            only_failed: selection.only_failed,
            state: ReplayState::Running,
            matched: count.matched,
            queued: 0,
            last_event: count.last,
            created_by: self.key_actor(),
            created_at: self.now(),
            finished_at: None,
        })
        .await
    }

    async fn stored_replay(&self, replay: &Replay) -> Replay {
        let (subscription, id) = (replay.subscription_id, replay.id);
        self.read(move |tx| tx.replays().get(subscription, id)).await.unwrap()
    }

    /// The state and the number of queued deliveries.
    async fn progress(&self, replay: &Replay) -> (ReplayState, u64) {
        let found = self.stored_replay(replay).await;
        assert_eq!(found.finished_at.is_some(), found.state != ReplayState::Running);
        (found.state, found.queued)
    }
}

/// Queues deliveries of all replays until none makes progress; returns the number of deliveries.
async fn queue_all(queue: &dyn DeliveryQueue, now: OffsetDateTime) -> u64 {
    let (mut deliveries, mut after) = (0, None);
    loop {
        let step = queue.queue_replays(after, now).await.unwrap();
        deliveries += step.deliveries;
        after = step.next_after;
        if !step.has_advanced && after.is_none() {
            return deliveries;
        }
    }
}

fn names(deliveries: &[ClaimedDelivery]) -> Vec<&str> {
    deliveries.iter().map(|it| it.delivery.event.as_str()).collect()
}

/// The events that the subscription matches are queued once, in log order, each with a new id and the bytes of its event.
pub async fn the_past_is_queued_once_and_in_order(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let world = subject.world().await;
    let scope = world.id();
    let at = |minutes| world.now() - Duration::minutes(minutes);
    let event = |minutes, name| Event { at: at(minutes), ..world.event(Module::Projects, name) };
    let scoped = |minutes, name| Event { scope: Some(scope), ..event(minutes, name) };
    let last = Event { former_scope: Some(scope), ..event(10, "task.updated") };
    world.emit(vec![scoped(180, "task.created"), scoped(60, "task.updated"), scoped(50, "task.deleted")]).await;
    world.emit(vec![event(40, "task.updated"), Event { is_internal: true, ..scoped(30, "task.updated") }]).await;
    world.emit(vec![Event { module: Module::Crm, ..scoped(20, "deal.updated") }, last.clone()]).await;
    let subscription = Subscription {
        events: vec!["task.created".to_owned(), "task.updated".to_owned()],
        scope: Some(scope),
        ..world.subscription(Module::Projects)
    };
    let id = world.subscribe(subscription).await;
    let selection = world.recent(id).await;
    let count = world.count(&selection).await;
    assert_eq!((count.matched, count.examined), (2, 6));
    let until = ReplaySelection { until: Some(last.at), ..selection.clone() };
    assert_eq!(world.count(&until).await.matched, 1, "the end of a range is exclusive");
    let few = selection.clone();
    assert_eq!(world.read(move |tx| tx.replays().count(&few, 3)).await.examined, 4, "one more than the limit");
    let replay = world.replay(&selection).await;
    assert_eq!(world.stored_replay(&replay).await, replay);
    // Later events are not part of the replay.
    subject.clock.advance(Duration::seconds(1));
    world.emit(vec![Event { at: world.now(), ..scoped(0, "task.created") }]).await;
    assert_eq!(send_all(&world, queue, Verdict::Succeeded).await.len(), 1);
    assert_eq!(queue_all(queue, world.now()).await, 2);
    assert_eq!(world.progress(&replay).await, (ReplayState::Completed, 2));
    assert_eq!(queue_all(queue, world.now()).await, 0);
    let sent = send_all(&world, queue, Verdict::Succeeded).await;
    assert_eq!(names(&sent), ["task.updated", "task.updated"]);
    let delivery = &sent[1].delivery;
    assert_eq!(delivery.body, body_of(delivery.id, world.workspace.id, delivery.event_id, &last));
    assert_eq!((delivery.replay_id, delivery.created_at), (Some(replay.id), world.now()));
    assert_eq!(world.stored_delivery(delivery.id).await.replay_id, Some(replay.id));
    assert_ne!(sent[0].delivery.id, delivery.id);
}

/// New events come first: few deliveries of a replay are due at a time, and none is queued while events are in the backlog.
pub async fn a_replay_leaves_room_for_new_events(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let world = subject.world().await;
    world.emit_many("deal.won", 700).await;
    let id = world.subscribe(world.subscription(Module::Crm)).await;
    let replay = world.replay(&world.recent(id).await).await;
    assert_eq!(replay.matched, 700);
    assert_eq!(queue_all(queue, world.now()).await, DUE, "the limit for due deliveries");
    assert_eq!(world.progress(&replay).await, (ReplayState::Running, DUE));
    subject.clock.advance(Duration::seconds(1));
    world.emit(vec![world.event(Module::Crm, "deal.lost")]).await;
    assert_eq!(queue_all(queue, world.now()).await, 0);
    let sent = send_all(&world, queue, Verdict::Succeeded).await;
    assert_eq!((sent.len(), names(&sent).pop()), (501, Some("deal.lost")), "after the waiting deliveries");
    // Other deliveries fill the queue, so that events wait.
    let others = 99;
    for _ in 0..others {
        world.subscribe(world.subscription(Module::Crm)).await;
    }
    let most = i64::from(DEFAULT_MAX_WAITING) / (others + 1);
    world.emit_many("deal.lost", most + 1).await;
    assert_eq!(queue_all(queue, world.now()).await, 0, "no room");
    send_all(&world, queue, Verdict::Succeeded).await;
    assert_eq!(queue_all(queue, world.now()).await, 0, "an event waits");
    let step = queue.queue_backlogs(None, world.now(), world.now() - RETENTION).await.unwrap();
    assert_eq!(step.events, 1);
    assert_eq!(queue_all(queue, world.now()).await, 200);
    assert_eq!(world.progress(&replay).await, (ReplayState::Completed, 700));
    let filter = DeliveryFilter { event: Some("deal.won".to_owned()), ..DeliveryFilter::default() };
    let all = PageRequest { limit: 1_000, ..PageRequest::first(100) };
    let queued: Vec<Delivery> = world.read(move |tx| tx.deliveries().list(id, &filter, &all)).await;
    let mut events: Vec<_> = queued.iter().map(|it| it.event_id).collect();
    events.sort();
    events.dedup();
    assert_eq!(events.len(), queued.len(), "each once");
}

/// Only events whose latest delivery failed are selected.
pub async fn only_failed_events_are_queued_again(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let world = subject.world().await;
    let id = world.subscribe(world.subscription(Module::Crm)).await;
    let emit_and_send = async |name, verdict| {
        subject.clock.advance(Duration::seconds(1));
        world.emit(vec![world.event(Module::Crm, name)]).await;
        assert_eq!(send_all(&world, queue, verdict).await.len(), 1);
    };
    emit_and_send("deal.created", Verdict::Failed).await;
    emit_and_send("deal.won", Verdict::Succeeded).await;
    emit_and_send("deal.lost", Verdict::Failed).await;
    let replay_failed = async |expected: &[&str], verdict| {
        subject.clock.advance(Duration::seconds(1));
        let selection = ReplaySelection { only_failed: true, ..world.recent(id).await };
        let count = world.count(&selection).await;
        assert_eq!((count.matched, count.examined), (expected.len() as u64, expected.len() as u64));
        let replay = world.replay(&selection).await;
        queue_all(queue, world.now()).await;
        assert_eq!(world.progress(&replay).await, (ReplayState::Completed, expected.len() as u64));
        assert_eq!(world.count(&selection).await.matched, 0, "the replay is in progress");
        assert_eq!(names(&send_all(&world, queue, verdict).await), expected);
    };
    replay_failed(&["deal.created", "deal.lost"], Verdict::Failed).await;
    replay_failed(&["deal.created", "deal.lost"], Verdict::Succeeded).await;
    replay_failed(&[], Verdict::Succeeded).await;
    // For another subscription, nothing has failed.
    let other = world.subscribe(world.subscription(Module::Crm)).await;
    let selection = ReplaySelection { only_failed: true, ..world.recent(other).await };
    assert_eq!(world.count(&selection).await.matched, 0);
}

/// A replay waits while its subscription is disabled, skips events that it no longer matches, and ends with it.
pub async fn a_replay_follows_its_subscription(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let world = subject.world().await;
    world.emit(vec![world.event(Module::Crm, "deal.won"), world.event(Module::Crm, "deal.lost")]).await;
    let id = world.subscribe(Subscription { enabled: false, ..world.subscription(Module::Crm) }).await;
    let replay = world.replay(&world.recent(id).await).await;
    assert_eq!((replay.matched, queue_all(queue, world.now()).await), (2, 0));
    assert_eq!(world.progress(&replay).await, (ReplayState::Running, 0));
    let enable = |it: &mut Subscription| (it.enabled, it.events) = (true, vec!["deal.lost".to_owned()]);
    world.change(id, enable).await;
    assert_eq!(queue_all(queue, world.now()).await, 1);
    assert_eq!(world.progress(&replay).await, (ReplayState::Completed, 1));
    assert_eq!(names(&send_all(&world, queue, Verdict::Succeeded).await), ["deal.lost"]);
    let second = world.replay(&world.recent(id).await).await;
    world.unsubscribe(id).await;
    assert_eq!(world.progress(&second).await, (ReplayState::Cancelled, 0));
    assert_eq!(world.progress(&replay).await, (ReplayState::Completed, 1), "it ended before");
    assert_eq!(queue_all(queue, world.now()).await, 0);
}

/// A cancelled replay queues nothing more, and another may begin.
pub async fn a_replay_is_cancelled(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let world = subject.world().await;
    world.emit_many("deal.won", 600).await;
    let id = world.subscribe(world.subscription(Module::Crm)).await;
    let replay = world.replay(&world.recent(id).await).await;
    assert_eq!(world.commit(|tx| tx.replays().running_for_update()).await, [id]);
    assert_eq!(queue_all(queue, world.now()).await, DUE);
    let (running, now) = (replay.id, world.now());
    world.commit(move |tx| tx.replays().cancel(running, now)).await;
    assert_eq!(send_all(&world, queue, Verdict::Succeeded).await.len(), 500, "what is queued is sent");
    assert_eq!(queue_all(queue, world.now()).await, 0);
    assert_eq!(world.progress(&replay).await, (ReplayState::Cancelled, DUE));
    assert!(world.commit(|tx| tx.replays().running_for_update()).await.is_empty());
    let states = DeliveryFilter { states: vec![DeliveryState::Pending], ..DeliveryFilter::default() };
    assert!(world.list_deliveries(id, states).await.is_empty());
}

/// Replays are listed newest first, per subscription and workspace, and are kept for a time.
pub async fn replays_are_listed_and_pruned(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let (world, other) = (subject.world().await, subject.world().await);
    let id = world.subscribe(world.subscription(Module::Crm)).await;
    let another = world.subscribe(world.subscription(Module::Crm)).await;
    let selection = world.recent(id).await;
    let first = world.replay(&selection).await;
    assert_eq!((first.matched, first.last_event), (0, None));
    queue_all(queue, world.now()).await;
    assert_eq!(world.progress(&first).await, (ReplayState::Completed, 0));
    subject.clock.advance(Duration::days(1));
    let second = world.replay(&world.recent(id).await).await;
    let list_created = async |world: &TestWorkspace, id, filter: CreatedFilter| {
        let found = world.read(move |tx| tx.replays().list(id, &filter, &PageRequest::first(10))).await;
        found.into_iter().map(|it| it.id).collect::<Vec<_>>()
    };
    let list = async |world: &TestWorkspace, id| list_created(world, id, CreatedFilter::default()).await;
    assert_eq!(list(&world, id).await, [second.id, first.id]);
    let at = Some(second.created_at);
    let since = CreatedFilter { created_since: at, created_before: None };
    let before = CreatedFilter { created_since: None, created_before: at };
    assert_eq!(list_created(&world, id, since).await, [second.id]);
    assert_eq!(list_created(&world, id, before).await, [first.id]);
    assert!(list(&world, another).await.is_empty() && list(&other, id).await.is_empty());
    let (replay, unrelated) = (first.id, another);
    assert_eq!(world.read(move |tx| tx.replays().get(unrelated, replay)).await, None);
    assert_eq!(other.read(move |tx| tx.replays().get(id, replay)).await, None);
    assert_eq!(world.commit(move |tx| tx.replays().get_for_update(id, replay)).await.map(|it| it.id), Some(replay));
    subject.clock.advance(RETENTION);
    let prune = async |limit| queue.prune_replays(world.now() - RETENTION, limit).await.unwrap();
    assert_eq!((prune(10).await, prune(10).await), (1, 0));
    assert_eq!(list(&world, id).await, [second.id]);
}
