//! `cargo xtask clients`: tests the tool API with third-party clients over both transports, and the REST API with clients
//! generated from the OpenAPI document.

mod generated;
pub(crate) mod packages;
mod proxy;
pub(crate) mod service;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::MetadataCommand;
use clap::Args;
use generated::{GENERATORS, Generator};
use test_support::program::data_folder;

use crate::not_run::NotRun;
use crate::{cargo, prepare, sdks};

const PYTHON_CLIENT: &str = "the Python client";
const TYPESCRIPT_CLIENT: &str = "the TypeScript client";
const CONFORMANCE_SUITE: &str = "the conformance suite";

#[derive(Args)]
pub(crate) struct Clients {
    /// Generate clients with every generator, not only with the two quick ones
    #[arg(long)]
    all_generators: bool,
}

impl Clients {
    pub(crate) fn run(&self) -> Result<()> {
        let mut not_run = NotRun::default();
        let mut is_possible = |what: &str, missing: Option<&str>| {
            if let Some(missing) = missing {
                not_run.add(what, missing);
            }
            missing.is_none()
        };
        let with_python = is_possible(PYTHON_CLIENT, packages::missing_for_python());
        let with_conformance = is_possible(CONFORMANCE_SUITE, packages::missing_for_node());
        let with_typescript = is_possible(TYPESCRIPT_CLIENT, packages::missing_for_node());
        let asked = GENERATORS.iter().filter(|one| self.all_generators || one.is_quick);
        let generators: Vec<_> = asked.filter(|one| is_possible(one.name, (one.missing)())).collect();
        if with_python || with_conformance || with_typescript || !generators.is_empty() {
            run_clients(with_python, with_conformance, &generators)?;
        }
        not_run.conclude()
    }
}

fn run_clients(with_python: bool, with_conformance: bool, generators: &[&Generator]) -> Result<()> {
    let paths = Paths::find()?;
    let python = with_python.then(|| packages::python(&paths.tests.join("python"))).transpose()?;
    let suite = with_conformance.then(|| packages::conformance(&paths.tests.join("conformance"))).transpose()?;
    prepare::prepare()?;
    cargo::run_cargo(cargo::BUILD_PROGRAMS)?;
    // All are run even if one fails, so that one run reports every failure.
    let outcomes = with_service(&paths, |served| {
        let python = python.map_or(Ok(()), |python| python_client(&paths, &python, served));
        let typescript = suite.as_ref().map_or(Ok(()), |suite| typescript_client(&paths, suite, served));
        let conformance = suite.map_or(Ok(()), |suite| conformance_suite(&paths, &suite, served));
        let mut outcomes =
            vec![(PYTHON_CLIENT, python), (TYPESCRIPT_CLIENT, typescript), (CONFORMANCE_SUITE, conformance)];
        outcomes.extend(generators.iter().map(|generator| (generator.name, generator.run(&paths, served))));
        Ok(outcomes)
    })?;
    let mut failures = Vec::new();
    for (what, outcome) in outcomes {
        if let Err(error) = outcome {
            failures.push(format!("{what}: {error:#}"));
        }
    }
    ensure!(failures.is_empty(), "clients: {}", failures.join("; "));
    println!("clients: all good");
    Ok(())
}

/// Paths of tests and binaries.
struct Paths {
    tests: PathBuf,
    /// The documentation of clients.
    page: PathBuf,
    /// The OpenAPI document.
    document: PathBuf,
    service: PathBuf,
    adapter: PathBuf,
}

impl Paths {
    fn find() -> Result<Self> {
        let metadata = MetadataCommand::new().no_deps().exec().context("cargo metadata")?;
        let built = metadata.target_directory.as_std_path().join("debug");
        Ok(Self {
            tests: metadata.workspace_root.as_std_path().join("tests/clients"),
            page: metadata.workspace_root.as_std_path().join("docs/ai-clients.md"),
            document: metadata.workspace_root.as_std_path().join("docs/openapi.json"),
            service: built.join("workspace-service"),
            adapter: built.join("service-mcp"),
        })
    }
}

/// A running service, and access to it.
struct RunningService {
    /// Where the service listens, as `host:port`.
    address: String,
    /// URL of the proxy that adds the key; the service's public URL.
    proxy_url: String,
    /// A full-access key.
    key: String,
    /// Temporary directory of the run.
    folder: PathBuf,
}

fn with_service<T>(paths: &Paths, run: impl FnOnce(&RunningService) -> Result<T>) -> Result<T> {
    let folder = data_folder()?;
    let proxy = proxy::Proxy::bind()?;
    let proxy_url = proxy.url()?;
    let service = service::start(&paths.service, folder.path(), &[("SERVICE_PUBLIC_URL", &proxy_url)])?;
    let key = service::make_key(&service, service::WORKSPACE)?;
    let address = service.address.to_string();
    proxy.serve(address.clone(), key.clone());
    let folder = folder.path().to_owned();
    let result = run(&RunningService { address, proxy_url, key, folder });
    service.stop()?;
    result
}

fn python_client(paths: &Paths, python: &Path, served: &RunningService) -> Result<()> {
    let mut command = Command::new(python);
    command.args(["-B", "-m", "unittest", "discover", "--verbose", "--start-directory"]);
    command.arg(paths.tests.join("python")).current_dir(&served.folder);
    // The adapter reads the same variables.
    command.env("SERVICE_MCP_API_URL", format!("http://{}", served.address)).env("SERVICE_MCP_API_KEY", &served.key);
    command.env("CLIENTS_ADAPTER", &paths.adapter);
    packages::succeed(&mut command, "its tests")
}

/// Runs the program from the documentation with the client that the conformance suite uses.
fn typescript_client(paths: &Paths, suite: &packages::Suite, served: &RunningService) -> Result<()> {
    let folder = served.folder.join("typescript");
    fs::create_dir(&folder).context("cannot create a directory")?;
    symlink(suite.modules(), folder.join("node_modules")).context("cannot link the packages")?;
    let program = folder.join("client.mjs");
    fs::write(&program, sdks::code_in(&paths.page, "js")?)?;
    // The program starts the adapter by its name.
    let mut path = vec![paths.adapter.parent().unwrap_or(&folder).to_owned()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let mut command = suite.node();
    command.arg(&program).stdin(Stdio::null()).env("PATH", std::env::join_paths(path)?);
    command.env("SERVICE_MCP_API_URL", format!("http://{}", served.address)).env("SERVICE_MCP_API_KEY", &served.key);
    let said = command.output().context("cannot run node")?;
    let text = String::from_utf8_lossy(&said.stdout);
    ensure!(said.status.success(), "its program failed: {text}{}", String::from_utf8_lossy(&said.stderr));
    let lines: Vec<_> = text.lines().collect();
    ensure!(
        lines.len() == 2 && lines[0] == lines[1] && lines[0].ends_with(" all"),
        "over HTTP and over STDIO it saw {lines:?}"
    );
    Ok(())
}

fn conformance_suite(paths: &Paths, suite: &packages::Suite, served: &RunningService) -> Result<()> {
    let mut command = suite.command();
    command.args(["server", "--url"]).arg(format!("{}/api/mcp", served.proxy_url));
    command.arg("--expected-failures").arg(paths.tests.join("conformance-baseline.yml"));
    let said = command.current_dir(&served.folder).stdin(Stdio::null()).output().context("cannot run the suite")?;
    let text = String::from_utf8_lossy(&said.stdout);
    if !said.status.success() {
        println!("{text}\n{}", String::from_utf8_lossy(&said.stderr));
        bail!("the suite failed: {}", said.status);
    }
    // The suite's own totals count expected failures as failed.
    let (all, excused) = scenarios(&text);
    println!("conformance: {all} scenarios, {excused} fail as expected by the baseline, the others pass");
    ensure!(all > excused, "all scenarios are expected failures");
    Ok(())
}

/// The number of scenarios that were run, and of those that the baseline expects to fail.
fn scenarios(said: &str) -> (usize, usize) {
    let count = |start: &str| said.lines().filter(|line| line.trim_start().starts_with(start)).count();
    (count("=== Running scenario:"), count("~ "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenarios_are_counted_by_their_headings() {
        let said = "=== Running scenario: ping ===\n\n=== Running scenario: prompts-get-simple ===\n\
            Expected failures (in baseline):\n  ~ prompts-get-simple\n";
        assert_eq!(scenarios(said), (2, 1));
    }
}
