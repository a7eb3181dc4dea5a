//! Cargo subcommands for packaging, installed at pinned versions in the target folder.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::cargo;
use crate::clients::packages::{output, succeed};

pub(super) const CARGO_DEB: Tool = Tool { name: "cargo-deb", version: "3.8.0" };
pub(super) const CARGO_CYCLONEDX: Tool = Tool { name: "cargo-cyclonedx", version: "0.5.9" };

pub(super) struct Tool {
    name: &'static str,
    version: &'static str,
}

impl Tool {
    /// Installs the program if it is missing, and returns its path.
    pub(super) fn program(&self, target_dir: &Path) -> Result<PathBuf> {
        let Self { name, version } = self;
        let root = target_dir.join(format!("tools/{name}-{version}"));
        let program = root.join("bin").join(name);
        if output(&program, ["--help"]).is_none() {
            let mut install = cargo::command();
            install.args(["install", name, "--locked", "--version", version, "--root"]).arg(&root);
            succeed(&mut install, "cargo install").with_context(|| format!("cannot install {name} {version}"))?;
        }
        Ok(program)
    }
}
