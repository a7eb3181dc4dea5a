//! The command line.

use clap::{Args, Parser, Subcommand};
use domain::email::{EmailStatus, MAX_LISTED};
use domain::identity::workspaces::Role;
use domain::limits::{LimitName, Plan};
use time::Duration;

use crate::config_args::ConfigArgs;

/// The largest limit: the column is a signed 32-bit integer.
const MAX_LIMIT: u32 = i32::MAX as u32;

/// Work-management backend: contacts, deals, projects, tasks and tickets over REST, MCP and webhooks, on Postgres.
#[derive(Debug, Parser)]
#[command(name = "workspace-service", version)]
pub struct Cli {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the service (the default).
    Serve,
    /// Apply pending database migrations.
    Migrate,
    /// Manage workspaces.
    #[command(subcommand)]
    Workspace(WorkspaceCommand),
    /// Manage users.
    #[command(subcommand)]
    User(UserCommand),
    /// Manage API keys.
    #[command(subcommand)]
    Key(KeyCommand),
    /// List queued e-mails and retry them.
    #[command(subcommand)]
    Mail(EmailCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum WorkspaceCommand {
    /// Create a workspace.
    Create {
        /// Display name of the workspace.
        #[arg(long)]
        name: String,
        /// Short name used in commands: lowercase letters, digits and hyphens.
        #[arg(long)]
        slug: String,
        /// Plan: starter, professional or enterprise.
        #[arg(long, default_value = "starter", value_parser = parse_plan)]
        plan: Plan,
        /// Print the result as one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// List all workspaces.
    List {
        /// Print the result as one JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Suspend a workspace: its keys and sessions stop working within two seconds; its records are kept.
    Suspend {
        #[command(flatten)]
        named: NamedWorkspace,
    },
    /// Reactivate a suspended workspace.
    Activate {
        #[command(flatten)]
        named: NamedWorkspace,
    },
    /// Let keys and users of a workspace in from every network again, if its `allowed_networks` shut them out.
    AllowAllNetworks {
        #[command(flatten)]
        named: NamedWorkspace,
    },
    /// Change the plan and limits of a workspace.
    Update {
        #[command(flatten)]
        named: NamedWorkspace,
        /// New plan: starter, professional or enterprise.
        #[arg(long, value_parser = parse_plan)]
        plan: Option<Plan>,
        /// Override a plan limit, e.g. `requests_per_minute=300`; `requests_per_minute=default` restores the plan's
        /// limit. May be repeated.
        #[arg(long = "limit", value_name = "NAME=VALUE", value_parser = parse_limit)]
        limits: Vec<(LimitName, Option<u32>)>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct NamedWorkspace {
    /// Slug or ID of the workspace.
    #[arg(long)]
    pub(crate) workspace: String,
    /// Print the result as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Create a user and add them to a workspace.
    Create {
        /// Slug or ID of the workspace.
        #[arg(long)]
        workspace: String,
        /// E-mail address of the user.
        #[arg(long)]
        email: String,
        /// Full name of the user.
        #[arg(long)]
        name: String,
        /// Role in the workspace: owner, admin, member or viewer.
        #[arg(long, value_parser = parse_role)]
        role: Role,
        /// Read the password (12 to 200 characters) from standard input.
        #[arg(long, required = true)]
        password_stdin: bool,
        /// Print the result as one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Switch off the second factor of a user who lost the authenticator app and the recovery codes. Make sure that it is
    /// them who asks: afterwards their password alone signs in. Takes effect within two seconds, and is in the audit log of
    /// each of their workspaces.
    ResetSecondFactor {
        /// E-mail address of the user.
        #[arg(long)]
        email: String,
        /// Print the result as one JSON object.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Create an API key and print it once.
    Create {
        /// Slug or ID of the workspace.
        #[arg(long)]
        workspace: String,
        /// Display name of the key.
        #[arg(long)]
        name: String,
        /// Preset of scopes: `read_only`, `crm`, `projects`, `support`, `full_access` or `agent_trial`.
        #[arg(long, conflicts_with = "scope", required_unless_present = "scope")]
        preset: Option<String>,
        /// Scope to grant, e.g. deals.write; may be repeated.
        #[arg(long)]
        scope: Vec<String>,
        /// Lifetime of the key: a number with the unit s, m, h or d, e.g. 36h [default: none; 7d for `agent_trial`].
        #[arg(long, value_parser = parse_duration)]
        expires_in: Option<Duration>,
        /// Tools allowed to an `agent_trial` key, e.g. `list_contacts,get_contact` [default: all read-only tools].
        #[arg(long, value_delimiter = ',', value_name = "TOOLS")]
        trial_tools: Vec<String>,
        /// Number of tool calls allowed to an `agent_trial` key [default: 200].
        #[arg(long, value_name = "N")]
        trial_calls: Option<u32>,
        /// Print the result as one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// List the API keys of a workspace, without the secrets.
    List {
        /// Slug or ID of the workspace.
        #[arg(long)]
        workspace: String,
        /// Print the result as one JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Revoke an API key permanently.
    Revoke {
        /// Slug or ID of the workspace.
        #[arg(long)]
        workspace: String,
        /// ID of the key.
        #[arg(long)]
        id: uuid::Uuid,
        /// Print the result as one JSON object.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum EmailCommand {
    /// List e-mails, newest first, without their bodies.
    List {
        /// Slug or ID of the workspace [default: all].
        #[arg(long)]
        workspace: Option<String>,
        /// Status: waiting, sent or failed [default: all].
        #[arg(long, value_parser = parse_email_status)]
        status: Option<EmailStatus>,
        /// Maximum number of e-mails to list.
        #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=MAX_LISTED.into()))]
        limit: u32,
        /// Print the result as one JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Send waiting e-mails now. A failed e-mail cannot be retried: its body has been erased.
    Retry {
        /// Slug or ID of the workspace [default with `--all-waiting`: all].
        #[arg(long)]
        workspace: Option<String>,
        /// ID of the e-mail.
        #[arg(long, requires = "workspace", required_unless_present = "all_waiting")]
        id: Option<uuid::Uuid>,
        /// Retry all waiting e-mails.
        #[arg(long, conflicts_with = "id")]
        all_waiting: bool,
        /// Print the result as one JSON object.
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
    let (name, value) = text.split_once('=').ok_or("must be a name and a value, e.g. requests_per_minute=300")?;
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
    const FORM: &str = "must be a number with a unit, e.g. 2s, 15m, 36h or 7d";
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
    fn durations_have_a_unit() {
        for (text, seconds) in [("2s", 2), ("15m", 900), ("36h", 129_600), ("7d", 604_800)] {
            assert_eq!(parse_duration(text).map(Duration::whole_seconds), Ok(seconds));
        }
        for bad in ["", "s", "7", "-1d", "+1d", "1.5h", "0s", "9223372036854775807d", "1é"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
    }
}
