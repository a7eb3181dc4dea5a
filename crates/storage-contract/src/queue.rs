//! The delivery queue for dispatchers. Each case has its own store, because the queue crosses workspaces.

use std::collections::HashSet;

use time::Duration;
use uuid::Uuid;

use super::webhook_records::{all_due, claimed_ids, outcome};
use super::{StoreUnderTest, TestWorkspace};
use domain::SubscriptionId;
use domain::events::Module;
use domain::ports::DeliveryQueue;
use domain::webhooks::{
    ClaimOutcome, ClaimRequest, DISABLE_AFTER, Delivery, DeliveryFilter, DeliveryState, DisabledReason, LEASE,
    Subscription, Verdict,
};

const OWNER: Uuid = Uuid::from_u128(1);
const OTHER: Uuid = Uuid::from_u128(2);

/// A workspace with `subscriptions` subscriptions, each with a number of due deliveries.
async fn filled(
    subject: &StoreUnderTest,
    subscriptions: usize,
    deliveries: i64,
) -> (TestWorkspace, Vec<SubscriptionId>) {
    let world = subject.world().await;
    let ids = world.subscribe_many(subscriptions).await;
    world.emit_many("deal.won", deliveries).await;
    (world, ids)
}

/// A claim returns everything needed for sending, earliest due first, and shows in the history.
pub async fn a_claim_has_everything_for_sending(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let (world, ids) = filled(subject, 1, 3).await;
    let mut queued = world.list_deliveries(ids[0], DeliveryFilter::default()).await;
    queued.reverse();
    let claimed = world.claim(queue, 1).await;
    assert_eq!(claimed.len(), 3);
    for (claimed, queued) in claimed.iter().zip(&queued) {
        let delivering = world.stored_delivery(queued.id).await;
        assert_eq!(claimed.delivery, Delivery { state: DeliveryState::Pending, ..delivering.clone() });
        assert_eq!((delivering.id, delivering.state), (queued.id, DeliveryState::Delivering));
        assert_eq!((claimed.workspace, claimed.first_attempt_at), (world.workspace.id, None));
        assert_eq!(Some(&claimed.subscription), world.stored_subscription(ids[0]).await.as_ref());
        assert_eq!(claimed.leased_until, world.now() + LEASE);
    }
    assert!(world.claim(queue, 1).await.is_empty(), "each once");
}

/// Deliveries that are not due yet stay in the queue.
pub async fn only_due_deliveries_are_claimed(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let (world, _) = filled(subject, 1, 1).await;
    let claimed = world.claim(queue, 1).await.remove(0);
    let due_at = world.now() + Duration::seconds(30);
    queue.record(&[outcome(&claimed, OWNER, Verdict::Retry(due_at), world.now())]).await.unwrap();
    assert_eq!(queue.next_due().await.unwrap(), Some(due_at));
    assert!(world.claim(queue, 1).await.is_empty());
    let before = world.now();
    subject.clock.advance(Duration::seconds(30));
    let retried = world.claim(queue, 1).await.remove(0);
    assert_eq!((retried.delivery.state, retried.delivery.attempts), (DeliveryState::Retrying, 1));
    assert_eq!(retried.first_attempt_at, Some(before));
}

/// Subscriptions take turns, each with at most its limit.
pub async fn subscriptions_take_turns(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let (one, _) = filled(subject, 3, 10).await;
    filled(subject, 2, 1).await;
    let mut request = ClaimRequest { limit: 4, limit_per_subscription: 3, ..all_due(OWNER, one.now()) };
    let (mut turns, mut seen) = (Vec::new(), HashSet::new());
    loop {
        let claims = queue.claim(&request).await.unwrap();
        assert!(claims.deliveries.len() <= 4);
        assert!(claims.deliveries.iter().all(|claimed| seen.insert(claimed.delivery.id)));
        turns.push(claims.deliveries.iter().map(|claimed| claimed.subscription.id).collect::<Vec<_>>());
        // The queue is empty when a full round finds nothing.
        if request.after.is_none() && claims.deliveries.is_empty() {
            break;
        }
        request.after = claims.next_after;
        assert!(turns.len() < 30, "it ends");
    }
    assert_eq!(seen.len(), 32);
    for turn in &turns {
        let distinct: HashSet<_> = turn.iter().collect();
        assert!(distinct.iter().all(|id| turn.iter().filter(|other| other == id).count() <= 3), "{turn:?}");
    }
    // A subscription with one delivery does not wait for those with ten.
    let first_round: HashSet<_> = turns.iter().take(4).flatten().collect();
    assert_eq!(first_round.len(), 5, "{turns:?}");
}

pub async fn excluded_subscriptions_are_skipped(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let (world, ids) = filled(subject, 3, 2).await;
    let request = ClaimRequest { excluded: vec![ids[0], ids[2]], ..all_due(OWNER, world.now()) };
    let claims = queue.claim(&request).await.unwrap();
    assert_eq!(claims.deliveries.iter().map(|it| it.subscription.id).collect::<Vec<_>>(), [ids[1]; 2]);
    assert_eq!(claims.next_after, None);
}

/// One dispatcher per subscription, until its leases expire or its deliveries are finished.
pub async fn a_subscription_has_one_dispatcher(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let (world, _) = filled(subject, 1, 3).await;
    let one = ClaimRequest { limit: 1, ..all_due(OWNER, world.now()) };
    let first = queue.claim(&one).await.unwrap().deliveries.remove(0);
    assert!(world.claim(queue, 2).await.is_empty());
    assert_eq!(queue.next_due().await.unwrap(), Some(world.now() + LEASE));
    let second = queue.claim(&one).await.unwrap().deliveries.remove(0);
    assert_ne!(first.delivery.id, second.delivery.id, "the same dispatcher gets more");
    let success = |claimed| outcome(claimed, OWNER, Verdict::Succeeded, world.now());
    queue.record(&[success(&first)]).await.unwrap();
    assert!(world.claim(queue, 2).await.is_empty());
    queue.record(&[success(&second)]).await.unwrap();
    assert_eq!(world.claim(queue, 2).await.len(), 1);
}

/// The deliveries of a dead dispatcher are due again, unchanged, when its leases expire.
pub async fn leases_end(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let (world, _) = filled(subject, 2, 2).await;
    let lost = world.claim(queue, 1).await;
    assert_eq!(lost.len(), 4);
    subject.clock.advance(LEASE);
    assert!(world.claim(queue, 2).await.is_empty());
    subject.clock.advance(Duration::microseconds(1));
    // Other dispatchers no longer wait for the dead one, and its deliveries are due at the next claim.
    world.emit_many("deal.lost", 1).await;
    let without = ClaimRequest { releases_expired: false, ..all_due(OTHER, world.now()) };
    let others = queue.claim(&without).await.unwrap().deliveries;
    assert_eq!(others.iter().map(|it| it.delivery.event.as_str()).collect::<Vec<_>>(), ["deal.lost"; 2]);
    let reclaimed = world.claim(queue, 2).await;
    let deliveries = |claims: &[domain::webhooks::ClaimedDelivery]| {
        claims.iter().map(|claimed| claimed.delivery.clone()).collect::<Vec<_>>()
    };
    assert_eq!(deliveries(&reclaimed), deliveries(&lost));
    assert!(reclaimed.iter().all(|claimed| claimed.first_attempt_at.is_none()));
}

/// An attempt at a delivery that another dispatcher has claimed since is recorded but changes nothing else.
pub async fn late_records_change_nothing(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let (world, ids) = filled(subject, 1, 1).await;
    let late = world.claim(queue, 1).await.remove(0);
    subject.clock.advance(LEASE + Duration::seconds(1));
    let reclaimed = world.claim(queue, 2).await.remove(0);
    let id = reclaimed.delivery.id;
    let late = outcome(&late, OWNER, Verdict::Gone, world.now());
    queue.record(std::slice::from_ref(&late)).await.unwrap();
    let delivering = world.stored_delivery(id).await;
    assert_eq!((delivering.state, delivering.attempts), (DeliveryState::Delivering, 0));
    assert!(world.stored_subscription(ids[0]).await.unwrap().enabled);
    let end = world.now() + Duration::seconds(1);
    queue.record(&[outcome(&reclaimed, OTHER, Verdict::Succeeded, end)]).await.unwrap();
    let finished = world.stored_delivery(id).await;
    assert_eq!((finished.state, finished.attempts, finished.finished_at), (DeliveryState::Succeeded, 1, Some(end)));
    // A repeated call, after a lost response, writes nothing twice.
    queue.record(&[late]).await.unwrap();
    let attempts: Vec<_> = world.attempts_at(id).await.iter().map(|it| (it.number, it.started_at)).collect();
    assert_eq!(attempts, [(1, end - Duration::seconds(1)), (2, end)]);
    // Records of deleted rows are ignored.
    let unknown = domain::webhooks::AttemptRecord {
        delivery: domain::DeliveryId(world.id()),
        ..outcome(&reclaimed, OTHER, Verdict::Succeeded, end)
    };
    queue.record(&[unknown]).await.unwrap();
    queue.record(&[]).await.unwrap();
}

pub async fn verdicts_are_carried_out(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let (world, ids) = filled(subject, 4, 1).await;
    let claimed = world.claim(queue, 1).await;
    let (now, retry_at) = (world.now(), world.now() + Duration::seconds(5));
    let verdicts = [Verdict::Succeeded, Verdict::Retry(retry_at), Verdict::Failed, Verdict::Gone];
    let before = world.stored_subscription(ids[0]).await.unwrap();
    let mut records = Vec::new();
    for (id, verdict) in ids.iter().zip(verdicts) {
        let claimed = claimed.iter().find(|claimed| claimed.subscription.id == *id).unwrap();
        records.push(outcome(claimed, OWNER, verdict, now));
    }
    if let ClaimOutcome::Attempted { attempt, .. } = &mut records[3].outcome {
        attempt.response = Some("a\0b".to_owned());
        attempt.error = Some("timed out".to_owned());
        (attempt.status, attempt.manual) = (None, true);
    }
    queue.record(&records).await.unwrap();
    let states = [DeliveryState::Succeeded, DeliveryState::Retrying, DeliveryState::Failed, DeliveryState::Failed];
    for ((record, state), id) in records.iter().zip(states).zip(&ids) {
        let delivery = world.stored_delivery(record.delivery).await;
        assert_eq!((delivery.state, delivery.attempts), (state, 1));
        let is_over = state != DeliveryState::Retrying;
        assert_eq!(delivery.finished_at, is_over.then_some(now));
        assert_eq!(delivery.next_attempt_at, (!is_over).then_some(retry_at));
        let attempts = world.attempts_at(record.delivery).await;
        assert_eq!((attempts.len(), attempts[0].number, attempts[0].started_at), (1, 1, now));
        let (attempt, _) = record.attempted().unwrap();
        assert_eq!((attempts[0].status, &attempts[0].error), (attempt.status, &attempt.error));
        assert_eq!(attempts[0].manual, attempt.manual);
        let subscription = world.stored_subscription(*id).await.unwrap();
        assert_eq!(subscription.failing_since, (state != DeliveryState::Succeeded).then_some(now));
        assert_eq!(subscription.enabled, *id != ids[3]);
    }
    let disabled = world.stored_subscription(ids[3]).await.unwrap();
    assert_eq!((disabled.disabled_reason, disabled.version, disabled.updated_at), (Some(DisabledReason::Gone), 2, now));
    let failing = world.stored_subscription(ids[2]).await.unwrap();
    assert_eq!((failing.version, failing.updated_at), (1, before.updated_at), "failing is not a change by a user");
}

/// `failing_since` is the first failure after the last success.
pub async fn failing_begins_and_ends(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let (world, ids) = filled(subject, 1, 6).await;
    let claimed = world.claim(queue, 1).await;
    let (mut left, start) = (claimed.iter(), world.now());
    let mut record = async |verdicts: &[(Verdict, i64)]| {
        let records = verdicts.iter().map(|(verdict, seconds)| {
            outcome(left.next().unwrap(), OWNER, *verdict, start + Duration::seconds(*seconds))
        });
        queue.record(&records.collect::<Vec<_>>()).await.unwrap();
        let failing_since = world.stored_subscription(ids[0]).await.unwrap().failing_since;
        failing_since.map(|since| (since - start).whole_seconds())
    };
    assert_eq!(record(&[(Verdict::Failed, 1)]).await, Some(1));
    assert_eq!(record(&[(Verdict::Failed, 2)]).await, Some(1));
    assert_eq!(record(&[(Verdict::Succeeded, 3), (Verdict::Failed, 4)]).await, Some(4));
    assert_eq!(record(&[(Verdict::Failed, 5), (Verdict::Succeeded, 6)]).await, None);
}

/// A release affects the dispatcher's own deliveries only.
pub async fn released_items_are_due_immediately(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let (world, ids) = filled(subject, 2, 2).await;
    let of_one = ClaimRequest { excluded: vec![ids[1]], ..all_due(OWNER, world.now()) };
    let claimed = claimed_ids(&queue.claim(&of_one).await.unwrap());
    assert_eq!(world.claim(queue, 2).await.len(), 2);
    queue.release(OWNER, world.now()).await.unwrap();
    assert!(queue.next_due().await.unwrap().is_some_and(|due| due <= world.now()));
    let reclaimed = queue.claim(&all_due(Uuid::from_u128(3), world.now())).await.unwrap();
    assert_eq!(claimed_ids(&reclaimed), claimed);
}

/// A disabled subscription only gets tests; its other deliveries wait until it is enabled again.
pub async fn a_disabled_subscription_waits(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let (world, ids) = filled(subject, 1, 2).await;
    world.change(ids[0], |subscription| subscription.enabled = false).await;
    assert!(world.claim(queue, 1).await.is_empty());
    assert_eq!(queue.next_due().await.unwrap(), None);
    let test = world.test_delivery(ids[0]);
    world.add(test.clone()).await;
    assert_eq!(queue.next_due().await.unwrap(), test.next_attempt_at);
    let claimed = world.claim(queue, 1).await;
    assert_eq!(claimed.iter().map(|it| it.delivery.id).collect::<Vec<_>>(), [test.id]);
    queue.record(&[outcome(&claimed[0], OWNER, Verdict::Succeeded, world.now())]).await.unwrap();
    world.change(ids[0], |subscription| subscription.enabled = true).await;
    assert_eq!(world.claim(queue, 1).await.len(), 2);
}

/// A delivery cancelled in flight stays cancelled; its attempt is recorded.
pub async fn a_deleted_subscription_gets_nothing(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let (world, ids) = filled(subject, 1, 2).await;
    let one = ClaimRequest { limit: 1, ..all_due(OWNER, world.now()) };
    let claimed = queue.claim(&one).await.unwrap().deliveries.remove(0);
    world.unsubscribe(ids[0]).await;
    queue.record(&[outcome(&claimed, OWNER, Verdict::Retry(world.now()), world.now())]).await.unwrap();
    let cancelled = world.stored_delivery(claimed.delivery.id).await;
    assert_eq!((cancelled.state, cancelled.attempts), (DeliveryState::Cancelled, 0));
    assert_eq!(world.attempts_at(claimed.delivery.id).await.len(), 1);
    subject.clock.advance(LEASE * 2);
    assert!(world.claim(queue, 1).await.is_empty());
    assert_eq!(queue.next_due().await.unwrap(), None);
}

/// Only subscriptions that failed for days without a success are disabled.
pub async fn a_subscription_failing_for_days_is_disabled(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let world = subject.world().await;
    let since = |failing_since, enabled| Subscription { enabled, failing_since, ..world.subscription(Module::Crm) };
    let start = world.now();
    let failing = world.subscribe(since(Some(start), true)).await;
    let other = [
        world.subscribe(since(Some(start + Duration::microseconds(1)), true)).await,
        world.subscribe(since(None, true)).await,
        world.subscribe(since(Some(start), false)).await,
    ];
    let deleted = world.subscribe(since(Some(start), true)).await;
    world.unsubscribe(deleted).await;
    let mut before = Vec::new();
    for id in other {
        before.push(world.stored_subscription(id).await);
    }
    let day_before = start + DISABLE_AFTER - Duration::days(1);
    assert_eq!(queue.disable_failing(DISABLE_AFTER, day_before).await.unwrap(), 0);
    subject.clock.advance(DISABLE_AFTER);
    assert_eq!(queue.disable_failing(DISABLE_AFTER, world.now()).await.unwrap(), 1);
    assert_eq!(queue.disable_failing(DISABLE_AFTER, world.now()).await.unwrap(), 0);
    let disabled = world.stored_subscription(failing).await.unwrap();
    assert_eq!((disabled.enabled, disabled.disabled_reason), (false, Some(DisabledReason::Failing)));
    assert_eq!((disabled.version, disabled.updated_at), (2, world.now()));
    for (id, before) in other.iter().zip(before) {
        assert_eq!(world.stored_subscription(*id).await, before);
    }
}

/// Old history is pruned in batches, oldest first; unfinished deliveries stay.
pub async fn pruning_is_bounded(subject: &StoreUnderTest, queue: &dyn DeliveryQueue) {
    let (world, ids) = filled(subject, 1, 5).await;
    let claimed = world.claim(queue, 1).await;
    let records: Vec<_> =
        claimed.iter().skip(1).map(|it| outcome(it, OWNER, Verdict::Succeeded, world.now())).collect();
    queue.record(&records).await.unwrap();
    world.emit_many("deal.lost", 1).await;
    let cut = claimed[4].delivery.created_at;
    assert_eq!(queue.prune_deliveries(cut, 2).await.unwrap(), 2);
    assert_eq!(world.count_deliveries(ids[0]).await, 4);
    assert!(world.attempts_at(claimed[1].delivery.id).await.is_empty());
    assert_eq!(world.attempts_at(claimed[3].delivery.id).await.len(), 1);
    assert_eq!(queue.prune_deliveries(cut, 2).await.unwrap(), 1);
    assert_eq!(queue.prune_deliveries(cut, 2).await.unwrap(), 0);
    assert_eq!(queue.prune_deliveries(world.now(), 100).await.unwrap(), 1);
    assert_eq!(world.count_deliveries(ids[0]).await, 2, "one in flight and one waiting");
}
