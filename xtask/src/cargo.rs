//! Runs cargo.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use cargo_metadata::MetadataCommand;

use crate::prepare;

/// Prefixes of the variables that `cargo run` sets for the program that it runs.
const PACKAGE_VARIABLES: [&str; 2] = ["CARGO_PKG_", "CARGO_MANIFEST_"];

/// Builds the service alone, with only its own features.
pub(crate) const BUILD_SERVICE: &[&str] = &["build", "--package", "server", "--bin", "workspace-service"];
/// Builds the service with the features of `cargo test --workspace`, so that tests do not build the same crates again with other
/// features. Naming a test, here a small one, makes cargo include the features that only tests enable.
const BUILD_SERVICE_AS_FOR_TESTS: &[&str] = &["build", "--workspace", "--test", "memory", "--bin", "workspace-service"];
/// The same, with the local adapter.
pub(crate) const BUILD_PROGRAMS: &[&str] =
    &["build", "--workspace", "--test", "memory", "--bin", "workspace-service", "--bin", "service-mcp"];

/// Paths of the repository and of build output.
pub(crate) struct Paths {
    pub(crate) root: PathBuf,
    pub(crate) target: PathBuf,
}

impl Paths {
    pub(crate) fn find() -> Result<Self> {
        let metadata = MetadataCommand::new().no_deps().exec().context("cargo metadata")?;
        Ok(Self { root: metadata.workspace_root.into(), target: metadata.target_directory.into() })
    }

    /// A program of the debug build.
    pub(crate) fn debug(&self, program: &str) -> PathBuf {
        self.target.join("debug").join(program)
    }
}

/// Finds or downloads Postgres, and replaces this process with `cargo run <cargo_arguments> <rest>`. Returns only if that fails.
pub(crate) fn become_program(cargo_arguments: &[&str], rest: &[OsString]) -> Result<()> {
    prepare::prepare_unless_elsewhere()?;
    let mut cargo = command();
    let error = cargo.arg("run").args(cargo_arguments).args(rest).exec();
    Err(error).with_context(|| cannot_run(&cargo))
}

/// Finds or downloads Postgres, builds the service, and replaces this process with it. Returns only if that fails.
pub(crate) fn become_service(arguments: &[OsString]) -> Result<()> {
    prepare::prepare_unless_elsewhere()?;
    let program = built_service()?;
    let error = Command::new(&program).args(arguments).exec();
    Err(error).with_context(|| format!("cannot run {}", program.display()))
}

/// Runs `cargo <cargo_arguments>` to completion.
pub(crate) fn run_cargo(cargo_arguments: &[&str]) -> Result<()> {
    let mut cargo = command();
    let status = cargo.args(cargo_arguments).status().with_context(|| cannot_run(&cargo))?;
    ensure!(status.success(), "cargo {} failed", cargo_arguments.join(" "));
    Ok(())
}

/// Builds the service, and returns where it is.
pub(crate) fn built_service() -> Result<PathBuf> {
    run_cargo(BUILD_SERVICE_AS_FOR_TESTS)?;
    Ok(Paths::find()?.debug("workspace-service"))
}

/// The output of a command of the service.
pub(crate) fn output_of(program: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new(program).args(arguments).stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("cannot run {}", program.display()))?;
    ensure!(output.status.success(), "{} {} failed", program.display(), arguments.join(" "));
    String::from_utf8(output.stdout).with_context(|| format!("{} did not print text", program.display()))
}

/// Cargo, as a shell would start it. The variables that cargo sets for this program must not reach it: build scripts such as
/// ring's run again when those variables change, and every crate that depends on them is rebuilt.
pub(crate) fn command() -> Command {
    // Cargo passes its own path in `CARGO`, which matters under a toolchain manager.
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in std::env::vars_os() {
        let is_own = |name: &str| PACKAGE_VARIABLES.iter().any(|prefix| name.starts_with(prefix));
        if name.to_str().is_some_and(is_own) {
            command.env_remove(name);
        }
    }
    command
}

fn cannot_run(cargo: &Command) -> String {
    format!("cannot run {}", cargo.get_program().display())
}
