//! Builds the adapters and hands them to the ports.

use std::sync::Arc;

use anyhow::Context;
use domain::ports::{Directory, Limiter, Mailer, Ports, Settings};
use domain::webhooks::MasterKeys;
use embedded_postgres::{Cluster, ClusterOptions, DATABASE, Durability, Programs};
use limiter::{MemoryLimiter, RedisLimiter};
use storage_diesel::{PgOptions, PgStore};

use crate::config::Config;
use crate::deliveries::BellRope;
use crate::keeper::Keeper;
use crate::mail::FileMailer;
use crate::passwords::Argon2Passwords;
use machine::{SecureRandom, SystemClock, VersionSevenIds};

/// Connections of the dispatcher: it claims with one and records with another.
const QUEUE_POOL_SIZE: u32 = 3;

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

/// Everything but the database that requests and commands work with.
pub(crate) struct Outside {
    pub(crate) limiter: Arc<dyn Limiter>,
    pub(crate) mailer: Arc<dyn Mailer>,
}

impl Outside {
    /// What the configuration names. To be called on the runtime that lives as long as the service.
    pub(crate) async fn of(config: &Config) -> anyhow::Result<Self> {
        let limiter: Arc<dyn Limiter> = match &config.redis_url {
            Some(url) => {
                let shared = RedisLimiter::connect(&url.0).await;
                Arc::new(shared.context("redis_url (SERVICE_REDIS_URL) is not usable")?)
            }
            None => Arc::new(MemoryLimiter::new()),
        };
        let folder = config.data_dir.join("mails");
        let mailer = Arc::new(FileMailer::new(folder, Arc::new(SystemClock), Arc::new(VersionSevenIds)));
        Ok(Self { limiter, mailer })
    }
}

/// All ports over a database.
pub(crate) fn ports(
    config: &Config,
    database: &Database,
    pool_size: u32,
    outside: Outside,
    master_keys: MasterKeys,
    rope: &BellRope,
) -> anyhow::Result<Ports> {
    let store = connect(database, pool_size, Some(rope))?;
    let directory: Arc<dyn Directory> = store.clone();
    Ok(Ports {
        store,
        directory,
        clock: Arc::new(SystemClock),
        ids: Arc::new(VersionSevenIds),
        random: Arc::new(SecureRandom::default()),
        limiter: outside.limiter,
        passwords: Arc::new(Argon2Passwords::new(SecureRandom::default())?),
        mailer: outside.mailer,
        known: Arc::default(),
        activity: Arc::default(),
        master_keys: Arc::new(master_keys),
        settings: Arc::new(Settings {
            limits: config.limits,
            public_url: config.public_url.clone(),
            targets: config.targets,
        }),
    })
}

/// The same ports for what goes on beside the requests, over a connection of its own: requests that take all others
/// must not keep this instance from looking for revoked credentials.
pub(crate) fn beside(ports: &Ports, database: &Database) -> anyhow::Result<Ports> {
    let store = connect(database, 1, None)?;
    Ok(Ports { directory: store.clone(), store, ..ports.clone() })
}

/// The queue of webhooks for a dispatcher of this process, over connections of its own.
pub(crate) fn queue(database: &Database) -> anyhow::Result<Arc<PgStore>> {
    connect(database, QUEUE_POOL_SIZE, None)
}

fn connect(database: &Database, pool_size: u32, rope: Option<&BellRope>) -> anyhow::Result<Arc<PgStore>> {
    let on_queued = rope.map(BellRope::pull);
    let options = PgOptions { pool_size, on_queued, ..PgOptions::new(database.url.clone()) };
    PgStore::connect(&options).map(Arc::new).context("the database cannot be used")
}
