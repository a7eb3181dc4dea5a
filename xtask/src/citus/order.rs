//! Checks that no event arrives before its record can be read.

use anyhow::{Context, Result, ensure};

use super::nodes::{COORDINATOR, Nodes, WORKERS};
use super::schemas::WHOLE;
use super::suites::URLS;
use crate::cargo;

/// Pairs of nodes: one to write through, and one to read through.
const NODE_PAIRS: [(usize, usize); 3] =
    [(COORDINATOR, WORKERS[0]), (WORKERS[1], COORDINATOR), (WORKERS[0], WORKERS[1])];

/// Runs `tests/store/cluster_order.rs`: creates records while a claimer and followers read each one immediately.
pub(super) fn run(nodes: &Nodes) -> Result<()> {
    for (writer, reader) in NODE_PAIRS {
        println!("citus: records are written through node {writer}, and their events read through node {reader}");
        let mut tests = cargo::command();
        tests.args(["test", "--package", "storage-diesel", "--test", "store", "--", "cluster_order::"]);
        tests.args(["--test-threads=1", "--nocapture"]);
        tests.env(URLS, nodes.urls_of(WHOLE, &[writer, reader]));
        let status = tests.status().context("cannot run cargo")?;
        ensure!(
            status.success(),
            "an event arrived before its record could be read, from node {writer} to node {reader}"
        );
    }
    Ok(())
}
