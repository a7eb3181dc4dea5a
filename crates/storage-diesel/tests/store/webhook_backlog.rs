//! The limit of waiting deliveries and the backlog under concurrency.

use std::sync::Arc;

use crate::common::jobs::{NOW, count, job, store_over};
use crate::common::webhooks::{emit, event, subscribe};
use crate::common::{Database, concurrently};
use diesel::connection::SimpleConnection;
use domain::WorkspaceId;
use domain::events::Event;
use domain::ports::{DeliveryQueue, Store};
use domain::webhooks::RETENTION;
use storage_diesel::PgStore;
use tokio::sync::Barrier;

const MAX_WAITING: i64 = 500;

async fn bounded() -> (Database, PgStore, WorkspaceId) {
    store_over(Database::migrated(), |options| {
        options.max_waiting_deliveries = u32::try_from(MAX_WAITING).unwrap();
        options.pool_size = 8;
    })
    .await
}

/// Many events for many subscriptions store each payload once and respect the limit.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bulk_stores_each_payload_once_and_queues_up_to_the_bound() {
    let (database, store, workspace) = bounded().await;
    subscribe(&store, workspace, 100).await;
    let payload = format!("{{\"text\":\"{}\"}}", "x".repeat(150_000));
    let events = vec![Event { payload, ..event() }; 50];
    let bulk = job(move |tx| tx.emit(&events));
    store.run(workspace, bulk).await.unwrap();
    assert_eq!(count(&database, "events"), 50);
    assert_eq!(count(&database, "webhook_deliveries"), MAX_WAITING);
    assert_eq!(count(&database, "webhook_backlog"), 45);
    assert_eq!(count(&database, "webhook_deliveries WHERE body IS NOT NULL"), 0);
}

/// Concurrent bulks do not exceed the limit together.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_bulks_keep_the_limit() {
    let (database, store, workspace) = bounded().await;
    subscribe(&store, workspace, 10).await;
    let start = Arc::new(Barrier::new(8));
    let bulks = (0..8).map(|_| {
        let (store, start) = (store.clone(), start.clone());
        async move {
            start.wait().await;
            emit(&store, workspace, 40).await;
        }
    });
    concurrently(bulks).await;
    assert!(count(&database, "webhook_deliveries") <= MAX_WAITING);
    let all = "(SELECT event_id FROM webhook_backlog UNION ALL SELECT DISTINCT event_id FROM webhook_deliveries) AS a";
    assert_eq!((count(&database, "events"), count(&database, all)), (320, 320), "none lost, none twice");
}

/// Several dispatchers queue from the backlog concurrently, and one is killed midway: each event is queued once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backlog_is_queued_once() {
    let (database, store, workspace) = bounded().await;
    subscribe(&store, workspace, 5).await;
    emit(&store, workspace, 300).await;
    assert_eq!(count(&database, "webhook_backlog"), 200);
    let finish = "UPDATE webhook_deliveries SET state = 'succeeded', finished_at = now(), next_attempt_at = NULL \
                  WHERE state = 'pending'";
    // An uncommitted transaction leaves nothing.
    let mut killed = database.connection();
    killed.batch_execute(&format!("BEGIN; {finish}")).unwrap();
    let queue = format!("SELECT queue_webhook_backlog('{}', '{NOW}', '-infinity', {MAX_WAITING}, 200)", workspace.0);
    killed.batch_execute(&queue).unwrap();
    drop(killed);
    assert_eq!(count(&database, "webhook_backlog"), 200);
    for _ in 0..20 {
        database.execute(finish);
        let steps = (0..4).map(|_| {
            let store = store.clone();
            async move { store.queue_backlogs(None, NOW, NOW - RETENTION).await.unwrap() }
        });
        concurrently(steps).await;
        assert!(count(&database, "webhook_deliveries WHERE state = 'pending'") <= MAX_WAITING);
    }
    assert_eq!(count(&database, "webhook_backlog"), 0);
    let pairs = "(SELECT DISTINCT event_id, subscription_id FROM webhook_deliveries) AS pairs";
    assert_eq!((count(&database, "webhook_deliveries"), count(&database, pairs)), (1_500, 1_500));
}
