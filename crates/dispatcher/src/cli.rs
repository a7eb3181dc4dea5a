//! The command line of the program.

use clap::Parser;
use domain::webhooks::DEFAULT_MAX_WAITING;

/// Delivers the webhooks that instances of the service have queued in Postgres.
#[derive(Debug, Parser)]
#[command(name = "dispatcher", version = env!("VERSION_AND_COMMIT"))]
pub struct Cli {
    /// Allow http:// webhook targets: true or false.
    #[arg(long, env = "SERVICE_WEBHOOK_ALLOW_HTTP", value_name = "BOOL", default_value_t = false, action = clap::ArgAction::Set)]
    pub webhook_allow_http: bool,
    /// Allow webhook targets on private and local addresses: true or false.
    #[arg(long, env = "SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS", value_name = "BOOL", default_value_t = false, action = clap::ArgAction::Set)]
    pub webhook_allow_private_networks: bool,
    /// Address and port for probes and metrics, or off [default: 127.0.0.1:9465, if it is free].
    #[arg(long, env = "DISPATCHER_ADMIN_BIND", value_name = "ADDRESS:PORT")]
    pub admin_bind: Option<String>,
    /// Maximum number of queued webhook deliveries per workspace; beyond that, its events wait.
    #[arg(long, env = "SERVICE_WEBHOOK_MAX_WAITING", value_name = "N", default_value_t = DEFAULT_MAX_WAITING,
        value_parser = clap::value_parser!(u32).range(1..))]
    pub webhook_max_waiting: u32,
    /// Prepare each statement once per connection; turn off for PgBouncer before 1.21 in transaction mode.
    #[arg(long, env = "SERVICE_DB_PREPARED", value_name = "ON_OR_OFF", default_value = "on", value_parser = ["on", "off"])]
    pub db_prepared: String,
    /// Log filter, e.g. `info`.
    #[arg(long, env = "SERVICE_LOG", value_name = "FILTER", default_value = "info")]
    pub log: String,
    /// Log format: text, or json for one object per line.
    #[arg(long, env = "SERVICE_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    pub log_format: String,
}

impl Cli {
    /// Whether statements are prepared for one use only.
    pub fn db_prepared_off(&self) -> bool {
        self.db_prepared == "off"
    }
}
