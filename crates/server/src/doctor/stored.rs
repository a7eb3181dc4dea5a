//! What is stored: whether it can be opened, and whether there is a copy of it.

use std::path::Path;

use domain::kernel::input::format_timestamp;
use domain::ports::Clock;
use system::SystemClock;
use time::Duration;

use super::Finding;
use super::database::Reached;
use crate::master_key;

/// A backup older than this is too old.
const OLDEST_BACKUP: Duration = Duration::weeks(1);

pub(super) fn master_key(reached: &Reached) -> Vec<Finding> {
    if !reached.is_current() {
        return vec![Finding::not_checked("the schema is not the one of this release")];
    }
    let sealing = match storage_diesel::sealing_keys(&reached.session_url) {
        Ok(sealing) => sealing,
        Err(error) => return vec![Finding::error(error.to_string(), "let the role of DATABASE_URL read the tables")],
    };
    vec![match master_key::existing(&reached.config, &sealing) {
        Ok(Some(_)) => Finding::ok("it opens what is stored"),
        Ok(None) => Finding::ok("there is none yet: the first start of the service makes it"),
        Err(error) => Finding::error(
            format!("{error:#}"),
            "put the former key back, e.g. `master-key` of the data folder or the one of a backup; a new key opens nothing of it",
        ),
    }]
}

/// Of any Postgres, not only the embedded one.
pub(super) fn wal_archive(reached: &Reached) -> Vec<Finding> {
    let config = &reached.config;
    if let Some(folder) = config.wal_archive_dir.as_ref().filter(|folder| !folder.exists())
        && config.database_url.is_none()
    {
        let message = format!("SERVICE_WAL_ARCHIVE_DIR names {}, which is not there", folder.display());
        let may_be_made = std::path::absolute(folder).is_ok_and(|path| path.parent().is_some_and(Path::is_dir));
        return vec![if may_be_made {
            Finding::warning(message, "correct the name; if it is right, the start of the service makes the folder")
        } else {
            Finding::error(format!("{message}, nor is its parent"), "correct the name, or make the parent folder")
        }];
    }
    let archive = match storage_diesel::wal_archive(&reached.session_url) {
        Ok(Some(archive)) => archive,
        Ok(None) => {
            return vec![Finding::ok(
                "the write-ahead log is not archived, which only recovery to a point in time needs",
            )];
        }
        Err(error) => {
            return vec![Finding::error(error.to_string(), "let the role of DATABASE_URL read pg_stat_archiver")];
        }
    };
    let last = archive.last_archived_at.map_or("never".to_owned(), format_timestamp);
    vec![if archive.is_failing() {
        Finding::error(
            format!("archiving the write-ahead log fails; the last segment was archived: {last}"),
            "see why in the log of Postgres (postgres.log of the data folder), and let its account write the archive, which needs \
             room; until then segments pile up on the disk of the database",
        )
    } else {
        Finding::ok(format!("the write-ahead log is archived; last segment: {last}"))
    }]
}

pub(super) fn backup(reached: &Reached) -> Vec<Finding> {
    if !reached.is_current() {
        return vec![Finding::not_checked("the schema is not the one of this release")];
    }
    let cure = "run `workspace-service backup FILE` every day; ignore this if another program makes the backups";
    vec![match storage_diesel::last_backup(&reached.session_url) {
        Ok(None) => Finding::warning("no backup was ever made", cure),
        Ok(Some(ended_at)) => {
            let message = format!("the last backup ended at {}", format_timestamp(ended_at));
            let is_old = SystemClock.now() - ended_at > OLDEST_BACKUP;
            if is_old { Finding::warning(format!("{message}, over a week ago"), cure) } else { Finding::ok(message) }
        }
        Err(error) => Finding::error(error.to_string(), "let the role of DATABASE_URL read the tables"),
    }]
}
