//! Runs cargo.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

/// Builds the service.
pub(crate) const BUILD_SERVICE: &[&str] = &["build", "--package", "server", "--bin", "workspace-service"];
/// Builds the service and the local adapter.
pub(crate) const BUILD_PROGRAMS: &[&str] =
    &["build", "--package", "server", "--bin", "workspace-service", "--package", "service-mcp", "--bin", "service-mcp"];

/// Replaces this process with `cargo <own> <rest>`. Returns only if that fails.
pub(crate) fn become_cargo(own: &[&str], rest: &[OsString]) -> Result<()> {
    let cargo = cargo();
    let error = Command::new(&cargo).args(own).args(rest).exec();
    Err(error).with_context(|| format!("cannot run {}", cargo.display()))
}

/// Runs `cargo <own>` to completion.
pub(crate) fn run_cargo(own: &[&str]) -> Result<()> {
    let cargo = cargo();
    let status = Command::new(&cargo).args(own).status();
    let status = status.with_context(|| format!("cannot run {}", cargo.display()))?;
    ensure!(status.success(), "cargo {} failed", own.join(" "));
    Ok(())
}

/// Runs `cargo <own>` to completion, and returns what it prints.
pub(crate) fn output_of_cargo(own: &[&str]) -> Result<String> {
    let cargo = cargo();
    let output = Command::new(&cargo).args(own).stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("cannot run {}", cargo.display()))?;
    ensure!(output.status.success(), "cargo {} failed", own.join(" "));
    String::from_utf8(output.stdout).context("cargo printed no text")
}

/// Cargo passes its own path in `CARGO`, which matters under a toolchain manager.
pub(crate) fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}
