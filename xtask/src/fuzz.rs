//! `cargo xtask fuzz`

use std::ffi::OsString;

use anyhow::Result;
use clap::Args;

use crate::{cargo, prepare};

const CARGO_RUN: &[&str] = &["run", "--package", "fuzz", "--bin", "fuzz", "--"];

#[derive(Args)]
pub(crate) struct Fuzz {
    /// How long and what, e.g. `--minutes 10 --target markdown`; `-- --help` lists everything
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

impl Fuzz {
    pub(crate) fn run(&self) -> Result<()> {
        prepare::prepare_unless_elsewhere()?;
        cargo::become_cargo(CARGO_RUN, &self.arguments)
    }
}
