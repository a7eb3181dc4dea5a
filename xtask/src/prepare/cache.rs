//! The per-user download cache.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

const DRAFT_PREFIX: &str = "draft-";

/// Creates `target` unless another run did. It is built next to its place and then renamed, so that an interrupted run
/// leaves nothing incomplete; `fill` gets a temporary directory and the path of the directory to create.
pub(crate) fn fetch_once(
    target: &Path,
    is_there: impl Fn() -> bool,
    fill: impl FnOnce(&Path, &Path) -> Result<()>,
) -> Result<()> {
    let parent = target.parent().context("the cache directory has no parent")?;
    make_passable(parent)?;
    let _lock = lock(parent)?;
    if is_there() {
        // Another run may have created it while this one waited for the lock.
        return Ok(());
    }
    let draft = Draft::make(parent)?;
    let made = draft.0.join("made");
    fill(&draft.0, &made)?;
    let placed = || format!("cannot create {}", target.display());
    if target.exists() {
        // An earlier download that does not run.
        fs::rename(target, draft.0.join("former")).with_context(placed)?;
    }
    fs::rename(&made, target).with_context(placed)
}

/// Serialises runs; released with the file.
fn lock(parent: &Path) -> Result<File> {
    let path = parent.join("fetch.lock");
    let locked = || format!("cannot lock {}", path.display());
    let file = File::create(&path).with_context(locked)?;
    file.lock().with_context(locked)?;
    Ok(file)
}

/// A directory removed on drop.
struct Draft(PathBuf);

impl Draft {
    /// Called under the lock, so existing drafts were left by killed runs.
    fn make(parent: &Path) -> Result<Self> {
        for entry in fs::read_dir(parent)?.flatten() {
            if entry.file_name().to_string_lossy().starts_with(DRAFT_PREFIX) {
                // A pip that outlived its run may still write there; a later run removes it.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        let free = (0..100).map(|number| parent.join(format!("{DRAFT_PREFIX}{number}")));
        let draft = free.into_iter().find(|path| !path.exists());
        let draft = draft.with_context(|| format!("too many drafts in {}", parent.display()))?;
        fs::create_dir(&draft).with_context(|| format!("cannot create {}", draft.display()))?;
        Ok(Self(draft))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Creates the directory, accessible to the account that root switches to even under a strict umask.
fn make_passable(dir: &Path) -> Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(dir)
        .and_then(|()| fs::set_permissions(dir, Permissions::from_mode(0o755)))
        .with_context(|| format!("cannot create {}", dir.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_is_gone_after_use() {
        let top = tempfile::tempdir().unwrap();
        fs::create_dir_all(top.path().join("draft-0/left-by-a-killed-run")).unwrap();
        let draft = Draft::make(top.path()).unwrap();
        assert_eq!(fs::read_dir(&draft.0).unwrap().count(), 0);
        drop(draft);
        assert_eq!(fs::read_dir(top.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_is_there_is_not_made_again() {
        let top = tempfile::tempdir().unwrap();
        let target = top.path().join("caches/thing-1");
        let fill = |_: &Path, made: &Path| fs::create_dir(made).map_err(Into::into);
        fetch_once(&target, || target.is_dir(), fill).unwrap();
        assert!(target.is_dir());
        fetch_once(&target, || target.is_dir(), |_, _| anyhow::bail!("made twice")).unwrap();
        fetch_once(&target, || false, fill).unwrap();
        assert!(target.is_dir(), "what does not run is replaced");
        assert!(fetch_once(&target, || false, |_, _| anyhow::bail!("no network")).is_err());
        assert!(target.is_dir(), "what is there stays until something better is");
    }
}
