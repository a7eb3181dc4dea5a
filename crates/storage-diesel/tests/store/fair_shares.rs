//! Fair shares of connections between workspaces.

use std::sync::Arc;
use std::time::Duration;

use crate::common::Database;
use crate::common::jobs::{company, job, lines, spawn, store_over, wait_until};
use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};
use domain::WorkspaceId;
use domain::crm::companies::Company;
use domain::kernel::paging::PageRequest;
use domain::kernel::search::SearchQuery;
use domain::kernel::{IssueKind, Weight};
use domain::ports::{Directory, Store, StoreError};
use domain::work::issues::{Issue, IssueFilter};
use storage_diesel::{PgOptions, PgStore};
use tokio::sync::{Barrier, Semaphore};
use uuid::Uuid;

const OTHER: WorkspaceId = WorkspaceId(Uuid::from_u128(7));

/// Starts jobs that each wait for a permit of the semaphore, and waits until `running` of them have started.
async fn occupy(
    store: &PgStore,
    workspace: WorkspaceId,
    weight: Weight,
    jobs: usize,
    running: u32,
) -> (Arc<Semaphore>, tokio::task::JoinSet<Result<(), StoreError>>) {
    let (started, end) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..jobs {
        let (store, started, end) = (store.clone(), Arc::clone(&started), Arc::clone(&end));
        let runtime = tokio::runtime::Handle::current();
        let long = job(move |_| {
            started.add_permits(1);
            runtime.block_on(end.acquire()).unwrap().forget();
            Ok(())
        });
        tasks.spawn(async move { store.run_with_profile(workspace, weight.into(), long).await });
    }
    started.acquire_many(running).await.unwrap().forget();
    (end, tasks)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_busy_workspace_leaves_connections_for_others() {
    let (_database, store, workspace) = store_over(Database::migrated(), |options| options.pool_size = 10).await;
    let (end, tasks) = occupy(&store, workspace, Weight::Light, 40, 6).await;
    for number in 0..10_u128 {
        store.run(WorkspaceId(Uuid::from_u128(number + 100)), job(|_| Ok(()))).await.unwrap();
    }
    assert!(store.has_workspaces().await.unwrap(), "credentials can be looked up");
    end.add_permits(40);
    assert!(tasks.join_all().await.into_iter().all(|result| result.is_ok()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn heavy_jobs_block_only_each_other() {
    let narrow = |options: &mut PgOptions| (options.pool_size, options.heavy_jobs) = (10, 1);
    let (_database, store, workspace) = store_over(Database::migrated(), narrow).await;
    let (end, tasks) = occupy(&store, workspace, Weight::Heavy, 5, 1).await;
    for workspace in [workspace, OTHER] {
        store.run(workspace, job(|_| Ok(()))).await.unwrap();
    }
    end.add_permits(5);
    assert!(tasks.join_all().await.into_iter().all(|result| result.is_ok()));
}

/// Checks that the workspace does not count as heavy: two of its light jobs run at once.
async fn two_run_at_once(store: &PgStore, workspace: WorkspaceId) {
    let together = Arc::new(Barrier::new(2));
    let meet = || {
        let (together, runtime) = (Arc::clone(&together), tokio::runtime::Handle::current());
        let meets = job(move |_| {
            let met = async { tokio::time::timeout(Duration::from_secs(10), together.wait()).await };
            runtime.block_on(met).map(drop).map_err(|_| StoreError::TimedOut)
        });
        store.run(workspace, meets)
    };
    let results = tokio::join!(meet(), meet());
    assert!(matches!(results, (Ok(()), Ok(()))), "{results:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outage_counts_against_no_workspace() {
    let narrow = |options: &mut PgOptions| {
        (options.pool_size, options.heavy_jobs, options.acquire_timeout_ms) = (10, 1, 3_000);
    };
    let (database, store, workspace) = store_over(Database::migrated(), narrow).await;
    let name = lines(&database, "SELECT current_database()::text").remove(0);
    let mut server = PgConnection::establish(&database.url().replace(&name, "postgres")).unwrap();
    let outage = format!(
        "ALTER DATABASE {name} ALLOW_CONNECTIONS false;
         SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
    );
    server.batch_execute(&outage).unwrap();
    for workspace in [workspace, OTHER] {
        // Each job takes longer than the share of a workspace.
        let (read, write) =
            (job(|tx| tx.workspace().get().map(drop)), job(|tx| tx.records::<Company>().insert(&company())));
        let result = [store.statement(workspace, read).await, store.run(workspace, write).await];
        assert!(result.iter().all(|result| matches!(result, Err(StoreError::Unavailable(_)))), "{result:?}");
    }
    server.batch_execute(&format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true")).unwrap();
    for workspace in [workspace, OTHER] {
        two_run_at_once(&store, workspace).await;
    }
}

/// Waiting for a response on a connection that breaks does not count either.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn time_on_a_broken_connection_counts_against_no_workspace() {
    let narrow = |options: &mut PgOptions| (options.pool_size, options.heavy_jobs) = (10, 1);
    let (database, store, workspace) = store_over(Database::migrated(), narrow).await;
    let mut blocker = database.connection();
    blocker.batch_execute("BEGIN; LOCK TABLE companies").unwrap();
    let waiting = spawn(&store, workspace, job(|tx| tx.records::<Company>().insert(&company())));
    let waiters = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' \
                   AND now() - query_start > interval '700 ms'";
    wait_until(&database, &format!("SELECT count(*) {waiters}")).await;
    database.execute(&format!("SELECT pg_terminate_backend(pid) {waiters}"));
    assert!(matches!(waiting.await.unwrap(), Err(StoreError::Unavailable(_))));
    blocker.batch_execute("ROLLBACK").unwrap();
    store.run(OTHER, job(|_| Ok(()))).await.unwrap();
    two_run_at_once(&store, workspace).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn searches_have_separate_connections_and_time_out() {
    let narrow = |options: &mut PgOptions| {
        (options.pool_size, options.search_pool_size, options.search_timeout_ms) = (1, 2, 2_000);
    };
    let (database, store, workspace) = store_over(Database::migrated(), narrow).await;
    let search = || {
        let search = SearchQuery::parse("printer").unwrap();
        let filter = IssueFilter { search, ..IssueFilter::all(IssueKind::Task) };
        job(move |tx| tx.lists::<Issue>().list(&filter, &PageRequest::first(50)).map(drop))
    };
    // The only connection for other jobs is in use.
    let (end, tasks) = occupy(&store, workspace, Weight::Light, 1, 1).await;
    store.statement_with_profile(workspace, Weight::Search.into(), search()).await.unwrap();
    end.add_permits(1);
    assert!(tasks.join_all().await.into_iter().all(|result| result.is_ok()));
    // Waiting counts against the timeout of a search.
    let mut blocker = database.connection();
    blocker.batch_execute("BEGIN; LOCK TABLE issues IN ACCESS EXCLUSIVE MODE").unwrap();
    let result = store.statement_with_profile(workspace, Weight::Search.into(), search()).await;
    assert!(matches!(result, Err(StoreError::TimedOut)), "{result:?}");
    blocker.batch_execute("ROLLBACK").unwrap();
    store.statement_with_profile(workspace, Weight::Search.into(), search()).await.unwrap();
}
