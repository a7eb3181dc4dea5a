//! The settings. Each is declared once and becomes a command line flag, an environment variable and a member of
//! `workspace-service.toml`. `docs/settings.md` and the checks of `doctor` are generated from the same declaration.

use std::path::PathBuf;

use clap::Args;
use serde::Deserialize;
use system::{SecretVariableError, secret_variable};

use crate::config::{DispatcherPlace, Switch};

/// A secret text, such as a URL with a password, that `Debug` does not show.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub(crate) struct SecretText(pub(crate) String);

impl std::fmt::Debug for SecretText {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("SecretText(…)")
    }
}

/// A secret. It has no flag, because process lists show flags, and a second variable can name a file that contains it.
pub(crate) struct SecretSetting {
    /// The member of the file.
    pub(crate) member: &'static str,
    pub(crate) variable: &'static str,
    pub(crate) help: &'static str,
}

/// Each secret has a help text, a member and a variable. Other settings also have a type and the name of their value. The help text
/// ends with the default in brackets.
macro_rules! settings {
    (
        secrets { $($(#[doc = $secret_help:literal])+ $secret:ident = $secret_variable:literal;)+ }
        settings { $($(#[$attribute:meta])+ $setting:ident: $type:ty = $variable:literal, $value_name:literal;)+ }
    ) => {
        /// The settings from one or several sources; `None` for those that are not set.
        #[derive(Debug, Default, Args, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub(crate) struct ConfigArgs {
            /// Configuration file [default: workspace-service.toml, if it exists].
            #[arg(long, global = true, value_name = "FILE")]
            #[serde(skip)]
            pub(crate) config: Option<PathBuf>,
            $(#[arg(skip)] pub(crate) $secret: Option<SecretText>,)+
            $(
                $(#[$attribute])+
                #[arg(long, global = true, env = $variable, value_name = $value_name)]
                pub(crate) $setting: Option<$type>,
            )+
            /// Start without demo data, with the set-up page; same as --demo false.
            #[arg(long, global = true)]
            #[serde(skip)]
            pub(crate) no_demo: bool,
        }

        pub(crate) const SECRETS: &[SecretSetting] = &[$(SecretSetting {
            member: stringify!($secret),
            variable: $secret_variable,
            help: concat!($($secret_help),+),
        },)+];

        impl ConfigArgs {
            /// Reads secrets from the environment, or from the files that it names.
            pub(crate) fn with_secrets(self) -> Result<Self, SecretVariableError> {
                Ok(Self { $($secret: secret_variable($secret_variable)?.map(SecretText),)+ ..self })
            }

            /// Whether any secret is set.
            pub(crate) fn has_secrets(&self) -> bool {
                $(self.$secret.is_some())||+
            }

            /// The members and variables of settings whose value is an empty text.
            pub(crate) fn empty(&self) -> Vec<(&'static str, &'static str)> {
                let mut empty = Vec::new();
                $(if self.$secret.as_ref().is_some_and(|secret| secret.0.trim().is_empty()) {
                    empty.push((stringify!($secret), $secret_variable));
                })+
                $(if self.$setting.as_ref().is_some_and(Value::is_blank) {
                    empty.push((stringify!($setting), $variable));
                })+
                empty
            }

            /// Each setting as given, by member.
            #[cfg(test)]
            pub(crate) fn given(&self) -> Vec<(&'static str, Option<String>)> {
                vec![
                    $((stringify!($secret), self.$secret.as_ref().map(|secret| secret.0.clone())),)+
                    $((stringify!($setting), self.$setting.as_ref().map(|value| format!("{value:?}"))),)+
                ]
            }

            /// Fills in settings that are missing here from the file.
            pub(crate) fn or(self, file: Self) -> Self {
                Self {
                    config: self.config,
                    no_demo: self.no_demo,
                    $($secret: self.$secret.or(file.$secret),)+
                    $($setting: self.$setting.or(file.$setting),)+
                }
            }
        }
    };
}

/// The value of a setting.
trait Value {
    /// Whether the value has no content, which is never intended.
    fn is_blank(&self) -> bool {
        false
    }
}

impl Value for bool {}
impl Value for u16 {}
impl Value for u32 {}
impl Value for u64 {}
impl Value for usize {}
impl Value for Switch {}
impl Value for DispatcherPlace {}

impl Value for String {
    fn is_blank(&self) -> bool {
        self.trim().is_empty()
    }
}

impl Value for PathBuf {
    fn is_blank(&self) -> bool {
        self.as_os_str().is_empty()
    }
}

impl Value for Vec<String> {
    fn is_blank(&self) -> bool {
        // A trailing comma is allowed.
        !self.is_empty() && self.iter().all(Value::is_blank)
    }
}

settings! {
    secrets {
        /// Your own Postgres, version 14 or newer [default: an embedded cluster in the data folder, behind a private
        /// socket].
        database_url = "DATABASE_URL";
        /// URL of the same database that bypasses the connection pooler, for migrations and for notifications between
        /// processes [default: none; processes poll every 250 ms].
        database_direct_url = "SERVICE_DATABASE_DIRECT_URL";
        /// Streaming replicas of the Postgres in `DATABASE_URL`, which serve reads: up to 8 comma-separated URLs of one server
        /// each [default: none; the primary serves all reads].
        database_replica_urls = "SERVICE_DATABASE_REPLICA_URLS";
        /// Key that encrypts secrets at rest: 32 bytes in base64, followed by previous keys, comma-separated. Required with
        /// `DATABASE_URL` [default: created in the data folder].
        master_key = "SERVICE_MASTER_KEY";
        /// Redis in which all instances count requests together, `redis://` or `rediss://` [default: none; each instance
        /// counts its own requests].
        redis_url = "SERVICE_REDIS_URL";
        /// Mail server: `smtp://user:password@host:587` (STARTTLS, unless the host is this machine) or
        /// `smtps://user:password@host:465` [default: none; e-mails are written to files in `mails/` of the data folder].
        smtp_url = "SERVICE_SMTP_URL";
    }
    settings {
        /// Address and port to listen on [default: 127.0.0.1:8080].
        bind: String = "SERVICE_BIND", "ADDRESS:PORT";
        /// Address and port for probes and metrics, or off [default: 127.0.0.1:9464, if it is free].
        admin_bind: String = "SERVICE_ADMIN_BIND", "ADDRESS:PORT";
        /// Also serve /metrics on the public address: true or false [default: false].
        metrics_public: bool = "SERVICE_METRICS_PUBLIC", "BOOL";
        /// Maximum number of open connections [default: 8192].
        max_connections: usize = "SERVICE_MAX_CONNECTIONS", "N";
        /// Maximum number of open connections per IPv4 address or IPv6 /64; trusted proxies have no limit [default: 256].
        connections_per_address: usize = "SERVICE_CONNECTIONS_PER_ADDRESS", "N";
        /// Maximum number of open connections per credential; behind a trusted proxy, of requests [default: 64].
        connections_per_credential: usize = "SERVICE_CONNECTIONS_PER_CREDENTIAL", "N";
        /// Memory for responses being built or waiting for clients to read them, in MiB, at least 16 [default: 96].
        answer_memory: usize = "SERVICE_ANSWER_MEMORY", "MIB";
        /// Data directory; the embedded Postgres stores its cluster there unless `DATABASE_URL` is set [default: ./data].
        data_dir: PathBuf = "SERVICE_DATA_DIR", "FOLDER";
        /// Folder where the embedded Postgres archives its write-ahead log, for point-in-time recovery [default: none].
        wal_archive_dir: PathBuf = "SERVICE_WAL_ARCHIVE_DIR", "FOLDER";
        /// Maximum number of database connections for requests [default: 10].
        db_pool_size: u32 = "SERVICE_DB_POOL_SIZE", "N";
        /// Prepare each statement once per connection; turn off for PgBouncer before 1.21 in transaction mode [default: on].
        db_prepared: Switch = "SERVICE_DB_PREPARED", "ON_OR_OFF";
        /// Whether `serve` applies pending migrations; off leaves them to `migrate` [default: on].
        migrate: Switch = "SERVICE_MIGRATE", "ON_OR_OFF";
        /// How far a replica may lag behind before it stops serving reads, 100ms to 1m [default: 5s].
        database_replica_max_lag: String = "SERVICE_DATABASE_REPLICA_MAX_LAG", "TIME";
        /// Maximum number of concurrent bulk updates and large pages, and of searches [default: half of the cores, at least 2].
        db_heavy_jobs: u32 = "SERVICE_DB_HEAVY_JOBS", "N";
        /// Seconds that /readyz returns 503 before shutdown [default: 0, or 5 with `DATABASE_URL`].
        drain_seconds: u64 = "SERVICE_DRAIN_SECONDS", "N";
        /// Seconds that startup waits for the database in `DATABASE_URL` to become reachable [default: 60].
        start_wait: u64 = "SERVICE_START_WAIT", "N";
        /// Public base URL of the service, e.g. <https://work.example.com> [default: http:// and the bind address].
        public_url: String = "SERVICE_PUBLIC_URL", "URL";
        /// PEM file with extra CA certificates for the mail server [default: none].
        smtp_ca_file: PathBuf = "SERVICE_SMTP_CA_FILE", "FILE";
        /// Sender address of e-mails [default: no-reply at the host of the public URL].
        mail_from: String = "SERVICE_MAIL_FROM", "ADDRESS";
        /// Trusted proxies (X-Forwarded-For is honoured): comma-separated addresses and networks [default: none].
        #[arg(value_delimiter = ',')]
        trusted_proxies: Vec<String> = "SERVICE_TRUSTED_PROXIES", "LIST";
        /// Where to report abuse, shown in e-mails to people outside a workspace: an address or an https:// page [default: none].
        abuse_contact: String = "SERVICE_ABUSE_CONTACT", "CONTACT";
        /// Maximum number of answers to tickets that one mailbox receives per day, from all workspaces [default: 50].
        limit_answers_per_mailbox: u32 = "SERVICE_LIMIT_ANSWERS_PER_MAILBOX", "N";
        /// Seconds that an e-mail about a ticket or to a member is delayed, so that later changes join it [default: 60].
        answer_delay_seconds: u16 = "SERVICE_ANSWER_DELAY_SECONDS", "N";
        /// Requests per minute from an IP address without a valid credential [default: 10].
        limit_anonymous: u64 = "SERVICE_LIMIT_ANONYMOUS", "N";
        /// Logins, password changes and key changes per minute [default: 10].
        limit_critical: u64 = "SERVICE_LIMIT_CRITICAL", "N";
        /// Bulk requests per minute and credential [default: 10].
        limit_bulk: u64 = "SERVICE_LIMIT_BULK", "N";
        /// Console pages and forms per minute and session; five times as many per workspace [default: 600].
        limit_console: u64 = "SERVICE_LIMIT_CONSOLE", "N";
        /// Bytes of responses stored for idempotency keys, per workspace [default: 256000000].
        limit_stored_response_bytes: u64 = "SERVICE_LIMIT_STORED_RESPONSE_BYTES", "BYTES";
        /// Plan of new workspaces created without one: starter, professional or enterprise [default: enterprise].
        default_plan: String = "SERVICE_DEFAULT_PLAN", "PLAN";
        /// Require a second factor for operator actions: true or false [default: false].
        operator_second_factor: bool = "SERVICE_OPERATOR_SECOND_FACTOR", "BOOL";
        /// Allow http:// webhook targets: true or false [default: false].
        webhook_allow_http: bool = "SERVICE_WEBHOOK_ALLOW_HTTP", "BOOL";
        /// Allow webhook targets on private and local addresses: true or false [default: false].
        webhook_allow_private_networks: bool = "SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS", "BOOL";
        /// Maximum number of queued webhook deliveries per workspace; beyond that, its events wait [default: 10000].
        webhook_max_waiting: u32 = "SERVICE_WEBHOOK_MAX_WAITING", "N";
        /// How long the event log keeps events, at least 30d [default: 397d, which is 13 months].
        event_retention: String = "SERVICE_EVENT_RETENTION", "DAYS";
        /// How long the audit log keeps entries: forever, or at least 30d [default: forever].
        audit_retention: String = "SERVICE_AUDIT_RETENTION", "DAYS";
        /// Create a demo workspace on the first start with an embedded database: true or false [default: true].
        demo: bool = "SERVICE_DEMO", "BOOL";
        /// Where webhooks are delivered [default: inside].
        dispatcher: DispatcherPlace = "SERVICE_DISPATCHER", "PLACE";
        /// Log filter, e.g. `info` or `warn,request=info` [default: info].
        log: String = "SERVICE_LOG", "FILTER";
        /// Log format: text, or json for one object per line [default: text].
        log_format: String = "SERVICE_LOG_FORMAT", "FORMAT";
    }
}
