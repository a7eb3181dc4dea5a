//! The database: whether it belongs to the service, how it is reached, and what it contains.

use std::sync::Arc;

use storage_diesel::{MigrationError, SchemaState, ServerFacts, SessionError, Sessions};
use system::SystemClock;
use time::Duration;

use super::finding::CheckResult;
use super::{
    Check, Finding, Installation, addresses, instances, keys, memory, privileges, replicas, run_together, stored,
};
use crate::config::Config;
use crate::database::Database;

/// The oldest Postgres that the service supports.
const MIN_MAJOR: u32 = 14;
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
    pub(super) replica_urls: Vec<String>,
    /// Whether the programs of the embedded cluster were replaced while it was running.
    is_outdated: bool,
    pub(super) facts: ServerFacts,
    pub(super) schema: Result<SchemaState, MigrationError>,
}

impl ReachedDatabase {
    /// Whether the schema is the one that this program needs.
    pub(super) fn is_current(&self) -> bool {
        self.schema.as_ref().is_ok_and(|state| state.pending.is_empty())
    }
}

const CHECKS: &[(&str, Check<ReachedDatabase>)] = &[
    ("pooler", pooler),
    ("replicas", replicas::check),
    ("instances", instances::check),
    ("schema", schema),
    ("privileges", privileges::check),
    ("clock", clock),
    ("master_key", stored::master_key),
    ("backup", stored::backup),
    ("wal_archive", stored::wal_archive),
    ("event_log", stored::event_log),
    ("email_addresses", addresses::check),
    ("api_keys", keys::check),
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
    let found = examine(config, &database);
    if let Err(error) = database.close() {
        log::warn!("{error:#}");
    }
    found
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
    let mut found = vec![checked("database", content(&reached)), checked("memory", memory)];
    found.extend(run_together(&reached, CHECKS));
    found
}

fn checked(check: &'static str, finding: Finding) -> CheckResult {
    CheckResult { check, finding }
}

fn unreached(config: &Config, finding: Finding) -> Vec<CheckResult> {
    let rest = CHECKS.iter().map(|(name, _)| checked(name, Finding::not_checked("the database cannot be reached")));
    let first = [checked("database", finding), checked("memory", memory::check(config, None))];
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
    if facts.major < MIN_MAJOR {
        let message = format!("the database is Postgres {}", facts.version);
        return Finding::error(message, format!("use Postgres {MIN_MAJOR} or newer"));
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
    let way = if skew.is_negative() { "behind" } else { "ahead of" };
    let message =
        format!("the clock of the database is {:.1} s {way} that of this machine", skew.abs().as_seconds_f64());
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
