//! The quota under concurrent creates on several instances.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};

use crate::common::jobs::{company, count, job, spawn, store_over, wait_until};
use crate::common::{Database, concurrently};
use domain::WorkspaceId;
use domain::crm::companies::Company;
use domain::limits::quota::month_of;
use domain::ports::{Abort, Job, QuotaResult, Store};
use storage_diesel::PgStore;
use time::Date;
use tokio::sync::Barrier;

/// The version of a new workspace.
const VERSION: i64 = 1;
/// Concurrent creates per instance.
const TASKS: u64 = 8;

fn month() -> Date {
    month_of(crate::common::jobs::NOW)
}

/// A create within a limit; it may fail on a domain that is in use after it took from the quota.
fn create(limit: u64, company: Company, refused: Arc<AtomicU64>) -> Job {
    Box::new(move |tx| {
        if tx.quota().take(month(), limit, VERSION).map_err(Abort::Store)? == QuotaResult::Exhausted {
            refused.fetch_add(1, Ordering::Relaxed);
            return Err(Abort::Rule);
        }
        tx.records::<Company>().insert(&company).map_err(Abort::Store)
    })
}

/// Concurrent creates from all instances; every third one fails. Returns how many the quota rejected.
async fn create_many(stores: &[PgStore], workspace: WorkspaceId, limit: u64, each: u64) -> u64 {
    let refused = Arc::new(AtomicU64::new(0));
    let tasks = (0..TASKS).map(|task| {
        let store = stores[usize::try_from(task).unwrap() % stores.len()].clone();
        let refused = refused.clone();
        async move {
            for number in 0..each {
                let domain = (number % 3 == 2).then(|| "taken.example".to_owned());
                let fails = domain.is_some();
                let result =
                    store.run(workspace, create(limit, Company { domain, ..company() }, refused.clone())).await;
                assert!(result.is_ok() || fails, "{result:?}");
            }
        }
    });
    concurrently(tasks).await;
    refused.load(Ordering::Relaxed)
}

async fn used(store: &PgStore, workspace: WorkspaceId) -> u64 {
    let (sender, receiver) = mpsc::channel();
    let read = job(move |tx| tx.quota().used(month()).map(|used| sender.send(used).unwrap()));
    store.statement(workspace, read).await.unwrap();
    receiver.try_iter().last().unwrap()
}

/// Several instances, and a company whose domain is in use.
async fn instances() -> (Database, Vec<PgStore>, WorkspaceId) {
    let (database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
    let taken = Company { domain: Some("taken.example".to_owned()), ..company() };
    let add: Job = Box::new(move |tx| tx.records::<Company>().insert(&taken).map_err(Abort::Store));
    store.run(workspace, add).await.unwrap();
    let stores = vec![store, database.store(), database.store()];
    (database, stores, workspace)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn instances_share_a_quota_exactly() {
    let (database, stores, workspace) = instances().await;
    // One company already exists and counts.
    for limit in [137, 138, 190] {
        let refused = create_many(&stores, workspace, limit, 60).await;
        assert!(refused > 0);
        assert_eq!(used(&stores[0], workspace).await, limit);
        assert_eq!(count(&database, "companies"), i64::try_from(limit).unwrap());
    }
    assert!(count(&database, "crm_quota_blocks") <= 40, "used up blocks are settled");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_lowered_meanwhile_is_not_exceeded() {
    let (database, stores, workspace) = instances().await;
    create_many(&stores, workspace, 10_000, 9).await;
    let before = used(&stores[0], workspace).await;
    assert_eq!(before, 1 + TASKS * 6, "failed creates do not count");
    create_many(&stores, workspace, before + 5, 30).await;
    assert_eq!(used(&stores[0], workspace).await, before + 5);
    create_many(&stores, workspace, before + 3, 3).await;
    assert_eq!(used(&stores[0], workspace).await, before + 5);
    assert_eq!(count(&database, "companies"), i64::try_from(before + 5).unwrap());
}

/// A create waits for the job that holds the last unit, and gets the unit if that job fails.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_unit_comes_back() {
    let (database, stores, workspace) = instances().await;
    let (held, end) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
    let (job_held, job_end, runtime) = (held.clone(), end.clone(), tokio::runtime::Handle::current());
    let failing: Job = Box::new(move |tx| {
        assert_eq!(tx.quota().take(month(), 3, VERSION).map_err(Abort::Store)?, QuotaResult::Counted);
        // The result is only an assumption until the job reads something.
        tx.workspace().get().map_err(Abort::Store)?;
        runtime.block_on(job_held.wait());
        runtime.block_on(job_end.wait());
        Err(Abort::Rule)
    });
    let refused = Arc::new(AtomicU64::new(0));
    // One company existed, and one unit of a block of two is used, so the create waits for the other unit.
    stores[0].run(workspace, create(3, company(), refused.clone())).await.unwrap();
    assert_eq!(count(&database, "crm_quota_blocks WHERE size = 2 AND used = 1"), 1);
    let first = spawn(&stores[0], workspace, failing);
    held.wait().await;
    let waiting = spawn(&stores[1], workspace, create(3, company(), refused.clone()));
    wait_until(&database, "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'").await;
    end.wait().await;
    first.await.unwrap().unwrap();
    waiting.await.unwrap().unwrap();
    assert_eq!(refused.load(Ordering::Relaxed), 0);
    assert_eq!(used(&stores[0], workspace).await, 3);
}

/// Creates do not wait for each other while there are free blocks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn creates_far_from_the_limit_do_not_wait() {
    let (database, stores, workspace) = instances().await;
    create_many(&stores, workspace, 10_000, 1).await;
    let blocks = "UPDATE crm_quota SET given = given + 500; INSERT INTO crm_quota_blocks \
                  (workspace_id, month, size, used) SELECT workspace_id, month, 50, 0 \
                  FROM crm_quota, generate_series(1, 10)";
    database.execute(blocks);
    // Four jobs hold a unit each, and others still get one without waiting for them to end.
    let (held, end) = (Arc::new(Barrier::new(2)), Arc::new(tokio::sync::Semaphore::new(0)));
    let mut holding = Vec::new();
    for number in 0..4_usize {
        let (job_held, job_end, runtime) = (held.clone(), end.clone(), tokio::runtime::Handle::current());
        let job: Job = Box::new(move |tx| {
            assert_eq!(tx.quota().take(month(), 10_000, VERSION).map_err(Abort::Store)?, QuotaResult::Counted);
            runtime.block_on(job_held.wait());
            drop(runtime.block_on(job_end.acquire()));
            Ok(())
        });
        holding.push(spawn(&stores[number % 2], workspace, job));
        held.wait().await;
    }
    create_many(&stores[2..], workspace, 10_000, 1).await;
    end.add_permits(4);
    for one in holding {
        one.await.unwrap().unwrap();
    }
}
