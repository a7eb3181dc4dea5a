//! `fuzz`: runs the targets for minutes. `cargo xtask fuzz` builds and starts it.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use fuzz::{Run, run, targets};

/// Throw generated input at every parser of what unauthenticated clients send.
#[derive(Debug, Parser)]
#[command(name = "fuzz")]
struct Cli {
    /// Minutes per target.
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    /// Targets to run [default: all].
    #[arg(long = "target", value_name = "NAME")]
    names: Vec<String>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let all = targets();
    if let Some(unknown) = cli.names.iter().find(|name| !all.iter().any(|target| target.name == **name)) {
        let names: Vec<_> = all.iter().map(|target| target.name).collect();
        eprintln!("there is no target {unknown}: there are {}", names.join(", "));
        return ExitCode::FAILURE;
    }
    let Ok(time) = Duration::try_from_secs_f64(cli.minutes * 60.0) else {
        eprintln!("--minutes must be a positive number");
        return ExitCode::FAILURE;
    };
    let mut is_good = true;
    for target in all.iter().filter(|target| cli.names.is_empty() || cli.names.iter().any(|name| name == target.name)) {
        match run(target, Run::Until(Instant::now() + time)) {
            Ok(count) => println!("{}: {count} texts, nothing found", target.name),
            Err(failure) => {
                is_good = false;
                println!("{}: FAILED: {failure}", target.name);
            }
        }
    }
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
