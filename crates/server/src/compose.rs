//! Builds the adapters and hands them to the ports.

use std::sync::Arc;

use anyhow::Context;
use domain::kernel::sealing::MasterKeys;
use domain::ports::{Directory, Limiter, MailTransport, Ports, Settings};
use embedded_postgres::{Cluster, ClusterOptions, DATABASE, Durability, Programs};
use limiter::{MemoryLimiter, RedisLimiter};
use storage_diesel::{PgOptions, PgStore};

use crate::config::Config;
use crate::deliveries::BellRope;
use crate::keeper::Keeper;
use crate::link_requests::LinkBell;
use crate::mails::{Authorities, FileTransport, MailBell, SmtpTransport, SmtpUrl};
use crate::passwords::Argon2Passwords;
use machine::{SecureRandom, SystemClock, VersionSevenIds};

/// Connections of the queues: the dispatcher claims with one and records with another, and letters take one more.
const QUEUE_POOL_SIZE: u32 = 4;

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

/// The counts of requests that the configuration names. To be called on the runtime that lives as long as the service.
pub(crate) async fn limiter(config: &Config) -> anyhow::Result<Arc<dyn Limiter>> {
    Ok(match &config.redis_url {
        Some(url) => {
            let shared = RedisLimiter::connect(&url.0).await;
            Arc::new(shared.context("redis_url (SERVICE_REDIS_URL) is not usable")?)
        }
        None => Arc::new(MemoryLimiter::new()),
    })
}

/// What carries letters: the mail server that the configuration names, or files.
pub(crate) fn mail_transport(config: &Config) -> anyhow::Result<Arc<dyn MailTransport>> {
    let Some(url) = &config.smtp_url else {
        return Ok(Arc::new(FileTransport::new(config.data_dir.join("mails"))));
    };
    let url = SmtpUrl::parse(&url.0).context("smtp_url (SERVICE_SMTP_URL) is not usable")?;
    let authorities = config.smtp_ca_file.as_deref().map(Authorities::read).transpose();
    let authorities = authorities.context("smtp_ca_file (SERVICE_SMTP_CA_FILE) is not usable")?.unwrap_or_default();
    Ok(Arc::new(SmtpTransport::new(&url, &config.mail_from, &authorities)?))
}

/// Whom stores tell of what they queued.
#[derive(Default)]
pub(crate) struct Bells {
    pub(crate) deliveries: BellRope,
    pub(crate) mails: MailBell,
    pub(crate) links: LinkBell,
}

/// All ports over a database.
pub(crate) fn ports(
    config: &Config,
    database: &Database,
    pool_size: u32,
    limiter: Arc<dyn Limiter>,
    master_keys: MasterKeys,
    bells: &Bells,
) -> anyhow::Result<Ports> {
    let store = connect(database, "requests", pool_size, Some(bells))?;
    let directory: Arc<dyn Directory> = store.clone();
    Ok(Ports {
        store,
        directory,
        clock: Arc::new(SystemClock),
        ids: Arc::new(VersionSevenIds),
        random: Arc::new(SecureRandom::default()),
        limiter,
        passwords: Arc::new(Argon2Passwords::new(SecureRandom::default())?),
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
pub(crate) fn beside(ports: &Ports, database: &Database) -> anyhow::Result<(Ports, Arc<PgStore>)> {
    let store = connect(database, "background", 1, None)?;
    Ok((Ports { directory: store.clone(), store: store.clone(), ..ports.clone() }, store))
}

/// The same ports for what answers requests for links, over a connection of its own, which rings for what it queues.
pub(crate) fn answering(ports: &Ports, database: &Database, bells: &Bells) -> anyhow::Result<Ports> {
    let store = connect(database, "link_requests", 1, Some(bells))?;
    Ok(Ports { directory: store.clone(), store, ..ports.clone() })
}

/// The queues of webhooks and letters, and articles to be indexed anew, for those who work on them in this process, over
/// connections of their own.
pub(crate) fn queue(database: &Database) -> anyhow::Result<Arc<PgStore>> {
    connect(database, "queues", QUEUE_POOL_SIZE, None)
}

fn connect(
    database: &Database,
    pool_name: &'static str,
    pool_size: u32,
    bells: Option<&Bells>,
) -> anyhow::Result<Arc<PgStore>> {
    let on_queued = bells.map(|bells| bells.deliveries.pull());
    let on_mail_queued = bells.map(|bells| bells.mails.pull());
    let on_link_requested = bells.map(|bells| bells.links.pull());
    let options = PgOptions {
        pool_name,
        pool_size,
        on_queued,
        on_mail_queued,
        on_link_requested,
        ..PgOptions::new(database.url.clone())
    };
    PgStore::connect(&options).map(Arc::new).context("the database cannot be used")
}
