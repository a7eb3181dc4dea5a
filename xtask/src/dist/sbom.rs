//! CycloneDX bills of materials: every crate that is compiled into a program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{Build, PROGRAMS, tools};
use crate::clients::packages::{output, run_quietly};

/// cargo-cyclonedx writes a file of this name next to every manifest of the workspace.
const DRAFT: &str = "dist-bill-of-materials";
const FORMAT: [&str; 4] = ["--format", "json", "--spec-version", "1.5"];

/// `PROGRAM-VERSION.cdx.json` for each program.
pub(super) fn write(build: &Build) -> Result<Vec<PathBuf>> {
    let program = tools::CARGO_CYCLONEDX.program(&build.target_dir)?;
    let _drafts = Drafts(&build.root);
    let mut command = Command::new(program);
    command.arg("cyclonedx").args(FORMAT).args(["--no-build-deps", "--quiet", "--override-filename", DRAFT]);
    if let Some(time) = output("git", ["-C", &build.root.to_string_lossy(), "log", "-1", "--format=%ct"]) {
        // Makes the bill reproducible.
        command.env("SOURCE_DATE_EPOCH", time);
    }
    run_quietly(command.current_dir(&build.root), "cargo cyclonedx")?;
    PROGRAMS.into_iter().map(|(program, package)| place(build, program, package)).collect()
}

fn place(build: &Build, program: &str, package: &str) -> Result<PathBuf> {
    let draft = build.root.join("crates").join(package).join(format!("{DRAFT}.json"));
    let text = fs::read_to_string(&draft).with_context(|| format!("cargo cyclonedx left no {}", draft.display()))?;
    // Ids of our own crates contain paths of this machine.
    let text = text.replace(&format!("{}/", build.root.display()), "/");
    let to = build.packages.join(format!("{program}-{}.cdx.json", build.version_of(program)));
    fs::write(&to, text).with_context(|| format!("cannot write {}", to.display()))?;
    Ok(to)
}

/// Removes the files that cargo-cyclonedx left in the sources.
struct Drafts<'a>(&'a Path);

impl Drop for Drafts<'_> {
    fn drop(&mut self) {
        let of_folder = |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().flatten();
        let folders = ["crates", "tests"].into_iter().flat_map(|name| of_folder(self.0.join(name)));
        for folder in folders.map(|entry| entry.path()).chain([self.0.join("xtask")]) {
            let _ = fs::remove_file(folder.join(format!("{DRAFT}.json")));
        }
    }
}
