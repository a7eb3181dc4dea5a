//! The tests of the store, and those over HTTP, in the distributed database.

use anyhow::{Context, Result, ensure};

use super::nodes::{COORDINATOR, Nodes};
use crate::cargo;

/// The variable that the tests take the database's address from.
const URL: &str = "TEST_CITUS_URL";

/// The port suite, through the coordinator. One case at a time: they share the queues.
pub(super) fn port_suite(nodes: &Nodes) -> Result<()> {
    println!("citus: the port suite through the coordinator");
    run(nodes, COORDINATOR, &["--package", "storage-diesel", "--test", "port_suite", "--", "--test-threads=1"])
}

/// The tests of the API.
pub(super) fn over_http(nodes: &Nodes, filter: &str) -> Result<()> {
    println!("citus: tests/it through the coordinator");
    run(nodes, COORDINATOR, &["--package", "it", filter, "--", "--test-threads=1"])
}

fn run(nodes: &Nodes, number: usize, arguments: &[&str]) -> Result<()> {
    let arguments = arguments.iter().filter(|argument| !argument.is_empty());
    let mut command = cargo::command();
    let status = command.arg("test").arg("--no-fail-fast").args(arguments).env(URL, nodes.url(number)).status();
    ensure!(status.context("cannot run cargo")?.success(), "tests through node {number} failed");
    Ok(())
}
