//! `cargo xtask bench`: measures the service over HTTP.
//!
//! The service is the release binary in its own process, with the embedded Postgres at full durability.
//! Clients and receivers run in this process and are kept small, since they share the CPU with the service.

mod compare;
mod cpu;
mod empty;
mod load;
mod measurements;
mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use compare::Comparison;
use report::Report;

/// Timeout of one run of a benchmark.
const TIMEOUT: Duration = Duration::from_hours(1);

/// Measure the performance of the service.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench")]
struct Cli {
    /// Without one: `rest`, `webhooks` and `kb`, with their defaults.
    #[command(subcommand)]
    command: Option<Command>,
    /// Release binary of the service [default: workspace-service next to this binary].
    #[arg(long, global = true)]
    service: Option<PathBuf>,
    /// Older release binary to compare with: both are measured alternately; prints medians and ratios new/old.
    #[arg(long, global = true, value_name = "OLD_BINARY")]
    compare: Option<PathBuf>,
    /// Number of measurements of each binary with --compare.
    #[arg(long, global = true, default_value_t = 5, value_parser = clap::value_parser!(u32).range(5..=100))]
    pairs: u32,
}

#[derive(Debug, Clone, Subcommand)]
enum Command {
    /// Measure reads, lists, creates and bulk updates over REST, compared with pgbench and an empty HTTP handler.
    Rest(Rest),
    /// Measure latency, throughput, fairness and cost of webhooks.
    Webhooks(Webhooks),
    /// Measure MCP tool calls, compared with REST reads.
    Tools(Tools),
    /// Measure the event log: appending, following, histories, dropping months.
    Events(EventLog),
    /// Measure every page of the console of a large workspace, compared with a REST read.
    Console(Console),
    /// Measure searches of a large knowledge base, compared with REST reads.
    Kb(Kb),
    /// Measure lists and sums of many time entries and a week in the console, compared with a REST read.
    TimeEntries(TimeEntries),
    /// Run the empty server that others are compared with.
    #[command(name = SERVE_EMPTY, hide = true)]
    ServeEmpty,
}

/// The command that a measurement starts in a separate process.
const SERVE_EMPTY: &str = "serve-empty";

#[derive(Debug, Clone, Args)]
struct Rest {
    /// Seconds per kind of request.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=120))]
    seconds: u64,
    /// Numbers of concurrent connections to measure with, in this order.
    #[arg(long, value_delimiter = ',', default_value = "1,16,64", value_parser = clap::value_parser!(u32).range(1..=64))]
    connections: Vec<u32>,
    /// Number of contacts and number of deals in the workspace before the measurement.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(100_000..=1_000_000))]
    records: u32,
}

#[derive(Debug, Clone, Args)]
struct Webhooks {
    /// Seconds per constant-rate measurement.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=120))]
    seconds: u64,
    /// Number of deliveries queued for the throughput measurement, rounded up to a multiple of 5,000.
    #[arg(long, default_value_t = 60_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    queued: u32,
}

#[derive(Debug, Clone, Args)]
struct Tools {
    /// Seconds per throughput measurement.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=120))]
    seconds: u64,
    /// Number of rounds of 50 sequential requests of each kind.
    #[arg(long, default_value_t = 40)]
    rounds: usize,
}

#[derive(Debug, Clone, Args)]
struct Kb {
    /// Number of articles to search; generating 100,000 takes minutes.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1_000..=1_000_000))]
    articles: u32,
    /// Number of rounds of 20 sequential requests of each kind.
    #[arg(long, default_value_t = 100)]
    rounds: usize,
}

#[derive(Debug, Clone, Args)]
struct TimeEntries {
    /// Number of time entries; generating a million takes minutes.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1_000..=10_000_000))]
    entries: u32,
    /// Number of rounds of 5 sequential requests of each kind.
    #[arg(long, default_value_t = 60)]
    rounds: usize,
}

#[derive(Debug, Clone, Args)]
struct Console {
    /// Total number of records in the workspace; a million take minutes and gigabytes.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(2_000..=10_000_000))]
    records: u32,
    /// Number of rounds of 5 sequential requests of each page.
    #[arg(long, default_value_t = 60)]
    rounds: usize,
    /// Measure only addresses that contain this text.
    #[arg(long)]
    only: Option<String>,
}

#[derive(Debug, Clone, Args)]
struct EventLog {
    /// Number of events in the log, in four workspaces and over 13 months; 10 million take minutes and gigabytes.
    #[arg(long, default_value_t = 10_000_000, value_parser = clap::value_parser!(u32).range(4_000..=100_000_000))]
    events: u32,
    /// Seconds of each measurement at a constant rate.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=120))]
    seconds: u64,
    /// Number of rounds of 20 sequential requests of each kind.
    #[arg(long, default_value_t = 50)]
    rounds: usize,
}

fn main() -> ExitCode {
    match measure(&Cli::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Returns whether everything worked, regardless of speed.
fn measure(cli: &Cli) -> anyhow::Result<bool> {
    let commands = match &cli.command {
        Some(Command::ServeEmpty) => return empty::serve().map(|()| true),
        Some(command) => vec![command.clone()],
        None => usual(),
    };
    let program = match &cli.service {
        Some(path) => path.clone(),
        None => std::env::current_exe()?.with_file_name("workspace-service"),
    };
    let program = absolute(&program)?;
    let old = cli.compare.as_deref().map(absolute).transpose()?;
    for program in [Some(&program), old.as_ref()].into_iter().flatten() {
        anyhow::ensure!(program.is_file(), "{} does not exist: build the service in release first", program.display());
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start the async runtime")?;
    let Some(old) = &old else {
        let report = runtime.block_on(run(&program, &commands))?;
        print!("{report}");
        return Ok(report.is_good());
    };
    let mut comparison = Comparison::new();
    let mut is_good = true;
    for pair in 1..=cli.pairs {
        eprintln!("bench: pair {pair} of {}", cli.pairs);
        let old = runtime.block_on(run(old, &commands))?;
        let new = runtime.block_on(run(&program, &commands))?;
        comparison.add(&old, &new);
        is_good &= old.is_good() && new.is_good();
    }
    println!("{} pairs, old and new alternately, each with its own database", cli.pairs);
    print!("{comparison}");
    Ok(is_good)
}

/// The service runs in its own directory, so relative paths must be resolved first.
fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("cannot resolve the path {}", path.display()))
}

/// What is measured by default.
fn usual() -> Vec<Command> {
    let parse = |name| Cli::parse_from(["bench", name]).command;
    ["rest", "webhooks", "kb"].into_iter().filter_map(parse).collect()
}

/// Runs each benchmark once, with its own database.
async fn run(program: &Path, commands: &[Command]) -> anyhow::Result<Report> {
    let mut report = Report::default();
    for command in commands {
        report.extend(run_one(program, command).await?);
    }
    Ok(report)
}

async fn run_one(program: &Path, command: &Command) -> anyhow::Result<Report> {
    let folder = tempfile::tempdir().context("cannot create a temporary directory")?;
    let work = async {
        match command {
            Command::Rest(options) => measurements::rest(program, folder.path(), options).await,
            Command::Webhooks(options) => measurements::webhooks(program, folder.path(), options).await,
            Command::Tools(options) => measurements::tools(program, folder.path(), options).await,
            Command::Events(options) => measurements::events(program, folder.path(), options).await,
            Command::Console(options) => measurements::console(program, folder.path(), options).await,
            Command::Kb(options) => measurements::kb(program, folder.path(), options).await,
            Command::TimeEntries(options) => measurements::time_entries(program, folder.path(), options).await,
            Command::ServeEmpty => anyhow::bail!("this is not a measurement"),
        }
    };
    // On a timeout, too, `work` drops the service, which stops it.
    tokio::select! {
        report = tokio::time::timeout(TIMEOUT, work) => report.context("the measurements timed out")?,
        interrupted = tokio::signal::ctrl_c() => {
            interrupted.context("cannot listen for signals")?;
            Err(anyhow::anyhow!("interrupted"))
        }
    }
}
