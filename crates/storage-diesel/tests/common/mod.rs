//! A migrated database a test, in one throwaway cluster a test binary.
#![expect(dead_code, reason = "each test binary uses a part")]

pub(crate) mod jobs;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};
use domain::ports::{Directory, Ids, Ports, Random};
use domain::testing::ManualClock;
use embedded_postgres::ThrowawayCluster;
use storage_diesel::{PgOptions, PgStore};
use uuid::Uuid;

static CLUSTER: LazyLock<ThrowawayCluster> = LazyLock::new(|| embedded_postgres::throwaway().unwrap());
static TEMPLATE: LazyLock<&str> = LazyLock::new(|| {
    create("CREATE DATABASE migrated");
    storage_diesel::migrate(&url("migrated")).unwrap();
    "migrated"
});
static NEXT: AtomicU32 = AtomicU32::new(0);

fn create(sql: &str) {
    connection("postgres").batch_execute(sql).unwrap();
}

fn url(database: &str) -> String {
    CLUSTER.database_url(database)
}

/// A plain connection.
pub(crate) fn connection(database: &str) -> PgConnection {
    PgConnection::establish(&url(database)).unwrap()
}

/// A database of a test's own.
pub(crate) struct Database {
    pub(crate) name: String,
}

impl Database {
    /// With the whole schema.
    pub(crate) fn migrated() -> Self {
        Self::copy_of(*TEMPLATE)
    }

    /// With nothing.
    pub(crate) fn empty() -> Self {
        Self::copy_of("template0")
    }

    fn copy_of(template: &str) -> Self {
        let name = format!("test_{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let server = connection("postgres");
        // Older servers copy files without being asked, and do not know the word.
        let how = if version(server) >= 150_000 { " STRATEGY FILE_COPY" } else { "" };
        create(&format!("CREATE DATABASE {name} TEMPLATE {template}{how}"));
        Self { name }
    }

    pub(crate) fn url(&self) -> String {
        url(&self.name)
    }

    pub(crate) fn connection(&self) -> PgConnection {
        connection(&self.name)
    }

    pub(crate) fn options(&self) -> PgOptions {
        PgOptions { pool_size: 8, ..PgOptions::new(self.url()) }
    }

    pub(crate) fn store(&self) -> PgStore {
        PgStore::connect(&self.options()).unwrap()
    }

    /// Ports over the database, with a clock at hand.
    pub(crate) fn ports(&self) -> (Ports, Arc<ManualClock>) {
        ports_over(self.store())
    }
}

/// Ports over a store, with a clock at hand.
pub(crate) fn ports_over(store: PgStore) -> (Ports, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::default());
    let store = Arc::new(store);
    let directory: Arc<dyn Directory> = store.clone();
    let ports = Ports { store, directory, clock: clock.clone(), ids: Arc::new(Different), random: Arc::new(Different) };
    (ports, clock)
}

fn version(mut server: PgConnection) -> i32 {
    use diesel::prelude::*;
    diesel::select(diesel::dsl::sql::<diesel::sql_types::Integer>("current_setting('server_version_num')::int"))
        .get_result(&mut server)
        .unwrap()
}

/// A runtime like the service's.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(future)
}

/// Ids and bytes that differ, in every subject and run.
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
        let random = uuid::Builder::from_random_bytes(Uuid::from_u64_pair(different(), different()).into_bytes());
        random.with_version(uuid::Version::SortRand).into_uuid()
    }
}

impl Random for Different {
    fn fill(&self, bytes: &mut [u8]) {
        for byte in bytes {
            *byte = different().to_le_bytes()[3];
        }
    }
}
