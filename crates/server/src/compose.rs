//! The composition root: the only place that wires adapters to ports and starts the workers.
//!
//! The service, its commands and the tests all use it.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use background::Notifier;
use dispatcher::{DispatcherOptions, POLL_INTERVAL_WITHOUT_NOTIFY};
use domain::events::{EventRetention, NoFollowers};
use domain::identity::audit::AuditRetention;
use domain::kernel::sealing::MasterKeys;
use domain::ports::{
    Clock, Directory, EmailCopies, EmailTransport, EventFeed, Ids, Limiter, NoEmailCopies, Passwords, Ports, Random,
    Settings, SharedWrites,
};
use event_feed::{Feed, FeedLimits};
use storage_diesel::{DiskState, OnEvents, PgOptions, PgStore, Sessions};
use system::{Argon2Passwords, SecureRandom, SystemClock, UuidV7Ids};

use crate::database::Database;
use crate::service::Service;
use crate::webhook_dispatcher::DeliveryNotifier;

/// The minimum number of connections for searches, so that a workspace with many searches leaves one to the others.
const MIN_SEARCHES: u32 = 2;

/// Queue connections. The dispatcher claims with one and records with another. A third records attempts that could not be recorded
/// before and may wait for a lock. E-mail uses one more.
const QUEUE_POOL_SIZE: u32 = 5;

/// Connections for assigning positions to events and reading events for followers.
const EVENT_POOL_SIZE: u32 = 3;

/// The implementations of the ports, except for the database. Tests replace the ones that they control.
#[derive(Clone)]
pub struct Adapters {
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
    pub random: Arc<dyn Random>,
    pub passwords: Arc<dyn Passwords>,
    pub limiter: Arc<dyn Limiter>,
    pub email_copies: Arc<dyn EmailCopies>,
}

impl Adapters {
    /// The system clock, random source and so on, and the given limiter.
    pub fn of_this_machine(limiter: Arc<dyn Limiter>) -> anyhow::Result<Self> {
        Ok(Self {
            clock: Arc::new(SystemClock),
            ids: Arc::new(UuidV7Ids),
            random: Arc::new(SecureRandom::default()),
            passwords: Arc::new(Argon2Passwords::new(SecureRandom::default())?),
            limiter,
            email_copies: Arc::new(NoEmailCopies),
        })
    }
}

#[expect(clippy::struct_excessive_bools, reason = "the flags are independent of each other")]
pub struct ServiceOptions {
    pub database_url: String,
    /// What sessions of the database keep.
    pub sessions: Sessions,
    /// Whether the service runs the database itself, on this machine.
    pub is_embedded: bool,
    /// Whether other processes share the webhook queue. If they do, all of them notify each other.
    pub is_shared: bool,
    /// The address where this process listens for notifications of others. If `None`, it polls more often.
    pub listen_url: Option<String>,
    /// Whether the limiter counts only the requests of this process.
    pub counts_alone: bool,
    pub replicas: ReplicaOptions,
    /// Maximum number of connections for requests.
    pub pool_size: u32,
    /// How many of them may change or list many records at the same time.
    pub heavy_jobs: u32,
    /// How long a job waits for its turn, and then again for a connection.
    pub acquire_timeout_ms: u64,
    /// The maximum number of queued webhook deliveries per workspace. Events beyond that wait.
    pub max_waiting_deliveries: u32,
    pub event_retention: EventRetention,
    pub audit_retention: AuditRetention,
    pub master_keys: MasterKeys,
    pub settings: Settings,
    pub email_transport: Arc<dyn EmailTransport>,
    /// `None` if other processes deliver webhooks.
    pub dispatcher: Option<DispatcherOptions>,
    pub followers: FeedLimits,
    /// Whether revoked credentials are polled for. Tests turn it off to check what happens without it.
    pub refreshes_credentials: bool,
}

/// Streaming replicas that serve reads.
#[derive(Clone, Default)]
pub struct ReplicaOptions {
    pub urls: Vec<String>,
    /// How far behind a replica may be.
    pub max_lag: Duration,
    /// Recent writes of other instances, if there may be others.
    pub shared_writes: Option<Arc<dyn SharedWrites>>,
}

/// Wakes workers when a store has committed new work.
#[derive(Debug)]
pub(crate) struct Notifiers {
    pub(crate) deliveries: DeliveryNotifier,
    pub(crate) emails: Notifier,
    pub(crate) link_requests: Notifier,
    pub(crate) feed: Feed,
}

/// Database connections, with a pool for each purpose.
pub(crate) struct Stores {
    pub(crate) requests: Arc<PgStore>,
    /// One connection for background jobs: requests that exhaust their pool must not keep this instance from
    /// noticing revoked credentials.
    pub(crate) housekeeping: Arc<PgStore>,
    /// One connection for the link-request job; its commits wake the e-mail worker.
    pub(crate) link_requests: Arc<PgStore>,
    /// For the webhook and e-mail workers, and for reindexing articles.
    pub(crate) queues: Arc<PgStore>,
    /// For the event log: requests that exhaust their pool must not hold up followers.
    pub(crate) events: Arc<PgStore>,
    /// One connection for readiness: requests that exhaust their pool must not take this instance out of a load balancer.
    pub(crate) probe: Arc<PgStore>,
}

/// Composes the service and starts its workers. It does not listen yet.
pub fn compose(adapters: Adapters, mut options: ServiceOptions) -> anyhow::Result<Service> {
    if options.is_shared && options.listen_url.is_none() {
        options.followers.poll_interval = POLL_INTERVAL_WITHOUT_NOTIFY;
        if let Some(dispatcher) = &mut options.dispatcher {
            dispatcher.poll_interval = POLL_INTERVAL_WITHOUT_NOTIFY;
        }
    }
    let master_keys = std::mem::replace(&mut options.master_keys, MasterKeys::none());
    let notifiers = Notifiers {
        deliveries: DeliveryNotifier::default(),
        emails: Notifier::default(),
        link_requests: Notifier::default(),
        feed: Feed::new(options.followers, options.is_shared),
    };
    let disk = DiskState::default();
    let pool_options = |pool_name, pool_size| PgOptions {
        sessions: options.sessions,
        pool_name,
        pool_size,
        acquire_timeout_ms: options.acquire_timeout_ms,
        max_waiting_deliveries: options.max_waiting_deliveries,
        disk: disk.clone(),
        ..PgOptions::new(&*options.database_url)
    };
    let gives_way = options.is_embedded;
    let background_options = |pool_name, pool_size| PgOptions { gives_way, ..pool_options(pool_name, pool_size) };
    let request_options = PgOptions {
        heavy_jobs: options.heavy_jobs,
        search_pool_size: search_connections(options.heavy_jobs),
        replica_urls: options.replicas.urls.clone(),
        replica_max_lag_ms: u64::try_from(options.replicas.max_lag.as_millis()).unwrap_or(u64::MAX),
        shared_writes: options.replicas.shared_writes.clone(),
        ..pool_options("requests", options.pool_size)
    };
    let requests = connect(&with_callbacks(request_options, &notifiers))?;
    let separate_store = |options| Arc::new(requests.separate_store(&options));
    let stores = Stores {
        housekeeping: separate_store(background_options("background", 1)),
        link_requests: separate_store(with_callbacks(background_options("link_requests", 1), &notifiers)),
        queues: separate_store(background_options("queues", QUEUE_POOL_SIZE)),
        events: separate_store(pool_options("events", EVENT_POOL_SIZE)),
        probe: separate_store(pool_options("readiness", 1)),
        requests: Arc::new(requests),
    };
    let feed = Arc::new(notifiers.feed.clone());
    let ports = ports(adapters, Arc::clone(&stores.requests), feed, master_keys, options.settings.clone());
    Service::start(ports, &stores, &notifiers, options)
}

fn search_connections(heavy_jobs: u32) -> u32 {
    heavy_jobs.max(MIN_SEARCHES)
}

/// The maximum number of database connections of the service, without the one that listens to other processes. They are for
/// requests, searches and background work, plus one per replica to compare it with the primary.
pub(crate) fn database_connections(pool_size: u32, heavy_jobs: u32, replicas: u32) -> u32 {
    pool_size + search_connections(heavy_jobs) + QUEUE_POOL_SIZE + EVENT_POOL_SIZE + 3 + replicas
}

/// The ports of a command, which needs no workers and seals no secrets.
pub(crate) fn command_ports(adapters: Adapters, database: &Database, settings: Settings) -> anyhow::Result<Ports> {
    let options =
        PgOptions { sessions: database.sessions, pool_name: "command", pool_size: 1, ..PgOptions::new(&database.url) };
    let store = connect(&options)?;
    Ok(ports(adapters, Arc::new(store), Arc::new(NoFollowers), MasterKeys::none(), settings))
}

fn connect(options: &PgOptions) -> anyhow::Result<PgStore> {
    PgStore::connect(options).context("the database cannot be used")
}

fn ports(
    adapters: Adapters,
    store: Arc<PgStore>,
    event_feed: Arc<dyn EventFeed>,
    master_keys: MasterKeys,
    settings: Settings,
) -> Ports {
    let directory: Arc<dyn Directory> = store.clone();
    let event_bytes = store.event_bytes();
    Ports {
        store,
        directory,
        clock: adapters.clock,
        ids: adapters.ids,
        random: adapters.random,
        limiter: adapters.limiter,
        passwords: adapters.passwords,
        credential_cache: Arc::default(),
        activity: Arc::default(),
        event_bytes,
        set_up: Arc::default(),
        refusals: Arc::default(),
        master_keys: Arc::new(master_keys),
        settings: Arc::new(settings),
        event_feed,
        email_copies: adapters.email_copies,
    }
}

/// Copies `ports` with another store.
pub(crate) fn with_store(store: &Arc<PgStore>, ports: &Ports) -> Ports {
    Ports { directory: store.clone(), store: store.clone(), ..ports.clone() }
}

/// Adds the callbacks that wake the workers after commits.
fn with_callbacks(options: PgOptions, notifiers: &Notifiers) -> PgOptions {
    let feed = notifiers.feed.clone();
    let on_events: OnEvents = Arc::new(move |workspace| feed.committed(workspace));
    PgOptions {
        on_events: Some(on_events),
        on_queued: Some(notifiers.deliveries.callback()),
        on_email_queued: Some(notifiers.emails.callback()),
        on_link_requested: Some(notifiers.link_requests.callback()),
        ..options
    }
}
