//! `cargo xtask openapi`: writes the OpenAPI document, `docs/openapi.json`.

use std::fs;

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::cargo;

const PRINT: &[&str] = &["run", "--quiet", "--package", "server", "--bin", "workspace-service", "--", "openapi"];
const FILE: &str = "docs/openapi.json";

#[derive(Args)]
pub(crate) struct Openapi {
    /// Write nothing, and fail if the file is not what the code declares
    #[arg(long)]
    check: bool,
}

impl Openapi {
    pub(crate) fn run(&self) -> Result<()> {
        let declared = cargo::output_of_cargo(PRINT)?;
        if self.check {
            let committed = fs::read_to_string(FILE).with_context(|| format!("cannot read {FILE}"))?;
            ensure!(
                committed == declared,
                "{FILE} is not what the code declares: run cargo xtask openapi, and commit it"
            );
            return Ok(());
        }
        fs::write(FILE, declared).with_context(|| format!("cannot write {FILE}"))
    }
}
