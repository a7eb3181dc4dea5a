//! The database: whether it belongs to the service, how it is reached, and what it contains.

use std::sync::Arc;

use domain::ports::StoreError;
use embedded_postgres::MINIMUM_MAJOR;
use storage_diesel::{MigrationError, SchemaState, ServerFacts, SessionError, Sessions, replica_lag};
use system::SystemClock;
use time::Duration;

use super::finding::CheckResult;
use super::{Check, Finding, Installation, memory, privileges, run_concurrently, stored};
use crate::config::Config;
use crate::database::Database;

const WARNING_SKEW: Duration = Duration::seconds(5);
/// One-time passwords and signatures of webhooks are valid for about this long.
const MAX_SKEW: Duration = Duration::seconds(60);

/// A database that can be reached.
pub(super) struct ReachedDatabase {
    pub(super) config: Config,
    /// For libpq, through the tunnel for TLS, like `session_url`.
    url: String,
    pub(super) session_url: String,
    /// As in [`Database::replica_urls`].
    replica_urls: Vec<String>,
    /// Whether the programs of the embedded cluster were replaced while it was running.
    is_outdated: bool,
    facts: ServerFacts,
    pub(super) schema: Result<SchemaState, MigrationError>,
}

impl ReachedDatabase {
    /// Whether the schema is the one that this program needs.
    fn is_current(&self) -> bool {
        self.schema.as_ref().is_ok_and(|state| state.pending.is_empty())
    }

    /// Runs a query on the tables and judges its rows. It needs the schema of this release, and the right to read the tables.
    pub(super) fn check_tables<T>(
        &self,
        query: impl FnOnce(&str) -> Result<T, StoreError>,
        judge: impl FnOnce(T) -> Vec<Finding>,
    ) -> Vec<Finding> {
        if !self.is_current() {
            return vec![Finding::not_checked("the schema is not that of this release")];
        }
        match query(&self.session_url) {
            Ok(rows) => judge(rows),
            Err(error) => {
                vec![Finding::error(error.to_string(), "give the role of DATABASE_URL read access to the tables")]
            }
        }
    }
}

const CHECKS: &[(&str, Check<ReachedDatabase>)] = &[
    ("pooler", pooler),
    ("replicas", replicas),
    ("instances", instances),
    ("schema", schema),
    ("privileges", privileges::check),
    ("clock", clock),
    ("master_key", stored::master_key),
    ("backup", stored::backup),
    ("wal_archive", stored::wal_archive),
    ("event_log", stored::event_log),
    ("email_addresses", stored::email_addresses),
    ("api_keys", stored::api_keys),
];

/// The names of the checks of [`check`].
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    ["database", "memory"].into_iter().chain(CHECKS.iter().map(|(name, _)| *name))
}

/// Like every command, starts the embedded cluster for the duration of the checks if it is not running.
pub(super) fn check(installation: &Installation) -> Vec<CheckResult> {
    let config = &installation.config;
    let is_embedded = config.database_url.is_none();
    let cluster = config.data_dir.join("postgres");
    if is_embedded && !cluster.join("PG_VERSION").exists() {
        let message =
            format!("{} has no cluster yet: the service creates it when it first starts", config.data_dir.display());
        return unreached(config, Finding::not_checked(message));
    }
    let mut reached = config.clone();
    // A start would create the folder.
    reached.wal_archive_dir = reached.wal_archive_dir.filter(|folder| folder.exists());
    let database = match Database::reach(&reached) {
        Ok(database) => database,
        Err(error) => return unreached(config, Finding::error(format!("{error:#}"), cure_of(is_embedded))),
    };
    let results = examine(config, &database);
    if let Err(error) = database.close() {
        log::warn!("{error:#}");
    }
    results
}

fn examine(config: &Config, database: &Database) -> Vec<CheckResult> {
    let is_embedded = database.is_embedded();
    let facts = match storage_diesel::server_facts(&database.url, &SystemClock) {
        Ok(facts) => facts,
        Err(error) => return unreached(config, Finding::error(error.to_string(), cure_of(is_embedded))),
    };
    let session_url = database.session_url().to_owned();
    let schema = storage_diesel::schema_state(&session_url);
    let memory = memory::check(config, is_embedded.then_some(&facts));
    let (url, replica_urls) = (database.url.clone(), database.replica_urls.clone());
    let is_outdated = database.is_outdated();
    let config = config.clone();
    let reached = Arc::new(ReachedDatabase { config, url, session_url, replica_urls, is_outdated, facts, schema });
    let mut results = vec![result_of("database", content(&reached)), result_of("memory", memory)];
    results.extend(run_concurrently(&reached, CHECKS));
    results
}

fn result_of(check: &'static str, finding: Finding) -> CheckResult {
    CheckResult { check, finding }
}

fn unreached(config: &Config, finding: Finding) -> Vec<CheckResult> {
    let rest = CHECKS.iter().map(|(name, _)| result_of(name, Finding::not_checked("the database cannot be reached")));
    let first = [result_of("database", finding), result_of("memory", memory::check(config, None))];
    first.into_iter().chain(rest).collect()
}

const fn cure_of(is_embedded: bool) -> &'static str {
    if is_embedded {
        "see postgres.log in the data folder; the service must run as the owner of the folder, and needs free disk space"
    } else {
        "set DATABASE_URL to a running Postgres that accepts this machine: postgres://user:password@host:port/database"
    }
}

/// Whether this is the service's own database.
fn content(reached: &ReachedDatabase) -> Finding {
    let (facts, url) = (&reached.facts, &reached.session_url);
    if facts.major < MINIMUM_MAJOR {
        let message = format!("the database is Postgres {}", facts.version);
        return Finding::error(message, format!("use Postgres {MINIMUM_MAJOR} or newer"));
    }
    if reached.is_outdated {
        return Finding::error(
            format!(
                "Postgres {} is still running although its programs were replaced: it cannot load the new libraries",
                facts.version
            ),
            "restart the service, which restarts Postgres: systemctl restart workspace-service",
        );
    }
    let direct =
        "correct SERVICE_DATABASE_DIRECT_URL: it must lead to the database of DATABASE_URL, bypassing the pooler";
    match storage_diesel::is_same_database(&reached.url, url) {
        Ok(false) => return Finding::error("SERVICE_DATABASE_DIRECT_URL leads to another database", direct),
        Ok(true) => {}
        // The check of the pooler or of the content reports the reason.
        Err(error) => log::debug!("the addresses cannot be compared: {error}"),
    }
    if let Ok(true) = storage_diesel::distribution_is_unfinished(url) {
        return Finding::error(
            storage_diesel::DISTRIBUTION_UNFINISHED,
            "stop the service and run `workspace-service distribute` again",
        );
    }
    match (&reached.schema, storage_diesel::tables(url), storage_diesel::restore_is_unfinished(url)) {
        (Err(MigrationError::Unreachable(reason)), _, _) => Finding::error(reason.clone(), direct),
        (_, Err(error), _) | (_, _, Err(error)) => Finding::error(error.to_string(), direct),
        (_, _, Ok(true)) => Finding::error(
            "a restore into this database did not finish",
            "repeat `workspace-service restore FILE` with an empty database or data folder",
        ),
        (Ok(state), Ok(tables), _) if state.is_empty && !tables.is_empty() => Finding::error(
            format!("the database has {} tables of another program, e.g. {}", tables.len(), tables[0]),
            "set DATABASE_URL to a database that the service has to itself",
        ),
        _ => Finding::ok(format!("Postgres {} answers", facts.version)),
    }
}

fn schema(reached: &ReachedDatabase) -> Vec<Finding> {
    let migrates = reached.config.migrate.is_on();
    vec![match &reached.schema {
        Ok(state) if state.pending.is_empty() => Finding::ok("the schema is that of this release"),
        Ok(state) => {
            let count = state.pending.len();
            let message = if state.is_empty {
                "there is no schema yet".to_owned()
            } else {
                format!("{count} migrations are pending")
            };
            let cure = "apply them with `workspace-service migrate`";
            if migrates {
                Finding::warning(message, format!("{cure}, or let the service apply them when it starts"))
            } else {
                Finding::error(format!("{message}, and SERVICE_MIGRATE is off"), cure)
            }
        }
        Err(MigrationError::Newer(unknown)) => Finding::error(
            format!("the schema has migrations that this release does not know: {unknown}"),
            "run the release that made the schema, or a newer one",
        ),
        Err(error) => Finding::error(
            error.to_string(),
            "as the owner of the schema, give the role of DATABASE_URL access: `workspace-service database grant --app-role ROLE`",
        ),
    }]
}

fn clock(reached: &ReachedDatabase) -> Vec<Finding> {
    let skew = reached.facts.clock_ahead;
    let direction = if skew.is_negative() { "behind" } else { "ahead of" };
    let message =
        format!("the clock of the database is {:.1} s {direction} that of this machine", skew.abs().as_seconds_f64());
    let cure = "synchronise both clocks, e.g. with chrony or systemd-timesyncd";
    vec![match skew.abs() {
        skew if skew > MAX_SKEW => Finding::error(message, cure),
        skew if skew > WARNING_SKEW => Finding::warning(message, cure),
        _ => Finding::ok(message),
    }]
}

fn pooler(reached: &ReachedDatabase) -> Vec<Finding> {
    if reached.config.database_url.is_none() {
        return vec![Finding::ok("none: the database is embedded")];
    }
    let direct = "or set DATABASE_URL to the database itself";
    vec![match Sessions::check(&reached.url, reached.config.db_prepared.is_on()) {
        Ok(sessions) if sessions.keep_state() => Finding::ok("none, or one that keeps sessions"),
        Ok(_) if reached.config.database_direct_url.is_some() => {
            Finding::ok("one in transaction mode, and a direct address that bypasses it")
        }
        Ok(_) => Finding::warning(
            "there is a pooler in transaction mode, so processes poll every 250 ms instead of notifying each other",
            "set SERVICE_DATABASE_DIRECT_URL to the address of the database that bypasses the pooler",
        ),
        Err(SessionError::PreparedStatements) => Finding::error(
            "there is a pooler in transaction mode that does not keep prepared statements",
            format!("set SERVICE_DB_PREPARED=off, or max_prepared_statements in PgBouncer 1.21 or newer, {direct}"),
        ),
        Err(SessionError::StatementPooling) => Finding::error(
            "there is a pooler in statement mode, but the service needs transactions",
            format!("set pool_mode = transaction or session in the pooler, {direct}"),
        ),
        Err(error) => Finding::error(error.to_string(), format!("fix the pooler, {direct}")),
    }]
}

const SHARE: &str =
    "set SERVICE_REDIS_URL to the same Redis on all instances; ignore this while one instance replaces another";

/// Finds instances that share a database but not their rate limits. Together they allow more requests than the limits.
fn instances(reached: &ReachedDatabase) -> Vec<Finding> {
    let count = match storage_diesel::counting_alone(&reached.session_url) {
        Ok(count) => count,
        Err(error) => {
            let cure = "give the role of DATABASE_URL read access to pg_locks and pg_database";
            return vec![Finding::error(error.to_string(), cure)];
        }
    };
    vec![match (count, &reached.config.redis_url) {
        (2.., _) => Finding::warning(
            format!("{count} instances without Redis share this database: each allows clients the full rate limits"),
            SHARE,
        ),
        (1, Some(_)) => Finding::warning(
            "one instance uses this database without Redis, others with Redis: it allows clients the full rate limits",
            SHARE,
        ),
        _ => Finding::ok("no running instances count requests separately"),
    }]
}

const REPLICAS_CURE: &str = "correct SERVICE_DATABASE_REPLICA_URLS: each address must lead to a streaming replica of the database in DATABASE_URL";

/// Whether each streaming replica belongs to this database, and how far behind it is.
fn replicas(reached: &ReachedDatabase) -> Vec<Finding> {
    if reached.replica_urls.is_empty() {
        return vec![Finding::ok("none: the primary serves all reads")];
    }
    let numbered = reached.replica_urls.iter().zip(1..);
    numbered.map(|(url, number)| replica(reached, url, number)).collect()
}

/// Reads can go to the primary instead, so this reports at most a warning.
fn replica(reached: &ReachedDatabase, url: &str, number: usize) -> Finding {
    match Sessions::check(url, reached.config.db_prepared.is_on()) {
        Ok(_) => {}
        Err(SessionError::Unreachable(reason)) => {
            return Finding::warning(format!("replica {number} cannot be reached: {reason}"), REPLICAS_CURE);
        }
        Err(error) => return Finding::warning(format!("replica {number} cannot be used: {error}"), REPLICAS_CURE),
    }
    let max_lag = reached.config.replicas.max_lag;
    match replica_lag(&reached.session_url, url, max_lag) {
        Ok(Some(lag)) => Finding::ok(format!("replica {number} is {} ms behind", lag.as_millis())),
        Ok(None) => Finding::warning(
            format!("replica {number} is more than {} ms behind, so it serves no reads", max_lag.as_millis()),
            "check whether it receives and replays the log (pg_stat_replication on the primary), and what keeps it busy",
        ),
        Err(error) => Finding::warning(format!("replica {number} is not used: {error}"), REPLICAS_CURE),
    }
}
