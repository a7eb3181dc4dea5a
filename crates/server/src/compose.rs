//! Builds the adapters and hands them to the ports.

use std::sync::Arc;

use anyhow::Context;
use domain::ports::{Directory, Ports};
use embedded_postgres::{Cluster, ClusterOptions, DATABASE, Durability, Programs};
use storage_diesel::{PgOptions, PgStore};

use crate::adapters::{SecureRandom, SystemClock, VersionSevenIds};
use crate::config::Config;
use crate::keeper::Keeper;

/// A database that is there: one's own, or the embedded cluster, which stays as long as this value.
pub(crate) struct Database {
    pub(crate) url: String,
    cluster: Option<Keeper>,
}

impl Database {
    /// Joins or starts what the configuration names, and brings its schema up to date.
    pub(crate) fn open(config: &Config) -> anyhow::Result<Self> {
        let database = match &config.database_url {
            Some(url) => Self { url: url.0.clone(), cluster: None },
            None => Self::embedded(config)?,
        };
        let applied =
            storage_diesel::migrate(&database.url).context("the database's schema could not be brought up to date")?;
        for name in applied {
            log::info!("applied migration {name}");
        }
        Ok(database)
    }

    fn embedded(config: &Config) -> anyhow::Result<Self> {
        let options = ClusterOptions::new(&config.data_dir, Durability::Full);
        let programs = Programs::find_for(&options.data_dir)?;
        let cluster =
            Cluster::join_or_start(&programs, &options).context("the embedded Postgres could not be started")?;
        let url = cluster.database_url(DATABASE);
        Ok(Self { url, cluster: Some(Keeper::of(cluster, programs, options)) })
    }

    /// Whether this is the embedded cluster.
    pub(crate) const fn is_embedded(&self) -> bool {
        self.cluster.is_some()
    }

    /// Ends the embedded cluster unless another process uses it.
    pub(crate) fn close(self) -> anyhow::Result<()> {
        self.cluster.map_or(Ok(()), Keeper::close)
    }
}

/// All ports over a database.
pub(crate) fn ports(database: &Database, pool_size: u32) -> anyhow::Result<Ports> {
    let options = PgOptions { pool_size, ..PgOptions::new(database.url.clone()) };
    let store = Arc::new(PgStore::connect(&options).context("the database cannot be used")?);
    let directory: Arc<dyn Directory> = store.clone();
    Ok(Ports {
        store,
        directory,
        clock: Arc::new(SystemClock),
        ids: Arc::new(VersionSevenIds),
        random: Arc::new(SecureRandom::default()),
    })
}
