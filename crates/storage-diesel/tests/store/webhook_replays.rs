//! Replays under concurrency and crashes.

use crate::common::jobs::{NOW, count, job, store_over};
use crate::common::webhooks::{emit, subscribe};
use crate::common::{Database, concurrently};
use diesel::connection::SimpleConnection;
use domain::identity::access::Actor;
use domain::ports::{DeliveryQueue, Ids, Store};
use domain::webhooks::{Replay, ReplaySelection, ReplayState};
use domain::{ReplayId, SubscriptionId, WorkspaceId};
use storage_diesel::PgStore;
use time::Duration;

const MAX_WAITING: u32 = 400;
const EVENTS: usize = 900;

/// Starts a replay of all events.
async fn replay(store: &PgStore, workspace: WorkspaceId, id: SubscriptionId) {
    let new = ReplayId(crate::common::UniqueValues.new_id());
    let start = job(move |tx| {
        let subscription = tx.subscriptions().get(id)?.unwrap().subscription;
        let selection = ReplaySelection::new(&subscription, NOW - Duration::HOUR, None, None, false);
        let counted = tx.replays().count(&selection, 10_000)?;
        assert_eq!((counted.matched, counted.examined), (EVENTS as u64, EVENTS as u64));
        tx.replays().insert(&Replay {
            id: new,
            subscription_id: id,
            since: selection.since,
            until: None,
            events: None,
            only_failed: false,
            state: ReplayState::Running,
            matched: counted.matched,
            queued: 0,
            last_event: counted.last,
            created_by: Actor::SYSTEM,
            created_at: NOW,
            finished_at: None,
        })
    });
    store.run(workspace, start).await.unwrap();
}

/// Several dispatchers queue for replays concurrently, and one is killed midway: each event is queued once per replay.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replay_is_queued_once() {
    let (database, store, workspace) = store_over(Database::migrated(), |options| {
        options.max_waiting_deliveries = MAX_WAITING;
        options.pool_size = 8;
    })
    .await;
    emit(&store, workspace, EVENTS).await;
    let ids = subscribe(&store, workspace, 2).await;
    for id in &ids {
        replay(&store, workspace, *id).await;
    }
    let finish = "UPDATE webhook_deliveries SET state = 'succeeded', finished_at = now(), next_attempt_at = NULL \
                  WHERE state = 'pending'";
    // An uncommitted transaction leaves nothing.
    let mut killed = database.connection();
    let step =
        format!("SELECT queue_webhook_replay('{}', '{}', '{NOW}', {MAX_WAITING}, 500, 200)", workspace.0, ids[0]);
    killed.batch_execute(&format!("BEGIN; {step}")).unwrap();
    drop(killed);
    assert_eq!(count(&database, "webhook_deliveries"), 0);
    let running = "webhook_replays WHERE state = 'running'";
    for _ in 0..100 {
        if count(&database, running) == 0 {
            break;
        }
        let steps = (0..4).map(|_| {
            let store = store.clone();
            async move { store.queue_replays(None, NOW).await.unwrap() }
        });
        concurrently(steps).await;
        let waiting = count(&database, "webhook_deliveries WHERE state = 'pending'");
        assert!(waiting <= i64::from(MAX_WAITING) / 2, "{waiting}");
        database.execute(finish);
    }
    assert_eq!(count(&database, running), 0);
    let all = i64::try_from(EVENTS * ids.len()).unwrap();
    let pairs = "(SELECT DISTINCT event_id, subscription_id FROM webhook_deliveries) AS pairs";
    assert_eq!((count(&database, "webhook_deliveries"), count(&database, pairs)), (all, all));
    assert_eq!(count(&database, "webhook_replays WHERE state = 'completed' AND queued = matched"), 2);
    let unmarked = "webhook_deliveries WHERE replay_id IS NULL";
    assert_eq!(count(&database, unmarked), 0);
}
