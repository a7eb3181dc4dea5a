//! Handing over to cargo.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::{Context, Result};

/// Becomes `cargo <own> <rest>`: its exit code, signals and streams are then ours. Returns only if that fails.
pub(crate) fn become_cargo(own: &[&str], rest: &[OsString]) -> Result<()> {
    // Cargo says where it is when it runs us, which matters under a toolchain manager.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let error = Command::new(&cargo).args(own).args(rest).exec();
    Err(error).with_context(|| format!("cannot run {}", cargo.display()))
}
