//! One database per test, copied from one template in one throwaway cluster per process.
//!
//! With `TEST_CITUS_URL`, all tests that need a schema share the distributed database at this address (`cargo xtask citus`).

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use diesel::connection::SimpleConnection;
use diesel::dsl::sql;
use diesel::sql_types::Integer;
use diesel::{Connection, PgConnection, RunQueryDsl};
use embedded_postgres::ThrowawayCluster;

const TEMPLATE: &str = "template_migrated";

static CLUSTER: LazyLock<ThrowawayCluster> = LazyLock::new(|| {
    let cluster = embedded_postgres::throwaway().unwrap_or_else(|error| panic!("no Postgres for tests: {error}"));
    execute(&cluster, &format!("CREATE DATABASE {TEMPLATE}"));
    storage_diesel::migrate(&cluster.database_url(TEMPLATE)).unwrap_or_else(|error| panic!("{error}"));
    cluster
});
/// Copying files is fastest; servers before 15 always do it, and do not know the keyword.
static STRATEGY: LazyLock<&str> = LazyLock::new(|| {
    let mut server = connect(&CLUSTER, "postgres");
    let version = sql::<Integer>("current_setting('server_version_num')::int");
    let version: i32 = diesel::select(version).get_result(&mut server).unwrap_or_default();
    if version >= 150_000 { " STRATEGY FILE_COPY" } else { "" }
});
static NEXT: AtomicU32 = AtomicU32::new(1);
/// The variable that names a distributed database.
const CITUS_URL: &str = "TEST_CITUS_URL";

fn connect(cluster: &ThrowawayCluster, database: &str) -> PgConnection {
    PgConnection::establish(&cluster.database_url(database)).unwrap_or_else(|error| panic!("{error}"))
}

fn execute(cluster: &ThrowawayCluster, sql: &str) {
    connect(cluster, "postgres").batch_execute(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// A migrated, empty database, dropped with this value; or the shared one of a Citus cluster, in which others are at work.
#[derive(Debug)]
pub struct TestDatabase {
    /// Of a database of its own.
    name: Option<String>,
    url: String,
}

impl Default for TestDatabase {
    fn default() -> Self {
        Self::new()
    }
}

impl TestDatabase {
    /// Creates the database.
    ///
    /// # Panics
    /// If there is no Postgres, or the statement fails.
    pub fn new() -> Self {
        match std::env::var(CITUS_URL) {
            Ok(url) => Self { name: None, url },
            Err(_) => Self::from_template(TEMPLATE),
        }
    }

    /// Creates a database without a schema.
    ///
    /// # Panics
    /// If there is no Postgres, or the statement fails.
    pub fn blank() -> Self {
        Self::from_template("template0")
    }

    fn from_template(template: &str) -> Self {
        let cluster = &*CLUSTER;
        let name = format!("test_{}", NEXT.fetch_add(1, Ordering::Relaxed));
        execute(cluster, &format!("CREATE DATABASE {name} TEMPLATE {template}{}", *STRATEGY));
        let url = cluster.database_url(&name);
        Self { name: Some(name), url }
    }

    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// Whether other tests use it, too.
    pub const fn is_shared(&self) -> bool {
        self.name.is_none()
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let Some(name) = &self.name else { return };
        // FORCE disconnects remaining clients. Best effort: the cluster ends with the process.
        if let Ok(mut connection) = PgConnection::establish(&CLUSTER.database_url("postgres")) {
            let _ = connection.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
        }
    }
}
