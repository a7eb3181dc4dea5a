//! The arguments of commands that copy, recover and upgrade the database.

use std::path::PathBuf;

use clap::Args;
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
