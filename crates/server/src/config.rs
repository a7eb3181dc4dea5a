//! Configuration: flags over environment over `workspace-service.toml`.

mod capacity;
pub(crate) mod checks;
pub(crate) mod file;
#[cfg(test)]
mod precedence;
mod replicas;
pub(crate) mod table;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use domain::email::{AbuseContact, AnswerDelay, EmailBounds};
use domain::events::EventRetention;
use domain::identity::audit::AuditRetention;
use domain::kernel::idempotency::ResponseBudget;
use domain::limits::{FixedLimits, Plan};
use domain::webhooks::{DEFAULT_MAX_WAITING, TargetPolicy};
use http_core::TrustedProxies;
use serde::Deserialize;
use storage_diesel::half_of_the_cores;
use telemetry::admin::AdminBind;
use telemetry::log_context::LogFormat;

use crate::cli::parse_duration;
use crate::config_args::ConfigArgs;
pub(crate) use crate::config_args::SecretText;
pub(crate) use capacity::Capacity;
pub(crate) use replicas::Replicas;

pub(crate) const DEFAULT_ADMIN_BIND: &str = "127.0.0.1:9464";

/// In seconds. As long as a machine may take to start its database.
const DEFAULT_START_WAIT: u64 = 60;

/// The default of `db_heavy_jobs` on a small machine. With one job, a single workspace would keep out all others.
const MIN_HEAVY_JOBS: u32 = 2;
/// The largest `db_heavy_jobs`. Searches have as many connections in addition to the pool.
const MAX_HEAVY_JOBS: u32 = 64;

/// All settings, defaults applied. [`ConfigArgs`] says what each is for.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    /// An external database; `None` means the embedded cluster in the data directory.
    pub(crate) database_url: Option<SecretText>,
    /// An address of the same database that bypasses the connection pooler.
    pub(crate) database_direct_url: Option<SecretText>,
    pub(crate) replicas: Replicas,
    pub(crate) db_prepared: Switch,
    pub(crate) migrate: Switch,
    pub(crate) bind: String,
    pub(crate) admin_bind: AdminBind,
    pub(crate) capacity: Capacity,
    /// The folder of the embedded cluster, the generated master key and e-mails written as files.
    pub(crate) data_dir: PathBuf,
    pub(crate) wal_archive_dir: Option<PathBuf>,
    pub(crate) db_pool_size: u32,
    pub(crate) db_heavy_jobs: u32,
    pub(crate) drain_seconds: u64,
    pub(crate) start_wait: Duration,
    pub(crate) log: String,
    pub(crate) log_format: LogFormat,
    pub(crate) public_url: String,
    /// An SMTP server; `None` means that e-mails are written to files in the data directory.
    pub(crate) smtp_url: Option<SecretText>,
    pub(crate) smtp_ca_file: Option<PathBuf>,
    pub(crate) mail_from: String,
    pub(crate) abuse_contact: Option<AbuseContact>,
    pub(crate) email_bounds: EmailBounds,
    pub(crate) answer_delay: AnswerDelay,
    pub(crate) trusted_proxies: TrustedProxies,
    pub(crate) redis_url: Option<SecretText>,
    /// Limits that are independent of the plan.
    pub(crate) limits: FixedLimits,
    pub(crate) response_budget: ResponseBudget,
    pub(crate) default_plan: Plan,
    pub(crate) operator_second_factor: bool,
    /// Seals secrets at rest; comma-separated keys, the current one first.
    pub(crate) master_key: Option<SecretText>,
    pub(crate) targets: TargetPolicy,
    pub(crate) dispatcher: DispatcherPlace,
    pub(crate) webhook_max_waiting: u32,
    pub(crate) demo: bool,
    pub(crate) event_retention: EventRetention,
    pub(crate) audit_retention: AuditRetention,
}

/// Where webhooks are delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DispatcherPlace {
    /// Deliver webhooks in this process.
    Inside,
    /// Leave delivery to other instances or to the `dispatcher` binary.
    Off,
}

/// A setting that can be turned off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Switch {
    On,
    Off,
}

impl Switch {
    pub(crate) fn is_on(self) -> bool {
        self == Self::On
    }
}

impl Config {
    /// Merges flags and environment, already parsed by clap, over the file.
    pub(crate) fn load(args: ConfigArgs) -> anyhow::Result<Self> {
        let file = file::read(args.config.as_deref())?;
        Self::of(args.with_secrets()?.or(file))
    }

    /// Checks the values and applies the defaults.
    pub(crate) fn of(given: ConfigArgs) -> anyhow::Result<Self> {
        if let Some((member, variable)) = given.empty().first() {
            anyhow::bail!("{member} ({variable}) is empty: give it a value, or leave it out");
        }
        let capacity = Capacity::of(&given)?;
        let replicas = Replicas::of(&given)?;
        // Draining is useful only behind a load balancer that polls /readyz.
        let default_drain_seconds = if given.database_url.is_some() { 5 } else { 0 };
        let bind = given.bind.unwrap_or_else(|| "127.0.0.1:8080".to_owned());
        let has_public_url = given.public_url.is_some();
        let public_url = given.public_url.unwrap_or_else(|| format!("http://{bind}"));
        let proxies = given.trusted_proxies.unwrap_or_default();
        let default = FixedLimits::default();
        let config = Self {
            database_url: given.database_url,
            database_direct_url: given.database_direct_url,
            replicas,
            db_prepared: given.db_prepared.unwrap_or(Switch::On),
            migrate: given.migrate.unwrap_or(Switch::On),
            bind,
            admin_bind: AdminBind::parse(given.admin_bind.as_deref(), DEFAULT_ADMIN_BIND),
            capacity,
            trusted_proxies: TrustedProxies::parse(proxies.iter().map(String::as_str))
                .context("trusted_proxies (SERVICE_TRUSTED_PROXIES) is not a list of addresses and networks")?,
            redis_url: given.redis_url,
            limits: FixedLimits {
                anonymous: given.limit_anonymous.unwrap_or(default.anonymous),
                critical: given.limit_critical.unwrap_or(default.critical),
                bulk: given.limit_bulk.unwrap_or(default.bulk),
                console: given.limit_console.unwrap_or(default.console),
                ..default
            },
            response_budget: given.limit_stored_response_bytes.map_or_else(ResponseBudget::default, ResponseBudget),
            default_plan: default_plan(given.default_plan.as_deref())?,
            operator_second_factor: given.operator_second_factor.unwrap_or(false),
            abuse_contact: abuse_contact(given.abuse_contact.as_deref())?,
            email_bounds: email_bounds(given.limit_answers_per_mailbox),
            answer_delay: given
                .answer_delay_seconds
                .map_or_else(AnswerDelay::default, |seconds| AnswerDelay(Duration::from_secs(seconds.into()))),
            smtp_url: given.smtp_url,
            smtp_ca_file: given.smtp_ca_file,
            mail_from: given.mail_from.unwrap_or_else(|| default_sender(&public_url)),
            public_url,
            master_key: given.master_key,
            targets: TargetPolicy {
                allows_http: given.webhook_allow_http.unwrap_or(false),
                allows_private_networks: given.webhook_allow_private_networks.unwrap_or(false),
            },
            webhook_max_waiting: given.webhook_max_waiting.unwrap_or(DEFAULT_MAX_WAITING),
            demo: !given.no_demo && given.demo.unwrap_or(true),
            event_retention: event_retention(given.event_retention.as_deref())?,
            audit_retention: audit_retention(given.audit_retention.as_deref())?,
            dispatcher: given.dispatcher.unwrap_or(DispatcherPlace::Inside),
            wal_archive_dir: given.wal_archive_dir,
            data_dir: given.data_dir.unwrap_or_else(|| PathBuf::from("data")),
            db_pool_size: given.db_pool_size.unwrap_or(10),
            db_heavy_jobs: (given.db_heavy_jobs)
                .unwrap_or_else(|| half_of_the_cores().clamp(MIN_HEAVY_JOBS, MAX_HEAVY_JOBS)),
            drain_seconds: given.drain_seconds.unwrap_or(default_drain_seconds),
            start_wait: Duration::from_secs(given.start_wait.unwrap_or(DEFAULT_START_WAIT)),
            log: given.log.unwrap_or_else(|| "info".to_owned()),
            log_format: log_format(given.log_format.as_deref())?,
        };
        anyhow::ensure!(
            (1..=200).contains(&config.db_pool_size),
            "db_pool_size (SERVICE_DB_POOL_SIZE) must be between 1 and 200"
        );
        anyhow::ensure!(
            (1..=MAX_HEAVY_JOBS).contains(&config.db_heavy_jobs),
            "db_heavy_jobs (SERVICE_DB_HEAVY_JOBS) must be between 1 and {MAX_HEAVY_JOBS}"
        );
        anyhow::ensure!(
            config.webhook_max_waiting >= 1,
            "webhook_max_waiting (SERVICE_WEBHOOK_MAX_WAITING) must be at least 1"
        );
        checks::check(&config, has_public_url)?;
        Ok(config)
    }
}

fn abuse_contact(text: Option<&str>) -> anyhow::Result<Option<AbuseContact>> {
    let parse = |text| {
        AbuseContact::parse(text).with_context(|| {
            format!("abuse_contact (SERVICE_ABUSE_CONTACT) must be an e-mail address or an https:// page, not {text:?}")
        })
    };
    text.map(parse).transpose()
}

fn default_plan(value: Option<&str>) -> anyhow::Result<Plan> {
    let Some(name) = value else { return Ok(Plan::default()) };
    Plan::parse(name).with_context(|| {
        format!("default_plan (SERVICE_DEFAULT_PLAN) must be one of {}, not {name:?}", Plan::allowed_values())
    })
}

fn email_bounds(answers: Option<u32>) -> EmailBounds {
    answers.map_or_else(EmailBounds::default, |answers| EmailBounds { answers })
}

fn event_retention(value: Option<&str>) -> anyhow::Result<EventRetention> {
    let Some(text) = value else { return Ok(EventRetention::default()) };
    let retention = parse_duration(text).ok().and_then(EventRetention::new);
    retention.with_context(|| format!("event_retention (SERVICE_EVENT_RETENTION) must be at least 30d, not {text:?}"))
}

fn audit_retention(value: Option<&str>) -> anyhow::Result<AuditRetention> {
    let Some(text) = value.filter(|text| *text != "forever") else { return Ok(AuditRetention::FOREVER) };
    let retention = parse_duration(text).ok().and_then(AuditRetention::new);
    retention.with_context(|| {
        format!("audit_retention (SERVICE_AUDIT_RETENTION) must be forever or at least 30d, not {text:?}")
    })
}

fn log_format(value: Option<&str>) -> anyhow::Result<LogFormat> {
    let Some(name) = value else { return Ok(LogFormat::default()) };
    name.parse().with_context(|| format!("log_format (SERVICE_LOG_FORMAT) is invalid: {name:?}"))
}

/// The default sender address.
fn default_sender(public_url: &str) -> String {
    let url = url::Url::parse(public_url).ok();
    match url.as_ref().and_then(url::Url::host) {
        Some(url::Host::Domain(name)) => format!("no-reply@{name}"),
        // Mail servers reject senders at a bare IP address. A real deployment has a host name or sets the sender.
        _ => "no-reply@localhost".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_value_is_refused_by_name() {
        let empty = [
            ("bind", ConfigArgs { bind: Some(" ".to_owned()), ..ConfigArgs::default() }),
            ("data_dir", ConfigArgs { data_dir: Some(PathBuf::new()), ..ConfigArgs::default() }),
            ("trusted_proxies", ConfigArgs { trusted_proxies: Some(vec![String::new()]), ..ConfigArgs::default() }),
            ("smtp_url", ConfigArgs { smtp_url: Some(SecretText(String::new())), ..ConfigArgs::default() }),
        ];
        for (member, given) in empty {
            let error = Config::of(given).unwrap_err().to_string();
            let variable = format!("SERVICE_{}", member.to_uppercase());
            assert_eq!(error, format!("{member} ({variable}) is empty: give it a value, or leave it out"));
        }
        let none = ConfigArgs { trusted_proxies: Some(Vec::new()), ..ConfigArgs::default() };
        assert!(Config::of(none).is_ok());
    }

    #[test]
    fn an_unknown_log_format_is_named() {
        assert_eq!(log_format(None).unwrap(), LogFormat::Text);
        assert_eq!(log_format(Some("json")).unwrap(), LogFormat::Json);
        let error = format!("{:#}", log_format(Some("xml")).unwrap_err());
        assert!(error.contains("SERVICE_LOG_FORMAT") && error.contains("xml"), "{error}");
    }

    #[test]
    fn events_are_kept_for_at_least_30_days() {
        assert_eq!(event_retention(None).unwrap(), EventRetention::default());
        assert_eq!(event_retention(Some("30d")).unwrap(), EventRetention::MIN);
        for bad in ["29d", "719h", "0d", "400", "13 months", "-30d", "", "40000d"] {
            let error = format!("{:#}", event_retention(Some(bad)).unwrap_err());
            assert!(
                error.contains("SERVICE_EVENT_RETENTION") && error.contains("30d") && error.contains(bad),
                "{error}"
            );
        }
    }

    #[test]
    fn new_workspaces_are_enterprise_by_default() {
        assert_eq!(default_plan(None).unwrap(), Plan::Enterprise);
        assert_eq!(default_plan(Some("starter")).unwrap(), Plan::Starter);
        let error = format!("{:#}", default_plan(Some("huge")).unwrap_err());
        assert!(error.contains("SERVICE_DEFAULT_PLAN") && error.contains("professional"), "{error}");
    }

    #[test]
    fn the_default_sender_is_at_the_public_host() {
        for (url, sender) in [
            ("https://work.example.com:8443/x", "no-reply@work.example.com"),
            ("http://127.0.0.1:8080", "no-reply@localhost"),
            ("http://[::1]:8080", "no-reply@localhost"),
        ] {
            assert_eq!(default_sender(url), sender);
            assert!(sender.parse::<lettre::message::Mailbox>().is_ok(), "{sender}");
        }
    }
}
