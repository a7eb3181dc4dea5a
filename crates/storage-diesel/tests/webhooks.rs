//! Queueing webhook deliveries under failures and concurrency.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

#[expect(dead_code, reason = "only part of it is used")]
#[path = "store/common/mod.rs"]
mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use common::jobs::{NOW, company, count, job, run_all, store_over};
use common::webhooks::{emit, event, subscribe, subscription};
use common::{Database, concurrently};
use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};
use domain::crm::companies::Company;
use domain::ports::{Abort, DeliveryQueue, Job, Store, StoreError};
use domain::webhooks::{RETENTION, Subscription};
use metrics_util::debugging::{DebugValue, DebuggingRecorder};
use storage_diesel::{ENQUEUE_FAILURES, PgOptions, PgStore};
use tokio::sync::Barrier;

/// A create that emits an event.
fn create() -> Job {
    job(|tx| {
        tx.records::<Company>().insert(&company())?;
        tx.emit(&[event()])?;
        // The transaction continues.
        tx.records::<Company>().insert(&company())
    })
}

/// However the queue fails, the create is committed, the failure is counted, and the event is queued later.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broken_queue_rolls_nothing_back() {
    let recorder = DebuggingRecorder::new();
    let counted = recorder.snapshotter();
    recorder.install().unwrap();
    let failures = move || {
        let values = counted.snapshot().into_vec();
        let ours = values.into_iter().find(|(key, ..)| key.key().name() == ENQUEUE_FAILURES);
        ours.map_or(0, |(.., value)| if let DebugValue::Counter(value) = value { value } else { 0 })
    };
    let notifications = Arc::new(AtomicU32::new(0));
    let shared = notifications.clone();
    let on_queued = move || {
        shared.fetch_add(1, Ordering::SeqCst);
    };
    let watch = |options: &mut PgOptions| options.on_queued = Some(Arc::new(on_queued));
    let (database, store, workspace) = store_over(Database::migrated(), watch).await;
    subscribe(&store, workspace, 1).await;
    let mut companies = 0;
    for (broken, repair) in [
        ("ALTER TABLE webhook_deliveries RENAME TO away", "ALTER TABLE away RENAME TO webhook_deliveries"),
        ("ALTER TABLE webhook_subscriptions RENAME TO away", "ALTER TABLE away RENAME TO webhook_subscriptions"),
        (
            "ALTER TABLE webhook_deliveries ADD CONSTRAINT no CHECK (event = '') NOT VALID",
            "ALTER TABLE webhook_deliveries DROP CONSTRAINT no",
        ),
        (
            "ALTER TABLE webhook_deliveries RENAME COLUMN event TO happening",
            "ALTER TABLE webhook_deliveries RENAME COLUMN happening TO event",
        ),
    ] {
        database.execute(broken);
        store.run(workspace, create()).await.unwrap();
        store.statement(workspace, create()).await.unwrap();
        // The second event may find the first one in the backlog, and then joins it without an attempt.
        assert!((1..=2).contains(&failures()), "{broken}");
        companies += 4;
        assert_eq!(count(&database, "companies"), companies, "{broken}");
        database.execute(repair);
        assert!(count(&database, "webhook_backlog WHERE subscriptions IS NULL") >= 1, "{broken}");
        let step = store.queue_backlogs(None, NOW, NOW - RETENTION).await.unwrap();
        assert_eq!((step.deliveries, step.events), (2, 2), "{broken}");
    }
    assert_eq!((notifications.load(Ordering::SeqCst), count(&database, "webhook_deliveries")), (0, 8));
    store.run(workspace, create()).await.unwrap();
    assert_eq!((failures(), notifications.load(Ordering::SeqCst)), (0, 1));
    assert_eq!(count(&database, "webhook_deliveries"), 9);
    companies += 2;
    // If the log cannot be written, the whole transaction fails.
    for (broken, repair) in [
        ("ALTER TABLE events RENAME TO away", "ALTER TABLE away RENAME TO events"),
        ("ALTER TABLE events_unnumbered RENAME TO away", "ALTER TABLE away RENAME TO events_unnumbered"),
    ] {
        database.execute(broken);
        let result = store.run(workspace, create()).await;
        assert!(matches!(result, Err(StoreError::Unavailable(_))), "{result:?}");
        assert_eq!((failures(), count(&database, "companies")), (0, companies), "{broken}");
        database.execute(repair);
    }
    // A lock timeout is a failure like any other.
    let hasty = PgStore::connect(&hasty(&database)).unwrap();
    let mut other = database.connection();
    other.batch_execute("BEGIN; LOCK TABLE webhook_deliveries").unwrap();
    hasty.run(workspace, create()).await.unwrap();
    assert_eq!(failures(), 1);
    assert_eq!(count(&database, "companies"), companies + 2);
}

fn hasty(database: &Database) -> PgOptions {
    let mut options = database.options();
    options.lock_timeout_ms = 100;
    options
}

/// Notifications are sent after the commit on another connection, never after a rollback or without deliveries.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notifications_follow_the_commit() {
    let database = Database::migrated();
    let (notifications, url) = (Arc::new(AtomicU32::new(0)), database.url());
    let shared = notifications.clone();
    let on_queued = move || {
        let mut connection = PgConnection::establish(&url).unwrap();
        let sql = "DO 'BEGIN IF NOT EXISTS (SELECT FROM webhook_deliveries) THEN RAISE ''none''; END IF; END'";
        connection.batch_execute(sql).unwrap();
        shared.fetch_add(1, Ordering::SeqCst);
    };
    let watch = |options: &mut PgOptions| options.on_queued = Some(Arc::new(on_queued));
    let (_database, store, workspace) = store_over(database, watch).await;
    store.run(workspace, create()).await.unwrap();
    assert_eq!(notifications.load(Ordering::SeqCst), 0, "there is no subscription");
    subscribe(&store, workspace, 1).await;
    let rolled_back: Job = Box::new(|tx| {
        tx.emit(&[event()]).map_err(Abort::Store)?;
        Err(Abort::Rule)
    });
    store.run(workspace, rolled_back).await.unwrap();
    let failed = job(|tx| {
        tx.emit(&[event()])?;
        Err(StoreError::Internal("no".to_owned()))
    });
    assert!(store.run(workspace, failed).await.is_err());
    assert_eq!(notifications.load(Ordering::SeqCst), 0);
    store.run(workspace, create()).await.unwrap();
    assert_eq!(notifications.load(Ordering::SeqCst), 1);
    store.statement(workspace, create()).await.unwrap();
    assert_eq!(notifications.load(Ordering::SeqCst), 2);
}

/// A deletion and transactions that queue wait for each other: no delivery stays open for a deleted subscription.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_queued_for_a_subscription_being_deleted() {
    let (database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
    for _ in 0..10 {
        let id = subscribe(&store, workspace, 1).await[0];
        let start = Arc::new(Barrier::new(4));
        let emitting = concurrently((0..3).map(|_| {
            let (store, start) = (store.clone(), start.clone());
            async move {
                start.wait().await;
                for _ in 0..5 {
                    emit(&store, workspace, 3).await;
                }
            }
        }));
        let deleting = async {
            start.wait().await;
            store.run(workspace, job(move |tx| tx.subscriptions().delete(id, NOW))).await.unwrap();
        };
        tokio::join!(emitting, deleting);
    }
    assert_eq!(count(&database, "webhook_deliveries WHERE state <> 'cancelled'"), 0);
}

/// Concurrent counting and adding never exceeds the limit.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_count_holds_until_the_end() {
    let (database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
    let add = |one: Subscription| -> Job {
        Box::new(move |tx| {
            if tx.subscriptions().count_for_update().map_err(Abort::Store)? >= 5 {
                return Err(Abort::Rule);
            }
            tx.subscriptions().insert(&one).map_err(Abort::Store)
        })
    };
    run_all(&store, workspace, (0..16).map(|_| add(subscription()))).await;
    assert_eq!(count(&database, "webhook_subscriptions"), 5);
}
