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

use anyhow::{Result, ensure};

pub(crate) fn run() -> Result<()> {
    let violations = workspace::check()?;
    for violation in &violations {
        println!("{violation}");
    }
    ensure!(violations.is_empty(), "tidy: {} violations", violations.len());
    Ok(())
}
