//! The data folder: its layout, and the two locks that decide which process starts and stops the server.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::account::Account;
use crate::error::EmbeddedPostgresError;
use crate::{log_file, poll, reach};

/// The cluster's folder inside the data folder.
pub(crate) const CLUSTER: &str = "postgres";

/// Longer than the slowest start or stop in another process.
const LOCK_TIMEOUT: Duration = Duration::from_secs(150);

/// An existing data folder, by its canonical path.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    pub(crate) root: PathBuf,
}

impl Folder {
    /// Creates the folder if necessary, accessible only to us.
    pub(crate) fn prepare(data_dir: &Path) -> Result<Self, EmbeddedPostgresError> {
        let has_line_break = |path: &Path| path.as_os_str().as_bytes().contains(&b'\n');
        let refused = || EmbeddedPostgresError::LineBreak { data_dir: data_dir.to_owned() };
        if has_line_break(data_dir) {
            return Err(refused());
        }
        let make = EmbeddedPostgresError::io("create the folder", data_dir);
        if !data_dir.exists() {
            // Parent folders get the usual modes, so that an account that we drop to can enter them.
            if let Some(parent) = data_dir.parent() {
                fs::create_dir_all(parent).map_err(EmbeddedPostgresError::io("create the folder", parent))?;
            }
            DirBuilder::new().recursive(true).mode(0o700).create(data_dir).map_err(make)?;
        }
        let root = data_dir.canonicalize().map_err(EmbeddedPostgresError::io("resolve", data_dir))?;
        // The line break may be in a parent, or in the target of a link.
        if has_line_break(&root) {
            return Err(refused());
        }
        Ok(Self { root })
    }

    pub(crate) fn cluster(&self) -> PathBuf {
        self.root.join(CLUSTER)
    }

    /// Renames a complete cluster, whose content is on disk, to its final name.
    pub(crate) fn put_cluster_in_place(&self, draft: &Path) -> Result<(), EmbeddedPostgresError> {
        let cluster = self.cluster();
        fs::rename(draft, &cluster).map_err(EmbeddedPostgresError::io("create", &cluster))?;
        // The sync of the content does not cover the rename.
        File::open(&self.root).and_then(|dir| dir.sync_all()).map_err(EmbeddedPostgresError::io("sync", &self.root))
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.root.join("postgres.log")
    }

    /// The account for this cluster, with access to the folder granted.
    pub(crate) fn account(&self) -> Result<Account, EmbeddedPostgresError> {
        let account = Account::for_cluster(&self.cluster())?;
        reach::open_folder(&self.root, &account)?;
        Ok(account)
    }

    /// Held while deciding to start, join or stop; released on drop.
    pub(crate) fn lock_decisions(&self) -> Result<File, EmbeddedPostgresError> {
        let (file, path) = self.open_lock("postgres.lock")?;
        let locked = poll::until(LOCK_TIMEOUT, || match file.try_lock() {
            Ok(()) => Ok(Some(())),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        })
        .map_err(EmbeddedPostgresError::io("lock", &path))?;
        locked.map(|()| file).ok_or_else(|| self.timed_out("release the start lock", LOCK_TIMEOUT))
    }

    pub(crate) fn timed_out(&self, what: &'static str, timeout: Duration) -> EmbeddedPostgresError {
        EmbeddedPostgresError::TimedOut { what, cluster: self.cluster(), timeout }
    }

    /// Takes a shared lock on the file that says "in use". The caller must hold the decision lock.
    pub(crate) fn lock_use(&self) -> Result<File, EmbeddedPostgresError> {
        let (file, path) = self.open_lock("postgres.users.lock")?;
        file.lock_shared().map_err(EmbeddedPostgresError::io("lock", &path))?;
        Ok(file)
    }

    /// Takes the lock on the file that says "in use" exclusively. The caller must hold the decision lock.
    pub(crate) fn lock_use_alone(&self) -> Result<File, EmbeddedPostgresError> {
        let (file, path) = self.open_lock("postgres.users.lock")?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(EmbeddedPostgresError::InUse { data_dir: self.root.clone() }),
            Err(TryLockError::Error(error)) => Err(EmbeddedPostgresError::io("lock", &path)(error)),
        }
    }

    fn open_lock(&self, name: &str) -> Result<(File, PathBuf), EmbeddedPostgresError> {
        let path = self.root.join(name);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(&path);
        Ok((file.map_err(EmbeddedPostgresError::io("open", &path))?, path))
    }

    /// The log, opened for the server to append to, and its current length.
    pub(crate) fn open_log(&self) -> Result<(File, u64), EmbeddedPostgresError> {
        let path = self.log();
        log_file::open(&path).map_err(EmbeddedPostgresError::io("open", &path))
    }

    /// The last log lines after offset `start`. Read errors only make an error message less detailed.
    pub(crate) fn log_tail(&self, start: u64) -> String {
        let mut bytes = Vec::new();
        if let Ok(mut file) = File::open(self.log()) {
            let _ = file.seek(SeekFrom::Start(start));
            let _ = file.read_to_end(&mut bytes);
        }
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.trim_end().lines().collect();
        let first = lines.len().saturating_sub(10);
        lines.get(first..).unwrap_or_default().join("\n")
    }
}

/// The major version that created the cluster; `None` if there is no cluster.
pub(crate) fn version_of(cluster: &Path) -> Option<String> {
    let text = fs::read_to_string(cluster.join("PG_VERSION")).ok()?;
    Some(text.trim().to_owned())
}

/// Writes a file in the cluster through a temporary file. The folder belongs to the account that we drop to, and root must
/// not follow a symlink in it.
pub(crate) fn replace_file(
    folder: &Folder,
    target: &Path,
    content: &str,
    account: &Account,
) -> Result<(), EmbeddedPostgresError> {
    let draft = folder.root.join("postgres.draft");
    // A temporary file from an interrupted start may belong to another account.
    let _ = fs::remove_file(&draft);
    let write = || EmbeddedPostgresError::io("write", target);
    fs::write(&draft, content).map_err(write())?;
    fs::set_permissions(&draft, std::os::unix::fs::PermissionsExt::from_mode(0o600)).map_err(write())?;
    account.give(&draft)?;
    fs::rename(&draft, target).map_err(write())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_data_folder_is_private() {
        use std::os::unix::fs::MetadataExt;
        let top = tempfile::tempdir().unwrap();
        let folder = Folder::prepare(&top.path().join("a/b/data")).unwrap();
        let mode = fs::metadata(&folder.root).unwrap().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[test]
    fn a_line_break_in_the_path_is_refused_at_once() {
        let top = tempfile::tempdir().unwrap();
        let folder = top.path().join("a\nb");
        let error = Folder::prepare(&folder).unwrap_err();
        assert!(matches!(error, EmbeddedPostgresError::LineBreak { .. }) && !folder.exists(), "{error}");
        fs::create_dir(&folder).unwrap();
        let link = top.path().join("link");
        std::os::unix::fs::symlink(&folder, &link).unwrap();
        assert!(matches!(Folder::prepare(&link), Err(EmbeddedPostgresError::LineBreak { .. })));
    }
}
