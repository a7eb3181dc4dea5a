//! The configured database.

use std::time::Duration;

use anyhow::Context;
use embedded_postgres::{Cluster, ClusterOptions, DATABASE, Durability, Programs};
use postgres_address::{Address, AddressError};
use storage_diesel::{LIBPQ_HAS_TLS, Sessions, with_short_timeouts};

use crate::cluster_supervisor::ClusterSupervisor;
use crate::config::{Config, SecretText};
use crate::database_wait::retry_until_reachable;

/// The error if two addresses lead to different databases.
const OTHER_DATABASE: &str = "SERVICE_DATABASE_DIRECT_URL leads to another database than DATABASE_URL: it must \
     bypass the pooler but lead to the same database on the same server, not on a standby";

/// What a start does with pending migrations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Schema {
    /// Applies them.
    BringUpToDate,
    /// Refuses to continue, except with a new embedded cluster, which has no schema yet.
    MustBeCurrent,
}

/// The options of the embedded cluster, as configured.
pub(crate) fn cluster_options(config: &Config) -> ClusterOptions {
    ClusterOptions {
        wal_archive: config.wal_archive_dir.clone(),
        ..ClusterOptions::new(&config.data_dir, Durability::Full)
    }
}

/// A running database: an external one, or the embedded cluster, which runs as long as this value exists.
pub(crate) struct Database {
    /// The address for libpq, like `direct_url`.
    pub(crate) url: String,
    /// What sessions at `url` keep.
    pub(crate) sessions: Sessions,
    /// The address that bypasses the pooler.
    direct_url: Option<String>,
    /// Addresses of streaming replicas, for libpq.
    pub(crate) replica_urls: Vec<String>,
    cluster: Option<ClusterSupervisor>,
    /// Keeps the tunnels behind the addresses open.
    _tunnels: Vec<Address>,
}

impl Database {
    /// Joins or starts the configured database, whatever it contains.
    pub(crate) fn reach(config: &Config) -> anyhow::Result<Self> {
        match &config.database_url {
            Some(url) => Self::external(config, url),
            None => Self::embedded(config),
        }
    }

    /// Joins or starts the configured database and checks or migrates its schema. Waits for at most `timeout` until an external
    /// database is reachable.
    pub(crate) fn open(config: &Config, schema: Schema, timeout: Duration) -> anyhow::Result<Self> {
        let mut database = Self::reach(config)?;
        let state = retry_until_reachable(timeout, || storage_diesel::schema_state(database.session_url()));
        let state = state.context("the database cannot be used")?;
        if !database.is_embedded() {
            database.sessions = Sessions::check(&database.url, config.db_prepared.is_on())
                .context("the address in DATABASE_URL cannot be used")?;
        }
        // Check this before changing anything, because either database may belong to something else.
        database.ensure_same_database()?;
        database.ensure_complete()?;
        if state.is_empty {
            database.ensure_not_foreign()?;
        }
        if schema == Schema::BringUpToDate || (database.is_embedded() && state.is_empty) {
            database.migrate()?;
        } else if let Some(first) = state.pending.first() {
            anyhow::bail!(
                "the database schema lacks {} migrations, starting with {first}; apply them with `workspace-service migrate`",
                state.pending.len()
            );
        }
        Ok(database)
    }

    /// Applies pending migrations.
    pub(crate) fn migrate(&self) -> anyhow::Result<()> {
        let applied = storage_diesel::migrate(self.session_url()).context("the database migrations failed")?;
        match &applied[..] {
            [] => {}
            [name] => log::info!("applied the migration {name}"),
            [first, .., last] => log::info!("applied {} migrations, from {first} to {last}", applied.len()),
        }
        Ok(())
    }

    /// Refuses a direct address that leads to another database.
    pub(crate) fn ensure_same_database(&self) -> anyhow::Result<()> {
        let Some(direct_url) = &self.direct_url else { return Ok(()) };
        anyhow::ensure!(
            storage_diesel::is_same_database(&self.url, direct_url).context("the database cannot be used")?,
            OTHER_DATABASE
        );
        Ok(())
    }

    /// Refuses a database that has tables, but not our schema.
    fn ensure_not_foreign(&self) -> anyhow::Result<()> {
        let tables = storage_diesel::tables(self.session_url()).context("the database cannot be used")?;
        let Some(first) = tables.first() else { return Ok(()) };
        // Another instance may have begun to create the schema in the meantime.
        let state = storage_diesel::schema_state(self.session_url()).context("the database cannot be used")?;
        anyhow::ensure!(
            !state.is_empty,
            "the database has {} tables of another program, e.g. {first}: set DATABASE_URL to a database that the service has \
             to itself",
            tables.len()
        );
        Ok(())
    }

    /// Refuses a database whose restore did not finish.
    pub(crate) fn ensure_complete(&self) -> anyhow::Result<()> {
        anyhow::ensure!(
            !storage_diesel::restore_is_unfinished(self.session_url()).context("the database cannot be used")?,
            "a restore into this database did not finish, so it may be incomplete: repeat `workspace-service restore FILE` \
             with an empty database or data folder"
        );
        Ok(())
    }

    /// Refuses a database whose tables were only partly distributed, because its foreign keys are missing.
    pub(crate) fn ensure_distributed(&self) -> anyhow::Result<()> {
        anyhow::ensure!(
            !storage_diesel::distribution_is_unfinished(self.session_url()).context("the database cannot be used")?,
            "{}: run it again first",
            storage_diesel::DISTRIBUTION_UNFINISHED
        );
        Ok(())
    }

    fn external(config: &Config, url: &SecretText) -> anyhow::Result<Self> {
        let open = |url: &SecretText, name| {
            Address::open(&url.0, LIBPQ_HAS_TLS).with_context(|| format!("the address in {name} cannot be used"))
        };
        let address = open(url, "DATABASE_URL")?;
        let direct =
            config.database_direct_url.as_ref().map(|url| open(url, "SERVICE_DATABASE_DIRECT_URL")).transpose()?;
        let replicas = config.replicas.urls.iter().map(open_replica);
        let replicas: Vec<_> =
            replicas.collect::<Result<_, _>>().context("an address in SERVICE_DATABASE_REPLICA_URLS cannot be used")?;
        Ok(Self {
            url: address.for_libpq().to_owned(),
            sessions: Sessions::DIRECT,
            direct_url: direct.as_ref().map(|address| address.for_libpq().to_owned()),
            replica_urls: replicas.iter().map(|address| address.for_libpq().to_owned()).collect(),
            cluster: None,
            _tunnels: [address].into_iter().chain(direct).chain(replicas).collect(),
        })
    }

    /// The address for anything that needs a lasting session. It bypasses a pooler, if so configured.
    pub(crate) fn session_url(&self) -> &str {
        self.direct_url.as_ref().unwrap_or(&self.url)
    }

    /// Where this process can LISTEN for notifications of others, if there may be others and sessions are kept.
    pub(crate) fn listen_url(&self) -> Option<String> {
        let session_url = self.sessions.keep_state().then_some(&self.url);
        self.direct_url.as_ref().or(session_url).filter(|_| !self.is_embedded()).cloned()
    }

    fn embedded(config: &Config) -> anyhow::Result<Self> {
        let options = cluster_options(config);
        let programs = Programs::find_for(&options.data_dir)?;
        let cluster = Cluster::join_or_start(&programs, &options).context("the embedded Postgres did not start")?;
        let url = cluster.database_url(DATABASE);
        let supervisor =
            ClusterSupervisor::start(cluster, programs, options).context("cannot start the cluster supervisor")?;
        Ok(Self {
            url,
            sessions: Sessions::DIRECT,
            direct_url: None,
            replica_urls: Vec::new(),
            cluster: Some(supervisor),
            _tunnels: Vec::new(),
        })
    }

    pub(crate) const fn is_embedded(&self) -> bool {
        self.cluster.is_some()
    }

    /// Whether another process was already using the embedded cluster when this one joined.
    pub(crate) fn is_in_use(&self) -> bool {
        self.cluster.as_ref().is_some_and(ClusterSupervisor::joined)
    }

    /// Whether the programs of the embedded cluster were replaced while it was running.
    pub(crate) fn is_outdated(&self) -> bool {
        self.cluster.as_ref().is_some_and(ClusterSupervisor::is_outdated)
    }

    /// Stops the embedded cluster unless another process uses it. Must be called outside any runtime.
    pub(crate) fn close(self) -> anyhow::Result<()> {
        self.cluster.map_or(Ok(()), ClusterSupervisor::close)
    }
}

/// Opens the address of a replica with time limits. Behind a tunnel, only the tunnel's own limits apply to the server.
fn open_replica(url: &SecretText) -> Result<Address, AddressError> {
    Address::open_one(&with_short_timeouts(&url.0), LIBPQ_HAS_TLS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replica_behind_a_tunnel_has_short_time_limits() {
        let url = "postgres://app@replica.example.com/work?sslmode=require";
        let address = open_replica(&SecretText(url.to_owned())).unwrap();
        assert!(address.for_libpq().contains("connect_timeout=2"), "{}", address.for_libpq());
    }
}
