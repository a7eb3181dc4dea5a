//! `cargo xtask seed`

use std::ffi::OsString;

use anyhow::Result;
use clap::Args;

use crate::{cargo, prepare};

const CARGO_RUN: &[&str] = &["run", "--release", "--package", "seed", "--bin", "seed", "--"];

#[derive(Args)]
pub(crate) struct Seed {
    /// Records to generate, e.g. `--contacts 1000`; `-- --help` lists everything
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

impl Seed {
    pub(crate) fn run(&self) -> Result<()> {
        prepare::prepare_unless_elsewhere()?;
        cargo::become_cargo(CARGO_RUN, &self.arguments)
    }
}
