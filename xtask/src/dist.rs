//! `cargo xtask dist`: builds the packages, and tries them.

mod adapter;
mod chroot;
mod debian;
mod files;
mod sbom;
mod tarball;
mod tools;
mod tried;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use cargo_metadata::{Metadata, MetadataCommand};
use clap::Args;

use crate::cargo;
use crate::clients::packages::{output, succeed};
use crate::not_run::NotRun;

/// The shipped programs, each with the package that builds it.
const PROGRAMS: [(&str, &str); 3] =
    [("workspace-service", "server"), ("dispatcher", "dispatcher"), ("service-mcp", "service-mcp")];
/// The program that writes manual pages and completions, and its package.
const MANUAL: &str = "manual";
/// Build scripts add its value to the version, see `crates/service-mcp/build.rs`.
const COMMIT: &str = "WORKSPACE_SERVICE_COMMIT";

#[derive(Args)]
pub(crate) struct Dist {
    /// Build only what needs no additional tools: the tarball and the adapter's packages, from debug builds unless --profile is given
    #[arg(long, conflicts_with = "chroot")]
    check: bool,
    /// Cargo profile [default: dist]
    #[arg(long)]
    profile: Option<String>,
    /// Also install the Debian package and run the steps of the container file in a minimal system
    #[arg(long)]
    chroot: bool,
}

impl Dist {
    pub(crate) fn run(&self) -> Result<()> {
        let default = if self.check { "dev" } else { "dist" };
        let build = Build::make(self.profile.as_deref().unwrap_or(default))?;
        let mut not_run = NotRun::default();
        let bills = if self.check { Vec::new() } else { sbom::write(&build)? };
        let tarball = tarball::write(&build, &bills)?;
        tried::tarball(&build, &tarball)?;
        let adapter = adapter::write(&build, !self.check)?;
        tried::adapter(&build, &adapter, &mut not_run)?;
        if !self.check {
            let package = debian::write(&build)?;
            tried::debian(&build, &package, &mut not_run)?;
            if self.chroot {
                chroot::run(&build, &package, &mut not_run)?;
            }
        }
        println!("dist: {} has", build.packages.display());
        for path in files::below(&build.packages)? {
            println!("  {} ({} KB)", path.display(), fs::metadata(build.packages.join(&path))?.len() / 1_000);
        }
        not_run.conclude()
    }
}

/// The build, and where its packages go.
struct Build {
    root: PathBuf,
    target_dir: PathBuf,
    profile: String,
    /// Cargo's output folder for the programs.
    programs: PathBuf,
    /// Folder with `man1` and `completions`.
    manual: PathBuf,
    /// Folder of the packages, emptied first.
    packages: PathBuf,
    version: String,
    adapter_version: String,
    /// Such as `x86_64-unknown-linux-gnu`.
    triple: String,
    /// The commit, if there is a repository.
    commit: Option<String>,
}

impl Build {
    fn make(profile: &str) -> Result<Self> {
        let metadata = MetadataCommand::new().no_deps().exec().context("cargo metadata")?;
        let target_dir = metadata.target_directory.as_std_path().to_owned();
        let packages = target_dir.join("packages");
        let programs = target_dir.join(if profile == "dev" { "debug" } else { profile });
        let root = metadata.workspace_root.as_std_path().to_owned();
        let build = Self {
            profile: profile.to_owned(),
            version: version_of(&metadata, "server")?,
            adapter_version: version_of(&metadata, "service-mcp")?,
            triple: triple()?,
            commit: commit(&root),
            // cargo-deb looks for the programs here.
            manual: programs.join("manual-pages"),
            programs,
            packages,
            target_dir,
            root,
        };
        build.compile()?;
        files::empty(&build.packages)?;
        files::empty(&build.manual)?;
        succeed(Command::new(build.program(MANUAL)).arg(&build.manual), MANUAL)?;
        Ok(build)
    }

    fn compile(&self) -> Result<()> {
        let mut command = cargo::command();
        command.current_dir(&self.root);
        if self.profile == "dev" {
            command.args(cargo::BUILD_PROGRAMS).arg("--locked");
            for program in PROGRAMS.iter().map(|(program, _)| *program).chain([MANUAL]) {
                command.args(["--bin", program]);
            }
        } else {
            command.args(["build", "--locked", "--bins", "--profile", &self.profile]);
            for package in PROGRAMS.iter().map(|(_, package)| *package).chain([MANUAL]) {
                command.args(["--package", package]);
            }
        }
        if let Some(commit) = self.commit_of_version() {
            command.env(COMMIT, commit);
        }
        succeed(&mut command, "cargo build")
    }

    fn program(&self, name: &str) -> PathBuf {
        self.programs.join(name)
    }

    /// `None` for debug builds: other commands build them without a commit.
    fn commit_of_version(&self) -> Option<&str> {
        self.commit.as_deref().filter(|_| self.profile != "dev")
    }

    fn version_of(&self, program: &str) -> &str {
        if program == adapter::NAME { &self.adapter_version } else { &self.version }
    }

    /// The expected output of a program's `--version`.
    fn shown_version(&self, program: &str) -> String {
        let version = self.version_of(program);
        match self.commit_of_version() {
            Some(commit) => format!("{program} {version} ({commit})"),
            None => format!("{program} {version}"),
        }
    }
}

fn version_of(metadata: &Metadata, package: &str) -> Result<String> {
    let found = metadata.packages.iter().find(|candidate| candidate.name.as_str() == package);
    Ok(found.with_context(|| format!("the workspace has no package {package}"))?.version.to_string())
}

fn triple() -> Result<String> {
    let output = output("rustc", ["-vV"]).context("cannot run rustc")?;
    let host = output.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc names no host")?.to_owned())
}

/// The checked-out commit, marked if files differ from it.
fn commit(root: &Path) -> Option<String> {
    let folder = root.to_str()?;
    let commit = output("git", ["-C", folder, "rev-parse", "--short=12", "HEAD"])?;
    let changed = output("git", ["-C", folder, "status", "--porcelain", "--untracked-files=no"])?;
    Some(if changed.is_empty() { commit } else { format!("{commit}-modified") })
}
