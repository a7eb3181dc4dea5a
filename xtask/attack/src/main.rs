//! `cargo xtask attack`: tests from outside what one caller can do to all others.
//!
//! Each scenario runs against its own service: the binary in its own process, with the embedded Postgres and the default
//! settings. Nothing leaves the machine: webhooks go to loopback. Clients get their addresses from `X-Forwarded-For`, set
//! by a trusted proxy on loopback, or connect from 127.0.0.0/8.

mod background;
mod connections;
mod event_stream;
mod flood;
mod lab;
mod neighbour;
mod network;
mod postgres;
mod scenarios;
mod table;
mod target;

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use clap::Parser;
use futures_util::FutureExt;
use lab::{Lab, Scale};
use scenarios::{SCENARIOS, Scenario};
use table::{Findings, Table};
use tokio::runtime::Runtime;

/// Timeout of one scenario.
const SCENARIO_TIMEOUT: Duration = Duration::from_mins(10);

/// Scenarios that run concurrently when no times are checked: most of them wait.
const AT_ONCE: usize = 3;

/// Attack the service, and check that its bounds hold.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask attack")]
struct Cli {
    /// Scenarios, or rows of the table in docs/security.md such as H1 [default: all].
    #[arg(value_name = "SCENARIO")]
    scenarios: Vec<String>,
    /// Send fewer and smaller requests, and check no times.
    #[arg(long)]
    short: bool,
    /// List the scenarios.
    #[arg(long)]
    list: bool,
    /// Binary of the service [default: workspace-service next to this binary].
    #[arg(long)]
    service: Option<PathBuf>,
}

fn main() -> ExitCode {
    match attack(&Cli::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("attack: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all bounds hold.
fn attack(cli: &Cli) -> anyhow::Result<bool> {
    if cli.list {
        for Scenario { row, name, tried, .. } in SCENARIOS {
            println!("{row:<4} {name:<24} {tried}");
        }
        return Ok(true);
    }
    let scenarios = select(&cli.scenarios)?;
    let program = match &cli.service {
        Some(path) => std::path::absolute(path).context("cannot resolve the path of the service")?,
        None => std::env::current_exe()?.with_file_name("workspace-service"),
    };
    anyhow::ensure!(program.is_file(), "{} does not exist: build the service first", program.display());
    let scale = if cli.short { Scale::Short } else { Scale::Full };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start the async runtime")?;
    let lab = runtime.block_on(Lab::new(program, scale))?;
    let table = all(&runtime, &lab, &scenarios)?;
    print!("{table}");
    Ok(table.holds())
}

fn select(names: &[String]) -> anyhow::Result<Vec<&'static Scenario>> {
    let matches_name =
        |scenario: &Scenario, name: &str| scenario.name == name || scenario.row.eq_ignore_ascii_case(name);
    if let Some(unknown) = names.iter().find(|name| !SCENARIOS.iter().any(|scenario| matches_name(scenario, name))) {
        bail!("no scenario is named {unknown:?}: --list shows all");
    }
    let is_selected = |scenario: &&Scenario| names.is_empty() || names.iter().any(|name| matches_name(scenario, name));
    Ok(SCENARIOS.iter().filter(is_selected).collect())
}

/// Runs the scenarios, several concurrently if no times are checked. Each has a thread, since starting a service blocks.
fn all(runtime: &Runtime, lab: &Lab, scenarios: &[&'static Scenario]) -> anyhow::Result<Table> {
    let (next, interrupted) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = || {
        let mut results = Vec::new();
        while let Some(scenario) = scenarios.get(next.fetch_add(1, Ordering::Relaxed)) {
            let findings = runtime.block_on(one(lab, scenario, &interrupted));
            if interrupted.load(Ordering::Relaxed) {
                break;
            }
            results.push((scenario, findings));
        }
        results
    };
    let mut results = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..lab.pick(AT_ONCE, 1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect::<Vec<_>>()
    });
    anyhow::ensure!(results.len() == scenarios.len(), "interrupted, or a scenario panicked");
    results.sort_by_key(|(scenario, _)| scenarios.iter().position(|other| other.name == scenario.name));
    let mut table = Table::default();
    for (scenario, findings) in results {
        table.add(scenario, findings);
    }
    Ok(table)
}

async fn one(lab: &Lab, scenario: &Scenario, interrupted: &AtomicBool) -> anyhow::Result<Findings> {
    let start = Instant::now();
    let work = tokio::time::timeout(SCENARIO_TIMEOUT, AssertUnwindSafe((scenario.run)(lab)).catch_unwind());
    let findings = tokio::select! {
        result = work => match result {
            Ok(Ok(findings)) => findings,
            Ok(Err(_)) => Err(anyhow!("it panicked")),
            Err(_) => Err(anyhow!("timed out")),
        },
        _ = tokio::signal::ctrl_c() => {
            interrupted.store(true, Ordering::Relaxed);
            Ok(Findings::default())
        }
    };
    eprintln!("attack: {} took {:.1} s", scenario.name, start.elapsed().as_secs_f64());
    findings
}
