//! Upkeep of webhooks: redelivery, expired deliveries, makers and notices. Each case has its own store, because the queue
//! crosses workspaces.

use time::Duration;
use uuid::Uuid;

use super::webhook_records::outcome;
use super::{StoreUnderTest, TestWorkspace, api_keys};
use domain::events::Module;
use domain::identity::access::{Actor, ActorKind};
use domain::identity::workspaces::Role;
use domain::ports::DeliveryQueue;
use domain::webhooks::{
    AttemptRecord, ClaimOutcome, ClaimedDelivery, DISABLE_AFTER, Delivery, DeliverySample, DeliveryState,
    DisabledReason, FailedReason, LONGEST_WAIT, Maker, MakerAccess, NOTIFY_FAILING_AFTER, NoticeKind, RETRY_WINDOW,
    Subscription, Verdict,
};
use domain::{DeliveryId, SubscriptionId};

const OWNER: Uuid = Uuid::from_u128(1);

async fn redeliver(world: &TestWorkspace, id: DeliveryId) -> bool {
    let now = world.now();
    world.commit(move |tx| tx.deliveries().redeliver(id, now)).await
}

async fn one_claimed(world: &TestWorkspace, queue: &dyn DeliveryQueue) -> ClaimedDelivery {
    let mut claimed = world.claim(queue, 1).await;
    assert_eq!(claimed.len(), 1);
    claimed.remove(0)
}

fn expired(claimed: &ClaimedDelivery, world: &TestWorkspace) -> AttemptRecord {
    AttemptRecord { outcome: ClaimOutcome::Expired, ..outcome(claimed, OWNER, Verdict::Failed, world.now()) }
}

/// A redelivery keeps its attempts, restarts the schedule, and a second call changes nothing.
pub async fn a_redelivery_is_the_same_delivery(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let world = subject.world().await;
    let hook = world.subscribe(world.subscription(Module::Crm)).await;
    let test = world.test_delivery(hook);
    world.add(test.clone()).await;
    assert!(!redeliver(&world, test.id).await, "it is due anyway");
    let first = one_claimed(&world, queue).await;
    queue.record(&[outcome(&first, OWNER, Verdict::Failed, world.now())]).await.unwrap();
    subject.clock.advance(Duration::days(2));
    assert!(redeliver(&world, test.id).await);
    assert!(!redeliver(&world, test.id).await, "once");
    let stored = world.stored_delivery(test.id).await;
    let expected = Delivery {
        state: DeliveryState::Pending,
        attempts: 1,
        attempts_before: 1,
        next_attempt_at: Some(world.now()),
        redelivered_at: Some(world.now()),
        ..test.clone()
    };
    assert_eq!(stored, expected);
    // A dispatcher that dies does not change this.
    let claimed = one_claimed(&world, queue).await;
    queue.release(OWNER, world.now()).await.unwrap();
    assert_eq!(world.stored_delivery(test.id).await, expected);
    assert_eq!((claimed.first_attempt_at, claimed.last_start()), (None, None), "the first one starts however late");
    let claimed = one_claimed(&world, queue).await;
    let started = world.now();
    let retry_at = world.now() + Duration::seconds(5);
    let mut record = outcome(&claimed, OWNER, Verdict::Retry(retry_at), world.now());
    if let ClaimOutcome::Attempted { attempt, .. } = &mut record.outcome {
        attempt.manual = true;
    }
    queue.record(&[record]).await.unwrap();
    let attempts: Vec<_> = world.attempts_at(test.id).await.iter().map(|it| (it.number, it.manual)).collect();
    assert_eq!(attempts, [(1, false), (2, true)]);
    subject.clock.advance(Duration::seconds(5));
    let claimed = one_claimed(&world, queue).await;
    assert_eq!((claimed.first_attempt_at, claimed.delivery.attempts_now()), (Some(started), 1));
    assert_eq!(claimed.last_start(), Some(started + RETRY_WINDOW));
    assert_eq!(claimed.delivery.state, DeliveryState::Retrying);
    queue.record(&[outcome(&claimed, OWNER, Verdict::Retry(retry_at + Duration::HOUR), world.now())]).await.unwrap();
    subject.clock.advance(Duration::SECOND);
    assert!(redeliver(&world, test.id).await, "rather than wait for an hour");
    let claimed = one_claimed(&world, queue).await;
    queue.record(&[outcome(&claimed, OWNER, Verdict::Succeeded, world.now())]).await.unwrap();
    assert_eq!(world.stored_delivery(test.id).await.attempts, 4);
    // Not for a deleted subscription, from another workspace, or for an unknown delivery.
    assert!(!redeliver(&subject.world().await, test.id).await);
    assert!(!redeliver(&world, DeliveryId(world.id())).await);
    world.unsubscribe(hook).await;
    assert!(!redeliver(&world, test.id).await);
}

/// Whatever the outcome of the attempt in flight, even if its dispatcher dies, another attempt follows.
pub async fn a_redelivery_in_flight_is_followed_by_an_attempt(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let world = subject.world().await;
    let hook = world.subscribe(world.subscription(Module::Crm)).await;
    let test = world.test_delivery(hook);
    world.add(test.clone()).await;
    let retry_at = world.now() + Duration::HOUR;
    for (attempts, verdict) in [(1, Verdict::Succeeded), (2, Verdict::Failed), (3, Verdict::Retry(retry_at))] {
        let claimed = one_claimed(&world, queue).await;
        assert!(redeliver(&world, test.id).await && redeliver(&world, test.id).await, "{verdict:?}");
        assert_eq!(world.stored_delivery(test.id).await.state, DeliveryState::Delivering);
        queue.record(&[outcome(&claimed, OWNER, verdict, world.now())]).await.unwrap();
        let stored = world.stored_delivery(test.id).await;
        assert_eq!((stored.state, stored.attempts), (DeliveryState::Pending, attempts), "{verdict:?}");
        assert_eq!((stored.next_attempt_at, stored.finished_at), (Some(world.now()), None), "{verdict:?}");
    }
    let _ = one_claimed(&world, queue).await;
    assert!(redeliver(&world, test.id).await);
    subject.clock.advance(Duration::days(2));
    queue.release(OWNER, world.now()).await.unwrap();
    let claimed = one_claimed(&world, queue).await;
    assert_eq!((claimed.last_start(), claimed.delivery.attempts_now()), (None, 0), "its retries start over");
    queue.record(&[outcome(&claimed, OWNER, Verdict::Succeeded, world.now())]).await.unwrap();
    let stored = world.stored_delivery(test.id).await;
    assert_eq!((stored.state, stored.attempts), (DeliveryState::Succeeded, 4), "it is sent once");
}

/// A delivery too old for another attempt fails without one, with that reason, and does not count against its receiver.
pub async fn expired_deliveries_fail_without_an_attempt(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let world = subject.world().await;
    let hook = world.subscribe(world.subscription(Module::Crm)).await;
    world.emit_many("deal.won", 2).await;
    let claimed = world.claim(queue, 1).await;
    let (stolen, held) = (&claimed[0], &claimed[1]);
    let other = AttemptRecord { owner: Uuid::from_u128(2), ..expired(stolen, &world) };
    queue.record(&[other, expired(held, &world)]).await.unwrap();
    let failed = world.stored_delivery(held.delivery.id).await;
    assert_eq!((failed.state, failed.failed_reason), (DeliveryState::Failed, Some(FailedReason::Expired)));
    assert_eq!((failed.attempts, failed.finished_at), (0, Some(world.now())));
    assert!(world.attempts_at(failed.id).await.is_empty());
    assert_eq!(world.stored_delivery(stolen.delivery.id).await.state, DeliveryState::Delivering, "another owner");
    assert_eq!(world.stored_subscription(hook).await.unwrap().failing_since, None);
    assert!(redeliver(&world, failed.id).await);
    assert_eq!(world.stored_delivery(failed.id).await.failed_reason, None);
}

/// After the clock has gone back, nothing is due later than any retry, and earlier claims do not last.
pub async fn a_clock_that_was_ahead_delays_nothing(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let world = subject.world().await;
    let [hook, busy] = [
        world.subscribe(world.subscription(Module::Crm)).await,
        world.subscribe(world.subscription(Module::Projects)).await,
    ];
    world.emit_many("deal.won", 1).await;
    let retried = one_claimed(&world, queue).await;
    let retry_at = world.now() + LONGEST_WAIT;
    queue.record(&[outcome(&retried, OWNER, Verdict::Retry(retry_at), world.now())]).await.unwrap();
    let back = async |limit| queue.bring_back(world.now(), limit).await.unwrap();
    assert_eq!(back(10).await, 0, "no wait is longer than that");

    subject.clock.advance(Duration::days(40));
    world.emit_many("deal.won", 3).await;
    world.add(world.test_delivery(busy)).await;
    let dead = world.claim(queue, 7).await;
    assert_eq!(dead.len(), 5);
    queue.release(Uuid::from_u128(7), world.now()).await.unwrap();
    let held: Vec<_> = world.claim(queue, 8).await.into_iter().map(|it| it.subscription.id).collect();
    assert_eq!(held.len(), 5);
    subject.clock.advance(-Duration::days(40));
    assert!(world.claim(queue, 1).await.is_empty(), "the leases end in the future");
    let mut total = 0;
    while let count @ 1.. = back(2).await {
        assert!(count <= 2, "{count}");
        total += count;
    }
    assert_eq!(total, 4, "the retry keeps its due time");
    let claimed = world.claim(queue, 1).await;
    assert_eq!(claimed.len(), 4);
    assert!(claimed.iter().any(|it| it.subscription.id == busy) && claimed.iter().any(|it| it.subscription.id == hook));
    assert_eq!(world.stored_delivery(retried.delivery.id).await.next_attempt_at, Some(retry_at));
}

async fn take_notices(world: &TestWorkspace) -> Vec<(SubscriptionId, NoticeKind)> {
    let now = world.now();
    let notices = world.commit(move |tx| tx.subscriptions().take_notices(now, now - NOTIFY_FAILING_AFTER)).await;
    notices.into_iter().map(|notice| (notice.subscription, notice.kind)).collect()
}

async fn is_due(world: &TestWorkspace) -> bool {
    let (now, directory) = (world.now(), &world.ports.directory);
    let due = directory.workspaces_with_webhook_notices(now, now - NOTIFY_FAILING_AFTER, 10).await.unwrap();
    assert!(due.iter().all(|id| *id == world.workspace.id), "only where something is due: {due:?}");
    !due.is_empty()
}

/// A run of failures is reported once, after a day; each time the service disables a webhook is reported once.
pub async fn failures_are_reported_once(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let (world, _other) = (subject.world().await, subject.world().await);
    let since = world.now();
    let failing = Subscription { failing_since: Some(since), ..world.subscription(Module::Crm) };
    let hook = world.subscribe(failing.clone()).await;
    // Webhooks that a user disabled or deleted are not reported.
    let disabled_by_user = Subscription { id: SubscriptionId(world.id()), enabled: false, ..failing.clone() };
    world.subscribe(disabled_by_user).await;
    let deleted = world.subscribe(Subscription { id: SubscriptionId(world.id()), ..failing }).await;
    world.unsubscribe(deleted).await;
    subject.clock.advance(NOTIFY_FAILING_AFTER - Duration::microseconds(1));
    assert!(!is_due(&world).await && take_notices(&world).await.is_empty());
    subject.clock.advance(Duration::microseconds(1));
    assert!(is_due(&world).await);
    assert_eq!(take_notices(&world).await, [(hook, NoticeKind::Failing { since })]);
    assert!(!is_due(&world).await && take_notices(&world).await.is_empty(), "once");
    // A new run is reported again.
    let next_run = world.now() + Duration::HOUR;
    world.change(hook, move |it| it.failing_since = Some(next_run)).await;
    subject.clock.advance(NOTIFY_FAILING_AFTER + Duration::HOUR);
    assert_eq!(take_notices(&world).await, [(hook, NoticeKind::Failing { since: next_run })]);
    subject.clock.advance(DISABLE_AFTER);
    assert_eq!(queue.disable_failing(DISABLE_AFTER, world.now()).await.unwrap(), 1);
    assert!(is_due(&world).await);
    let disabled = |reason| vec![(hook, NoticeKind::Disabled { reason })];
    assert_eq!(take_notices(&world).await, disabled(DisabledReason::Failing));
    assert!(!is_due(&world).await && take_notices(&world).await.is_empty(), "once");
    let enable = |it: &mut Subscription| (it.enabled, it.disabled_reason, it.failing_since) = (true, None, None);
    world.change(hook, enable).await;
    assert!(take_notices(&world).await.is_empty());
    world.add(world.test_delivery(hook)).await;
    let claimed = one_claimed(&world, queue).await;
    queue.record(&[outcome(&claimed, OWNER, Verdict::Gone, world.now())]).await.unwrap();
    assert!(is_due(&world).await);
    assert_eq!(take_notices(&world).await, disabled(DisabledReason::Gone), "and reported again the next time");
}

/// A webhook has the state of its maker, and the end of the maker is reported once.
pub async fn makers_end(subject: &StoreUnderTest, _: &dyn DeliveryQueue) {
    let world = subject.world().await;
    let ends_at = world.now() + Duration::HOUR;
    let key = domain::identity::api_keys::ApiKey { expires_at: Some(ends_at), ..api_keys::key(&world) };
    let key_actor = Actor { kind: ActorKind::ApiKey, id: Some(key.id.0) };
    world.add(key.clone()).await;
    let user = world.new_member().await;
    let user_actor = Actor { kind: ActorKind::User, id: Some(user.0) };
    let made_by = |actor, notice_at| Subscription {
        maker: Maker { actor, notice_at },
        created_by: Actor::SYSTEM,
        ..world.subscription(Module::Crm)
    };
    let by_key = world.subscribe(made_by(key_actor, Some(ends_at))).await;
    let by_user = world.subscribe(made_by(user_actor, None)).await;
    let by_service = world.subscribe(made_by(Actor::SYSTEM, None)).await;
    let unknown = Actor { kind: ActorKind::ApiKey, id: Some(world.id()) };
    let by_unknown = world.subscribe(made_by(unknown, None)).await;
    let access = async |id| world.read(move |tx| tx.subscriptions().get(id)).await.unwrap().maker_access;
    assert_eq!(access(by_key).await, MakerAccess::Key { ends_at: Some(ends_at) });
    assert!(matches!(access(by_user).await, MakerAccess::Member(_)));
    assert_eq!((access(by_service).await, access(by_unknown).await), (MakerAccess::Service, MakerAccess::Gone));
    world.change_member(user, |member| member.role = Role::Viewer).await;
    assert_eq!(access(by_user).await, MakerAccess::Member(Role::Viewer));
    let now = world.now();
    world.change_member(user, |member| member.deactivated_at = Some(now)).await;
    assert_eq!(access(by_user).await, MakerAccess::Gone);
    assert!(!is_due(&world).await);
    subject.clock.advance(Duration::HOUR);
    assert!(is_due(&world).await);
    assert_eq!(take_notices(&world).await, [(by_key, NoticeKind::MakerEnded { maker: key_actor })]);
    assert!(!is_due(&world).await && take_notices(&world).await.is_empty(), "once");
    let now = world.now();
    world.commit(move |tx| tx.subscriptions().maker_ended(&[user_actor, unknown], now)).await;
    let mut notices = take_notices(&world).await;
    notices.sort_by_key(|(id, _)| *id);
    let ended = |maker| NoticeKind::MakerEnded { maker };
    let mut expected = vec![(by_user, ended(user_actor)), (by_unknown, ended(unknown))];
    expected.sort_by_key(|(id, _)| *id);
    assert_eq!(notices, expected);
    let earlier = now - Duration::MINUTE;
    let revoked = domain::identity::api_keys::ApiKey { revoked_at: Some(earlier), expires_at: None, ..key };
    let revoked_actor = Actor { kind: ActorKind::ApiKey, id: Some(world.id()) };
    let revoked = domain::identity::api_keys::ApiKey {
        id: domain::ApiKeyId(revoked_actor.id.unwrap()),
        lookup_id: api_keys::key(&world).lookup_id,
        ..revoked
    };
    world.add(revoked).await;
    world.change(by_service, move |it| it.maker.actor = revoked_actor).await;
    assert_eq!(access(by_service).await, MakerAccess::Key { ends_at: Some(earlier) });
}

/// Deliveries count in the period in which they were queued, the newest of each period up to a bound, with the durations of their
/// last attempts.
pub async fn deliveries_are_summed_up_by_period(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let world = subject.world().await;
    let hook = world.subscribe(world.subscription(Module::Crm)).await;
    let first = world.now();
    let periods = [first, first + Duration::HOUR, first + Duration::hours(2)];
    let samples =
        async |most| world.read(move |tx| tx.deliveries().samples(hook, &periods, Duration::HOUR, most)).await;
    assert_eq!(samples(9).await, [DeliverySample::default(); 3]);
    for (period, duration_ms, verdict) in [
        (0, 40, Verdict::Succeeded),
        (0, 10, Verdict::Failed),
        (0, 20, Verdict::Succeeded),
        (2, 30, Verdict::Retry(first + Duration::DAY)),
    ] {
        let delivery = Delivery { created_at: periods[period] + Duration::SECOND, ..world.test_delivery(hook) };
        world.add(delivery.clone()).await;
        let claimed = one_claimed(&world, queue).await;
        let mut record = outcome(&claimed, OWNER, verdict, world.now());
        if let ClaimOutcome::Attempted { attempt, .. } = &mut record.outcome {
            attempt.duration_ms = duration_ms;
        }
        queue.record(&[record]).await.unwrap();
    }
    let [before, none, after] = samples(9).await.try_into().unwrap();
    let expected = DeliverySample { deliveries: 3, succeeded: 2, failed: 1, median_ms: Some(20), slow_ms: Some(40) };
    assert_eq!((before, none), (expected, DeliverySample::default()));
    let waiting = DeliverySample { deliveries: 1, median_ms: Some(30), slow_ms: Some(30), ..none };
    assert_eq!(after, waiting);
    assert_eq!(samples(2).await[0].deliveries, 2);
    let other = subject.world().await;
    let foreign = other.read(move |tx| tx.deliveries().samples(hook, &periods, Duration::HOUR, 9)).await;
    assert_eq!(foreign, [DeliverySample::default(); 3]);
}
