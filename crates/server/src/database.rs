//! The database that the configuration names.

use anyhow::Context;
use embedded_postgres::{Cluster, ClusterOptions, DATABASE, Durability, Programs};

use crate::cluster_supervisor::ClusterSupervisor;
use crate::config::Config;

/// A database that is there: one's own, or the embedded cluster, which stays as long as this value.
pub(crate) struct Database {
    pub(crate) url: String,
    cluster: Option<ClusterSupervisor>,
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
        let supervisor = ClusterSupervisor::start(cluster, programs, options).context("no runtime")?;
        Ok(Self { url, cluster: Some(supervisor) })
    }

    /// Whether this is the embedded cluster.
    pub(crate) const fn is_embedded(&self) -> bool {
        self.cluster.is_some()
    }

    /// Ends the embedded cluster unless another process uses it. To be called outside of every runtime.
    pub(crate) fn close(self) -> anyhow::Result<()> {
        self.cluster.map_or(Ok(()), ClusterSupervisor::close)
    }
}
