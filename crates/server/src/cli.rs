//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use domain::workspaces::{Plan, Role};
use time::Duration;

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
    /// What to log, such as `info` or `warn,request=info` [default: info].
    #[arg(long, global = true, env = "SERVICE_LOG", value_name = "FILTER")]
    pub(crate) log: Option<String>,
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
        /// `read_only`, `crm`, `projects`, `support` or `full_access`.
        #[arg(long, conflicts_with = "scope", required_unless_present = "scope")]
        preset: Option<String>,
        /// A scope such as deals.write; may be repeated.
        #[arg(long)]
        scope: Vec<String>,
        /// How long it lives: a number with s, m, h or d, such as 36h.
        #[arg(long, value_parser = parse_life)]
        expires_in: Option<Duration>,
        /// Print one JSON object.
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

fn parse_plan(text: &str) -> Result<Plan, String> {
    Plan::from_word(text).ok_or_else(|| format!("must be one of {}", Plan::words()))
}

fn parse_role(text: &str) -> Result<Role, String> {
    Role::from_word(text).ok_or_else(|| format!("must be one of {}", Role::words()))
}

/// `2s`, `15m`, `36h` or `7d`.
fn parse_life(text: &str) -> Result<Duration, String> {
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
    fn lives_have_a_unit() {
        for (text, seconds) in [("2s", 2), ("15m", 900), ("36h", 129_600), ("7d", 604_800)] {
            assert_eq!(parse_life(text).map(Duration::whole_seconds), Ok(seconds));
        }
        for bad in ["", "s", "7", "-1d", "+1d", "1.5h", "0s", "9223372036854775807d", "1é"] {
            assert!(parse_life(bad).is_err(), "{bad}");
        }
    }
}
