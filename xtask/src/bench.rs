//! `cargo xtask bench`

use std::ffi::OsString;

use anyhow::Result;
use clap::Args;

use crate::{cargo, prepare};

/// Built alone and in release, as for production, so that features that other crates enable stay out.
const BUILD_SERVICE: &[&str] = &["build", "--release", "--package", "server", "--bin", "workspace-service"];
/// The seed binary, for measurements that need many records.
const BUILD_SEED: &[&str] = &["build", "--release", "--package", "seed", "--bin", "seed"];
const RUN_BENCH: &[&str] = &["--release", "--package", "bench", "--bin", "bench", "--"];

#[derive(Args)]
pub(crate) struct Bench {
    /// What to measure, e.g. `webhooks --seconds 20`; `-- --help` lists everything
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

impl Bench {
    pub(crate) fn run(&self) -> Result<()> {
        // Before the builds, which take minutes.
        prepare::prepare_unless_elsewhere()?;
        cargo::run_cargo(BUILD_SEED)?;
        cargo::run_cargo(BUILD_SERVICE)?;
        cargo::become_program(RUN_BENCH, &self.arguments)
    }
}
