//! Archives the write-ahead log of a cluster, for recovery to a point in time.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;

use crate::account::Account;
use crate::error::EmbeddedPostgresError;
use crate::reach;

/// A segment with content is archived after this many seconds at the latest.
const ARCHIVE_TIMEOUT: &str = "300";

/// Creates the folder of the archive, or checks that the server can write to it. The parent must exist: if it is missing, the path
/// is probably mistyped.
pub(crate) fn prepare(archive: &Path, account: &Account) -> Result<(), EmbeddedPostgresError> {
    if !archive.exists() {
        let created = DirBuilder::new().mode(0o700).create(archive);
        created.map_err(EmbeddedPostgresError::io("create the folder of SERVICE_WAL_ARCHIVE_DIR,", archive))?;
        account.give(archive)?;
    }
    if let Some(closed) = reach::first_closed(archive, account) {
        let (wanted, uid) = (archive.to_path_buf(), account.uid);
        return Err(EmbeddedPostgresError::OutOfReach { closed, wanted, uid, setting: "SERVICE_WAL_ARCHIVE_DIR" });
    }
    let owner = fs::metadata(archive).map_err(EmbeddedPostgresError::io("read the metadata of", archive))?.uid();
    if account.dropped && owner != account.uid {
        return Err(EmbeddedPostgresError::ArchiveOwner { archive: archive.to_path_buf(), uid: account.uid });
    }
    Ok(())
}

/// The settings of a server that archives its log.
pub(crate) fn settings(archive: &Path) -> [(String, String); 4] {
    [
        ("wal_level".to_owned(), "replica".to_owned()),
        ("archive_mode".to_owned(), "on".to_owned()),
        ("archive_timeout".to_owned(), ARCHIVE_TIMEOUT.to_owned()),
        ("archive_command".to_owned(), archive_command(archive)),
    ]
}

/// Segments are compressed, because one that is archived early is mostly 16 MiB of zeros. A file gets its name only when it is
/// on disk, and is never replaced: a segment that is archived again, after a crash, must be identical.
fn archive_command(archive: &Path) -> String {
    format!(
        "d={} && if [ -e \"$d/%f.gz\" ]; then gzip -dc \"$d/%f.gz\" | cmp -s - \"%p\"; else \
         gzip -1 -c \"%p\" > \"$d/%f.partial\" && sync \"$d/%f.partial\" && mv \"$d/%f.partial\" \"$d/%f.gz\" && sync \"$d\"; fi",
        quoted(archive)
    )
}

/// The command that restores a segment.
pub(crate) fn restore_command(archive: &Path) -> String {
    format!("gzip -dc {}/%f.gz > \"%p\"", quoted(archive))
}

/// Quotes a path for the shell and for Postgres, where a percent sign starts a placeholder.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.to_string_lossy().replace('\'', "'\\''").replace('%', "%%"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_paths_are_quoted() {
        assert_eq!(quoted(Path::new("/a b/it's 5%")), "'/a b/it'\\''s 5%%'");
        assert_eq!(restore_command(Path::new("/w")), "gzip -dc '/w'/%f.gz > \"%p\"");
    }
}
