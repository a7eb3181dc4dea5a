//! Stored data: whether it can be decrypted, and whether there is a backup.

use std::path::Path;

use domain::kernel::input::format_timestamp;
use domain::limits::{EventBytesUsed, day_of};
use domain::ports::Clock;
use system::SystemClock;
use time::Duration;

use super::Finding;
use super::database::ReachedDatabase;
use crate::master_key;

/// An older backup gives a warning.
const MAX_BACKUP_AGE: Duration = Duration::weeks(1);

pub(super) fn master_key(reached: &ReachedDatabase) -> Vec<Finding> {
    if !reached.is_current() {
        return vec![Finding::not_checked("the schema is not that of this release")];
    }
    let sealing = match storage_diesel::sealing_keys(&reached.session_url) {
        Ok(sealing) => sealing,
        Err(error) => {
            return vec![Finding::error(error.to_string(), "give the role of DATABASE_URL read access to the tables")];
        }
    };
    vec![match master_key::existing(&reached.config, &sealing) {
        Ok(Some(_)) => Finding::ok("it opens all stored secrets"),
        Ok(None) => Finding::ok("there is none yet: the service creates it when it first starts"),
        Err(error) => Finding::error(
            format!("{error:#}"),
            "put the former key back, e.g. `master-key` of the data folder or the one in a backup; a new key cannot open the stored secrets",
        ),
    }]
}

/// The maximum number of workspaces that a finding names.
const LARGEST_LOGS: u32 = 3;
/// A workspace that has used this percentage of its limit gives a warning.
const WARNING_PERCENT: u64 = 80;

/// Reports the workspaces that add most to the event log today.
pub(super) fn event_log(reached: &ReachedDatabase) -> Vec<Finding> {
    if !reached.is_current() {
        return vec![Finding::not_checked("the schema is not that of this release")];
    }
    let today = day_of(SystemClock.now());
    let largest = match storage_diesel::largest_event_logs(&reached.session_url, today, LARGEST_LOGS) {
        Ok(largest) => largest,
        Err(error) => {
            return vec![Finding::error(error.to_string(), "give the role of DATABASE_URL read access to the tables")];
        }
    };
    if largest.is_empty() {
        return vec![Finding::ok("no changes today")];
    }
    let named = |one: &EventBytesUsed| {
        let megabytes = one.added.bytes.div_ceil(1_000_000);
        format!("{} {megabytes} MB ({} % of its limit)", one.slug, one.percent())
    };
    let named: Vec<_> = largest.iter().map(named).collect();
    let message = format!("today, the event log grew most in {}", named.join(", "));
    vec![if largest.iter().any(|one| one.percent() >= WARNING_PERCENT) {
        Finding::warning(
            message,
            "find out what changes so much (the event log shows who), or raise the limit: workspace update --workspace NAME --limit \
             event_bytes_per_day=BYTES",
        )
    } else {
        Finding::ok(message)
    }]
}

/// Works with any Postgres, not only the embedded one.
pub(super) fn wal_archive(reached: &ReachedDatabase) -> Vec<Finding> {
    let config = &reached.config;
    if let Some(folder) = config.wal_archive_dir.as_ref().filter(|folder| !folder.exists())
        && config.database_url.is_none()
    {
        let message = format!("SERVICE_WAL_ARCHIVE_DIR names {}, which does not exist", folder.display());
        let may_be_made = std::path::absolute(folder).is_ok_and(|path| path.parent().is_some_and(Path::is_dir));
        return vec![if may_be_made {
            Finding::warning(message, "correct the name; if it is right, the service creates the folder when it starts")
        } else {
            Finding::error(
                format!("{message}, and neither does its parent"),
                "correct the name, or create the parent folder",
            )
        }];
    }
    let archive = match storage_diesel::wal_archive(&reached.session_url) {
        Ok(Some(archive)) => archive,
        Ok(None) => {
            return vec![Finding::ok("the write-ahead log is not archived; only point-in-time recovery needs that")];
        }
        Err(error) => {
            return vec![Finding::error(
                error.to_string(),
                "give the role of DATABASE_URL read access to pg_stat_archiver",
            )];
        }
    };
    let last = archive.last_archived_at.map_or("never".to_owned(), format_timestamp);
    vec![if archive.is_failing() {
        Finding::error(
            format!("archiving the write-ahead log fails; last archived segment: {last}"),
            "see the log of Postgres (postgres.log in the data folder) for the cause; its account must be able to write to the archive, which \
             needs free space; until then, segments pile up on the disk of the database",
        )
    } else {
        Finding::ok(format!("the write-ahead log is archived; last segment: {last}"))
    }]
}

pub(super) fn backup(reached: &ReachedDatabase) -> Vec<Finding> {
    if !reached.is_current() {
        return vec![Finding::not_checked("the schema is not that of this release")];
    }
    let cure = "run `workspace-service backup FILE` every day; ignore this if you back up with another program";
    vec![match storage_diesel::last_backup(&reached.session_url) {
        Ok(None) => Finding::warning("no backup has been made yet", cure),
        Ok(Some(ended_at)) => {
            let message = format!("the last backup ended at {}", format_timestamp(ended_at));
            let is_old = SystemClock.now() - ended_at > MAX_BACKUP_AGE;
            if is_old { Finding::warning(format!("{message}, over a week ago"), cure) } else { Finding::ok(message) }
        }
        Err(error) => Finding::error(error.to_string(), "give the role of DATABASE_URL read access to the tables"),
    }]
}
