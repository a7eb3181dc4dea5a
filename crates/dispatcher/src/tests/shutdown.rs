//! Wake-up and shutdown.

use std::time::Duration;

use domain::webhooks::{DeliveryState, MAX_CONCURRENT_PER_SUBSCRIPTION};

use super::queue::Faults;
use super::receiver::ScriptedResponse;
use super::{Rig, open};
use crate::DispatcherOptions;

/// A poll interval so long that only a notification can wake the dispatcher.
fn asleep() -> DispatcherOptions {
    DispatcherOptions { poll_interval: Duration::from_hours(1), ..open() }
}

#[tokio::test]
async fn a_notification_wakes_the_dispatcher_at_once() {
    let (rig, receiver, subscription) = Rig::with_receiver(ScriptedResponse::Status(200)).await;
    let started = rig.start(asleep());
    rig.queue.until_called("next_due", 1).await;
    for count in 1..=100 {
        rig.enqueue(subscription, 1);
        started.queued.notify();
        receiver.until_seen(count).await;
    }
    started.stop().await;
}

#[tokio::test]
async fn the_dispatcher_sleeps_until_the_next_delivery_is_due() {
    let (rig, receiver, subscription) = Rig::with_receiver(ScriptedResponse::Status(200)).await;
    let delivery = rig.enqueue(subscription, 1)[0];
    rig.queue.postpone(delivery, time::Duration::milliseconds(50));
    let started = rig.start(asleep());
    rig.queue.until_called("next_due", 1).await;
    rig.clock.advance(Duration::from_millis(50));
    receiver.until_seen(1).await;
    started.stop().await;
}

#[tokio::test]
async fn shutdown_finishes_requests_in_flight_and_releases_the_rest() {
    let (rig, receiver, subscription, gate) = Rig::with_gated_receiver().await;
    rig.enqueue(subscription, 30);
    let mut started = rig.start(open());
    receiver.until_at_once(MAX_CONCURRENT_PER_SUBSCRIPTION).await;
    started.stop.take().unwrap().send(()).unwrap();
    gate.add_permits(100);
    tokio::time::timeout(super::WAIT_TIMEOUT, &mut started.task).await.unwrap().unwrap();
    assert_eq!(rig.queue.leases(), 0);
    assert_eq!((rig.queue.calls("release"), receiver.peak()), (1, MAX_CONCURRENT_PER_SUBSCRIPTION));
    let succeeded = rig.queue.count(DeliveryState::Succeeded);
    assert!(
        succeeded >= MAX_CONCURRENT_PER_SUBSCRIPTION && succeeded == receiver.seen().len(),
        "all that was sent is recorded: {succeeded}"
    );
    assert_eq!(rig.queue.count(DeliveryState::Pending), 30 - succeeded);
}

#[tokio::test]
async fn shutdown_does_not_wait_for_receivers_forever() {
    let (rig, receiver, subscription) = Rig::with_receiver(ScriptedResponse::Hang).await;
    rig.enqueue(subscription, 30);
    let started = rig.start(DispatcherOptions { stop_timeout: Duration::from_millis(200), ..open() });
    receiver.until_at_once(MAX_CONCURRENT_PER_SUBSCRIPTION).await;
    started.stop().await;
    assert_eq!((rig.queue.leases(), rig.queue.count(DeliveryState::Pending)), (0, 30));
}

#[tokio::test]
async fn shutdown_does_not_wait_for_the_store_forever() {
    let (rig, _receiver, subscription) = Rig::with_receiver(ScriptedResponse::Status(200)).await;
    rig.enqueue(subscription, 5);
    let unavailable = || domain::ports::StoreError::Unavailable("unavailable".to_owned());
    rig.queue.inject(Faults { records: Some(unavailable), ..Faults::default() });
    let started = rig.start(DispatcherOptions { stop_timeout: Duration::from_millis(200), ..open() });
    rig.queue.until_called("record", 1).await;
    started.stop().await;
    assert_eq!(rig.queue.calls("release"), 1);
}

#[tokio::test]
async fn maintenance_runs_in_small_batches() {
    let rig = Rig::new();
    let started = rig.start(open());
    rig.queue.until_called("prune_deliveries", 3).await;
    assert_eq!(rig.queue.calls("disable_failing"), 1);
    started.stop().await;
}

#[tokio::test]
async fn a_failing_maintenance_task_does_not_hold_up_others() {
    let rig = Rig::new();
    let broken = || domain::ports::StoreError::Internal("broken".to_owned());
    rig.queue.inject(Faults { disabling: Some(broken), ..Faults::default() });
    let started = rig.start(open());
    rig.queue.until_called("prune_deliveries", 3).await;
    // The failed task is tried again.
    rig.queue.until_called("disable_failing", 2).await;
    started.stop().await;
}

#[tokio::test]
async fn each_dispatcher_has_its_own_owner_id() {
    let rig = Rig::new();
    let (first, second) = (rig.start(open()), rig.start(open()));
    assert_ne!(first.owner, second.owner);
    first.stop().await;
    second.stop().await;
}
