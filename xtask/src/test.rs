//! `cargo xtask test`

use std::ffi::OsString;

use anyhow::Result;
use clap::Args;

use crate::{cargo, prepare};

#[derive(Args)]
pub(crate) struct Test {
    /// Arguments of `cargo test`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

impl Test {
    pub(crate) fn run(&self) -> Result<()> {
        prepare::prepare()?;
        cargo::become_cargo(&["test", "--workspace"], &self.arguments)
    }
}
