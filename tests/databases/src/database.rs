//! One database per test, copied from one template in one throwaway cluster per process.
//!
//! With `TEST_CITUS_URLS`, the databases are copied from a distributed database on all nodes of a Citus cluster (`cargo xtask citus`).

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use diesel::connection::SimpleConnection;
use diesel::dsl::sql;
use diesel::sql_types::Integer;
use diesel::{Connection, PgConnection, RunQueryDsl};
use embedded_postgres::ThrowawayCluster;

use crate::nodes::Nodes;

const TEMPLATE: &str = "template_migrated";

static CLUSTER: LazyLock<ThrowawayCluster> = LazyLock::new(|| {
    let cluster = embedded_postgres::throwaway().unwrap_or_else(|error| panic!("no Postgres for tests: {error}"));
    execute(&cluster, &format!("CREATE DATABASE {TEMPLATE}"));
    storage_diesel::migrate(&cluster.database_url(TEMPLATE)).unwrap_or_else(|error| panic!("{error}"));
    cluster
});
/// Copying files is fastest; servers before 15 always do so, and do not have the keyword.
static STRATEGY: LazyLock<&str> = LazyLock::new(|| {
    let mut server = connect(&CLUSTER, "postgres");
    let version = sql::<Integer>("current_setting('server_version_num')::int");
    let version: i32 = diesel::select(version).get_result(&mut server).unwrap_or_default();
    if version >= 150_000 { " STRATEGY FILE_COPY" } else { "" }
});
static NEXT: AtomicU32 = AtomicU32::new(1);
static NODES: LazyLock<Option<Nodes>> = LazyLock::new(Nodes::of_environment);

fn connect(cluster: &ThrowawayCluster, database: &str) -> PgConnection {
    PgConnection::establish(&cluster.database_url(database)).unwrap_or_else(|error| panic!("{error}"))
}

fn execute(cluster: &ThrowawayCluster, sql: &str) {
    connect(cluster, "postgres").batch_execute(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// Lets the database trust the caller's time when months are dropped. Otherwise it compares that time with its own clock, which tests
/// cannot move. Only the owner of the schema can replace the function.
///
/// # Panics
/// If the statement fails.
pub fn trust_callers_clock(url: &str) {
    let clock = "CREATE OR REPLACE FUNCTION retention_clock() RETURNS timestamptz LANGUAGE sql STABLE
        AS $$ SELECT timestamptz 'infinity' $$";
    let mut connection = PgConnection::establish(url).unwrap_or_else(|error| panic!("{error}"));
    connection.batch_execute(clock).unwrap_or_else(|error| panic!("{error}"));
}

/// A migrated, empty database, dropped together with this value.
#[derive(Debug)]
pub struct TestDatabase {
    name: String,
    url: String,
    /// The nodes that contain it, if it is in a cluster.
    nodes: Option<&'static Nodes>,
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
        let Some(nodes) = &*NODES else { return Self::from_template(TEMPLATE) };
        // The name is unique among several processes on one cluster.
        let name = format!("test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let url = nodes.copy(&name);
        Self { name, url, nodes: Some(nodes) }
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
        Self { name, url, nodes: None }
    }

    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// Lets months of the event log be dropped by the clock of the test; see [`trust_callers_clock`].
    pub fn trust_callers_clock(&self) {
        trust_callers_clock(&self.url);
    }

    /// Its address through another node, if it is in a cluster.
    pub fn url_of_another_node(&self) -> Option<String> {
        self.nodes.and_then(|nodes| nodes.url_of_another(&self.name))
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let name = &self.name;
        if let Some(nodes) = self.nodes {
            return nodes.drop_copy(name);
        }
        // FORCE disconnects remaining clients. Best effort: the cluster ends with the process.
        if let Ok(mut connection) = PgConnection::establish(&CLUSTER.database_url("postgres")) {
            let _ = connection.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
        }
    }
}
