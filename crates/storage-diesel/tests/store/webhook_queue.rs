//! Concurrent and killed dispatchers.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use crate::common::jobs::{NOW, count, entry, job, store_over, wait_until};
use crate::common::webhooks::{attempt, emit, request, subscribe};
use crate::common::{Database, concurrently};
use diesel::connection::SimpleConnection;
use domain::identity::audit::AuditSubject;
use domain::ports::{DeliveryQueue, Directory, Store, Unrecorded};
use domain::testing::workspace_value;
use domain::webhooks::{ClaimRequest, LEASE, Verdict};
use domain::{SubscriptionId, WorkspaceId};
use storage_diesel::PgStore;
use tokio::sync::Barrier;

/// Concurrent dispatchers: each delivery goes to one, and each subscription to one at a time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn claimers_never_share() {
    const CLAIMERS: u128 = 6;
    let (database, store, workspace) = store_over(Database::migrated(), |options| options.pool_size = 12).await;
    subscribe(&store, workspace, 7).await;
    emit(&store, workspace, 60).await;
    let owners = Arc::new(std::sync::Mutex::new(HashMap::<SubscriptionId, (u128, usize)>::new()));
    let start = Arc::new(Barrier::new(6));
    let claimers = (1..=CLAIMERS).map(|owner| {
        let (store, owners, start) = (store.clone(), owners.clone(), start.clone());
        async move {
            start.wait().await;
            let (mut mine, mut request, mut idle) = (Vec::new(), request(owner), 0);
            while idle < 20 {
                let claims = store.claim(&request).await.unwrap();
                request.after = claims.next_after;
                idle = if claims.deliveries.is_empty() { idle + 1 } else { 0 };
                {
                    let mut owners = owners.lock().unwrap();
                    for claimed in &claims.deliveries {
                        let usage = owners.entry(claimed.subscription.id).or_insert((owner, 0));
                        assert!(usage.0 == owner || usage.1 == 0, "two dispatchers for one subscription");
                        *usage = (owner, usage.1 + 1);
                    }
                }
                tokio::task::yield_now().await;
                // Released in this map before the outcome is recorded.
                for claimed in &claims.deliveries {
                    owners.lock().unwrap().get_mut(&claimed.subscription.id).unwrap().1 -= 1;
                }
                let records: Vec<_> =
                    claims.deliveries.iter().map(|claimed| attempt(claimed, owner, Verdict::Succeeded)).collect();
                store.record(&records).await.unwrap();
                mine.extend(claims.deliveries.into_iter().map(|claimed| claimed.delivery.id));
            }
            mine
        }
    });
    let mut ids = HashSet::new();
    assert!(concurrently(claimers).await.into_iter().flatten().all(|id| ids.insert(id)));
    // The last dispatcher to stop may have been idle only because of the others.
    let mut last = request(99);
    (last.limit, last.limit_per_subscription) = (1_000, 1_000);
    ids.extend(store.claim(&last).await.unwrap().deliveries.into_iter().map(|claimed| claimed.delivery.id));
    assert_eq!(ids.len(), 7 * 60);
    assert_eq!(count(&database, "webhook_attempts WHERE number > 1"), 0);
}

/// Claims and records do not wait for the disk, because deliveries lost in a crash are sent again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn claims_and_records_commit_asynchronously() {
    let (database, store, workspace) = store_over(
        Database::recording_commits(&[("UPDATE", "webhook_deliveries"), ("INSERT", "webhook_attempts")]),
        |_| (),
    )
    .await;
    subscribe(&store, workspace, 2).await;
    emit(&store, workspace, 2).await;
    let claims = store.claim(&request(1)).await.unwrap();
    let records: Vec<_> = claims.deliveries.iter().map(|claimed| attempt(claimed, 1, Verdict::Succeeded)).collect();
    assert_eq!(records.len(), 4);
    store.record(&records).await.unwrap();
    for written in ["webhook_deliveries", "webhook_attempts"] {
        assert!(
            count(&database, &format!("commits WHERE written = '{written}' AND setting = 'off'")) >= 1,
            "{written}"
        );
    }
    assert_eq!(count(&database, "commits WHERE setting <> 'off'"), 0);
}

/// A claim skips subscriptions and deliveries that another transaction has locked, such as for an update.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claim_never_waits_for_locks() {
    let (database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
    let ids = subscribe(&store, workspace, 2).await;
    emit(&store, workspace, 2).await;
    let mut other = database.connection();
    let lock = format!("BEGIN; SELECT FROM webhook_subscriptions WHERE id = '{}' FOR NO KEY UPDATE", ids[0]);
    other.batch_execute(&lock).unwrap();
    let lock = format!("SELECT FROM webhook_deliveries WHERE subscription_id = '{}' LIMIT 1 FOR NO KEY UPDATE", ids[1]);
    other.batch_execute(&lock).unwrap();
    let claims = store.claim(&request(1)).await.unwrap();
    assert_eq!(claims.deliveries.iter().map(|claimed| claimed.subscription.id).collect::<Vec<_>>(), [ids[1]]);
}

/// A dispatcher killed midway: its transaction leaves nothing, and its leases expire.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_dispatcher_loses_nothing() {
    let (database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
    subscribe(&store, workspace, 1).await;
    emit(&store, workspace, 3).await;
    let claimed = store.claim(&request(1)).await.unwrap().deliveries;
    // Its recording is cut off midway.
    let mut other = database.connection();
    other.batch_execute("BEGIN; LOCK TABLE webhook_attempts").unwrap();
    let (killed, records) = (store.clone(), vec![attempt(&claimed[0], 1, Verdict::Succeeded)]);
    let recording = tokio::spawn(async move { killed.record(&records).await });
    let waiting = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    wait_until(&database, &format!("SELECT count(*) {waiting}")).await;
    database.execute(&format!("SELECT pg_terminate_backend(pid) {waiting}"));
    assert!(recording.await.unwrap().is_err());
    other.batch_execute("ROLLBACK").unwrap();
    let mut second = request(2);
    assert!(store.claim(&second).await.unwrap().deliveries.is_empty());
    second.now = NOW + LEASE + time::Duration::seconds(1);
    assert_eq!(store.claim(&second).await.unwrap().deliveries.len(), 3);
    assert_eq!(count(&database, "webhook_attempts"), 0);
}

/// Recording and deleting lock the same rows in the same order.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recording_and_deleting_do_not_deadlock() {
    let (database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
    for _ in 0..10 {
        let ids = subscribe(&store, workspace, 4).await;
        emit(&store, workspace, 4).await;
        let mut everything = request(1);
        (everything.limit, everything.limit_per_subscription) = (100, 100);
        let held = store.claim(&everything).await.unwrap().deliveries;
        assert_eq!(held.len(), 16);
        let records: Vec<_> = held.iter().map(|claimed| attempt(claimed, 1, Verdict::Failed)).collect();
        let recording = {
            let store = store.clone();
            tokio::spawn(async move { store.record(&records).await })
        };
        for id in ids {
            let delete = job(move |tx| tx.subscriptions().delete(id, NOW));
            tokio::time::timeout(Duration::from_mins(1), store.run(workspace, delete)).await.unwrap().unwrap();
        }
        recording.await.unwrap().unwrap();
    }
    assert_eq!(count(&database, "webhook_attempts"), 160);
    assert_eq!(count(&database, "webhook_deliveries WHERE finished_at IS NULL"), 0);
}

/// In a cluster, each workspace is claimed in a separate transaction, so a claim covers only a few workspaces.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cluster_claims_of_a_few_workspaces_at_a_time() {
    let database = Database::like_a_cluster();
    let (store, _) = with_due(&database, 20).await;
    let mut claim = request(1);
    claim.limit = 100;
    let first = store.claim(&claim).await.unwrap();
    assert_eq!(first.deliveries.len(), 16);
    let last = first.deliveries.last().unwrap();
    assert_eq!(first.next_after, Some((last.workspace, last.subscription.id)));
    claim.after = first.next_after;
    let second = store.claim(&claim).await.unwrap();
    assert_eq!((second.deliveries.len(), second.next_after), (4, None));
    let records = first.deliveries.iter().chain(&second.deliveries).map(|it| attempt(it, 1, Verdict::Succeeded));
    store.record(&records.collect::<Vec<_>>()).await.unwrap();
    assert_eq!(count(&database, "webhook_deliveries WHERE state = 'succeeded'"), 20);
}

/// Workspaces in the order in which they are claimed, each with a due delivery.
async fn with_due(database: &Database, workspaces: u128) -> (PgStore, Vec<WorkspaceId>) {
    let store = database.store();
    let mut ids = Vec::new();
    for number in 1..=workspaces {
        let workspace = workspace_value(number);
        store.create_workspace(&workspace, &entry(AuditSubject::workspace(workspace.id))).await.unwrap();
        subscribe(&store, workspace.id, 1).await;
        emit(&store, workspace.id, 1).await;
        ids.push(workspace.id);
    }
    ids.sort_unstable();
    (store, ids)
}

/// Makes updates of deliveries in these workspaces fail with the message.
fn refuse(database: &Database, workspaces: &[WorkspaceId], message: &str) {
    let ids: Vec<_> = workspaces.iter().map(|id| format!("'{}'", id.0)).collect();
    let refuse = format!(
        "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''{message}''; END';
        CREATE OR REPLACE TRIGGER refuse BEFORE UPDATE ON webhook_deliveries FOR EACH ROW
            WHEN (NEW.workspace_id IN ({})) EXECUTE FUNCTION refuse()",
        ids.join(", ")
    );
    database.execute(&refuse);
}

fn accept(database: &Database) {
    database.execute("DROP TRIGGER refuse ON webhook_deliveries");
}

/// In a cluster, a single node may be slow or have a locked row.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failing_workspace_does_not_stop_others() {
    for message in ["broken", "deadlock detected"] {
        let database = Database::like_a_cluster();
        let (store, workspaces) = with_due(&database, 3).await;
        refuse(&database, &workspaces[..1], message);
        let mut claimed = store.claim(&request(1)).await.unwrap().deliveries;
        assert_eq!(claimed.iter().map(|it| it.workspace).collect::<Vec<_>>(), workspaces[1..], "{message}");
        let none = store.claim(&request(1)).await.unwrap();
        assert_eq!((none.deliveries.len(), none.failed.len()), (0, 1), "nothing else is due");
        accept(&database);
        claimed.extend(store.claim(&request(1)).await.unwrap().deliveries);
        assert_eq!(claimed.len(), 3);
        refuse(&database, &workspaces[..1], message);
        let records: Vec<_> = claimed.iter().map(|it| attempt(it, 1, Verdict::Succeeded)).collect();
        match store.record(&records).await {
            Err(Unrecorded::Workspaces(unrecorded)) => {
                assert!(matches!(unrecorded[..], [(id, Some(_))] if id == workspaces[0]), "{unrecorded:?}");
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(count(&database, "webhook_deliveries WHERE state = 'succeeded'"), 2);
        accept(&database);
        store.record(&records).await.unwrap();
        assert_eq!(count(&database, "webhook_deliveries WHERE state = 'succeeded'"), 3);
        assert_eq!(count(&database, "webhook_attempts"), 3, "each once");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leases_that_cannot_be_released_do_not_stop_others() {
    let database = Database::like_a_cluster();
    let (store, workspaces) = with_due(&database, 3).await;
    let lost = store.claim(&ClaimRequest { limit: 2, ..request(1) }).await.unwrap().deliveries;
    assert_eq!(lost.iter().map(|it| it.workspace).collect::<Vec<_>>(), workspaces[..2]);
    refuse(&database, &workspaces[..1], "broken");
    let late = ClaimRequest { now: NOW + LEASE + time::Duration::SECOND, ..request(2) };
    let claimed = store.claim(&late).await.unwrap().deliveries;
    assert_eq!(claimed.iter().map(|it| it.workspace).collect::<Vec<_>>(), workspaces[1..]);
    accept(&database);
    let released = store.claim(&late).await.unwrap().deliveries;
    assert_eq!(released.iter().map(|it| it.delivery.id).collect::<Vec<_>>(), [lost[0].delivery.id]);
}

/// Waiting for a lock takes seconds per workspace, and the time of a dispatcher is limited.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claim_stops_after_two_waiting_workspaces() {
    let database = Database::like_a_cluster();
    let (store, workspaces) = with_due(&database, 4).await;
    refuse(&database, &workspaces[..3], "deadlock detected");
    let mut claim = request(1);
    let first = store.claim(&claim).await.unwrap();
    assert_eq!(first.deliveries.len(), 0);
    claim.after = first.next_after;
    assert_eq!(claim.after.unwrap().0, workspaces[1]);
    let second = store.claim(&claim).await.unwrap();
    assert_eq!((second.deliveries.len(), second.next_after), (1, None));
    accept(&database);
    let claimed = [second.deliveries, store.claim(&request(1)).await.unwrap().deliveries].concat();
    let records: Vec<_> = claimed.iter().map(|it| attempt(it, 1, Verdict::Succeeded)).collect();
    refuse(&database, &workspaces[..3], "deadlock detected");
    match store.record(&records).await {
        Err(Unrecorded::Workspaces(unrecorded)) => {
            let tried: Vec<_> = unrecorded.iter().map(|(id, error)| (*id, error.is_some())).collect();
            let expected: Vec<_> = workspaces.iter().copied().zip([true, true, false, false]).collect();
            assert_eq!(tried, expected);
        }
        other => panic!("{other:?}"),
    }
}
