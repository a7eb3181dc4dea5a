//! `cargo xtask clients`: tests the tool API with third-party clients over both transports, and the REST API with clients
//! generated from the OpenAPI document.

mod generated;
pub(crate) mod packages;
mod proxy;
pub(crate) mod service;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;
use generated::{GENERATORS, Generator};
use test_support::program::data_folder;

use crate::cargo::{self, Paths};
use crate::not_run::NotRun;
use crate::{prepare, sdks};

/// Folder of the test programs, and of the pinned versions of clients.
const TESTS: &str = "tests/clients";
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
        let with_python = not_run.can_run(PYTHON_CLIENT, packages::missing_for_python());
        let with_conformance = not_run.can_run(CONFORMANCE_SUITE, packages::missing_for_node());
        let with_typescript = not_run.can_run(TYPESCRIPT_CLIENT, packages::missing_for_node());
        let selected = GENERATORS.iter().filter(|one| self.all_generators || one.is_quick);
        let generators: Vec<_> = selected.filter(|one| not_run.can_run(one.name, (one.missing)())).collect();
        if with_python || with_conformance || with_typescript || !generators.is_empty() {
            run_clients(with_python, with_conformance, &generators)?;
        }
        not_run.conclude()
    }
}

fn run_clients(with_python: bool, with_conformance: bool, generators: &[&Generator]) -> Result<()> {
    let paths = Paths::find()?;
    let tests = paths.root.join(TESTS);
    let python = with_python.then(|| packages::python(&tests.join("python"))).transpose()?;
    let suite = with_conformance.then(|| packages::conformance(&tests.join("conformance"))).transpose()?;
    prepare::prepare()?;
    cargo::run_cargo(cargo::BUILD_PROGRAMS)?;
    // All are run even if one fails, so that one run reports every failure.
    let outcomes = with_service(&paths, |running| {
        let python = python.map_or(Ok(()), |python| python_client(&paths, &python, running));
        let typescript = suite.as_ref().map_or(Ok(()), |suite| typescript_client(&paths, suite, running));
        let conformance = suite.map_or(Ok(()), |suite| conformance_suite(&paths, &suite, running));
        let mut outcomes =
            vec![(PYTHON_CLIENT, python), (TYPESCRIPT_CLIENT, typescript), (CONFORMANCE_SUITE, conformance)];
        outcomes.extend(generators.iter().map(|generator| (generator.name, generator.run(&paths, running))));
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

/// A running service, and what is needed to call it.
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
    let service =
        service::start(&paths.debug("workspace-service"), folder.path(), &[("SERVICE_PUBLIC_URL", &proxy_url)])?;
    let key = service::make_key(&service, service::WORKSPACE)?;
    let address = service.address.to_string();
    proxy.serve(address.clone(), key.clone());
    let folder = folder.path().to_owned();
    let result = run(&RunningService { address, proxy_url, key, folder });
    service.stop()?;
    result
}

fn python_client(paths: &Paths, python: &Path, running: &RunningService) -> Result<()> {
    let mut command = Command::new(python);
    command.args(["-B", "-m", "unittest", "discover", "--verbose", "--start-directory"]);
    command.arg(paths.root.join(TESTS).join("python")).current_dir(&running.folder);
    // The adapter reads the same variables.
    command.env("SERVICE_MCP_API_URL", format!("http://{}", running.address)).env("SERVICE_MCP_API_KEY", &running.key);
    command.env("CLIENTS_ADAPTER", paths.debug("service-mcp"));
    packages::succeed(&mut command, "its tests")
}

/// Runs the program from the documentation with the client that the conformance suite uses.
fn typescript_client(paths: &Paths, suite: &packages::Suite, running: &RunningService) -> Result<()> {
    let folder = running.folder.join("typescript");
    fs::create_dir(&folder).context("cannot create a directory")?;
    symlink(suite.modules(), folder.join("node_modules")).context("cannot link the packages")?;
    let program = folder.join("client.mjs");
    fs::write(&program, sdks::code_in(&paths.root.join("docs/ai-clients.md"), "js")?)?;
    // The program starts the adapter by its name.
    let mut path = vec![paths.target.join("debug")];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let mut command = suite.node();
    command.arg(&program).env("PATH", std::env::join_paths(path)?);
    command.env("SERVICE_MCP_API_URL", format!("http://{}", running.address)).env("SERVICE_MCP_API_KEY", &running.key);
    let text = packages::run_quietly(&mut command, "its program")?;
    let lines: Vec<_> = text.lines().collect();
    ensure!(
        lines.len() == 2 && lines[0] == lines[1] && lines[0].ends_with(" all"),
        "the client saw other tools over HTTP than over STDIO: {lines:?}"
    );
    Ok(())
}

fn conformance_suite(paths: &Paths, suite: &packages::Suite, running: &RunningService) -> Result<()> {
    let mut command = suite.command();
    command.args(["server", "--url"]).arg(format!("{}/api/mcp", running.proxy_url));
    command.arg("--expected-failures").arg(paths.root.join(TESTS).join("conformance-baseline.yml"));
    let text = packages::run_quietly(command.current_dir(&running.folder), "the suite")?;
    // The suite's own totals count expected failures as failed.
    let (all, expected_failures) = scenarios(&text);
    println!("conformance: {all} scenarios, {expected_failures} fail as expected by the baseline, the others pass");
    ensure!(all > expected_failures, "all scenarios are expected failures");
    Ok(())
}

/// The number of scenarios that were run, and of those that the baseline expects to fail.
fn scenarios(output: &str) -> (usize, usize) {
    let count = |start: &str| output.lines().filter(|line| line.trim_start().starts_with(start)).count();
    (count("=== Running scenario:"), count("~ "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenarios_are_counted_by_their_headings() {
        let output = "=== Running scenario: ping ===\n\n=== Running scenario: prompts-get-simple ===\n\
            Expected failures (in baseline):\n  ~ prompts-get-simple\n";
        assert_eq!(scenarios(output), (2, 1));
    }
}
