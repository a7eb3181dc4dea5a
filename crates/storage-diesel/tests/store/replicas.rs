//! Reads on a real streaming replica.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use crate::common::jobs::{company, entry, job};
use crate::common::webhooks::{emit, event, subscribe};
use diesel::connection::SimpleConnection;
use diesel::dsl::sql;
use diesel::sql_types::BigInt;
use diesel::{Connection, PgConnection, RunQueryDsl};
use domain::crm::companies::{Company, CompanyFilter};
use domain::identity::audit::AuditSubject;
use domain::kernel::Weight;
use domain::kernel::paging::PageRequest;
use domain::ports::{Abort, Directory, Job, JobProfile, ReadJob, Store, StoreError, Tx};
use domain::testing::workspace_value;
use domain::{CompanyId, WorkspaceId};
use storage_diesel::{PgOptions, PgStore, replica_lag};
use test_support::{Replicated, eventually};
use tokio::task::JoinSet;
use uuid::Uuid;

const ANN: Uuid = Uuid::from_u128(101);
const BEN: Uuid = Uuid::from_u128(102);
/// With this limit, no replica is too far behind.
const NO_LAG_LIMIT: u64 = 600_000;

/// A store with replicas, and a workspace in it.
struct World {
    database: Replicated,
    store: PgStore,
    workspace: WorkspaceId,
}

impl World {
    async fn new(max_lag: u64) -> Self {
        Self::over(max_lag, |_| ()).await
    }

    async fn over(max_lag: u64, change: impl FnOnce(&mut PgOptions)) -> Self {
        let database = Replicated::new();
        let workspace = workspace_value(1);
        let mut options = options(&database, vec![database.replica_url()], max_lag);
        change(&mut options);
        let store = PgStore::connect(&options).unwrap();
        store.create_workspace(&workspace, &entry(AuditSubject::workspace(workspace.id))).await.unwrap();
        let world = Self { database, store, workspace: workspace.id };
        world.is_in_use().await;
        world
    }

    /// Waits until reads go to the replica.
    async fn is_in_use(&self) {
        eventually("reads go to the replica", async || {
            self.count(BEN).await;
            self.database.readers() > 0
        })
        .await;
    }

    async fn add(&self, holder: Option<Uuid>) -> CompanyId {
        let company = company();
        let id = company.id;
        let profile = JobProfile { holder, weight: Weight::Light };
        self.store.run_with_profile(self.workspace, profile, insert(company)).await.unwrap();
        id
    }

    async fn read<T: Send + 'static>(
        &self,
        holder: Option<Uuid>,
        work: impl Fn(&mut dyn Tx) -> Result<T, Abort> + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        self.read_with_profile(JobProfile { holder, weight: Weight::Light }, work).await
    }

    async fn read_with_profile<T: Send + 'static>(
        &self,
        profile: JobProfile,
        work: impl Fn(&mut dyn Tx) -> Result<T, Abort> + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        let (sender, receiver) = mpsc::channel();
        let read: ReadJob = Arc::new(move |tx: &mut dyn Tx| {
            sender.send(work(tx)?).unwrap();
            Ok(())
        });
        self.store.read(self.workspace, profile, read).await?;
        Ok(receiver.try_iter().last().unwrap())
    }

    /// How many companies the holder sees.
    async fn count(&self, holder: Uuid) -> usize {
        self.read(Some(holder), list).await.unwrap()
    }

    /// Waits until the holder sees as many as the replica has. Reads may go to the primary while the replica is slow.
    async fn sees_on_replica(&self, holder: Uuid, expected: usize) {
        eventually("reads go to the replica", async || self.count(holder).await == expected).await;
    }

    /// Waits until reads of the holder go to the replica, and so miss a company added while the replica is paused.
    async fn comes_to_read_the_replica(&self, holder: Uuid) {
        eventually("reads go to the replica", async || {
            self.database.pause();
            self.add(None).await;
            let (found, all) = (self.count(holder).await, self.count_on_primary().await);
            self.database.resume();
            found == all - 1
        })
        .await;
    }

    async fn count_on_primary(&self) -> usize {
        self.read(None, list).await.unwrap()
    }
}

fn list(tx: &mut dyn Tx) -> Result<usize, Abort> {
    let found = tx.lists::<Company>().list(&CompanyFilter::default(), &PageRequest::first(10_000));
    found.map(|companies| companies.len()).map_err(Abort::Store)
}

fn insert(company: Company) -> Job {
    job(move |tx| tx.records::<Company>().insert(&company))
}

fn options(database: &Replicated, replica_urls: Vec<String>, max_lag: u64) -> PgOptions {
    PgOptions { pool_size: 4, replica_urls, replica_max_lag_ms: max_lag, ..PgOptions::new(database.url()) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn holders_read_their_own_writes_and_others_read_the_replica() {
    let world = World::new(NO_LAG_LIMIT).await;
    world.database.pause();
    world.add(Some(ANN)).await;
    for _ in 0..50 {
        assert_eq!(world.count(ANN).await, 1);
    }
    world.sees_on_replica(BEN, 0).await;
    // A holder with recent writes also sees a write without a holder.
    world.add(None).await;
    assert_eq!((world.count(ANN).await, world.count_on_primary().await), (2, 2));
    world.sees_on_replica(BEN, 0).await;
    // BEN must see all writes until now.
    world.store.note_write(BEN).await;
    assert_eq!(world.count(BEN).await, 2);

    world.database.resume();
    // Once the replica has the write, its writer reads there again.
    world.comes_to_read_the_replica(ANN).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jobs_that_a_replica_cannot_do_run_on_the_primary() {
    let world = World::new(NO_LAG_LIMIT).await;
    world.database.pause();
    let id = world.add(None).await;
    world.sees_on_replica(BEN, 0).await;
    let found = world.read(Some(BEN), move |tx| match tx.records::<Company>().get(id).map_err(Abort::Store)? {
        Some(company) => Ok(company.id),
        None => Err(Abort::Rule),
    });
    assert_eq!(found.await.unwrap(), id);
    // A record that no server has.
    let missing: ReadJob = Arc::new(|_| Err(Abort::Rule));
    world.store.read(world.workspace, JobProfile { holder: Some(BEN), weight: Weight::Light }, missing).await.unwrap();

    let (added, runs) = (company(), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&runs);
    let writes = world.read(Some(BEN), move |tx| {
        counted.fetch_add(1, Ordering::Relaxed);
        tx.records::<Company>().insert(&added).map_err(Abort::Store)
    });
    writes.await.unwrap();
    assert_eq!(world.count_on_primary().await, 2);
    assert!((1..=2).contains(&runs.load(Ordering::Relaxed)), "at most once on each server");
    // The replica is still in use.
    world.sees_on_replica(BEN, 0).await;
    world.database.resume();
}

/// The primary has time left for a read that timed out on the replica.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_that_are_slow_on_a_replica_run_on_the_primary() {
    let narrow = |options: &mut PgOptions| {
        options.search_pool_size = 2;
        (options.search_timeout_ms, options.statement_timeout_ms) = (2_000, 6_000);
    };
    let world = World::over(NO_LAG_LIMIT, narrow).await;
    world.add(None).await;
    // The replica replays the lock but not its release.
    let mut primary = PgConnection::establish(&world.database.url()).unwrap();
    primary.batch_execute("BEGIN; LOCK TABLE companies IN ACCESS EXCLUSIVE MODE").unwrap();
    // A commit flushes the log to the disk and to the replica.
    let mut other = PgConnection::establish(&world.database.url()).unwrap();
    other.batch_execute("SELECT pg_logical_emit_message(true, 'test', '')").unwrap();
    let locks = "(SELECT count(*) FROM pg_locks
        WHERE mode = 'AccessExclusiveLock' AND relation = 'companies'::regclass)";
    eventually("the replica has the lock", async || {
        let mut replica = PgConnection::establish(&world.database.replica_url()).unwrap();
        diesel::select(sql::<BigInt>(locks)).get_result::<i64>(&mut replica).unwrap() > 0
    })
    .await;
    world.database.pause();
    primary.batch_execute("ROLLBACK").unwrap();
    for weight in [Weight::Search, Weight::Light] {
        let profile = JobProfile { holder: Some(BEN), weight };
        assert_eq!(world.read_with_profile(profile, list).await.unwrap(), 1, "{weight:?}");
    }
    world.database.resume();
}

/// Receivers of webhooks read with their own keys, which must see records of backlogged events, too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receivers_of_backlogged_events_can_read_the_records() {
    let world = World::over(NO_LAG_LIMIT, |options| options.max_waiting_deliveries = 1).await;
    subscribe(&world.store, world.workspace, 1).await;
    // One delivery is queued, and later ones wait.
    emit(&world.store, world.workspace, 3).await;
    world.comes_to_read_the_replica(BEN).await;
    world.database.pause();
    let record = company();
    let write = job(move |tx| {
        tx.records::<Company>().insert(&record)?;
        tx.emit(&[event()])
    });
    let profile = JobProfile { holder: Some(ANN), weight: Weight::Light };
    world.store.run_with_profile(world.workspace, profile, write).await.unwrap();
    let all = world.count_on_primary().await;
    for _ in 0..50 {
        assert_eq!(world.count(BEN).await, all);
    }
    world.database.resume();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_that_is_too_far_behind_is_left_out() {
    let world = World::new(1_000).await;
    world.database.pause();
    world.add(None).await;
    eventually("reads go to the primary", async || world.count(BEN).await == 1).await;
    for _ in 0..20 {
        assert_eq!(world.count(BEN).await, 1);
    }
    world.database.resume();
    world.comes_to_read_the_replica(BEN).await;
}

/// Eight holders who read continuously; any failure fails the test.
struct Readers {
    reads: Arc<AtomicUsize>,
    is_over: Arc<AtomicBool>,
    tasks: JoinSet<()>,
}

impl Readers {
    fn start(world: &Arc<World>) -> Self {
        let (is_over, reads) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let mut tasks = JoinSet::new();
        for number in 0..8 {
            let (world, is_over, reads) = (Arc::clone(world), Arc::clone(&is_over), Arc::clone(&reads));
            tasks.spawn(async move {
                while !is_over.load(Ordering::Relaxed) {
                    assert_eq!(world.count(Uuid::from_u128(number)).await, 1);
                    reads.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        Self { reads, is_over, tasks }
    }

    async fn next_to_a_replica() -> (Arc<World>, Self) {
        let world = Arc::new(World::new(NO_LAG_LIMIT).await);
        world.add(None).await;
        world.database.catch_up();
        let readers = Self::start(&world);
        readers.keep_reading("reads continue next to the replica").await;
        (world, readers)
    }

    async fn keep_reading(&self, how: &str) {
        let target = self.reads.load(Ordering::Relaxed) + 200;
        eventually(how, async || self.reads.load(Ordering::Relaxed) >= target).await;
    }

    async fn end(self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.tasks.join_all().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_that_is_killed_costs_no_read() {
    let (world, readers) = Readers::next_to_a_replica().await;
    world.database.replica.kill();
    readers.keep_reading("reads continue without the replica").await;
    world.database.replica.start_again().unwrap();
    eventually("reads go to the replica again", async || world.database.readers() > 0).await;
    readers.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_that_hangs_costs_no_read() {
    let (world, readers) = Readers::next_to_a_replica().await;
    let frozen = world.database.freeze();
    readers.keep_reading("reads continue without the replica").await;
    drop(frozen);
    readers.keep_reading("reads continue when the replica resumes").await;
    readers.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_that_are_not_replicas_are_not_used() {
    let (database, other) = (Replicated::new(), Replicated::new());
    let bound = Duration::from_secs(10);
    let refusal = |url: &str| replica_lag(&database.url(), url, bound).unwrap_err().to_string();
    assert!(refusal(&database.url()).contains("not in recovery"));
    assert!(refusal(&other.replica_url()).contains("another server"));
    assert!(refusal(&database.replica.database_url("template1")).contains("different database"));
    assert!(replica_lag(&database.url(), &database.replica_url(), bound).unwrap().is_some());

    let urls = vec![other.replica_url(), "postgres://postgres@localhost:1/nowhere".to_owned()];
    let store = PgStore::connect(&options(&database, urls, NO_LAG_LIMIT)).unwrap();
    let workspace = workspace_value(1);
    store.create_workspace(&workspace, &entry(AuditSubject::workspace(workspace.id))).await.unwrap();
    let world = World { database, store, workspace: workspace.id };
    world.add(None).await;
    for _ in 0..20 {
        assert_eq!(world.count(BEN).await, 1);
    }
    assert_eq!(other.readers(), 0);
}
