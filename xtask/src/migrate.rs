//! `cargo xtask migrate`

use std::ffi::OsString;

use anyhow::Result;
use clap::Args;

use crate::{cargo, prepare};

const CARGO_RUN: &[&str] = &["run", "--release", "--package", "server", "--bin", "workspace-service", "--", "migrate"];

#[derive(Args)]
pub(crate) struct Migrate {
    /// Arguments for the service, e.g. `--data-dir data`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

impl Migrate {
    pub(crate) fn run(&self) -> Result<()> {
        prepare::prepare_unless_elsewhere()?;
        cargo::become_cargo(CARGO_RUN, &self.arguments)
    }
}
