//! Connections: how they are opened, configured and pooled.

use std::sync::Arc;
use std::time::{Duration, Instant};

use diesel::connection::{AnsiTransactionManager, CacheSize, SimpleConnection, TransactionManager};
use diesel::r2d2::{
    ConnectionManager, CustomizeConnection, ManageConnection, NopErrorHandler, Pool, PooledConnection, R2D2Connection,
};
use diesel::{Connection, PgConnection, QueryResult};
use domain::WorkspaceId;
use domain::limits::EventBytes;
use domain::ports::{SharedWrites, StoreError};
use domain::webhooks::DEFAULT_MAX_WAITING;

use crate::engine::disk::DiskState;
use crate::engine::errors::{store_error, unreachable_reason};
use crate::engine::gate::Admitted;
use crate::engine::priority::lower_priority;
use crate::engine::sessions::Sessions;
use crate::engine::store_metrics::PoolMetrics;

pub(crate) type PgPool = Pool<ConnectionManager<PgConnection>>;
pub(crate) type Pooled = PooledConnection<ConnectionManager<PgConnection>>;

/// The session setting that the queue's database functions read.
pub(crate) const MAX_WAITING_SETTING: &str = "service.max_waiting_deliveries";

/// A search uses one core and never scans a whole table: estimates of Postgres say little about the words of one workspace.
pub(crate) const SEARCH_PLANS: &str = "SET max_parallel_workers_per_gather = 0; SET enable_seqscan = off; ";

/// The default time that a job waits for its turn, and then for a connection.
pub const ACQUIRE_TIMEOUT_MS: u64 = 2_000;

/// Options of the store.
#[derive(Clone)]
pub struct PgOptions {
    /// A URL or a libpq connection string.
    pub database_url: String,
    /// What its sessions keep between transactions.
    pub sessions: Sessions,
    /// The label of this pool in metrics.
    pub pool_name: &'static str,
    /// The maximum number of connections, and so of concurrent jobs.
    pub pool_size: u32,
    /// Maximum number of concurrent jobs that change or list many records.
    pub heavy_jobs: u32,
    /// The connections reserved for searches; 0: searches use those of other jobs, as heavy jobs.
    pub search_pool_size: u32,
    /// How long a job waits for its turn, and then for a connection.
    pub acquire_timeout_ms: u64,
    /// How long after its last use a connection is assumed to be open: until then, a transaction of one statement is sent without
    /// BEGIN, and fails if the connection broke.
    pub stays_open_ms: u64,
    /// The timeout of one statement of a search.
    pub search_timeout_ms: u64,
    /// The timeout of one statement.
    pub statement_timeout_ms: u64,
    /// The timeout of one lock wait.
    pub lock_timeout_ms: u64,
    /// Maximum number of waiting webhook deliveries per workspace; beyond that, its events wait.
    pub max_waiting_deliveries: u32,
    /// Streaming replicas, for reads: at most [`MAX_REPLICAS`](crate::MAX_REPLICAS).
    pub replica_urls: Vec<String>,
    /// Maximum lag of a replica.
    pub replica_max_lag_ms: u64,
    /// Writes of other instances, if there are other instances and replicas.
    pub shared_writes: Option<Arc<dyn SharedWrites>>,
    /// Whether to lower the priority of the server's processes, if the service runs the server on this machine.
    pub gives_way: bool,
    /// Shared by all stores of the process.
    pub disk: DiskState,
    /// Bytes that workspaces added to their event logs; shared by all stores of the process.
    pub event_bytes: Arc<EventBytes>,
    /// Called with the workspace after events were committed to its log. Must not block.
    pub on_events: Option<OnEvents>,
    /// Called after webhook deliveries were committed to the queue. Must not block.
    pub on_queued: Option<OnQueued>,
    /// Like `on_queued`, for e-mails.
    pub on_email_queued: Option<OnQueued>,
    /// Like `on_queued`, for link requests.
    pub on_link_requested: Option<OnQueued>,
}

/// The callback after a commit to a workspace's log.
pub type OnEvents = Arc<dyn Fn(WorkspaceId) + Send + Sync>;

/// The callback after a commit.
pub type OnQueued = Arc<dyn Fn() + Send + Sync>;

impl PgOptions {
    pub fn new(database_url: impl Into<String>) -> Self {
        Self {
            database_url: database_url.into(),
            sessions: Sessions::DIRECT,
            pool_name: "requests",
            pool_size: 16,
            heavy_jobs: half_of_the_cores(),
            search_pool_size: 0,
            acquire_timeout_ms: ACQUIRE_TIMEOUT_MS,
            stays_open_ms: 100,
            search_timeout_ms: 2_000,
            statement_timeout_ms: 9_000,
            lock_timeout_ms: 4_000,
            max_waiting_deliveries: DEFAULT_MAX_WAITING,
            replica_urls: Vec::new(),
            replica_max_lag_ms: 5_000,
            shared_writes: None,
            gives_way: false,
            disk: DiskState::default(),
            event_bytes: Arc::default(),
            on_events: None,
            on_queued: None,
            on_email_queued: None,
            on_link_requested: None,
        }
    }
}

/// Half of this machine's cores, at least 1: the other half is left for light jobs. With the embedded database, the database
/// runs on the same cores.
pub fn half_of_the_cores() -> u32 {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    u32::try_from(cores / 2).unwrap_or(u32::MAX).max(1)
}

impl std::fmt::Debug for PgOptions {
    // The URL may contain a password.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("PgOptions").field("pool_size", &self.pool_size).finish_non_exhaustive()
    }
}

/// Applies the session settings to each new connection, if sessions keep them.
#[derive(Debug)]
struct Setup {
    settings: String,
    sessions: Sessions,
    gives_way: bool,
}

impl Setup {
    fn of(options: &PgOptions, purpose: Purpose) -> Self {
        Self {
            settings: settings(options, purpose, "", false),
            sessions: options.sessions,
            gives_way: options.gives_way,
        }
    }
}

/// Begins a transaction if the session already has the settings.
const PLAIN_BEGIN: &str = "BEGIN";

/// The first statement of every transaction. If sessions keep no settings, it also sets them, in the same message.
pub(crate) fn begin_sql(options: &PgOptions, purpose: Purpose) -> String {
    if options.sessions.keep_state() {
        return PLAIN_BEGIN.to_owned();
    }
    format!("BEGIN; {}", settings(options, purpose, "LOCAL ", true))
}

fn settings(options: &PgOptions, purpose: Purpose, scope: &str, is_local: bool) -> String {
    // A transaction that is idle this long was abandoned by a hung job.
    let idle = options.statement_timeout_ms + options.lock_timeout_ms;
    let (statement_timeout, plans) = match purpose {
        Purpose::Jobs => (options.statement_timeout_ms, ""),
        Purpose::Searches => (options.search_timeout_ms, SEARCH_PLANS),
    };
    let plans = plans.replace("SET ", &format!("SET {scope}"));
    format!(
        "{plans}SET {scope}statement_timeout = {statement_timeout}; SET {scope}lock_timeout = {}; \
             SET {scope}idle_in_transaction_session_timeout = {idle}; \
             SET {scope}application_name = 'workspace-service'; SET {scope}TimeZone = 'UTC'; \
             SET {scope}{MAX_WAITING_SETTING} = {}; \
             SELECT set_config('lc_messages', 'C', {is_local}) FROM pg_roles WHERE rolname = current_user AND rolsuper",
        options.lock_timeout_ms, options.max_waiting_deliveries
    )
}

impl CustomizeConnection<PgConnection, diesel::r2d2::Error> for Setup {
    fn on_acquire(&self, connection: &mut PgConnection) -> Result<(), diesel::r2d2::Error> {
        self.sessions.prepare(connection);
        if self.gives_way {
            lower_priority(connection);
        }
        if !self.sessions.keep_state() {
            return Ok(());
        }
        connection.batch_execute(&self.settings).map_err(diesel::r2d2::Error::QueryError)
    }
}

/// The purpose of a pool's connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Jobs,
    /// A pool with a shorter timeout: setting it per statement would take a transaction and two more round trips.
    Searches,
}

/// Opens a pool for jobs; fails if the database is not available now.
pub(crate) fn open(options: &PgOptions, metrics: &PoolMetrics) -> Result<PgPool, StoreError> {
    let manager = ConnectionManager::<PgConnection>::new(with_timeouts(&options.database_url));
    // The pool would retry until its timeout and hide the reason.
    manager.connect().map_err(|error| {
        StoreError::Unavailable(match error {
            diesel::r2d2::Error::ConnectionError(error) => unreachable_reason(&error),
            diesel::r2d2::Error::QueryError(error) => error.to_string(),
        })
    })?;
    Ok(build(options, Purpose::Jobs, options.pool_size.max(1), 1, metrics))
}

/// Opens a pool that connects on first use.
pub(crate) fn open_lazily(options: &PgOptions, purpose: Purpose, size: u32, metrics: &PoolMetrics) -> PgPool {
    build(options, purpose, size, 0, metrics)
}

/// The pool opens another connection while fewer than `spare` are idle.
fn build(options: &PgOptions, purpose: Purpose, size: u32, spare: u32, metrics: &PoolMetrics) -> PgPool {
    let manager = ConnectionManager::<PgConnection>::new(with_timeouts(&options.database_url));
    Pool::builder()
        .max_size(size)
        .min_idle(Some(spare))
        // The first statement detects a broken connection at no extra cost.
        .test_on_check_out(false)
        .connection_timeout(Duration::from_millis(options.acquire_timeout_ms))
        .connection_customizer(Box::new(Setup::of(options, purpose)))
        .event_handler(Box::new(metrics.clone()))
        // The pool retries many times per second during an outage; callers that wait for a connection get the reason.
        .error_handler(Box::new(NopErrorHandler))
        .build_unchecked(manager)
}

pub(crate) fn check_out(pool: &PgPool) -> Result<Pooled, StoreError> {
    pool.get().map_err(|error| StoreError::Unavailable(error.to_string().trim().to_owned()))
}

/// A connection on which the first statement, `begin`, succeeded. Connections that broke while idle are dropped.
pub(crate) fn check_out_with(
    pool: &PgPool,
    mut begin: impl FnMut(&mut Pooled) -> QueryResult<()>,
) -> Result<Pooled, StoreError> {
    let mut broken = 0;
    loop {
        let mut connection = check_out(pool)?;
        match begin(&mut connection) {
            Ok(()) => return Ok(connection),
            // All pooled connections may have broken together; one more attempt opens a new one.
            Err(error) if connection.is_broken() && broken < pool.max_size() => {
                broken += 1;
                log::debug!("a pooled connection broke: {error}");
            }
            Err(error) => return Err(store_error(error)),
        }
    }
}

/// A connection for a transaction.
pub(crate) struct CheckedOut {
    pub(crate) connection: Pooled,
    /// The statement that begins the transaction, unless it has begun.
    pub(crate) begin: Option<String>,
}

/// The time of a connection's last transaction.
struct LastUsed(Instant);

/// A connection on which a transaction has begun. If the connection was used less than `stays_open` ago, the transaction begins
/// later, unless its first statement also sets the session's settings.
pub(crate) fn check_out_begun(pool: &PgPool, begin: &str, stays_open: Duration) -> Result<CheckedOut, StoreError> {
    let may_wait = begin == PLAIN_BEGIN;
    let mut waits = false;
    let mut connection = check_out_with(pool, |connection| {
        let last_used = Pooled::extensions(connection).get::<LastUsed>();
        waits = may_wait && last_used.is_some_and(|LastUsed(at)| at.elapsed() < stays_open);
        if waits { Ok(()) } else { AnsiTransactionManager::begin_transaction_sql(&mut **connection, begin) }
    })?;
    Pooled::extensions_mut(&mut connection).insert(LastUsed(Instant::now()));
    Ok(CheckedOut { connection, begin: waits.then(|| begin.to_owned()) })
}

/// Runs `work` on a connection without a transaction, and retries it on another one if the connection breaks. If sessions keep
/// no settings, it runs in a transaction that sets them.
pub(crate) fn with_connection<T>(
    pool: &PgPool,
    begin: &str,
    admitted: &mut Admitted,
    mut work: impl FnMut(&mut PgConnection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let mut broken = 0;
    loop {
        let mut connection = admitted.uncharged(|| check_out(pool))?;
        let result = if begin == PLAIN_BEGIN {
            work(&mut connection)
        } else {
            in_transaction(&mut connection, begin, &mut work)
        };
        admitted.forgive_outage(&result);
        match result {
            Err(StoreError::Unavailable(reason)) if is_broken(&mut connection) && broken < pool.max_size() => {
                broken += 1;
                log::debug!("a pooled connection broke: {reason}");
            }
            result => return result,
        }
    }
}

fn in_transaction<T>(
    connection: &mut PgConnection,
    begin: &str,
    work: &mut impl FnMut(&mut PgConnection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    AnsiTransactionManager::begin_transaction_sql(connection, begin).map_err(store_error)?;
    match work(connection) {
        Ok(value) => AnsiTransactionManager::commit_transaction(connection).map(|()| value).map_err(store_error),
        Err(error) => {
            // A connection that cannot roll back is broken, and the pool drops it.
            let _ = AnsiTransactionManager::rollback_transaction(connection);
            Err(error)
        }
    }
}

/// Whether the connection is no longer usable. The ping makes diesel notice a break while it prepared a statement.
pub(crate) fn is_broken(connection: &mut PgConnection) -> bool {
    ping(connection).is_err() && connection.is_broken()
}

pub(crate) fn ping(connection: &mut PgConnection) -> QueryResult<()> {
    connection.batch_execute("SELECT 1")
}

/// Opens a connection outside the pools, or returns why that failed. A pooler may be behind the address: nothing is prepared.
pub(crate) fn connect_alone(database_url: &str) -> Result<PgConnection, String> {
    let connected = PgConnection::establish(&with_timeouts(database_url));
    let mut connection = connected.map_err(|error| unreachable_reason(&error))?;
    connection.set_prepared_statement_cache_size(CacheSize::Disabled);
    Ok(connection)
}

/// Like [`connect_alone`], but fails with a [`StoreError`].
pub(crate) fn connect(database_url: &str) -> Result<PgConnection, StoreError> {
    connect_alone(database_url).map_err(StoreError::Unavailable)
}

/// Adds time limits for connecting and for unresponsive hosts to the address, unless it sets its own.
pub(crate) fn with_timeouts(database_url: &str) -> String {
    with_settings(database_url, &[("connect_timeout", "5"), ("tcp_user_timeout", "10000")])
}

/// Adds short time limits, for an optional server such as a replica.
pub fn with_short_timeouts(database_url: &str) -> String {
    let settings = [
        ("connect_timeout", "2"),
        ("tcp_user_timeout", "2000"),
        ("keepalives_idle", "1"),
        ("keepalives_interval", "1"),
        ("keepalives_count", "2"),
    ];
    with_settings(database_url, &settings)
}

fn with_settings(database_url: &str, settings: &[(&str, &str)]) -> String {
    let is_url = database_url.starts_with("postgres://") || database_url.starts_with("postgresql://");
    let mut address = database_url.to_owned();
    for (name, value) in settings.iter().filter(|(name, _)| !database_url.contains(name)) {
        let joint = match (is_url, address.contains('?')) {
            (true, false) => '?',
            (true, true) => '&',
            (false, _) => ' ',
        };
        address = format!("{address}{joint}{name}={value}");
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_get_timeouts_unless_they_set_their_own() {
        for (address, expected) in [
            ("postgres://h/d", "postgres://h/d?connect_timeout=5&tcp_user_timeout=10000"),
            ("postgresql://h/d?connect_timeout=1&x=y", "postgresql://h/d?connect_timeout=1&x=y&tcp_user_timeout=10000"),
            ("host=/tmp dbname=d", "host=/tmp dbname=d connect_timeout=5 tcp_user_timeout=10000"),
        ] {
            assert_eq!(with_timeouts(address), expected);
        }
    }

    #[test]
    fn debug_shows_no_password() {
        assert!(!format!("{:?}", PgOptions::new("postgres://u:secret@h/d")).contains("secret"));
    }
}
