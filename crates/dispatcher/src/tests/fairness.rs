//! Receivers do not delay each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use domain::webhooks::{DeliveryState, MAX_CONCURRENT_PER_SUBSCRIPTION};
use tokio::sync::Semaphore;

use super::receiver::{Receiver, ScriptedResponse};
use super::{Rig, open};
use crate::DispatcherOptions;

#[tokio::test]
async fn a_subscription_gets_at_most_eight_requests_at_once() {
    let (rig, receiver, subscription, gate) = Rig::with_gated_receiver().await;
    rig.enqueue(subscription, 100);
    let started = rig.start(open());
    receiver.until_at_once(MAX_CONCURRENT_PER_SUBSCRIPTION).await;
    gate.add_permits(50);
    receiver.until_seen(58).await;
    receiver.until_at_once(MAX_CONCURRENT_PER_SUBSCRIPTION).await;
    gate.add_permits(50);
    rig.queue.until_all_succeeded().await;
    assert_eq!((receiver.peak(), receiver.seen().len()), (MAX_CONCURRENT_PER_SUBSCRIPTION, 100));
    started.stop().await;
}

#[tokio::test]
async fn an_unresponsive_receiver_does_not_delay_others() {
    let rig = Rig::new();
    let (hanging, good) =
        (Receiver::always(ScriptedResponse::Hang).await, Receiver::always(ScriptedResponse::Status(200)).await);
    let (slow, _) = rig.subscribe(&hanging.url());
    let (quick, _) = rig.subscribe(&good.url());
    let stuck = rig.enqueue(slow, 1_000);
    let started = rig.start(open());
    hanging.until_at_once(MAX_CONCURRENT_PER_SUBSCRIPTION).await;
    for round in 1..=20 {
        rig.enqueue(quick, 10);
        started.queued.notify();
        good.until_seen(round * 10).await;
    }
    rig.queue.until_succeeded(200).await;
    // All of this happens during the first attempts.
    assert!(stuck.iter().all(|id| rig.queue.row(*id).attempts.is_empty()));
    assert_eq!(hanging.seen().len(), MAX_CONCURRENT_PER_SUBSCRIPTION);
}

#[tokio::test]
async fn a_thousand_unresponsive_requests_leave_slots_for_others() {
    let rig = Rig::new();
    let (hanging, good) =
        (Receiver::always(ScriptedResponse::Hang).await, Receiver::always(ScriptedResponse::Status(200)).await);
    let mut stuck = Vec::new();
    for _ in 0..125 {
        let (slow, _) = rig.subscribe(&hanging.url());
        stuck.extend(rig.enqueue(slow, 8));
    }
    // Far fewer slots than unresponsive requests.
    let started = rig.start(DispatcherOptions { requests: 256, ..open() });
    hanging.until_seen(125).await;
    let (quick, _) = rig.subscribe(&good.url());
    let delivered = rig.enqueue(quick, 50);
    started.queued.notify();
    good.until_seen(50).await;
    rig.queue.until(|rows| delivered.iter().all(|id| rows[id].delivery.state == DeliveryState::Succeeded)).await;
    assert!(stuck.iter().all(|id| rig.queue.row(*id).attempts.is_empty()));
}

#[tokio::test]
async fn subscriptions_take_turns() {
    let (rig, gate) = (Rig::new(), Arc::new(Semaphore::new(0)));
    let receiver = Receiver::always(ScriptedResponse::Gated(Arc::clone(&gate))).await;
    let subscriptions: Vec<_> = (0..40).map(|_| rig.subscribe(&receiver.url()).0).collect();
    for subscription in &subscriptions {
        rig.enqueue(*subscription, 30);
    }
    let started = rig.start(DispatcherOptions { requests: 64, ..open() });
    receiver.until_seen(subscriptions.len()).await;
    // Every subscription gets a request before any has finished its own.
    gate.add_permits(10_000);
    rig.queue.until_all_succeeded().await;
    assert_eq!(receiver.seen().len(), 1_200);
    started.stop().await;
}

#[tokio::test]
async fn an_unresponsive_receiver_gets_its_retries_and_recovers() {
    let (rig, request_count) = (Rig::new(), Arc::new(AtomicUsize::new(0)));
    let count = Arc::clone(&request_count);
    let first_ones_hang = move |_: &_| match count.fetch_add(1, Ordering::Relaxed) {
        0..20 => ScriptedResponse::Hang,
        _ => ScriptedResponse::Status(200),
    };
    let receiver = Receiver::with(first_ones_hang).await;
    let (subscription, _) = rig.subscribe(&receiver.url());
    let deliveries = rig.enqueue(subscription, 20);
    // The retries usually take milliseconds. They must not time out, even on a busy machine.
    let started = rig.start(DispatcherOptions { attempt_timeout: Duration::from_secs(5), ..open() });
    rig.queue.until(|rows| rows.values().all(|row| row.attempts.len() == 1)).await;
    rig.clock.advance(Duration::from_secs(10));
    started.queued.notify();
    rig.queue.until_all_succeeded().await;
    assert!(deliveries.iter().all(|id| rig.queue.row(*id).attempts.len() == 2));
    assert_eq!(receiver.peak(), MAX_CONCURRENT_PER_SUBSCRIPTION);
    started.stop().await;
}
