//! Checks which requests reach several shards. Such a request takes as long as the slowest node, and fails while any node is down.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::drive::Drive;
use super::nodes::{COORDINATOR, Nodes, WORKERS};
use super::{pause, smoke, steps};

/// The only requests that may reach several shards, with the reason.
const MULTI_SHARD: &[(&str, &str)] = &[
    ("POST /api/portal/sessions", "a link is found by its token alone"),
    ("GET /api/portal/ticket", "a session is found by its token alone"),
    ("POST /api/portal/ticket/replies", "a session is found by its token alone"),
];
/// Requests that wake a job for all workspaces, which may reach several shards. If the job is quick, it is counted with the request.
const WAKING: &[(&str, &str)] =
    &[("POST /api/portal/magic-links", "the job drops requests for which a link is under way")];
/// Background work is counted too, and may coincide with any request, but not in every round. A request is reported only if it
/// reached several shards in all rounds.
const ROUNDS: usize = 12;
const IDLE: std::time::Duration = std::time::Duration::from_secs(10);

pub(super) fn run(program: &Path, folder: &Path, nodes: &Nodes) -> Result<()> {
    for number in [COORDINATOR, WORKERS[0]] {
        let home = smoke::mkdir(folder, &format!("counted-{number}"))?;
        let service = smoke::service(program, &home, Some(&nodes.url(number)))?;
        let before = executions(nodes, number)?;
        let mut fewest = vec![u64::MAX; steps::all().len()];
        for round in 0..ROUNDS {
            let mut drive = Drive::begin(&service, &format!("counted-{number}-{round}"))?;
            count(nodes, number, &mut drive, &mut fewest)?;
            if unnamed(&fewest).is_empty() {
                break;
            }
        }
        let single = executions(nodes, number)?.single - before.single;
        judge(number, &fewest, single)?;
        let idle = executions(nodes, number)?.multi;
        pause(IDLE);
        let idle = executions(nodes, number)?.multi - idle;
        println!(
            "citus: through node {number}, {} of {} steps reach several shards, as named; background work does so {idle} times in {IDLE:?}",
            fewest.iter().filter(|count| **count > 0).count(),
            fewest.len()
        );
        service.stop()?;
    }
    Ok(())
}

/// One round: keeps the smallest number of executions of each step.
fn count(nodes: &Nodes, number: usize, drive: &mut Drive, fewest: &mut [u64]) -> Result<()> {
    let mut before = executions(nodes, number)?.multi;
    for (step, fewest) in steps::all().iter().zip(fewest) {
        let response = drive.send_once(step)?;
        ensure!(response.status < 500, "{}: {response:?}", step.name());
        let after = executions(nodes, number)?.multi;
        *fewest = (after - before).min(*fewest);
        before = after;
    }
    Ok(())
}

/// The names of steps that always reached several shards, and may not.
fn unnamed(fewest: &[u64]) -> Vec<String> {
    let steps = steps::all().into_iter().zip(fewest).filter(|(_, count)| **count > 0).map(|(step, _)| step.name());
    steps.filter(|name| !MULTI_SHARD.iter().chain(WAKING).any(|(allowed, _)| allowed == name)).collect()
}

fn judge(number: usize, fewest: &[u64], single: u64) -> Result<()> {
    let unnamed = unnamed(fewest);
    ensure!(unnamed.is_empty(), "through node {number}, requests reach several shards, and are not named: {unnamed:?}");
    for (name, _) in MULTI_SHARD {
        let counts: Vec<_> =
            steps::all().iter().zip(fewest).filter(|(step, _)| step.name() == *name).map(|(_, count)| *count).collect();
        ensure!(
            counts.iter().any(|count| *count > 0),
            "{name} is named, but does not reach several shards through node {number}: remove it from the list"
        );
    }
    ensure!(single > fewest.len() as u64 / 2, "only {single} executions were counted: do the counters work?");
    Ok(())
}

/// Counters of the node.
struct Executions {
    single: u64,
    multi: u64,
}

fn executions(nodes: &Nodes, number: usize) -> Result<Executions> {
    let sql = "SELECT query_execution_single_shard || ' ' || query_execution_multi_shard FROM citus_stat_counters
        WHERE name = current_database()";
    let counted = nodes.sql(number, sql)?;
    let (single, multi) = counted.split_once(' ').context("no counters")?;
    Ok(Executions { single: single.parse()?, multi: multi.parse()? })
}
