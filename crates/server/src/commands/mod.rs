//! The commands, one file each.

mod backup;
mod cluster;
mod database;
mod email;
mod export;
mod healthcheck;
mod keys;
mod master_key;
mod serve;
mod stop_signal;
mod terminal;
mod transfer;
mod users;
mod workspaces;

use std::future::Future;
use std::io::{ErrorKind, Write};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use domain::Error;
use domain::ports::{Operator, Ports};
use limiter::MemoryLimiter;
use telemetry::log_context::LogFormat;

use crate::adapters;
use crate::cli::{Cli, Command, DatabaseCommand, Page, PostgresCommand};
use crate::compose::{Adapters, command_ports};
use crate::config::{Config, table};
use crate::config_args::ConfigArgs;
use crate::database::{Database, Schema};
use crate::{SURFACES, doctor};

/// An import refused rows. The report contains them, and the command has a separate exit status for this.
#[derive(Debug, thiserror::Error)]
#[error("rows were refused")]
pub struct RowsRefused;

/// Runs the given command to completion; `serve` by default. Its error is printed to the operator with all causes.
pub fn run(cli: Cli) -> anyhow::Result<()> {
    let (given, command) = (cli.config, cli.command.unwrap_or(Command::Serve));
    start_logging(&command, &given);
    match command {
        Command::Serve => serve::run(&Config::load(given)?),
        Command::Migrate => {
            Database::open(&Config::load(given)?, Schema::BringUpToDate, Duration::ZERO)?.close()?;
            println!("The database schema is up to date.");
            Ok(())
        }
        Command::Database(DatabaseCommand::Grant { app_role }) => database::grant(&Config::load(given)?, &app_role),
        Command::Distribute(options) => database::distribute(&Config::load(given)?, &options),
        Command::Backup(options) => backup::backup(&Config::load(given)?, &options),
        Command::Restore(options) => backup::restore(&Config::load(given)?, &options),
        Command::Doctor { json } => doctor::run(given, json),
        Command::BaseBackup(options) => cluster::base_backup(&Config::load(given)?, &options),
        Command::Recover(options) => cluster::run_recovery(&Config::load(given)?, &options),
        Command::UpgradeCluster(options) => cluster::upgrade(&Config::load(given)?, &options),
        Command::MasterKey(command) => master_key::run(&Config::load(given)?, &command),
        Command::Postgres(PostgresCommand::Install(options)) => database::install_programs(options),
        Command::Healthcheck => healthcheck::run(&Config::load(given)?),
        Command::Import(options) => {
            let prepared = transfer::PreparedImport::of(options)?;
            with_ports(&Config::load(given)?, |ports, operator| transfer::import(ports, operator, prepared))
        }
        Command::Export(options) => {
            with_ports(&Config::load(given)?, |ports, operator| export::run(ports, operator, options))
        }
        Command::Openapi => {
            let document = api_docs::openapi::document(http_core::operations(SURFACES));
            print(false, &document, &format!("{document:#}"));
            Ok(())
        }
        Command::Page { page } => {
            let text = match page {
                Page::Access => api_docs::openapi::pages::access(http_core::operations(SURFACES)),
                Page::EventTypes => api_docs::openapi::pages::event_types(),
                Page::Settings => table::page(),
            };
            print(false, &serde_json::Value::Null, text.trim_end());
            Ok(())
        }
        Command::Tools => {
            let catalogue = mcp_http::catalogue();
            print(false, &catalogue, &format!("{catalogue:#}"));
            Ok(())
        }
        Command::Workspace(command) => {
            let command = workspaces::with_confirmation(command)?;
            with_ports(&Config::load(given)?, |ports, operator| workspaces::run(ports, operator, command))
        }
        Command::User(command) => {
            let (config, prepared) = (Config::load(given)?, users::PreparedCommand::of(command)?);
            with_ports(&config, |ports, operator| users::run(ports, operator, &config, prepared))
        }
        Command::Key(command) => {
            with_ports(&Config::load(given)?, |ports, operator| keys::run(ports, operator, command))
        }
        Command::Mail(command) => {
            with_ports(&Config::load(given)?, |ports, operator| email::run(ports, operator, command))
        }
    }
}

/// Lets a command report on standard error what takes time, such as waiting for another instance to finish a migration. `serve` logs
/// as configured.
fn start_logging(command: &Command, given: &ConfigArgs) {
    let filter = match command {
        Command::Serve => return,
        // For these commands, each step is worth a line.
        Command::Migrate | Command::Restore(_) | Command::Recover(_) | Command::UpgradeCluster(_) => "info",
        _ => "warn",
    };
    // Invalid settings are reported when they are used.
    let format = given.log_format.as_deref().and_then(|name| name.parse().ok()).unwrap_or(LogFormat::Text);
    if let Ok(mut logger) = telemetry::log_context::logger("", filter, format) {
        // A program that runs several commands already has a logger.
        let _ = logger.try_init();
    }
}

/// Runs an operator command against the database; starts the embedded cluster for its duration if it is not running.
fn with_ports<F>(config: &Config, work: impl FnOnce(Ports, Operator) -> F) -> anyhow::Result<()>
where
    F: Future<Output = anyhow::Result<()>>,
{
    let database = Database::open(config, Schema::MustBeCurrent, Duration::ZERO)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start the async runtime")?;
    let result = runtime.block_on(async {
        // Commands are not rate-limited, so they need no Redis.
        let adapters = Adapters::of_this_machine(Arc::new(MemoryLimiter::default()))?;
        let ports = command_ports(adapters, &database, adapters::settings(config))?;
        work(ports, operator()).await
    });
    // Close the pool's connections before the cluster stops.
    drop(runtime);
    let closed = database.close();
    result.and(closed)
}

/// The operator. Anyone who can run this command has its configuration and therefore the database.
#[expect(clippy::disallowed_methods, reason = "this is the command line")]
const fn operator() -> Operator {
    Operator::of_this_process()
}

/// A use case's error with all details, for the terminal.
fn explain(error: &Error) -> anyhow::Error {
    let details: Vec<_> =
        error.details().into_iter().map(|problem| format!("{}: {}", problem.field, problem.message)).collect();
    match (error, details.is_empty()) {
        (Error::Store(cause), true) => anyhow::anyhow!("{cause}"),
        (_, true) => anyhow::anyhow!("{error}"),
        (_, false) => anyhow::anyhow!("{}", details.join("; ")),
    }
}

/// Prints JSON or text. The reader may close the pipe early.
pub(crate) fn print(json: bool, object: &serde_json::Value, prose: &str) {
    let mut output = std::io::stdout().lock();
    let written = if json { writeln!(output, "{object}") } else { writeln!(output, "{prose}") };
    if let Err(error) = written.and_then(|()| output.flush())
        && error.kind() != ErrorKind::BrokenPipe
    {
        log::error!("cannot print the result: {error}");
    }
}
