//! Shared by the store's tests: a database per test, ports over it, a runtime.

pub(crate) mod jobs;
pub(crate) mod kb_fixture;
pub(crate) mod webhooks;

use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock};

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};
use domain::ports::{Ids, Ports, Random};
use domain::testing::{self, ManualClock};
use storage_diesel::{PgOptions, PgStore};
use test_support::TestDatabase;
use uuid::Uuid;

/// A database for one test.
pub(crate) struct Database(TestDatabase);

impl Database {
    /// With the full schema.
    pub(crate) fn migrated() -> Self {
        Self(TestDatabase::new())
    }

    /// Where months are dropped by the clock of the test.
    pub(crate) fn trusting_clocks() -> Self {
        let database = Self::migrated();
        database.0.trust_callers_clock();
        database
    }

    /// Where the store takes itself to be over a node of a cluster, though nothing is distributed.
    pub(crate) fn like_a_cluster() -> Self {
        let database = Self::migrated();
        let mark = "DO $$ BEGIN
                EXECUTE format('ALTER DATABASE %I SET citus.version = %L', current_database(), 'none');
            END $$";
        database.execute(mark);
        database
    }

    /// Where commits wait for the disk as in production, which those of the tests' cluster do not, and rows that are written to these
    /// tables are noted in `seen`, with the setting that they were written under. `writes` are an event and a table each.
    pub(crate) fn noting_commits(writes: &[(&str, &str)]) -> Self {
        let database = Self::migrated();
        let begin = "DO $$ BEGIN
                EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database());
            END $$;
            CREATE TABLE seen (written text, setting text);
            CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN INSERT INTO seen VALUES (TG_TABLE_NAME, current_setting(''synchronous_commit'')); RETURN NULL; END'";
        database.execute(begin);
        for (event, table) in writes {
            let trigger = format!("CREATE TRIGGER note AFTER {event} ON {table} FOR EACH ROW EXECUTE FUNCTION note()");
            database.execute(&trigger);
        }
        database
    }

    /// Without a schema.
    pub(crate) fn empty() -> Self {
        Self(TestDatabase::blank())
    }

    pub(crate) fn url(&self) -> String {
        self.0.url()
    }

    /// Its address through another node, if it is one of a cluster; else the same.
    pub(crate) fn url_of_another_node(&self) -> String {
        self.0.url_of_another_node().unwrap_or_else(|| self.url())
    }

    pub(crate) fn connection(&self) -> PgConnection {
        PgConnection::establish(&self.url()).unwrap()
    }

    pub(crate) fn execute(&self, sql: &str) {
        self.connection().batch_execute(sql).unwrap();
    }

    pub(crate) fn options(&self) -> PgOptions {
        PgOptions { pool_size: 8, ..PgOptions::new(self.url()) }
    }

    pub(crate) fn store(&self) -> PgStore {
        PgStore::connect(&self.options()).unwrap()
    }

    pub(crate) fn ports(&self) -> (Ports, Arc<ManualClock>) {
        ports_over(self.store())
    }
}

/// Ports over a store, with a manual clock.
pub(crate) fn ports_over(store: PgStore) -> (Ports, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::default());
    let (ids, random) = (Arc::new(Different), Arc::new(Different));
    let ports = testing::ports_over(Arc::new(store), clock.clone(), ids, random);
    (ports, clock)
}

/// Runs a future on a runtime like the service's.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(future)
}

/// Runs futures concurrently, each in a task.
pub(crate) async fn concurrently<F: Future<Output: Send + 'static> + Send + 'static>(
    futures: impl IntoIterator<Item = F>,
) -> Vec<F::Output> {
    futures.into_iter().collect::<tokio::task::JoinSet<_>>().join_all().await
}

/// Ids and random bytes that differ between fixtures and runs.
#[derive(Debug)]
pub(crate) struct Different;

static COUNTER: LazyLock<std::sync::atomic::AtomicU64> = LazyLock::new(|| {
    use std::hash::{BuildHasher, RandomState};
    std::sync::atomic::AtomicU64::new(RandomState::new().hash_one(0))
});

fn different() -> u64 {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
    BuildHasherDefault::<DefaultHasher>::default().hash_one(COUNTER.fetch_add(1, Ordering::Relaxed))
}

impl Ids for Different {
    fn new_id(&self) -> Uuid {
        // Of 1970, before the times of all tests.
        let random = Uuid::from_u64_pair(different(), different()).into_bytes();
        let [bytes @ .., _, _, _, _, _, _] = random;
        uuid::Builder::from_unix_timestamp_millis(0, &bytes).into_uuid()
    }
}

impl Random for Different {
    fn fill(&self, bytes: &mut [u8]) {
        for byte in bytes {
            *byte = different().to_le_bytes()[3];
        }
    }
}
