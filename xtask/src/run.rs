//! `cargo xtask run`

use std::ffi::OsString;

use anyhow::Result;
use clap::Args;

use crate::{cargo, prepare};

#[derive(Args)]
pub(crate) struct Run {
    /// Arguments for the service, e.g. `serve --bind 127.0.0.1:9090`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

impl Run {
    pub(crate) fn run(&self) -> Result<()> {
        prepare::prepare_unless_elsewhere()?;
        cargo::become_service(&self.arguments)
    }
}
