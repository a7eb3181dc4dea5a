//! The command line.

mod database;
mod email;
mod help;
mod transfer;
mod values;

use std::ffi::OsString;

use clap::{Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use domain::identity::workspaces::Role;
use domain::limits::{LimitName, Plan};
use time::Duration;

use crate::config_args::ConfigArgs;
pub(crate) use database::{
    BackupOptions, BaseBackupOptions, DatabaseCommand, DistributeOptions, InstallOptions, MasterKeyCommand,
    PostgresCommand, RecoverOptions, RestoreOptions, UpgradeClusterOptions,
};
pub(crate) use email::EmailCommand;
pub(crate) use transfer::{ExportOptions, ImportOptions};
pub(crate) use values::parse_duration;
use values::{one_of, parse_limit};

/// Work-management backend: contacts, deals, projects, tasks and tickets over REST, MCP and webhooks, on Postgres.
#[derive(Debug, Parser)]
#[command(name = "workspace-service", version = env!("VERSION_AND_COMMIT"))]
pub struct Cli {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

impl Cli {
    /// All commands and options, as `--help` shows them.
    pub fn command_line() -> clap::Command {
        help::command()
    }

    /// Parses the arguments of the process. Ends the process after `--help` and `--version`, and with a message if they are invalid.
    pub fn of_this_process() -> Self {
        Self::parsed(std::env::args_os()).unwrap_or_else(|error| error.exit())
    }

    /// Parses the arguments, which begin with the name of the program, and the environment variables.
    pub(crate) fn parsed(words: impl Iterator<Item = OsString>) -> Result<Self, clap::Error> {
        let words: Vec<_> = words.collect();
        let mut command = Self::command_line();
        let matches = command.try_get_matches_from_mut(&words)?;
        help::check(&mut command, &words, &matches)?;
        Self::from_arg_matches(&matches)
    }
}

/// A page of the documentation that is made from the code.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Page {
    /// Roles, scopes and permissions.
    Access,
    /// The catalogue of events.
    EventTypes,
    /// The settings.
    Settings,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the service (the default).
    #[command(after_help = "Examples:
  workspace-service serve
  SERVICE_PUBLIC_URL=https://work.example.com workspace-service serve --bind 0.0.0.0:8080")]
    Serve,
    /// Apply pending database migrations.
    Migrate,
    /// Manage the privileges of roles in your own Postgres.
    #[command(subcommand)]
    Database(DatabaseCommand),
    /// Distribute the tables over the nodes of a Citus cluster while the service is stopped. If interrupted, run it again to resume.
    Distribute(DistributeOptions),
    /// Back up the database while the service runs, including the master key if a passphrase is given.
    #[command(after_help = "Examples:
  workspace-service backup --passphrase-file passphrase.txt work.backup
  workspace-service backup --verify work.backup")]
    Backup(BackupOptions),
    /// Restore a backup into an empty data folder or database.
    #[command(after_help = "Example:
  SERVICE_DATA_DIR=restored workspace-service restore --passphrase-file passphrase.txt work.backup")]
    Restore(RestoreOptions),
    /// Check the installation (settings, database, mail server, files and more) and suggest fixes. Changes nothing.
    #[command(after_help = "Example:
  workspace-service doctor --json")]
    Doctor {
        /// Print the result as one JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Copy the embedded cluster while it runs, for point-in-time recovery.
    #[command(after_help = "Example:
  workspace-service base-backup ./base-1")]
    BaseBackup(BaseBackupOptions),
    /// Recover the embedded cluster to a point in time, into a new data folder.
    #[command(after_help = "Example:
  SERVICE_DATA_DIR=recovered workspace-service recover --base base-1 --archive wal --to 2026-11-23T15:04:05Z")]
    Recover(RecoverOptions),
    /// Upgrade the embedded cluster to the newest major version of Postgres on this machine, and keep the old cluster.
    UpgradeCluster(UpgradeClusterOptions),
    /// Rotate the master key, which encrypts secrets at rest.
    #[command(subcommand)]
    MasterKey(MasterKeyCommand),
    /// Install the Postgres programs.
    #[command(subcommand)]
    Postgres(PostgresCommand),
    /// Check at `SERVICE_ADMIN_BIND` whether the running service is ready: exit status 0 or 1.
    Healthcheck,
    /// Import records from a CSV file. If interrupted, run it again to resume.
    #[command(after_help = "Examples:
  workspace-service import contacts people.csv --workspace acme --dry-run
  workspace-service import contacts people.csv --workspace acme --map Mail=email --map Notes=
  workspace-service import deals hubspot.csv --workspace acme --preset hubspot --match skip")]
    Import(ImportOptions),
    /// Export records to a CSV or JSON Lines file, or all records to a folder.
    #[command(after_help = "Examples:
  workspace-service export contacts people.csv --workspace acme
  workspace-service export tickets tickets.jsonl --workspace acme
  workspace-service export --all acme-records --workspace acme")]
    Export(ExportOptions),
    /// Print the OpenAPI document of the API.
    Openapi,
    /// Print a page of the documentation that is made from the code.
    #[command(hide = true)]
    Page {
        #[arg(value_enum)]
        page: Page,
    },
    /// Print the catalogue of tools with their schemas.
    Tools,
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
    #[command(after_help = "Example:
  workspace-service workspace create --name \"Acme Ltd\" --slug acme")]
    Create {
        /// Display name of the workspace.
        #[arg(long)]
        name: String,
        /// Short name used in commands: lowercase letters, digits and hyphens.
        #[arg(long)]
        slug: String,
        /// Plan: starter, professional or enterprise [default: `SERVICE_DEFAULT_PLAN`, else enterprise].
        #[arg(long, value_parser = one_of(Plan::parse, Plan::allowed_values))]
        plan: Option<Plan>,
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
    Suspend(NamedWorkspace),
    /// Restrict a workspace: the same effect as a suspension, under a different status.
    Restrict(NamedWorkspace),
    /// Delete a workspace: its keys and sessions stop working within two seconds, and its data is erased after 30 days.
    /// Until then, `workspace activate` brings it back.
    #[command(after_help = "Examples:
  workspace-service workspace delete --workspace acme
  workspace-service workspace delete --workspace acme --confirm acme --now")]
    Delete {
        #[command(flatten)]
        named: NamedWorkspace,
        /// Slug of the workspace, to confirm the deletion [default: asked for on a terminal].
        #[arg(long, value_name = "SLUG")]
        confirm: Option<String>,
        /// Erase it immediately and permanently.
        #[arg(long)]
        now: bool,
    },
    /// Activate a suspended, restricted or deleted workspace.
    Activate(NamedWorkspace),
    /// Clear the `allowed_networks` of a workspace, e.g. if they lock out its users. Networks set on keys still apply.
    AllowAllNetworks(NamedWorkspace),
    /// Change the plan and limits of a workspace.
    #[command(after_help = "Examples:
  workspace-service workspace update --workspace acme --plan professional
  workspace-service workspace update --workspace acme --limit requests_per_minute=900 --limit emails_per_hour=default")]
    Update {
        #[command(flatten)]
        named: NamedWorkspace,
        /// New plan: starter, professional or enterprise.
        #[arg(long, value_parser = one_of(Plan::parse, Plan::allowed_values))]
        plan: Option<Plan>,
        /// Override a plan limit, e.g. `requests_per_minute=300`; `requests_per_minute=default` restores the plan's
        /// limit. May be repeated.
        #[arg(long = "limit", value_name = "NAME=VALUE", value_parser = parse_limit)]
        limits: Vec<(LimitName, Option<u64>)>,
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
    /// Create a user and add them to a workspace. Prompts for the password on a terminal; otherwise reads it from the first
    /// line of standard input.
    #[command(after_help = "Examples:
  workspace-service user create --workspace acme --email ann@example.com --name \"Ann Lee\" --role owner
  workspace-service user create --workspace acme --email bob@example.com --name Bob --role admin --operator <password.txt")]
    Create(CreateUserOptions),
    /// Make a user an operator of the service, or revoke that. Operators manage all workspaces over HTTP.
    #[command(after_help = "Example:
  workspace-service user update --email ann@example.com --operator true")]
    Update {
        /// E-mail address of the user.
        #[arg(long)]
        email: String,
        /// Whether the user is an operator: true or false.
        #[arg(long, value_name = "BOOL", action = clap::ArgAction::Set)]
        operator: bool,
        /// Print the result as one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// List the operators of the service.
    ListOperators {
        /// Print the result as one JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Create a link that signs a user in once, in a browser on this machine, within 15 minutes. Printed on a terminal;
    /// otherwise written to a file in the data directory that only this account can read.
    #[command(after_help = "Example:
  workspace-service user sign-in-link --workspace acme --email ann@example.com")]
    SignInLink {
        /// Slug or ID of the workspace.
        #[arg(long)]
        workspace: String,
        /// E-mail address of the user, who must be an active member.
        #[arg(long)]
        email: String,
    },
    /// Turn off the second factor of a user who lost the authenticator app and the recovery codes. Verify the user's identity
    /// first: afterwards, the password alone signs in. Takes effect within two seconds and is recorded in the audit log of
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

#[derive(Debug, Args)]
pub(crate) struct CreateUserOptions {
    /// Slug or ID of the workspace.
    #[arg(long)]
    pub(crate) workspace: String,
    /// E-mail address of the user.
    #[arg(long)]
    pub(crate) email: String,
    /// Full name of the user.
    #[arg(long)]
    pub(crate) name: String,
    /// Role in the workspace: owner, admin, member or viewer.
    #[arg(long, value_parser = one_of(Role::parse, Role::allowed_values))]
    pub(crate) role: Role,
    /// Also make the user an operator of the service. The first user of an installation without operators always becomes one.
    #[arg(long)]
    pub(crate) operator: bool,
    /// Read the password (12 to 200 characters) from standard input without prompting, even on a terminal.
    #[arg(long)]
    pub(crate) password_stdin: bool,
    /// Print the result as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Create an API key and print it once.
    #[command(after_help = "Examples:
  workspace-service key create --workspace acme --name website --preset support
  workspace-service key create --workspace acme --name assistant --preset full_access --permission read_deals read_contacts")]
    Create {
        /// Slug or ID of the workspace.
        #[arg(long)]
        workspace: String,
        /// Display name of the key.
        #[arg(long)]
        name: String,
        /// Scope preset: `read_only`, `crm`, `projects`, `support`, `full_access`, `integration` or `agent_trial`.
        #[arg(long, conflicts_with = "scope", required_unless_present = "scope")]
        preset: Option<String>,
        /// Scope to grant, e.g. deals.write; may be repeated.
        #[arg(long)]
        scope: Vec<String>,
        /// Tool permission to grant, e.g. `read_deals`; takes several values and may be repeated. Tools are denied all other
        /// permissions [default: those that the scopes give].
        #[arg(long, value_name = "NAME", num_args = 1..)]
        permission: Vec<String>,
        /// Lifetime of the key: a number with the unit s, m, h or d, e.g. 36h [default: none; 7d for `agent_trial`].
        #[arg(long, value_parser = parse_duration)]
        expires_in: Option<Duration>,
        /// Tools that an `agent_trial` key may call, e.g. `list_contacts,get_contact` [default: all read-only tools].
        #[arg(long, value_delimiter = ',', value_name = "TOOLS")]
        trial_tools: Vec<String>,
        /// Number of tool calls that an `agent_trial` key may make [default: 200].
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
    /// Find the API key and workspace that a plain-text key belongs to, e.g. one that leaked. Prompts for it on a
    /// terminal; otherwise reads it from the first line of standard input.
    Find {
        /// Print the result as one JSON object.
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
