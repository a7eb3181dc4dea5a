//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use domain::email::{EmailStatus, MAX_LISTED};
use domain::identity::workspaces::Role;
use domain::limits::{LimitName, Plan};
use time::Duration;

use crate::config::DispatcherPlace;

/// The largest limit: what the database keeps.
const MAX_LIMIT: u32 = i32::MAX as u32;

/// Contacts, deals, projects, tasks and tickets over a strict REST API, on a real Postgres.
#[derive(Debug, Parser)]
#[command(name = "workspace-service", version)]
pub struct Cli {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What can be set on the command line or in the environment.
#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    /// A configuration file; `workspace-service.toml` is read when it is there.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    // A flag would show a password in the process list.
    #[arg(skip = std::env::var("DATABASE_URL").ok().filter(|url| !url.is_empty()))]
    pub(crate) database_url: Option<String>,
    /// Where to listen [default: 127.0.0.1:8080].
    #[arg(long, global = true, env = "SERVICE_BIND", value_name = "ADDRESS:PORT")]
    pub(crate) bind: Option<String>,
    /// Where the embedded Postgres keeps its data, unless `DATABASE_URL` is set [default: ./data].
    #[arg(long, global = true, env = "SERVICE_DATA_DIR", value_name = "FOLDER")]
    pub(crate) data_dir: Option<PathBuf>,
    /// Connections to the database at the most [default: 10].
    #[arg(long, global = true, env = "SERVICE_DB_POOL_SIZE", value_name = "N")]
    pub(crate) db_pool_size: Option<u32>,
    /// Seconds that /readyz says 503 before the end [default: 0, or 5 with `DATABASE_URL`].
    #[arg(long, global = true, env = "SERVICE_DRAIN_SECONDS", value_name = "N")]
    pub(crate) drain_seconds: Option<u64>,
    /// Where people reach the service, such as <https://work.example.com> [default: where it listens].
    #[arg(long, global = true, env = "SERVICE_PUBLIC_URL", value_name = "URL")]
    pub(crate) public_url: Option<String>,
    // A flag would show a password in the process list.
    #[arg(skip = std::env::var("SERVICE_SMTP_URL").ok().filter(|url| !url.is_empty()))]
    pub(crate) smtp_url: Option<String>,
    /// Authorities in PEM that the mail server's certificate may be by, beside those of the machine [default: none].
    #[arg(long, global = true, env = "SERVICE_SMTP_CA_FILE", value_name = "FILE")]
    pub(crate) smtp_ca_file: Option<PathBuf>,
    /// Whom letters come from [default: no-reply at the host of the public URL].
    #[arg(long, global = true, env = "SERVICE_MAIL_FROM", value_name = "ADDRESS")]
    pub(crate) mail_from: Option<String>,
    /// Proxies whose X-Forwarded-For counts: addresses and networks, with commas between them [default: none].
    #[arg(long, global = true, env = "SERVICE_TRUSTED_PROXIES", value_name = "LIST", value_delimiter = ',')]
    pub(crate) trusted_proxies: Option<Vec<String>>,
    // A flag would show a password in the process list.
    #[arg(skip = std::env::var("SERVICE_REDIS_URL").ok().filter(|url| !url.is_empty()))]
    pub(crate) redis_url: Option<String>,
    /// Requests a minute from an address without a good credential [default: 10].
    #[arg(long, global = true, env = "SERVICE_LIMIT_ANONYMOUS", value_name = "N")]
    pub(crate) limit_anonymous: Option<u64>,
    /// Logins, password and key changes a minute [default: 10].
    #[arg(long, global = true, env = "SERVICE_LIMIT_CRITICAL", value_name = "N")]
    pub(crate) limit_critical: Option<u64>,
    /// Bulk requests a minute of a credential [default: 10].
    #[arg(long, global = true, env = "SERVICE_LIMIT_BULK", value_name = "N")]
    pub(crate) limit_bulk: Option<u64>,
    // A flag would show it in the process list.
    #[arg(skip = std::env::var("SERVICE_MASTER_KEY").ok().filter(|key| !key.is_empty()))]
    pub(crate) master_key: Option<String>,
    /// Whether webhooks may lead to http:// too: true or false [default: false].
    #[arg(long, global = true, env = "SERVICE_WEBHOOK_ALLOW_HTTP", value_name = "BOOL")]
    pub(crate) webhook_allow_http: Option<bool>,
    /// Whether webhooks may lead to private and local addresses: true or false [default: false].
    #[arg(long, global = true, env = "SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS", value_name = "BOOL")]
    pub(crate) webhook_allow_private_networks: Option<bool>,
    /// Whether this process delivers webhooks [default: inside].
    #[arg(long, global = true, env = "SERVICE_DISPATCHER", value_name = "PLACE")]
    pub(crate) dispatcher: Option<DispatcherPlace>,
    /// What to log, such as `info` or `warn,request=info` [default: info].
    #[arg(long, global = true, env = "SERVICE_LOG", value_name = "FILTER")]
    pub(crate) log: Option<String>,
    /// How log lines are written: text, or json for one object per line [default: text].
    #[arg(long, global = true, env = "SERVICE_LOG_FORMAT", value_name = "FORMAT")]
    pub(crate) log_format: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the service (the default).
    Serve,
    /// Bring the database's schema up to date.
    Migrate,
    /// Manage workspaces.
    #[command(subcommand)]
    Workspace(WorkspaceCommand),
    /// Manage people.
    #[command(subcommand)]
    User(UserCommand),
    /// Manage API keys.
    #[command(subcommand)]
    Key(KeyCommand),
    /// See letters to people, and have those that wait sent at once.
    #[command(subcommand)]
    Mail(EmailCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum WorkspaceCommand {
    /// Make a workspace.
    Create {
        /// Its name for people.
        #[arg(long)]
        name: String,
        /// Its name in commands: lowercase letters, digits and hyphens.
        #[arg(long)]
        slug: String,
        /// What it pays for: starter, professional or enterprise.
        #[arg(long, default_value = "starter", value_parser = parse_plan)]
        plan: Plan,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// List all workspaces.
    List {
        /// Print one JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Stop a workspace: its keys and sessions are refused within two seconds, and its records stay.
    Suspend {
        #[command(flatten)]
        named: NamedWorkspace,
    },
    /// Let a suspended workspace work again.
    Activate {
        #[command(flatten)]
        named: NamedWorkspace,
    },
    /// Change a workspace's plan and limits.
    Update {
        #[command(flatten)]
        named: NamedWorkspace,
        /// What it pays for from now on: starter, professional or enterprise.
        #[arg(long, value_parser = parse_plan)]
        plan: Option<Plan>,
        /// A limit of its own, such as `requests_per_minute=300`, or `requests_per_minute=default` for its plan's; may
        /// be repeated.
        #[arg(long = "limit", value_name = "NAME=VALUE", value_parser = parse_limit)]
        limits: Vec<(LimitName, Option<u32>)>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct NamedWorkspace {
    /// Slug or id of the workspace.
    #[arg(long)]
    pub(crate) workspace: String,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Make a person a member of a workspace.
    Create {
        /// Slug or id of the workspace.
        #[arg(long)]
        workspace: String,
        /// Their e-mail address.
        #[arg(long)]
        email: String,
        /// Their name.
        #[arg(long)]
        name: String,
        /// owner, admin, member or viewer.
        #[arg(long, value_parser = parse_role)]
        role: Role,
        /// Read the password (12 to 200 characters) from standard input.
        #[arg(long, required = true)]
        password_stdin: bool,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Make an API key; it is shown this once.
    Create {
        /// Slug or id of the workspace.
        #[arg(long)]
        workspace: String,
        /// What people call the key.
        #[arg(long)]
        name: String,
        /// `read_only`, `crm`, `projects`, `support`, `full_access` or `agent_trial`.
        #[arg(long, conflicts_with = "scope", required_unless_present = "scope")]
        preset: Option<String>,
        /// A scope such as deals.write; may be repeated.
        #[arg(long)]
        scope: Vec<String>,
        /// How long it lives: a number with s, m, h or d, such as 36h.
        #[arg(long, value_parser = parse_duration)]
        expires_in: Option<Duration>,
        /// The tools of an `agent_trial`, such as `list_contacts,get_contact` [default: those that only read].
        #[arg(long, value_delimiter = ',', value_name = "TOOLS")]
        trial_tools: Vec<String>,
        /// How many calls an `agent_trial` has [default: 200].
        #[arg(long, value_name = "N")]
        trial_calls: Option<u32>,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// List the API keys of a workspace, without their text.
    List {
        /// Slug or id of the workspace.
        #[arg(long)]
        workspace: String,
        /// Print one JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Revoke an API key for good.
    Revoke {
        /// Slug or id of the workspace.
        #[arg(long)]
        workspace: String,
        /// The key's id.
        #[arg(long)]
        id: uuid::Uuid,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum EmailCommand {
    /// List letters, the newest first, without their texts.
    List {
        /// Slug or id of the workspace [default: all].
        #[arg(long)]
        workspace: Option<String>,
        /// waiting, sent or failed [default: all].
        #[arg(long, value_parser = parse_email_status)]
        status: Option<EmailStatus>,
        /// How many at the most.
        #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=MAX_LISTED.into()))]
        limit: u32,
        /// Print one JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Make letters that wait due at once; one that was given up has no text any more, and stays so.
    Retry {
        /// Slug or id of the workspace [default with `--all-waiting`: all].
        #[arg(long)]
        workspace: Option<String>,
        /// The letter's id.
        #[arg(long, requires = "workspace", required_unless_present = "all_waiting")]
        id: Option<uuid::Uuid>,
        /// All letters that wait.
        #[arg(long, conflicts_with = "id")]
        all_waiting: bool,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
}

fn parse_plan(text: &str) -> Result<Plan, String> {
    Plan::parse(text).ok_or_else(|| format!("must be one of {}", Plan::allowed_values()))
}

fn parse_role(text: &str) -> Result<Role, String> {
    Role::parse(text).ok_or_else(|| format!("must be one of {}", Role::allowed_values()))
}

fn parse_email_status(text: &str) -> Result<EmailStatus, String> {
    EmailStatus::parse(text).ok_or_else(|| format!("must be one of {}", EmailStatus::allowed_values()))
}

/// `NAME=VALUE`, or `NAME=default`.
fn parse_limit(text: &str) -> Result<(LimitName, Option<u32>), String> {
    let (name, value) = text.split_once('=').ok_or("must be a name and a value, such as requests_per_minute=300")?;
    let name =
        LimitName::parse(name).ok_or_else(|| format!("the name must be one of {}", LimitName::allowed_values()))?;
    if value == "default" {
        return Ok((name, None));
    }
    let least = u32::from(name == LimitName::RequestsPerMinute);
    let number = value.parse().ok().filter(|number| (least..=MAX_LIMIT).contains(number));
    let number = number.ok_or_else(|| format!("the value must be a number from {least} to {MAX_LIMIT}, or default"))?;
    Ok((name, Some(number)))
}

/// `2s`, `15m`, `36h` or `7d`.
fn parse_duration(text: &str) -> Result<Duration, String> {
    const FORM: &str = "must be a number with a unit, such as 2s, 15m, 36h or 7d";
    let unit = text.chars().last().ok_or(FORM)?;
    let seconds_each = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => return Err(FORM.to_owned()),
    };
    let digits = &text[..text.len() - 1];
    let number: i64 =
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten().ok_or(FORM)?;
    number.checked_mul(seconds_each).filter(|seconds| *seconds > 0).map(Duration::seconds).ok_or(FORM.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn limits_have_a_name_and_a_value() {
        for (text, value) in [("requests_per_minute=1", Some(1)), ("requests_per_minute=default", None)] {
            assert_eq!(parse_limit(text), Ok((LimitName::RequestsPerMinute, value)));
        }
        assert_eq!(parse_limit("crm_quota_per_month=0"), Ok((LimitName::CrmQuotaPerMonth, Some(0))));
        for bad in ["", "requests_per_minute", "requests_per_minute=0", "x=1", "crm_quota_per_month=2147483648"] {
            assert!(parse_limit(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn lives_have_a_unit() {
        for (text, seconds) in [("2s", 2), ("15m", 900), ("36h", 129_600), ("7d", 604_800)] {
            assert_eq!(parse_duration(text).map(Duration::whole_seconds), Ok(seconds));
        }
        for bad in ["", "s", "7", "-1d", "+1d", "1.5h", "0s", "9223372036854775807d", "1é"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
    }
}
