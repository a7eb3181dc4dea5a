//! Databases in a Citus cluster.
//!
//! To distribute the tables of each test's database would take seconds. Instead, the files of a template database are copied on
//! each node, in a fraction of a second. A database stores where its tables are, so the copy is distributed like the template. `cargo
//! xtask citus` creates the template, and forbids connections to it.

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};

/// The variable with the addresses of the template database on all nodes, starting with the node to connect to.
const URLS: &str = "TEST_CITUS_URLS";

/// The nodes of a cluster.
#[derive(Debug)]
pub(crate) struct Nodes {
    /// Addresses without the name of a database, starting with the node to connect to.
    servers: Vec<String>,
    template: String,
}

impl Nodes {
    /// The nodes in the environment, if any.
    pub(crate) fn of_environment() -> Option<Self> {
        let urls = std::env::var(URLS).ok()?;
        let databases: Vec<_> = urls.split_whitespace().filter_map(|url| url.rsplit_once('/')).collect();
        let (_, template) = *databases.first()?;
        let servers = databases.iter().map(|(server, _)| (*server).to_owned()).collect();
        Some(Self { servers, template: template.to_owned() })
    }

    /// Copies the template on all nodes, and returns the address of the copy.
    pub(crate) fn copy(&self, name: &str) -> String {
        let template = &self.template;
        let create = format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY");
        // Settings of a role in a database are not copied.
        let settings = format!(
            "DO $$ DECLARE command text; BEGIN
                FOR command IN SELECT format('ALTER ROLE %I IN DATABASE {name} SET %s = %L', rolname,
                        split_part(setting, '=', 1), split_part(setting, '=', 2))
                    FROM pg_db_role_setting JOIN pg_roles ON pg_roles.oid = setrole
                        JOIN pg_database ON pg_database.oid = setdatabase CROSS JOIN unnest(setconfig) AS setting
                    WHERE datname = '{template}'
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

    /// The address of a copy through the second node; `None` if there is only one.
    pub(crate) fn url_of_another(&self, name: &str) -> Option<String> {
        self.servers.get(1).map(|server| format!("{server}/{name}"))
    }

    /// Ignores errors, because all copies disappear with the cluster, when `cargo xtask citus` ends.
    pub(crate) fn drop_copy(&self, name: &str) {
        for server in &self.servers {
            let _ = execute(server, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
        }
    }
}

fn execute(server: &str, sql: &str) -> Result<(), Box<dyn std::error::Error>> {
    Ok(PgConnection::establish(&format!("{server}/postgres"))?.batch_execute(sql)?)
}
