//! `cargo xtask bench`

use std::ffi::OsString;

use anyhow::Result;
use clap::Args;

use crate::{cargo, prepare};

/// What is measured is built as it is for production, and by itself: features that other crates ask for stay out.
const BUILD_SERVICE: &[&str] = &["build", "--release", "--package", "server", "--bin", "workspace-service"];
/// Fills workspaces for measurements that need many records.
const BUILD_SEED: &[&str] = &["build", "--release", "--package", "seed", "--bin", "seed"];
const CARGO_RUN: &[&str] = &["run", "--release", "--package", "bench", "--bin", "bench", "--"];

#[derive(Args)]
pub(crate) struct Bench {
    /// What to measure, such as webhooks --seconds 20; --help shows all
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

impl Bench {
    pub(crate) fn run(&self) -> Result<()> {
        prepare::prepare_unless_elsewhere()?;
        cargo::run_cargo(BUILD_SEED)?;
        cargo::run_cargo(BUILD_SERVICE)?;
        cargo::become_cargo(CARGO_RUN, &self.arguments)
    }
}
