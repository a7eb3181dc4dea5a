//! Nothing is lost when the store or a dispatcher fails.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use domain::WorkspaceId;
use domain::ports::StoreError;
use domain::webhooks::{DeliveryState, MAX_CONCURRENT_PER_SUBSCRIPTION};
use tokio::sync::Semaphore;
use tokio::time::Instant;
use uuid::Uuid;

use super::queue::Faults;
use super::receiver::{Receiver, ScriptedResponse};
use super::{Rig, open};
use crate::DispatcherOptions;

fn unavailable() -> StoreError {
    StoreError::Unavailable("unavailable".to_owned())
}

#[tokio::test]
async fn another_dispatcher_delivers_the_claims_of_a_crashed_one() {
    let (rig, receiver, subscription, gate) = Rig::with_gated_receiver().await;
    let deliveries = rig.enqueue(subscription, 50);
    let first = rig.start(open());
    receiver.until_at_once(MAX_CONCURRENT_PER_SUBSCRIPTION).await;
    first.crash().await;
    receiver.until_at_once(0).await;
    assert!(rig.queue.leases() > 0);

    gate.add_permits(1_000);
    let second = rig.start(open());
    rig.queue.until_called("claim", 3).await;
    assert_eq!(rig.queue.count(DeliveryState::Succeeded), 0, "the leases of the first dispatcher have not expired");
    rig.clock.advance(Duration::from_secs(61));
    second.queued.notify();
    rig.queue.until_all_succeeded().await;
    let ids: HashSet<_> = receiver.seen().iter().map(|request| request.headers["webhook-id"].clone()).collect();
    assert_eq!(ids, deliveries.iter().map(ToString::to_string).collect());
    assert_eq!(receiver.seen().len(), 50 + MAX_CONCURRENT_PER_SUBSCRIPTION, "only requests in flight arrived twice");
    second.stop().await;
}

#[tokio::test]
async fn records_wait_while_the_store_fails_and_nothing_more_is_sent() {
    let (rig, receiver, subscription, gate) = Rig::with_gated_receiver().await;
    rig.enqueue(subscription, 12);
    let started = rig.start(open());
    receiver.until_at_once(MAX_CONCURRENT_PER_SUBSCRIPTION).await;
    rig.queue.inject(Faults { records: Some(unavailable), ..Faults::default() });
    gate.add_permits(MAX_CONCURRENT_PER_SUBSCRIPTION);
    rig.queue.until_called("record", 3).await;
    let claims = rig.queue.calls("claim");
    // The other four may have started before the store failed. None have been claimed since.
    gate.add_permits(100);
    started.queued.notify();
    rig.queue.until_called("record", 4).await;
    assert_eq!(rig.queue.calls("claim"), claims);
    rig.queue.inject(Faults::default());
    rig.queue.until_all_succeeded().await;
    assert_eq!(receiver.seen().len(), 12, "each once");
    started.stop().await;
}

#[tokio::test]
async fn claims_continue_when_the_store_recovers() {
    let (rig, _receiver, subscription) = Rig::with_receiver(ScriptedResponse::Status(200)).await;
    rig.enqueue(subscription, 3);
    rig.queue.inject(Faults { claims: Some(unavailable), ..Faults::default() });
    let started = rig.start(open());
    rig.queue.until_called("claim", 3).await;
    rig.queue.inject(Faults::default());
    rig.queue.until_all_succeeded().await;
    started.stop().await;
}

const OTHER: WorkspaceId = WorkspaceId(Uuid::from_u128(8));

/// As on a cluster, where the node of a workspace may fail alone.
#[tokio::test]
async fn a_workspace_whose_attempts_cannot_be_recorded_does_not_stop_others() {
    for error in [unavailable, || StoreError::Internal("broken".to_owned())] {
        let rig = Rig::new();
        let receiver = Receiver::always(ScriptedResponse::Status(200)).await;
        let ((failing, _), (other, _)) = (rig.subscribe_in(OTHER, &receiver.url()), rig.subscribe(&receiver.url()));
        rig.queue.inject(Faults { one: Some((OTHER, error)), ..Faults::default() });
        let waiting = rig.enqueue(failing, 2);
        let started = rig.start(open());
        rig.queue.until_called("record", 3).await;
        started.deliver_batches(&rig, other).await;
        assert_eq!(rig.queue.count(DeliveryState::Delivering), 2);
        assert_eq!(receiver.seen().len(), 20 * 16 + 2, "each once");
        rig.queue.inject(Faults::default());
        if matches!(error(), StoreError::Unavailable(_)) {
            rig.queue.until_all_succeeded().await;
            assert_eq!(receiver.seen().len(), 20 * 16 + 2, "each once");
        } else {
            assert!(waiting.iter().all(|id| rig.queue.row(*id).attempts.len() <= 1));
        }
        started.stop().await;
    }
}

/// As on a cluster, where writes to the node of a workspace may wait until they time out.
#[tokio::test]
async fn a_workspace_whose_attempts_are_recorded_slowly_does_not_delay_others() {
    let (rig, gate) = (Rig::new(), Arc::new(Semaphore::new(0)));
    let receiver = Receiver::always(ScriptedResponse::Status(200)).await;
    let ((slow, _), (other, _)) = (rig.subscribe_in(OTHER, &receiver.url()), rig.subscribe(&receiver.url()));
    rig.enqueue(slow, 1);
    rig.queue.inject(Faults { one: Some((OTHER, unavailable)), ..Faults::default() });
    let started = rig.start(open());
    rig.queue.until_called("record", 3).await;
    rig.queue.inject(Faults { slow: Some((OTHER, Arc::clone(&gate))), ..Faults::default() });
    started.deliver_batches(&rig, other).await;
    assert_eq!(rig.queue.count(DeliveryState::Delivering), 1);
    gate.add_permits(2);
    rig.queue.until_all_succeeded().await;
    assert_eq!(receiver.seen().len(), 20 * 16 + 1, "each once");
    started.stop().await;
}

/// As on a cluster, where each attempt costs the store a failed transaction.
#[tokio::test]
async fn a_workspace_whose_deliveries_cannot_be_claimed_is_tried_once_a_second() {
    let rig = Rig::new();
    let receiver = Receiver::always(ScriptedResponse::Status(200)).await;
    let ((failing, _), (other, _)) = (rig.subscribe_in(OTHER, &receiver.url()), rig.subscribe(&receiver.url()));
    rig.queue.inject(Faults { unclaimable: Some(OTHER), ..Faults::default() });
    rig.enqueue(failing, 2);
    let start = Instant::now();
    let started = rig.start(open());
    started.deliver_batches(&rig, other).await;
    let tries = u64::try_from(rig.queue.calls("failed claim")).unwrap();
    assert!((1..=1 + start.elapsed().as_secs()).contains(&tries), "{tries}");
    rig.queue.inject(Faults::default());
    rig.queue.until_all_succeeded().await;
    started.stop().await;
}

#[tokio::test]
async fn a_failed_claim_is_followed_by_one_from_the_beginning() {
    let rig = Rig::new();
    let receiver = Receiver::always(ScriptedResponse::Status(200)).await;
    rig.queue.inject(Faults { later_claims: true, ..Faults::default() });
    for _ in 0..40 {
        let (subscription, _) = rig.subscribe(&receiver.url());
        rig.enqueue(subscription, 16);
    }
    let started = rig.start(open());
    rig.queue.until_all_succeeded().await;
    started.stop().await;
}

#[tokio::test]
async fn one_bad_record_does_not_block_others() {
    let (rig, _receiver, subscription) = Rig::with_receiver(ScriptedResponse::Status(200)).await;
    let deliveries = rig.enqueue(subscription, 8);
    rig.queue.inject(Faults { poison: Some(deliveries[3]), ..Faults::default() });
    let started = rig.start(open());
    rig.queue.until_succeeded(7).await;
    assert_eq!(rig.queue.row(deliveries[3]).delivery.state, DeliveryState::Delivering, "its lease will expire");
    started.stop().await;
}

#[tokio::test]
async fn a_single_bad_record_does_not_stop_the_dispatcher() {
    let (rig, _receiver, subscription) = Rig::with_receiver(ScriptedResponse::Status(200)).await;
    let bad = rig.enqueue(subscription, 1);
    rig.queue.inject(Faults { poison: Some(bad[0]), ..Faults::default() });
    let started = rig.start(open());
    rig.queue.until_called("record", 3).await;
    rig.enqueue(subscription, 1);
    started.queued.notify();
    rig.queue.until_succeeded(1).await;
    started.stop().await;
}

#[tokio::test]
async fn a_lease_that_could_expire_during_the_attempt_is_dropped() {
    let (rig, receiver, subscription, gate) = Rig::with_gated_receiver().await;
    rig.enqueue(subscription, 12);
    let started = rig.start(open());
    receiver.until_at_once(MAX_CONCURRENT_PER_SUBSCRIPTION).await;
    rig.clock.advance(Duration::from_secs(50));
    gate.add_permits(100);
    rig.queue.until_succeeded(8).await;
    assert_eq!(receiver.seen().len(), MAX_CONCURRENT_PER_SUBSCRIPTION);
    rig.clock.advance(Duration::from_secs(11));
    started.queued.notify();
    rig.queue.until_all_succeeded().await;
    started.stop().await;
}

#[tokio::test]
async fn two_dispatchers_share_a_queue_and_send_each_delivery_once() {
    let rig = Rig::new();
    let receiver = Receiver::always(ScriptedResponse::Status(200)).await;
    for _ in 0..20 {
        let (subscription, _) = rig.subscribe(&receiver.url());
        rig.enqueue(subscription, 40);
    }
    // A short interval, because a dispatcher that finds everything claimed waits for the next poll.
    let options = || DispatcherOptions { poll_interval: Duration::from_millis(10), ..open() };
    let (first, second) = (rig.start(options()), rig.start(options()));
    rig.queue.until_all_succeeded().await;
    assert_eq!(receiver.seen().len(), 800);
    first.stop().await;
    second.stop().await;
}
