//! `cargo xtask attack`

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;

use crate::{cargo, prepare};

const ATTACKER: &[&str] = &["build", "--package", "attack", "--bin", "attack"];
/// Raises the limit of open files: thousands of connections need as many files, here and in the service.
const WITH_MOST_FILES: &str = "ulimit -n \"$(ulimit -Hn)\"; exec \"$0\" \"$@\"";

#[derive(Args)]
pub(crate) struct Attack {
    /// Attack the debug binary with fewer and smaller requests, and check no times
    #[arg(long)]
    short: bool,
    /// Scenarios or rows, e.g. `H1 fan-out`; `--list` shows all
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

impl Attack {
    pub(crate) fn run(&self) -> Result<()> {
        prepare::prepare_unless_elsewhere()?;
        let profile: &[&str] = if self.short { &[] } else { &["--release"] };
        cargo::run_cargo(&[cargo::BUILD_SERVICE, profile].concat())?;
        cargo::run_cargo(&[ATTACKER, profile].concat())?;
        let folder = if self.short { "debug" } else { "release" };
        let mut command = Command::new("sh");
        command.args(["-c", WITH_MOST_FILES]).arg(cargo::Paths::find()?.target.join(folder).join("attack"));
        if self.short {
            command.arg("--short");
        }
        Err(command.args(&self.arguments).exec()).context("cannot run the attacks")
    }
}
