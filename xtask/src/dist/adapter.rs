//! Packages of `service-mcp` in the forms that users of AI clients install: a crate, and packages for npx and uvx with the binary.

mod wheel;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::{Build, files};
use crate::cargo;
use crate::clients::packages::run_quietly;

pub(super) const NAME: &str = "service-mcp";
const SUMMARY: &str = "Local MCP server that offers an AI client the tools of a workspace-service";

/// The package files.
pub(super) struct Packages {
    pub(super) npm: PathBuf,
    pub(super) wheel: PathBuf,
    /// Compiled when it is tried, which takes a minute.
    pub(super) source: Option<PathBuf>,
}

pub(super) fn write(build: &Build, with_source: bool) -> Result<Packages> {
    if std::env::consts::OS != "linux" || !build.triple.ends_with("-gnu") {
        bail!("packages of {NAME} are made for Linux with glibc, and this is {}", build.triple);
    }
    let npm = npm(build)?;
    let wheel = wheel::write(build)?;
    let source = with_source.then(|| source(build)).transpose()?;
    for path in [&npm, &wheel].into_iter().chain(&source) {
        files::write_hash(path)?;
    }
    Ok(Packages { npm, wheel, source })
}

/// A folder with the sources of the adapter.
fn sources(build: &Build) -> PathBuf {
    build.root.join("crates").join(NAME)
}

fn npm(build: &Build) -> Result<PathBuf> {
    let architecture = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => bail!("npm has no name for {other}"),
    };
    // npm requires this folder name.
    let folder = build.packages.join("package");
    files::place(&build.program(NAME), &folder.join("bin").join(NAME), 0o755)?;
    for document in ["README.md", "LICENSE"] {
        files::place(&sources(build).join(document), &folder.join(document), 0o644)?;
    }
    let manifest = json!({
        "name": NAME,
        "version": build.adapter_version,
        "description": SUMMARY,
        "license": "Apache-2.0",
        "bin": {NAME: format!("bin/{NAME}")},
        "os": ["linux"],
        "cpu": [architecture],
        "libc": ["glibc"],
    });
    fs::write(folder.join("package.json"), format!("{manifest:#}\n")).context("cannot write package.json")?;
    let package = build.packages.join(format!("{NAME}-{}-linux-{architecture}.tgz", build.adapter_version));
    files::write_tar_gz(&folder, &package)?;
    fs::remove_dir_all(&folder)?;
    Ok(package)
}

fn source(build: &Build) -> Result<PathBuf> {
    let mut command = cargo::command();
    // The package is compiled when it is tried, and its version says whether the sources were changed.
    command.args(["package", "--package", NAME, "--no-verify", "--allow-dirty", "--locked"]);
    run_quietly(command.current_dir(&build.root), "cargo package")?;
    let name = format!("{NAME}-{}.crate", build.adapter_version);
    let package = build.packages.join(&name);
    files::place(&build.target_dir.join("package").join(&name), &package, 0o644)?;
    Ok(package)
}

fn text_of(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}
