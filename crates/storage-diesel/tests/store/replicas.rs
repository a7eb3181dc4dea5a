//! Reads on a streaming replica, a real one.

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
/// No replica is too far behind.
const EVER: u64 = 600_000;

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
        let (tell, told) = mpsc::channel();
        let read: ReadJob = Arc::new(move |tx: &mut dyn Tx| {
            tell.send(work(tx)?).unwrap();
            Ok(())
        });
        self.store.read(self.workspace, profile, read).await?;
        Ok(told.try_iter().last().unwrap())
    }

    /// How many companies the holder sees.
    async fn count(&self, holder: Uuid) -> usize {
        self.read(Some(holder), list).await.unwrap()
    }

    /// Waits until the holder sees so many, those that the replica has: a read may go to the primary where the replica is slow.
    async fn sees_on_replica(&self, holder: Uuid, wanted: usize) {
        eventually("reads go to the replica", async || self.count(holder).await == wanted).await;
    }

    /// Waits until reads of the holder go to the replica: until it misses what somebody else added while the replica was paused.
    async fn comes_to_read_the_replica(&self, holder: Uuid) {
        eventually("reads go to the replica", async || {
            self.database.pause();
            self.add(None).await;
            let (seen, all) = (self.count(holder).await, self.count_on_primary().await);
            self.database.resume();
            seen == all - 1
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
async fn a_holder_reads_what_they_wrote_and_others_read_the_replica() {
    let world = World::new(EVER).await;
    world.database.pause();
    world.add(Some(ANN)).await;
    for _ in 0..50 {
        assert_eq!(world.count(ANN).await, 1);
    }
    world.sees_on_replica(BEN, 0).await;
    // A write of nobody is seen by those who must see the newest.
    world.add(None).await;
    assert_eq!((world.count(ANN).await, world.count_on_primary().await), (2, 2));
    world.sees_on_replica(BEN, 0).await;
    // Whoever was told of what happened until now.
    world.store.note_write(BEN).await;
    assert_eq!(world.count(BEN).await, 2);

    world.database.resume();
    // When the replica has the write, its writer reads there again.
    world.comes_to_read_the_replica(ANN).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_replica_does_not_have_or_do_is_done_on_the_primary() {
    let world = World::new(EVER).await;
    world.database.pause();
    let id = world.add(None).await;
    world.sees_on_replica(BEN, 0).await;
    let found = world.read(Some(BEN), move |tx| match tx.records::<Company>().get(id).map_err(Abort::Store)? {
        Some(company) => Ok(company.id),
        None => Err(Abort::Rule),
    });
    assert_eq!(found.await.unwrap(), id);
    // One that no server has.
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
    assert!((1..=2).contains(&runs.load(Ordering::Relaxed)), "once on each server");
    // It did not take the replica out of use.
    world.sees_on_replica(BEN, 0).await;
    world.database.resume();
}

/// The primary has time left for what the replica gave up.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_takes_too_long_on_a_replica_is_done_on_the_primary() {
    let narrow = |options: &mut PgOptions| {
        options.search_pool_size = 2;
        (options.search_timeout_ms, options.statement_timeout_ms) = (2_000, 6_000);
    };
    let world = World::over(EVER, narrow).await;
    world.add(None).await;
    // The replica replays the lock, and not its end.
    let mut primary = PgConnection::establish(&world.database.url()).unwrap();
    primary.batch_execute("BEGIN; LOCK TABLE companies IN ACCESS EXCLUSIVE MODE").unwrap();
    // A commit sends the log to the disk, and to the replica.
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

/// Receivers of webhooks read with keys of their own, also what they are told of later.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_told_from_the_backlog_reads_what_they_were_told_of() {
    let world = World::over(EVER, |options| options.max_waiting_deliveries = 1).await;
    subscribe(&world.store, world.workspace, 1).await;
    // One is queued, and who comes after waits.
    emit(&world.store, world.workspace, 3).await;
    world.comes_to_read_the_replica(BEN).await;
    world.database.pause();
    let added = company();
    let told = job(move |tx| {
        tx.records::<Company>().insert(&added)?;
        tx.emit(&[event()])
    });
    let profile = JobProfile { holder: Some(ANN), weight: Weight::Light };
    world.store.run_with_profile(world.workspace, profile, told).await.unwrap();
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

/// Eight holders who read without a pause; one that fails fails the test.
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
        let world = Arc::new(World::new(EVER).await);
        world.add(None).await;
        world.database.catch_up();
        let readers = Self::start(&world);
        readers.keep_reading("reads continue next to the replica").await;
        (world, readers)
    }

    async fn keep_reading(&self, how: &str) {
        let wanted = self.reads.load(Ordering::Relaxed) + 200;
        eventually(how, async || self.reads.load(Ordering::Relaxed) >= wanted).await;
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
async fn what_is_no_replica_of_the_primary_is_not_used() {
    let (database, other) = (Replicated::new(), Replicated::new());
    let bound = Duration::from_secs(10);
    let said = |url: &str| replica_lag(&database.url(), url, bound).unwrap_err().to_string();
    assert!(said(&database.url()).contains("not in recovery"));
    assert!(said(&other.replica_url()).contains("another server"));
    assert!(said(&database.replica.database_url("template1")).contains("different database"));
    assert!(replica_lag(&database.url(), &database.replica_url(), bound).unwrap().is_some());

    let urls = vec![other.replica_url(), "postgres://postgres@localhost:1/nowhere".to_owned()];
    let store = PgStore::connect(&options(&database, urls, EVER)).unwrap();
    let workspace = workspace_value(1);
    store.create_workspace(&workspace, &entry(AuditSubject::workspace(workspace.id))).await.unwrap();
    let world = World { database, store, workspace: workspace.id };
    world.add(None).await;
    for _ in 0..20 {
        assert_eq!(world.count(BEN).await, 1);
    }
    assert_eq!(other.readers(), 0);
}
