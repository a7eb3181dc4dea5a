//! The Debian package; its content is declared in `crates/server/Cargo.toml`.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::{Build, files, tools};
use crate::clients::packages::run_quietly;

pub(super) fn write(build: &Build) -> Result<PathBuf> {
    let program = tools::CARGO_DEB.program(&build.target_dir)?;
    let mut command = Command::new(program);
    // Stripping would remove function names, which panic reports show.
    command.args(["--package", "server", "--profile", &build.profile, "--no-build", "--no-strip", "--output"]);
    let package = build.packages.join(format!("workspace-service_{}_{}.deb", build.version, architecture()));
    run_quietly(command.arg(&package).current_dir(&build.root), "cargo deb")?;
    files::write_hash(&package)?;
    Ok(package)
}

/// Debian's name of the architecture.
fn architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}
