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

pub(crate) struct Database(TestDatabase);

impl Database {
    pub(crate) fn migrated() -> Self {
        Self(TestDatabase::new())
    }

    /// A database that trusts the clock of the test when months are dropped.
    pub(crate) fn trusting_callers_clock() -> Self {
        let database = Self::migrated();
        database.0.trust_callers_clock();
        database
    }

    /// A database that looks like a node of a cluster to the store, although nothing is distributed.
    pub(crate) fn like_a_cluster() -> Self {
        let database = Self::migrated();
        let mark = "DO $$ BEGIN
                EXECUTE format('ALTER DATABASE %I SET citus.version = %L', current_database(), 'none');
            END $$";
        database.execute(mark);
        database
    }

    /// A database with synchronous commits, as in production, that records in `commits` the setting in effect for writes to some tables.
    /// Each of `writes` is an event and a table.
    pub(crate) fn recording_commits(writes: &[(&str, &str)]) -> Self {
        let database = Self::migrated();
        let begin = "DO $$ BEGIN
                EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database());
            END $$;
            CREATE TABLE commits (written text, setting text);
            CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN INSERT INTO commits VALUES (TG_TABLE_NAME, current_setting(''synchronous_commit'')); RETURN NULL; END'";
        database.execute(begin);
        for (event, table) in writes {
            let trigger = format!("CREATE TRIGGER note AFTER {event} ON {table} FOR EACH ROW EXECUTE FUNCTION note()");
            database.execute(&trigger);
        }
        database
    }

    pub(crate) fn empty() -> Self {
        Self(TestDatabase::blank())
    }

    pub(crate) fn url(&self) -> String {
        self.0.url()
    }

    /// The address on another node of a cluster, or the same address.
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

pub(crate) fn ports_over(store: PgStore) -> (Ports, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::default());
    let (ids, random) = (Arc::new(UniqueValues), Arc::new(UniqueValues));
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

/// Ids and random bytes that never repeat, even between runs.
#[derive(Debug)]
pub(crate) struct UniqueValues;

static COUNTER: LazyLock<std::sync::atomic::AtomicU64> = LazyLock::new(|| {
    use std::hash::{BuildHasher, RandomState};
    std::sync::atomic::AtomicU64::new(RandomState::new().hash_one(0))
});

fn unique_number() -> u64 {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
    BuildHasherDefault::<DefaultHasher>::default().hash_one(COUNTER.fetch_add(1, Ordering::Relaxed))
}

impl Ids for UniqueValues {
    fn new_id(&self) -> Uuid {
        // The time is in 1970, before all test times.
        let random = Uuid::from_u64_pair(unique_number(), unique_number()).into_bytes();
        let [bytes @ .., _, _, _, _, _, _] = random;
        uuid::Builder::from_unix_timestamp_millis(0, &bytes).into_uuid()
    }
}

impl Random for UniqueValues {
    fn fill(&self, bytes: &mut [u8]) {
        for byte in bytes {
            *byte = unique_number().to_le_bytes()[3];
        }
    }
}
