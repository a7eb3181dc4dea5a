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
mod not_run;
mod openapi;
mod prepare;
mod sdks;
mod test;
mod test_program;
mod tidy;
mod vendor;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

const MIGRATE: &[&str] = &["--release", "--package", "server", "--bin", "workspace-service", "--", "migrate"];
const SEED: &[&str] = &["--release", "--package", "seed", "--bin", "seed", "--"];
const FUZZ: &[&str] = &["--package", "fuzz", "--bin", "fuzz", "--"];

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Developer commands of this workspace", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build and run the service; downloads Postgres first if none is installed
    Run {
        /// Arguments for the service, e.g. `serve --bind 127.0.0.1:9090`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
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
    Migrate {
        /// Arguments for the service, e.g. `--data-dir data`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Fill a workspace with realistic data
    Seed {
        /// Records to generate, e.g. `--contacts 1000`; `-- --help` lists everything
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Measure the performance of the service over HTTP
    Bench(bench::Bench),
    /// Attack the service, and check the bounds on what one caller can do to others
    Attack(attack::Attack),
    /// Run the service on a Citus cluster on this machine, built from the archive that `CITUS_SOURCE` names
    Citus(citus::Citus),
    /// Throw generated input at every parser of untrusted data
    Fuzz {
        /// How long and what, e.g. `--minutes 10 --target markdown`; `-- --help` lists everything
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Download the Postgres binaries if none are installed
    Prepare,
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
    Tidy,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Run { arguments } => cargo::become_service(&arguments),
        Command::Test(command) => command.run(),
        Command::TestProgram(command) => command.run(),
        Command::Clients(command) => command.run(),
        Command::Contract(command) => command.run(),
        Command::Migrate { arguments } => cargo::become_program(MIGRATE, &arguments),
        Command::Seed { arguments } => cargo::become_program(SEED, &arguments),
        Command::Bench(command) => command.run(),
        Command::Attack(command) => command.run(),
        Command::Citus(command) => command.run(),
        Command::Fuzz { arguments } => cargo::become_program(FUZZ, &arguments),
        Command::Prepare => prepare::run(),
        Command::Vendor(command) => command.run(),
        Command::Openapi(command) => command.run(),
        Command::Sdks(command) => command.run(),
        Command::DocsTest(command) => command.run(),
        Command::Examples(command) => command.run(),
        Command::Dist(command) => command.run(),
        Command::Tidy => tidy::run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
