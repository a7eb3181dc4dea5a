//! Developer commands of this workspace, one module per command; this file only dispatches.

mod attack;
mod bench;
mod cargo;
mod citus;
mod clients;
mod contract;
mod dist;
mod docs_test;
mod examples;
mod fuzz;
mod migrate;
mod not_run;
mod openapi;
mod prepare;
mod run;
mod sdks;
mod seed;
mod test;
mod test_program;
mod tidy;
mod vendor;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Developer commands of this workspace", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build and run the service; downloads Postgres first if none is installed
    Run(run::Run),
    /// Run all tests; downloads Postgres first if none is installed
    Test(test::Test),
    /// Run a test program, and record how long its tests take: for `test`
    #[command(hide = true)]
    TestProgram(test_program::TestProgram),
    /// Test the APIs with third-party clients: MCP clients, the conformance suite, and clients generated from the OpenAPI document
    Clients(clients::Clients),
    /// Test the running service against the OpenAPI document with schemathesis
    Contract(contract::Contract),
    /// Apply pending database migrations
    Migrate(migrate::Migrate),
    /// Fill a workspace with realistic data
    Seed(seed::Seed),
    /// Measure the performance of the service over HTTP
    Bench(bench::Bench),
    /// Attack the service, and check the bounds on what one caller can do to others
    Attack(attack::Attack),
    /// Run the service on a Citus cluster on this machine, built from the archive that `CITUS_SOURCE` names
    Citus(citus::Citus),
    /// Throw generated input at every parser of untrusted data
    Fuzz(fuzz::Fuzz),
    /// Download the Postgres binaries if none are installed
    Prepare(prepare::Prepare),
    /// Fetch third-party browser files, or compare them with their list
    Vendor(vendor::Vendor),
    /// Write the OpenAPI document and the generated pages
    Openapi(openapi::Openapi),
    /// Generate the SDKs from the OpenAPI document and the catalogue of tools
    Sdks(sdks::Sdks),
    /// Run every command and program that the documents show
    DocsTest(docs_test::DocsTest),
    /// Test the projects in examples/ against the running service
    Examples(examples::Examples),
    /// Build the packages: the tarball, the Debian package, and the adapter's packages
    Dist(dist::Dist),
    /// Check crate dependencies and repository conventions
    Tidy(tidy::Tidy),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Run(command) => command.run(),
        Command::Test(command) => command.run(),
        Command::TestProgram(command) => command.run(),
        Command::Clients(command) => command.run(),
        Command::Contract(command) => command.run(),
        Command::Migrate(command) => command.run(),
        Command::Seed(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Attack(command) => command.run(),
        Command::Citus(command) => command.run(),
        Command::Fuzz(command) => command.run(),
        Command::Prepare(command) => command.run(),
        Command::Vendor(command) => command.run(),
        Command::Openapi(command) => command.run(),
        Command::Sdks(command) => command.run(),
        Command::DocsTest(command) => command.run(),
        Command::Examples(command) => command.run(),
        Command::Dist(command) => command.run(),
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
