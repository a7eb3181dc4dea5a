//! Recovers a cluster to a point in time, from a base backup and the archived write-ahead log.

use std::fs;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::account::Account;
use crate::cluster::{ClusterOptions, start};
use crate::error::EmbeddedPostgresError;
use crate::folder::{CLUSTER, Folder, version_of};
use crate::programs::Programs;
use crate::server::{self, Launch};
use crate::upgrade::{LONG_START_TIMEOUT, new_draft, put_draft_in_place};
use crate::wal_archive;

/// What to recover from.
#[derive(Debug, Clone)]
pub struct Recovery {
    /// The folder of a base backup, as written by `pg_basebackup`.
    pub base: PathBuf,
    /// The archive of the write-ahead log.
    pub archive: PathBuf,
    /// The time to recover to, in UTC (`2026-11-23T15:04:05.25Z`); `None` recovers to the end of the archive.
    pub until: Option<String>,
}

/// Recovers into a data folder without a cluster. The cluster is put in its place only when it is recovered, so that an
/// interruption leaves nothing that looks complete.
pub fn recover(options: &ClusterOptions, recovery: &Recovery) -> Result<(), EmbeddedPostgresError> {
    let folder = Folder::prepare(&options.data_dir)?;
    let _decisions = folder.lock_decisions()?;
    if folder.cluster().exists() {
        return Err(EmbeddedPostgresError::ClusterExists { cluster: folder.cluster() });
    }
    if version_of(&recovery.base).is_none() {
        return Err(EmbeddedPostgresError::NoCluster { cluster: recovery.base.clone() });
    }
    ensure_after(&recovery.base, recovery.until.as_deref())?;
    // Gives the account access to them.
    folder.account()?;
    let draft = new_draft(&folder)?;
    let account = draft.account()?;
    let cluster = draft.root.join(CLUSTER);
    copy(&recovery.base, &cluster, &account)?;
    let programs = Programs::find_for(&draft.root)?;
    verify(&programs, &cluster, &account)?;
    let signal = cluster.join("recovery.signal");
    fs::write(&signal, "").map_err(EmbeddedPostgresError::io("write", &signal))?;
    account.give(&signal)?;
    let archive = recovery.archive.canonicalize();
    let archive = archive.map_err(EmbeddedPostgresError::io("find the archive", &recovery.archive))?;
    let launch = Launch {
        folder: &draft,
        programs: &programs,
        account: &account,
        durability: options.durability,
        settings: &settings(&archive, recovery.until.as_deref()),
        start_timeout: LONG_START_TIMEOUT,
        decisions: None,
        pid_note: None,
    };
    // The server is not a hot standby, so it is ready only when recovery has ended.
    start(&launch)?;
    server::stop(&draft, &programs, &account)?;
    put_draft_in_place(&folder)
}

fn settings(archive: &Path, until: Option<&str>) -> Vec<(String, String)> {
    // When the server parses this setting, it does not know abbreviations of time zones yet.
    let in_utc = |time: &str| time.strip_suffix('Z').map_or_else(|| time.to_owned(), |time| format!("{time}+00"));
    let target = until.map(|time| ("recovery_target_time", in_utc(time)));
    [
        ("hot_standby", "off".to_owned()),
        ("restore_command", wal_archive::restore_command(archive)),
        ("recovery_target_action", "promote".to_owned()),
    ]
    .into_iter()
    .chain(target)
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}

/// Refuses a time before the base backup. Postgres would stop at the base backup and report success.
fn ensure_after(base: &Path, until: Option<&str>) -> Result<(), EmbeddedPostgresError> {
    let path = base.join("backup_label");
    let label = fs::read_to_string(&path).map_err(EmbeddedPostgresError::io("read", &path))?;
    let start = label.lines().find_map(|line| line.strip_prefix("START TIME: ")?.strip_suffix(" UTC"));
    match (start, until) {
        // Compare whole seconds, because the label has no fractions. Both texts then have the same length and sort by time.
        (Some(start), Some(until))
            if until.replacen('T', " ", 1).get(..start.len()).is_some_and(|time| time < start) =>
        {
            Err(EmbeddedPostgresError::BeforeBase { until: until.to_owned(), begun: start.replacen(' ', "T", 1) + "Z" })
        }
        _ => Ok(()),
    }
}

/// Verifies the files against the manifest of the base backup.
fn verify(programs: &Programs, cluster: &Path, account: &Account) -> Result<(), EmbeddedPostgresError> {
    let program = programs.program("pg_verifybackup");
    let mut command = account.command(&program);
    // The write-ahead log comes from the archive, not from the backup.
    command.arg("--no-parse-wal").arg("--quiet").arg(cluster).current_dir("/").stdout(Stdio::null());
    let output = command.output().map_err(EmbeddedPostgresError::io("run", &program))?;
    if output.status.success() {
        return Ok(());
    }
    let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(EmbeddedPostgresError::DamagedBase { message })
}

/// Copies a folder so that only the account can read it. Links are not followed: base backups of our clusters have none.
fn copy(from: &Path, to: &Path, account: &Account) -> Result<(), EmbeddedPostgresError> {
    let failed = || EmbeddedPostgresError::io("copy", from);
    if from.is_symlink() {
        return Err(failed()(std::io::Error::other("it is a symbolic link")));
    }
    if from.is_dir() {
        fs::DirBuilder::new().mode(0o700).create(to).map_err(failed())?;
        for entry in fs::read_dir(from).map_err(failed())? {
            let entry = entry.map_err(failed())?;
            copy(&entry.path(), &to.join(entry.file_name()), account)?;
        }
    } else {
        fs::copy(from, to).map_err(failed())?;
        fs::set_permissions(to, fs::Permissions::from_mode(0o600)).map_err(failed())?;
    }
    account.give(to)
}
