//! The settings as flags of the command line and variables of the environment.

use std::path::PathBuf;

use clap::Args;

use crate::config::{DispatcherPlace, Switch};

/// Settings taken from flags or the environment.
#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    /// Configuration file [default: workspace-service.toml, if it exists].
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Address and port to listen on [default: 127.0.0.1:8080].
    #[arg(long, global = true, env = "SERVICE_BIND", value_name = "ADDRESS:PORT")]
    pub(crate) bind: Option<String>,
    /// Address and port for probes and metrics, or off [default: 127.0.0.1:9464, if it is free].
    #[arg(long, global = true, env = "SERVICE_ADMIN_BIND", value_name = "ADDRESS:PORT")]
    pub(crate) admin_bind: Option<String>,
    /// Serve /metrics on the public address, too: true or false [default: false].
    #[arg(long, global = true, env = "SERVICE_METRICS_PUBLIC", value_name = "BOOL")]
    pub(crate) metrics_public: Option<bool>,
    /// Maximum number of open connections [default: 8192].
    #[arg(long, global = true, env = "SERVICE_MAX_CONNECTIONS", value_name = "N")]
    pub(crate) max_connections: Option<usize>,
    /// Maximum number of open connections of an IPv4 address or IPv6 /64; trusted proxies have none [default: 256].
    #[arg(long, global = true, env = "SERVICE_CONNECTIONS_PER_ADDRESS", value_name = "N")]
    pub(crate) connections_per_address: Option<usize>,
    /// Maximum number of open connections of a credential; behind a trusted proxy, of its requests [default: 64].
    #[arg(long, global = true, env = "SERVICE_CONNECTIONS_PER_CREDENTIAL", value_name = "N")]
    pub(crate) connections_per_credential: Option<usize>,
    /// Memory for answers that are made or wait to be read, in MiB, at least 16 [default: 96].
    #[arg(long, global = true, env = "SERVICE_ANSWER_MEMORY", value_name = "MIB")]
    pub(crate) answer_memory: Option<usize>,
    /// Data directory; the embedded Postgres stores its cluster there unless `DATABASE_URL` is set [default: ./data].
    #[arg(long, global = true, env = "SERVICE_DATA_DIR", value_name = "FOLDER")]
    pub(crate) data_dir: Option<PathBuf>,
    /// Folder that the embedded Postgres archives its write-ahead log in, for recovery to a point in time [default: none].
    #[arg(long, global = true, env = "SERVICE_WAL_ARCHIVE_DIR", value_name = "FOLDER")]
    pub(crate) wal_archive_dir: Option<PathBuf>,
    /// Maximum number of database connections for requests [default: 10].
    #[arg(long, global = true, env = "SERVICE_DB_POOL_SIZE", value_name = "N")]
    pub(crate) db_pool_size: Option<u32>,
    /// Prepare each statement once per connection; off for PgBouncer before 1.21 in transaction mode [default: on].
    #[arg(long, global = true, env = "SERVICE_DB_PREPARED", value_name = "ON_OR_OFF")]
    pub(crate) db_prepared: Option<Switch>,
    /// Whether `serve` applies pending migrations; off leaves them to `migrate` [default: on].
    #[arg(long, global = true, env = "SERVICE_MIGRATE", value_name = "ON_OR_OFF")]
    pub(crate) migrate: Option<Switch>,
    /// Maximum number of bulk updates and large pages at once, and of searches [default: half of the cores].
    #[arg(long, global = true, env = "SERVICE_DB_HEAVY_JOBS", value_name = "N")]
    pub(crate) db_heavy_jobs: Option<u32>,
    /// Seconds that /readyz returns 503 before shutdown [default: 0, or 5 with `DATABASE_URL`].
    #[arg(long, global = true, env = "SERVICE_DRAIN_SECONDS", value_name = "N")]
    pub(crate) drain_seconds: Option<u64>,
    /// Seconds that the start waits for a database that cannot be reached yet, with `DATABASE_URL` [default: 60].
    #[arg(long, global = true, env = "SERVICE_START_WAIT", value_name = "N")]
    pub(crate) start_wait: Option<u64>,
    /// Public base URL of the service, e.g. <https://work.example.com> [default: http:// and the bind address].
    #[arg(long, global = true, env = "SERVICE_PUBLIC_URL", value_name = "URL")]
    pub(crate) public_url: Option<String>,
    /// PEM file with extra CA certificates for the mail server [default: none].
    #[arg(long, global = true, env = "SERVICE_SMTP_CA_FILE", value_name = "FILE")]
    pub(crate) smtp_ca_file: Option<PathBuf>,
    /// Sender address of e-mails [default: no-reply at the host of the public URL].
    #[arg(long, global = true, env = "SERVICE_MAIL_FROM", value_name = "ADDRESS")]
    pub(crate) mail_from: Option<String>,
    /// Trusted proxies (X-Forwarded-For is honoured): comma-separated addresses and networks [default: none].
    #[arg(long, global = true, env = "SERVICE_TRUSTED_PROXIES", value_name = "LIST", value_delimiter = ',')]
    pub(crate) trusted_proxies: Option<Vec<String>>,
    /// Where e-mails to people outside a workspace say to complain: an address or an https:// page [default: none].
    #[arg(long, global = true, env = "SERVICE_ABUSE_CONTACT", value_name = "CONTACT")]
    pub(crate) abuse_contact: Option<String>,
    /// Answers to tickets that one mailbox gets per day, from all workspaces [default: 50].
    #[arg(long, global = true, env = "SERVICE_LIMIT_ANSWERS_PER_MAILBOX", value_name = "N")]
    pub(crate) limit_answers_per_mailbox: Option<u32>,
    /// Seconds that an e-mail about a ticket, or to a member, waits, so that what follows goes with it [default: 60].
    #[arg(long, global = true, env = "SERVICE_ANSWER_DELAY_SECONDS", value_name = "N")]
    pub(crate) answer_delay_seconds: Option<u16>,
    /// Requests per minute from an IP address without a valid credential [default: 10].
    #[arg(long, global = true, env = "SERVICE_LIMIT_ANONYMOUS", value_name = "N")]
    pub(crate) limit_anonymous: Option<u64>,
    /// Logins, password changes and key changes per minute [default: 10].
    #[arg(long, global = true, env = "SERVICE_LIMIT_CRITICAL", value_name = "N")]
    pub(crate) limit_critical: Option<u64>,
    /// Bulk requests per minute and credential [default: 10].
    #[arg(long, global = true, env = "SERVICE_LIMIT_BULK", value_name = "N")]
    pub(crate) limit_bulk: Option<u64>,
    /// Pages and forms of the console per minute and session, and five times as many of a workspace [default: 600].
    #[arg(long, global = true, env = "SERVICE_LIMIT_CONSOLE", value_name = "N")]
    pub(crate) limit_console: Option<u64>,
    /// Bytes of responses stored for idempotency keys, per workspace [default: 256000000].
    #[arg(long, global = true, env = "SERVICE_LIMIT_STORED_RESPONSE_BYTES", value_name = "BYTES")]
    pub(crate) limit_stored_response_bytes: Option<u64>,
    /// Plan of new workspaces for which none is named: starter, professional or enterprise [default: enterprise].
    #[arg(long, global = true, env = "SERVICE_DEFAULT_PLAN", value_name = "PLAN")]
    pub(crate) default_plan: Option<String>,
    /// Whether operators need a second factor for what operators do: true or false [default: false].
    #[arg(long, global = true, env = "SERVICE_OPERATOR_SECOND_FACTOR", value_name = "BOOL")]
    pub(crate) operator_second_factor: Option<bool>,
    /// Allow http:// webhook targets: true or false [default: false].
    #[arg(long, global = true, env = "SERVICE_WEBHOOK_ALLOW_HTTP", value_name = "BOOL")]
    pub(crate) webhook_allow_http: Option<bool>,
    /// Allow webhook targets on private and local addresses: true or false [default: false].
    #[arg(long, global = true, env = "SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS", value_name = "BOOL")]
    pub(crate) webhook_allow_private_networks: Option<bool>,
    /// Webhook deliveries of a workspace that may wait; beyond that, its events wait [default: 10000].
    #[arg(long, global = true, env = "SERVICE_WEBHOOK_MAX_WAITING", value_name = "N")]
    pub(crate) webhook_max_waiting: Option<u32>,
    /// How long the event log keeps events, at least 30d [default: 397d, which is 13 months].
    #[arg(long, global = true, env = "SERVICE_EVENT_RETENTION", value_name = "DAYS")]
    pub(crate) event_retention: Option<String>,
    /// Make a demo workspace on the first start with an embedded database: true or false [default: true].
    #[arg(long, global = true, env = "SERVICE_DEMO", value_name = "BOOL")]
    pub(crate) demo: Option<bool>,
    /// Start empty, with the set-up page: the same as --demo false.
    #[arg(long, global = true, conflicts_with = "demo")]
    pub(crate) no_demo: bool,
    /// Where webhooks are delivered [default: inside].
    #[arg(long, global = true, env = "SERVICE_DISPATCHER", value_name = "PLACE")]
    pub(crate) dispatcher: Option<DispatcherPlace>,
    /// Log filter, e.g. `info` or `warn,request=info` [default: info].
    #[arg(long, global = true, env = "SERVICE_LOG", value_name = "FILTER")]
    pub(crate) log: Option<String>,
    /// Log format: text, or json for one object per line [default: text].
    #[arg(long, global = true, env = "SERVICE_LOG_FORMAT", value_name = "FORMAT")]
    pub(crate) log_format: Option<String>,
}
