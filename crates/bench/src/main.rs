//! `cargo xtask bench`: measures the service as its users meet it.
//!
//! The service is the release binary in a process of its own, with the embedded Postgres and its full durability.
//! Client and receivers are in this process, and as small as they can be: they share the machine with what is measured.

mod compare;
mod http;
mod load;
mod measurements;
mod receiver;
mod report;
mod service;
mod stats;
mod tenant;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use compare::Comparison;
use report::Report;

/// No run of a part takes as long.
const WITHIN: Duration = Duration::from_mins(30);

/// Measures the service.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench")]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// The release binary of the service [default: beside this program].
    #[arg(long, global = true)]
    service: Option<PathBuf>,
    /// An older release binary, measured in turns with the other one: prints the medians and the ratios new/old.
    #[arg(long, global = true, value_name = "OLD_BINARY")]
    compare: Option<PathBuf>,
    /// How many times both are measured with --compare.
    #[arg(long, global = true, default_value_t = 5, value_parser = clap::value_parser!(u32).range(5..=100))]
    pairs: u32,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Reads, lists, creates and bulk updates over REST.
    Rest(Rest),
    /// Latency, throughput, fairness and cost of webhooks.
    Webhooks(Webhooks),
    /// Calls of tools beside REST reads.
    Tools(Tools),
    /// Searches of a large knowledge base beside REST reads.
    Kb(Kb),
}

#[derive(Debug, Args)]
struct Rest {
    /// How long each kind of request is measured.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=120))]
    seconds: u64,
    /// How many connections send at once.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=64))]
    connections: u32,
    /// How many deals the workspace has before it is measured.
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u32).range(400..=1_000_000))]
    deals: u32,
}

#[derive(Debug, Args)]
struct Webhooks {
    /// How long each of the paced measurements takes.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=120))]
    seconds: u64,
    /// How many deliveries wait in the queue when throughput is measured; rounded up to 5,000.
    #[arg(long, default_value_t = 60_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    queued: u32,
}

#[derive(Debug, Args)]
struct Tools {
    /// How long each measurement of throughput takes.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=120))]
    seconds: u64,
    /// How many rounds of 50 requests of each kind are timed one at a time.
    #[arg(long, default_value_t = 40)]
    rounds: usize,
}

#[derive(Debug, Args)]
struct Kb {
    /// How many articles are searched; 100,000 take minutes to make.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1_000..=1_000_000))]
    articles: u32,
    /// How many rounds of 20 requests of each kind are timed, one at a time.
    #[arg(long, default_value_t = 100)]
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

/// Whether everything worked; how quick it was decides nothing.
fn measure(cli: &Cli) -> anyhow::Result<bool> {
    let program = match &cli.service {
        Some(path) => path.clone(),
        None => std::env::current_exe()?.with_file_name("workspace-service"),
    };
    let program = absolute(&program)?;
    let old = cli.compare.as_deref().map(absolute).transpose()?;
    for program in [Some(&program), old.as_ref()].into_iter().flatten() {
        anyhow::ensure!(program.is_file(), "there is no {}: build the service in release first", program.display());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("no runtime")?;
    let Some(old) = &old else {
        let report = runtime.block_on(run(&program, &cli.command))?;
        print!("{report}");
        return Ok(report.is_good());
    };
    let mut comparison = Comparison::new();
    let mut is_good = true;
    for pair in 1..=cli.pairs {
        eprintln!("bench: pair {pair} of {}", cli.pairs);
        let old = runtime.block_on(run(old, &cli.command))?;
        let new = runtime.block_on(run(&program, &cli.command))?;
        comparison.add(&old, &new);
        is_good &= old.is_good() && new.is_good();
    }
    println!("{} pairs, old and new in turns, each on a database of its own", cli.pairs);
    print!("{comparison}");
    Ok(is_good)
}

/// The service is started in a folder of its own, where a relative path leads nowhere.
fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("no such path: {}", path.display()))
}

/// Runs a part once, on a database of its own.
async fn run(program: &Path, command: &Command) -> anyhow::Result<Report> {
    let folder = tempfile::tempdir().context("no temporary folder")?;
    let work = async {
        match command {
            Command::Rest(options) => measurements::rest(program, folder.path(), options).await,
            Command::Webhooks(options) => measurements::webhooks(program, folder.path(), options).await,
            Command::Tools(options) => measurements::tools(program, folder.path(), options).await,
            Command::Kb(options) => measurements::kb(program, folder.path(), options).await,
        }
    };
    // Whatever ends first, the service is dropped with the work, and ends with it.
    tokio::select! {
        report = tokio::time::timeout(WITHIN, work) => report.context("the measurements do not come to an end")?,
        interrupted = tokio::signal::ctrl_c() => {
            interrupted.context("signals cannot be watched")?;
            Err(anyhow::anyhow!("interrupted"))
        }
    }
}
