//! Jobs under failures.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::common::Database;
use crate::common::jobs::{company, count, job, lines, spawn, store_over};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use domain::crm::companies::Company;
use domain::kernel::IssueKind;
use domain::ports::{Abort, Directory, JobProfile, ReadJob, Store, StoreError};
use storage_diesel::{PgOptions, PgStore};
use tokio::sync::Barrier;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_pool_fails_within_its_timeout() {
    let narrow = |options: &mut PgOptions| (options.pool_size, options.acquire_timeout_ms) = (1, 3_000);
    let (_database, store, workspace) = store_over(Database::migrated(), narrow).await;
    let (started, end) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
    let (job_started, job_end, runtime) = (started.clone(), end.clone(), tokio::runtime::Handle::current());
    let long = job(move |_| {
        runtime.block_on(job_started.wait());
        runtime.block_on(job_end.wait());
        Ok(())
    });
    let first = spawn(&store, workspace, long);
    started.wait().await;
    let start = Instant::now();
    assert!(matches!(store.run(workspace, job(|_| Ok(()))).await, Err(StoreError::Busy)));
    // It would take 2 s without the option.
    assert!((3..20).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
    end.wait().await;
    first.await.unwrap().unwrap();
    store.run(workspace, job(|_| Ok(()))).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panic_propagates_and_rolls_back_the_job() {
    let (database, store, workspace) = store_over(Database::migrated(), |options| options.pool_size = 1).await;
    let broken = job(|tx| {
        tx.records::<Company>().insert(&company())?;
        panic!("on purpose");
    });
    assert!(spawn(&store, workspace, broken).await.unwrap_err().is_panic());
    store.run(workspace, job(|tx| tx.records::<Company>().insert(&company()))).await.unwrap();
    assert_eq!(count(&database, "companies"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn broken_connections_are_replaced_transparently() {
    let (database, store, workspace) = store_over(Database::migrated(), |options| options.stays_open_ms = 0).await;
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    for _ in 0..3 {
        database.execute(cut);
        store.run(workspace, job(|tx| tx.records::<Company>().insert(&company()))).await.unwrap();
        database.execute(cut);
        store.statement(workspace, job(|tx| tx.issues().reserve_numbers(IssueKind::Task, 1).map(drop))).await.unwrap();
        database.execute(cut);
        store.ping().await.unwrap();
        database.execute(cut);
        assert!(store.has_workspaces().await.unwrap());
    }
    assert_eq!(count(&database, "companies"), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_whose_connection_breaks_is_not_retried() {
    let (database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
    let (url, runs) = (database.url(), Arc::new(AtomicU32::new(0)));
    let counted = runs.clone();
    let cut = job(move |tx| {
        counted.fetch_add(1, Ordering::Relaxed);
        tx.records::<Company>().insert(&company())?;
        // This begins the transaction and sends the insert.
        tx.workspace().get()?;
        let mut server = PgConnection::establish(&url).unwrap();
        // Tests share the cluster, so this affects only one database.
        let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                   WHERE state = 'idle in transaction' AND datname = current_database()";
        server.batch_execute(sql).unwrap();
        Ok(())
    });
    assert!(matches!(store.run(workspace, cut).await, Err(StoreError::Unavailable(_))));
    assert_eq!(runs.load(Ordering::Relaxed), 1);
    assert_eq!(count(&database, "companies"), 0);
}

/// Queueing reports no error to the job, but the caller still gets the outage.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outage_while_events_are_queued_is_an_outage() {
    let (database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
    let url = database.url();
    let cut = job(move |tx| {
        tx.records::<Company>().insert(&company())?;
        tx.workspace().get()?;
        let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                   WHERE state = 'idle in transaction' AND datname = current_database()";
        PgConnection::establish(&url).unwrap().batch_execute(sql).unwrap();
        tx.emit(&[crate::common::webhooks::event()])
    });
    let result = store.run(workspace, cut).await;
    assert!(matches!(result, Err(StoreError::Unavailable(_))), "{result:?}");
    assert_eq!(count(&database, "companies"), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiting_for_a_lock_times_out() {
    let (database, store, workspace) = store_over(Database::migrated(), |options| options.lock_timeout_ms = 200).await;
    let mut other = database.connection();
    other.batch_execute("BEGIN; LOCK TABLE companies").unwrap();
    let start = Instant::now();
    let blocked = store.run(workspace, job(|tx| tx.records::<Company>().insert(&company()))).await;
    assert!(matches!(blocked, Err(StoreError::Contended)), "{blocked:?}");
    // Usually little more than the 200 ms of the option; without it, 4 s.
    assert!(start.elapsed() < Duration::from_secs(4));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_statement_times_out() {
    let (database, _, workspace) = store_over(Database::migrated(), |_| ()).await;
    // The setup may take longer.
    let store = PgStore::connect(&PgOptions { statement_timeout_ms: 200, ..database.options() }).unwrap();
    let mut other = database.connection();
    other.batch_execute("BEGIN; LOCK TABLE companies").unwrap();
    let slow = store.run(workspace, job(|tx| tx.records::<Company>().insert(&company()))).await;
    assert!(matches!(slow, Err(StoreError::TimedOut)), "{slow:?}");
}

/// Postgres would turn the COMMIT into a silent rollback.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_swallowed_error_is_not_a_success() {
    let (database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
    let one = company();
    let careless = job(move |tx| {
        tx.records::<Company>().insert(&one)?;
        let _ = tx.records::<Company>().insert(&one);
        Ok(())
    });
    assert!(matches!(store.run(workspace, careless).await, Err(StoreError::Internal(_))));
    assert_eq!(count(&database, "companies"), 0);
}

/// Only the reservation commits asynchronously.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_setting_of_a_reservation_ends_with_it() {
    let (database, store, workspace) = store_over(
        Database::recording_commits(&[("INSERT OR UPDATE", "issue_counters"), ("INSERT", "companies")]),
        |options| options.pool_size = 1,
    )
    .await;
    let reserve = || job(|tx| tx.issues().reserve_numbers(IssueKind::Task, 1).map(drop));
    store.statement(workspace, reserve()).await.unwrap();
    store.run(workspace, job(|tx| tx.records::<Company>().insert(&company()))).await.unwrap();
    store.run(workspace, reserve()).await.unwrap();
    assert_eq!(lines(&database, "SELECT setting FROM commits ORDER BY ctid"), ["off", "on", "on"]);
}

/// A read fails once if its shard is split between planning and execution.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_of_a_cluster_are_repeated_once_after_a_conflict() {
    for (database, is_cluster) in [(Database::like_a_cluster(), true), (Database::migrated(), false)] {
        let fail_at_first = "CREATE SEQUENCE tries;
            CREATE FUNCTION is_found() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
                IF nextval('tries') % 2 = 1 THEN RAISE EXCEPTION 'could not find valid entry for shard 102345'; END IF;
                RETURN true;
            END $$;
            ALTER TABLE companies RENAME TO stored;
            CREATE VIEW companies AS SELECT * FROM stored WHERE (SELECT is_found());";
        let (database, store, workspace) = store_over(database, |_| ()).await;
        database.execute(fail_at_first);
        let id = company().id;
        let read: ReadJob = Arc::new(move |tx| tx.records::<Company>().get(id).map(drop).map_err(Abort::Store));
        let result = store.read(workspace, JobProfile::default(), read.clone()).await;
        assert_eq!(result.is_ok(), is_cluster, "{result:?}");
        let result = store.statement(workspace, Box::new(move |tx| read(tx))).await;
        assert!(result.is_ok(), "{result:?}");
    }
}
