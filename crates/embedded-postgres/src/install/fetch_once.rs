//! Folders that are fetched once and shared by all processes of the machine.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::error::EmbeddedPostgresError;

const DRAFT_PREFIX: &str = "draft-";

/// Creates `target` unless `is_there`. It is built next to its final place and then renamed, so that an interrupted process
/// leaves nothing incomplete. `fill` gets a temporary directory and the path of the directory to create.
pub fn fetch_once<E: From<EmbeddedPostgresError>>(
    target: &Path,
    is_there: impl Fn() -> bool,
    fill: impl FnOnce(&Path, &Path) -> Result<(), E>,
) -> Result<(), E> {
    let parent = target.parent().unwrap_or(Path::new("/"));
    make_passable(parent)?;
    let _lock = lock(parent)?;
    if is_there() {
        // Another process may have created it while this one waited for the lock.
        return Ok(());
    }
    let draft = Draft::make(parent)?;
    let built = draft.0.join("made");
    fill(&draft.0, &built)?;
    let failed = || EmbeddedPostgresError::io("create", target);
    if target.exists() {
        // An earlier download that does not run.
        fs::rename(target, draft.0.join("former")).map_err(failed())?;
    }
    fs::rename(&built, target).map_err(failed())?;
    Ok(())
}

/// Lets one process at a time continue; the lock is released with the file.
fn lock(parent: &Path) -> Result<File, EmbeddedPostgresError> {
    let path = parent.join("fetch.lock");
    let lock = || {
        let file = File::create(&path)?;
        file.lock()?;
        Ok(file)
    };
    lock().map_err(EmbeddedPostgresError::io("lock", &path))
}

/// A directory removed on drop.
struct Draft(PathBuf);

impl Draft {
    /// Call this under the lock: any existing drafts were left by killed processes.
    fn make(parent: &Path) -> Result<Self, EmbeddedPostgresError> {
        let entries = fs::read_dir(parent).map_err(EmbeddedPostgresError::io("list", parent))?;
        for entry in entries.flatten() {
            if entry.file_name().to_string_lossy().starts_with(DRAFT_PREFIX) {
                // A child that outlived its process may still write there; a later call removes it.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        let free = (0..100).map(|number| parent.join(format!("{DRAFT_PREFIX}{number}"))).find(|path| !path.exists());
        let draft = free.ok_or_else(|| {
            EmbeddedPostgresError::io("make a draft in", parent)(io::Error::other("there are too many of them"))
        })?;
        fs::create_dir(&draft).map_err(EmbeddedPostgresError::io("create the folder", &draft))?;
        Ok(Self(draft))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Creates the directory. The account that root drops to can enter it even under a strict umask.
fn make_passable(dir: &Path) -> Result<(), EmbeddedPostgresError> {
    if dir.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(dir)
        .and_then(|()| fs::set_permissions(dir, Permissions::from_mode(0o755)))
        .map_err(EmbeddedPostgresError::io("create the folder", dir))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Done = Result<(), EmbeddedPostgresError>;

    fn failure() -> Done {
        Err(EmbeddedPostgresError::NoAccount)
    }

    #[test]
    fn a_draft_is_removed_after_use() {
        let top = tempfile::tempdir().unwrap();
        fs::create_dir_all(top.path().join("draft-0/left-by-a-killed-run")).unwrap();
        let draft = Draft::make(top.path()).unwrap();
        assert_eq!(fs::read_dir(&draft.0).unwrap().count(), 0);
        drop(draft);
        assert_eq!(fs::read_dir(top.path()).unwrap().count(), 0);
    }

    #[test]
    fn an_existing_folder_is_not_fetched_again() {
        let top = tempfile::tempdir().unwrap();
        let target = top.path().join("caches/thing-1");
        let fill = |_: &Path, dir: &Path| fs::create_dir(dir).map_err(EmbeddedPostgresError::io("make", dir));
        fetch_once(&target, || target.is_dir(), fill).unwrap();
        assert!(target.is_dir());
        fetch_once(&target, || target.is_dir(), |_, _| failure()).unwrap();
        fetch_once(&target, || false, fill).unwrap();
        assert!(target.is_dir(), "a folder that does not run is replaced");
        assert!(fetch_once(&target, || false, |_, _| failure()).is_err());
        assert!(target.is_dir(), "the old folder stays if the new one fails");
    }
}
