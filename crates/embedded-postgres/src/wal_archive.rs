//! Archives the write-ahead log of a cluster, for recovery to a point in time.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;

use crate::account::Account;
use crate::error::EmbeddedPostgresError;
use crate::reach;

/// A segment is archived after this many seconds at the latest, if anything was written.
const ARCHIVE_TIMEOUT: &str = "300";

/// Makes the folder of the archive, or checks that the server can write it. A parent that is missing is more likely a slip.
pub(crate) fn prepare(archive: &Path, account: &Account) -> Result<(), EmbeddedPostgresError> {
    if !archive.exists() {
        let made = DirBuilder::new().mode(0o700).create(archive);
        made.map_err(EmbeddedPostgresError::io("create the folder of SERVICE_WAL_ARCHIVE_DIR,", archive))?;
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

/// The settings of a server that archives.
pub(crate) fn settings(archive: &Path) -> [(String, String); 4] {
    [
        ("wal_level".to_owned(), "replica".to_owned()),
        ("archive_mode".to_owned(), "on".to_owned()),
        ("archive_timeout".to_owned(), ARCHIVE_TIMEOUT.to_owned()),
        ("archive_command".to_owned(), archive_command(archive)),
    ]
}

/// Compressed, since a segment that is archived early is 16 MiB of zeros for the most part. It gets its name only once it is
/// on the disk, and none is replaced: one that is archived again, after a crash, must be the same.
fn archive_command(archive: &Path) -> String {
    format!(
        "d={} && if [ -e \"$d/%f.gz\" ]; then gzip -dc \"$d/%f.gz\" | cmp -s - \"%p\"; else \
         gzip -1 -c \"%p\" > \"$d/%f.partial\" && sync \"$d/%f.partial\" && mv \"$d/%f.partial\" \"$d/%f.gz\" && sync \"$d\"; fi",
        quoted(archive)
    )
}

/// The command that gets a segment back.
pub(crate) fn restore_command(archive: &Path) -> String {
    format!("gzip -dc {}/%f.gz > \"%p\"", quoted(archive))
}

/// For the shell, and for Postgres, which takes a percent sign for a placeholder.
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
