//! Facts about a database for `doctor` and metrics. The database may belong to another program, so nothing is written.

use diesel::sql_types::{BigInt, Bool, Double, Nullable, Text, Timestamptz};
use diesel::{Connection, OptionalExtension, QueryResult, RunQueryDsl};
use domain::limits::EventBytesUsed;
use domain::ports::{Clock, StoreError};
use time::{Date, Duration, OffsetDateTime};

use crate::directory::email_keys;
use crate::directory::event_bytes::{self, UsedRow};
use crate::engine::errors::store_error;
use crate::engine::notify_listener::COUNTS_ALONE_LOCK;
use crate::engine::pool::connect;
use crate::engine::statement::{Statement, sql};
use crate::engine::store::PgStore;
use crate::identity::api_keys;

/// Facts that a server reports about itself.
#[derive(Debug, Clone)]
pub struct ServerFacts {
    /// The version for display, e.g. `16.4`.
    pub version: String,
    pub major: u32,
    /// How far its clock is ahead of this machine's clock; negative if it is behind.
    pub clock_ahead: Duration,
    /// The size of its page cache in bytes.
    pub shared_buffers: u64,
    /// The memory for one sort of one statement, in bytes.
    pub work_mem: u64,
}

type WalArchiveColumns = (bool, Option<OffsetDateTime>, Option<OffsetDateTime>);

fn wal_archive_query() -> Statement<(Bool, Nullable<Timestamptz>, Nullable<Timestamptz>)> {
    sql!("SELECT current_setting('archive_mode') <> 'off', last_archived_time, last_failed_time FROM pg_stat_archiver")
        .returns()
}

/// Reads the facts on a new connection.
pub fn server_facts(database_url: &str, clock: &dyn Clock) -> Result<ServerFacts, StoreError> {
    let mut connection = connect(database_url)?;
    let settings = sql!(
        "SELECT split_part(current_setting('server_version'), ' ', 1), current_setting('server_version_num')::bigint / 10000,
            pg_size_bytes(current_setting('shared_buffers')), pg_size_bytes(current_setting('work_mem'))"
    );
    let settings = settings.returns::<(Text, BigInt, BigInt, BigInt)>();
    let (version, major, shared_buffers, work_mem): (String, i64, i64, i64) =
        settings.get_result(&mut connection).map_err(store_error)?;
    let time = sql!("SELECT extract(epoch FROM clock_timestamp())::double precision").returns::<Double>();
    let before = clock.now();
    let server_time: f64 = time.get_result(&mut connection).map_err(store_error)?;
    let after = clock.now();
    let local_time = before + (after - before) / 2;
    let bytes = |number: i64| u64::try_from(number).unwrap_or_default();
    Ok(ServerFacts {
        version,
        major: u32::try_from(major).unwrap_or_default(),
        clock_ahead: Duration::seconds_f64(server_time) - (local_time - OffsetDateTime::UNIX_EPOCH),
        shared_buffers: bytes(shared_buffers),
        work_mem: bytes(work_mem),
    })
}

/// When the last backup ended, if there was one. The schema must be up to date.
pub fn last_backup(database_url: &str) -> Result<Option<OffsetDateTime>, StoreError> {
    let query = sql!("SELECT ended_at FROM last_backup").returns::<Timestamptz>();
    query.get_result(&mut connect(database_url)?).optional().map_err(store_error)
}

/// The workspaces that added most to their event logs on a day, largest first.
pub fn largest_event_logs(database_url: &str, day: Date, limit: u32) -> Result<Vec<EventBytesUsed>, StoreError> {
    let rows: Vec<UsedRow> =
        event_bytes::largest_query(day, limit).load(&mut connect(database_url)?).map_err(store_error)?;
    rows.into_iter().map(event_bytes::used).collect()
}

/// An address that several contacts of a workspace share in different spellings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedAddress {
    /// The slug of the workspace.
    pub workspace: String,
    /// The canonical form of the address.
    pub address: String,
    /// The number of contacts with the address, excluding the oldest.
    pub contacts: i64,
}

/// Addresses that are equal but that an earlier release treated as different.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SharedAddresses {
    pub contacts: Vec<SharedAddress>,
    /// The addresses of accounts, in the newer account's spelling.
    pub accounts: Vec<String>,
}

/// The number of running instances that count requests locally. Instances behind a pooler, which cannot listen, are not counted.
pub fn counting_alone(database_url: &str) -> Result<i64, StoreError> {
    // A lock with a 64-bit key has its halves in two columns. Every role may read who holds a lock.
    let query = sql!(
        "SELECT count(*) FROM pg_locks
         WHERE locktype = 'advisory' AND granted AND objsubid = 1
             AND classid::bigint << 32 | objid::bigint = {COUNTS_ALONE_LOCK}
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    );
    query.returns::<BigInt>().get_result(&mut connect(database_url)?).map_err(store_error)
}

/// At most `limit` active keys with permissions that do not narrow REST, each as workspace slug and key name.
pub fn wider_keys(database_url: &str, limit: u32) -> Result<Vec<(String, String)>, StoreError> {
    api_keys::wider_query(limit).load(&mut connect(database_url)?).map_err(store_error)
}

/// At most `limit` addresses of contacts, and as many of accounts, that an older record has in a different spelling.
pub fn shared_addresses(database_url: &str, limit: u32) -> Result<SharedAddresses, StoreError> {
    let mut connection = connect(database_url)?;
    let rows: Vec<(String, String, i64)> =
        email_keys::shared_query(limit).load(&mut connection).map_err(store_error)?;
    let accounts = email_keys::accounts_query(limit).load(&mut connection).map_err(store_error)?;
    let shared = |(workspace, address, contacts)| SharedAddress { workspace, address, contacts };
    Ok(SharedAddresses { contacts: rows.into_iter().map(shared).collect(), accounts })
}

/// How a server archives its write-ahead log.
#[derive(Debug, Clone, Copy)]
pub struct WalArchive {
    pub last_archived_at: Option<OffsetDateTime>,
    pub last_failed_at: Option<OffsetDateTime>,
}

impl WalArchive {
    /// `None` if the server archives nothing.
    fn of((is_on, last_archived_at, last_failed_at): WalArchiveColumns) -> Option<Self> {
        is_on.then_some(Self { last_archived_at, last_failed_at })
    }

    /// Whether the last attempt failed. It is repeated until it succeeds; meanwhile all later segments stay on the disk.
    #[must_use]
    pub fn is_failing(&self) -> bool {
        self.last_failed_at > self.last_archived_at
    }
}

/// `None` if the server archives nothing.
pub fn wal_archive(database_url: &str) -> Result<Option<WalArchive>, StoreError> {
    wal_archive_query().get_result(&mut connect(database_url)?).map(WalArchive::of).map_err(store_error)
}

impl PgStore {
    /// Whether the server archives its write-ahead log, and its last attempt failed.
    pub async fn wal_archive_is_failing(&self) -> Result<bool, StoreError> {
        let archive = self.run_autocommit(|tx| tx.value(wal_archive_query())).await.map(WalArchive::of)?;
        Ok(archive.is_some_and(|archive| archive.is_failing()))
    }
}

/// Records that a backup has ended. The schema must be up to date.
pub fn mark_backup(database_url: &str) -> Result<(), StoreError> {
    let sql = sql!(
        "INSERT INTO last_backup (ended_at) VALUES (clock_timestamp())
        ON CONFLICT (is_only) DO UPDATE SET ended_at = excluded.ended_at"
    );
    sql.execute(&mut connect(database_url)?).map(drop).map_err(store_error)
}

/// Whether both addresses lead to the same database on the same server. A standby is a different server.
pub fn is_same_database(one: &str, other: &str) -> Result<bool, StoreError> {
    let identity = |database_url| -> Result<(i64, OffsetDateTime), StoreError> {
        let mut connection = connect(database_url)?;
        // Names may be a pooler's, and copies share the server's identifier.
        let query =
            sql!("SELECT oid::bigint, pg_postmaster_start_time() FROM pg_database WHERE datname = current_database()")
                .returns::<(BigInt, Timestamptz)>();
        // In a transaction, because a pooler may otherwise run each statement in another session.
        let result: QueryResult<_> = connection.transaction(|connection| query.get_result(connection));
        result.map_err(store_error)
    };
    Ok(identity(one)? == identity(other)?)
}
