//! The tests of the store and over HTTP, each with its own database in the cluster.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::nodes::{COORDINATOR, Nodes, WORKERS};
use super::schemas::WHOLE;
use crate::cargo;
use crate::test::folder_in_memory;

/// The variable that passes the addresses of a distributed database to the tests, starting with the node to connect to.
pub(super) const URLS: &str = "TEST_CITUS_URLS";
/// One at a time: the cases share a database, and do not retry after a deadlock between two that add members on all nodes.
const STORE: Suite = Suite {
    name: "the port suite",
    arguments: &["--package", "storage-diesel", "--test", "store"],
    threads: "--test-threads=1",
};
const HTTP: Suite = Suite { name: "tests/it", arguments: &["--package", "it"], threads: "--test-threads=2" };

struct Suite {
    name: &'static str,
    arguments: &'static [&'static str],
    threads: &'static str,
}

/// Tests that are known to fail in a cluster, with the reason. A test that passes must be removed from this list.
struct KnownFailure {
    suite: &'static str,
    through: &'static [usize],
    tests: &'static [&'static str],
}

const KNOWN: &[KnownFailure] = &[KnownFailure {
    suite: HTTP.name,
    through: &[COORDINATOR, WORKERS[0], WORKERS[1]],
    tests: &[
        // Citus takes seconds to create the months of a new log, and writers of events wait too long for it.
        "event_retention::months_are_dropped_after_the_retention_and_records_stay",
        // The test breaks the log with several commands at once, which Citus does not support for shards.
        "log_ids::failed_tool_calls_and_their_lost_events_are_logged_with_the_request_id",
        // Names of people and of records are in tables of different classes, which takes one statement more, and two more on home.
        "console::statements::filters_and_later_pages_stay_within_the_limits",
        "console::statements::no_page_needs_more_than_four_statements_or_twenty_kilobytes",
        // The tests break writes by triggers, which Citus supports for neither kind of table.
        "erasure_of_others::a_failing_erasure_does_not_block_others",
        "readiness::a_full_disk_refuses_writes_and_is_reported_until_space_is_freed",
        // An event that waits behind others in the backlog does not touch the table that the test renames, so nothing fails.
        "log_ids::concurrent_requests_do_not_mix_their_ids_on_the_blocking_threads",
        // The test locks a row without its workspace, and looks for waiting statements on the node that it is connected to.
        "lists_by_change::a_change_whose_transaction_waited_is_not_skipped",
    ],
}];

/// Prepares the template database.
pub(super) fn prepare(nodes: &Nodes) -> Result<()> {
    nodes.close(WHOLE)
}

/// Runs the port suite through the coordinator and through a worker.
pub(super) fn store(nodes: &Nodes) -> Result<()> {
    [COORDINATOR, WORKERS[0]].into_iter().try_for_each(|number| run(nodes, number, &STORE, "port_suite::"))
}

/// Runs the tests of the API through the coordinator and through a worker.
pub(super) fn over_http(nodes: &Nodes, filter: &str) -> Result<()> {
    [COORDINATOR, WORKERS[0]].into_iter().try_for_each(|number| run(nodes, number, &HTTP, filter))
}

fn run(nodes: &Nodes, number: usize, suite: &Suite, filter: &str) -> Result<()> {
    println!("citus: {} through node {number}", suite.name);
    let began = Instant::now();
    let mut command = cargo::command();
    command.args(["test", "--no-fail-fast"]).args(suite.arguments);
    command.args((!filter.is_empty()).then_some(filter)).args(["--", suite.threads]);
    command.envs(folder_in_memory().map(|folder| ("TMPDIR", folder)));
    let mut child = command
        .env(URLS, nodes.urls_of(WHOLE, &[number]))
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run cargo")?;
    let output = child.stdout.take().context("cargo has no output")?;
    let mut tally = Results::default();
    for line in BufReader::new(output).lines() {
        let line = line.context("cannot read the output of tests")?;
        tally.add(&line);
        println!("{line}");
    }
    let status = child.wait().context("cannot wait for cargo")?;
    ensure!(status.success() || !tally.failed.is_empty(), "{} did not run", suite.name);
    tally.judge(suite, number, filter)?;
    println!(
        "citus: {} through node {number}: {} passed and {} failed as known, in {:.0?}",
        suite.name,
        tally.passed.len(),
        tally.failed.len(),
        began.elapsed()
    );
    Ok(())
}

/// Results read from the output of the tests.
#[derive(Default)]
struct Results {
    passed: Vec<String>,
    failed: Vec<String>,
}

impl Results {
    fn add(&mut self, line: &str) {
        let Some((name, ending)) = line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... ")) else { return };
        // Tests with `should_panic` have a suffix.
        let name = name.split(' ').next().unwrap_or(name).to_owned();
        match ending {
            "ok" => self.passed.push(name),
            "FAILED" => self.failed.push(name),
            _ => {}
        }
    }

    fn judge(&self, suite: &Suite, number: usize, filter: &str) -> Result<()> {
        let known = KNOWN.iter().filter(|known| known.suite == suite.name && known.through.contains(&number));
        let known: Vec<_> = known.flat_map(|known| known.tests).filter(|test| test.contains(filter)).copied().collect();
        let unknown: Vec<_> = self.failed.iter().filter(|name| !known.contains(&name.as_str())).collect();
        ensure!(unknown.is_empty(), "{} through node {number}: {} failed: {unknown:?}", suite.name, unknown.len());
        let passed: Vec<_> = known.into_iter().filter(|test| !self.failed.iter().any(|name| name == test)).collect();
        ensure!(passed.is_empty(), "{} through node {number}: known to fail, but passed: {passed:?}", suite.name);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_tests_are_read() {
        let mut tally = Results::default();
        for line in ["running 2 tests", "test a::b ... ok", "test a::c ... FAILED", "test d - should panic ... ok", "x"]
        {
            tally.add(line);
        }
        assert_eq!((tally.passed, tally.failed), (vec!["a::b".to_owned(), "d".to_owned()], vec!["a::c".to_owned()]));
    }
}
