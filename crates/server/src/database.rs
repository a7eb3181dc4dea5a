//! The configured database.

use anyhow::Context;
use embedded_postgres::{Cluster, ClusterOptions, DATABASE, Durability, Programs};

use crate::cluster_supervisor::ClusterSupervisor;
use crate::config::Config;

/// A running database: an external one, or the embedded cluster, which runs as long as this value.
pub(crate) struct Database {
    pub(crate) url: String,
    cluster: Option<ClusterSupervisor>,
}

impl Database {
    /// Joins or starts the configured database and applies pending migrations.
    pub(crate) fn open(config: &Config) -> anyhow::Result<Self> {
        let database = match &config.database_url {
            Some(url) => Self { url: url.0.clone(), cluster: None },
            None => Self::embedded(config)?,
        };
        let applied = storage_diesel::migrate(&database.url).context("the database migrations failed")?;
        for name in applied {
            log::info!("applied migration {name}");
        }
        Ok(database)
    }

    fn embedded(config: &Config) -> anyhow::Result<Self> {
        let options = ClusterOptions::new(&config.data_dir, Durability::Full);
        let programs = Programs::find_for(&options.data_dir)?;
        let cluster = Cluster::join_or_start(&programs, &options).context("the embedded Postgres did not start")?;
        let url = cluster.database_url(DATABASE);
        let supervisor =
            ClusterSupervisor::start(cluster, programs, options).context("cannot start the cluster supervisor")?;
        Ok(Self { url, cluster: Some(supervisor) })
    }

    pub(crate) const fn is_embedded(&self) -> bool {
        self.cluster.is_some()
    }

    /// Stops the embedded cluster unless another process uses it. Must be called outside any runtime.
    pub(crate) fn close(self) -> anyhow::Result<()> {
        self.cluster.map_or(Ok(()), ClusterSupervisor::close)
    }
}
