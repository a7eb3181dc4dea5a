//! The arguments of commands that copy, recover and upgrade the database.

use std::path::PathBuf;

use clap::Args;
use time::OffsetDateTime;

use super::values::parse_time;

#[derive(Debug, Args)]
pub(crate) struct BackupOptions {
    /// File to write, which must not exist; `-` for standard output.
    pub(crate) file: PathBuf,
    /// File whose first line is the passphrase of the master key [default: `SERVICE_BACKUP_PASSPHRASE`, else asked for on a
    /// terminal, else none].
    #[arg(long, value_name = "FILE")]
    pub(crate) passphrase_file: Option<PathBuf>,
    /// Replace the file if it exists.
    #[arg(long)]
    pub(crate) force: bool,
    /// Check an existing backup by its hashes instead, without a database.
    #[arg(long, conflicts_with = "force")]
    pub(crate) verify: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RestoreOptions {
    /// File to read; `-` for standard input.
    pub(crate) file: PathBuf,
    /// File whose first line is the passphrase of the master key [default: `SERVICE_BACKUP_PASSPHRASE`, else asked for on a
    /// terminal].
    #[arg(long, value_name = "FILE")]
    pub(crate) passphrase_file: Option<PathBuf>,
    /// Role that serves without owning the schema, to be granted its rights as `database grant` does; may be repeated [default:
    /// those that had them when the backup was made, as far as this server has roles of these names].
    #[arg(long = "app-role", value_name = "ROLE")]
    pub(crate) app_roles: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct BaseBackupOptions {
    /// Folder to write, which must not exist.
    pub(crate) folder: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct RecoverOptions {
    /// The base backup to begin with.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) base: PathBuf,
    /// The archive of the write-ahead log, which was `SERVICE_WAL_ARCHIVE_DIR` of the service.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) archive: PathBuf,
    /// The time to recover to, e.g. 2026-11-23T15:04:05Z, after the base backup [default: as far as the archive goes].
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) to: Option<OffsetDateTime>,
}

#[derive(Debug, Args)]
pub(crate) struct UpgradeClusterOptions {
    /// Remove the clusters that upgrades have kept, instead of upgrading.
    #[arg(long)]
    pub(crate) remove_old: bool,
}
