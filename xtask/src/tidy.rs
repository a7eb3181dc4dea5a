//! `cargo xtask tidy`: checks repository rules that the compiler does not check.
//!
//! The rules are pure functions ([`edges`], [`cycles`], [`manifests`], [`sources`], [`documents`], [`groups`], [`top_level`]);
//! [`workspace`] reads their input.

mod cycles;
mod documents;
mod edges;
mod graph;
mod groups;
mod manifests;
mod sources;
mod top_level;
mod workspace;

use anyhow::{Result, bail};
use clap::Args;

#[derive(Args)]
pub(crate) struct Tidy {}

impl Tidy {
    #[expect(clippy::unused_self, reason = "all commands have the same signature")]
    pub(crate) fn run(&self) -> Result<()> {
        let violations = workspace::check()?;
        for violation in &violations {
            println!("{violation}");
        }
        if violations.is_empty() {
            return Ok(());
        }
        bail!("tidy: {} violations", violations.len());
    }
}
