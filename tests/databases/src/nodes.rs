//! Databases in a Citus cluster.
//!
//! Distributing tables takes seconds, copying files a fraction of one. The database itself stores where its tables are, so a
//! copy on each node is distributed like the original. `cargo xtask citus` creates the original, and forbids connections to it.

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};

/// The variable with the addresses of the template database on all nodes, starting with the node to connect to.
const URLS: &str = "TEST_CITUS_URLS";

/// The nodes of a cluster.
#[derive(Debug)]
pub(crate) struct Nodes {
    /// Addresses without the name of a database, starting with the node to connect to.
    servers: Vec<String>,
    original: String,
}

impl Nodes {
    /// The nodes in the environment, if any.
    pub(crate) fn of_environment() -> Option<Self> {
        let urls = std::env::var(URLS).ok()?;
        let databases: Vec<_> = urls.split_whitespace().filter_map(|url| url.rsplit_once('/')).collect();
        let (_, original) = *databases.first()?;
        let servers = databases.iter().map(|(server, _)| (*server).to_owned()).collect();
        Some(Self { servers, original: original.to_owned() })
    }

    /// Copies the database on all nodes, and returns its address.
    pub(crate) fn copy(&self, name: &str) -> String {
        let original = &self.original;
        let create = format!("CREATE DATABASE {name} TEMPLATE {original} STRATEGY FILE_COPY");
        // Settings of a role in a database are not copied.
        let settings = format!(
            "DO $$ DECLARE command text; BEGIN
                FOR command IN SELECT format('ALTER ROLE %I IN DATABASE {name} SET %s = %L', rolname,
                        split_part(setting, '=', 1), split_part(setting, '=', 2))
                    FROM pg_db_role_setting JOIN pg_roles ON pg_roles.oid = setrole
                        JOIN pg_database ON pg_database.oid = setdatabase CROSS JOIN unnest(setconfig) AS setting
                    WHERE datname = '{original}'
                LOOP EXECUTE command; END LOOP;
            END $$"
        );
        for server in &self.servers {
            for sql in [&create, &settings] {
                execute(server, sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
            }
        }
        format!("{}/{name}", self.servers[0])
    }

    /// Its address through the second node in the environment.
    pub(crate) fn url_of_another(&self, name: &str) -> Option<String> {
        self.servers.get(1).map(|server| format!("{server}/{name}"))
    }

    /// Best effort: the cluster ends with `cargo xtask citus`.
    pub(crate) fn drop_copy(&self, name: &str) {
        for server in &self.servers {
            let _ = execute(server, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
        }
    }
}

fn execute(server: &str, sql: &str) -> Result<(), Box<dyn std::error::Error>> {
    Ok(PgConnection::establish(&format!("{server}/postgres"))?.batch_execute(sql)?)
}
