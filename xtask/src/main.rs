//! Chores of this workspace. A module a command; this file only hands over.

mod bench;
mod cargo;
mod clients;
mod migrate;
mod not_run;
mod prepare;
mod run;
mod seed;
mod test;
mod tidy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Chores of this workspace", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make sure that there is a Postgres to embed, then build and run the service
    Run(run::Run),
    /// Make sure that there is a Postgres to embed, then run all tests
    Test(test::Test),
    /// Meet the tool API with clients of others: the official Python client and the conformance suite
    Clients(clients::Clients),
    /// Bring the database's schema up to date
    Migrate(migrate::Migrate),
    /// Fill a workspace with believable data
    Seed(seed::Seed),
    /// Measure the service as its users meet it
    Bench(bench::Bench),
    /// Fetch Postgres' programs if this machine has none
    Prepare(prepare::Prepare),
    /// Check the graph of crates and the rules of the repository
    Tidy(tidy::Tidy),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Run(command) => command.run(),
        Command::Test(command) => command.run(),
        Command::Clients(command) => command.run(),
        Command::Migrate(command) => command.run(),
        Command::Seed(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Prepare(command) => command.run(),
        Command::Tidy(command) => command.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
