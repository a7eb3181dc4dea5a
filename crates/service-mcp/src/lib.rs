//! `service-mcp`: a local MCP server over standard input and output that offers an AI client the tools that the service
//! lists for an API key. Standard output carries only the protocol; everything else goes to standard error.

mod adapter;
mod api_key;
mod api_url;
mod catalogue;
mod options;
mod problem;
mod retry;
mod tls;
mod transport;
mod upstream;

use std::process::ExitCode;
use std::sync::Arc;

use clap::CommandFactory;
use rmcp::service::ServerInitializeError;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::stdio_pipes;
use tokio::signal::unix::{SignalKind, signal};

use crate::adapter::Adapter;
use crate::options::{Cli, Options, OptionsError};
use crate::transport::SessionGate;
use crate::upstream::Upstream;

/// The default log filter. The SDK logs every error that it sends, which this crate has already logged.
const DEFAULT_LOG: &str = "warn,rmcp::service=error";

/// Exit status for an invalid command line.
const MISUSE: u8 = 2;

/// All options, as `--help` shows them.
pub fn command_line() -> clap::Command {
    Cli::command()
}

/// Parses the arguments of this process and serves until the client disconnects.
pub fn run() -> ExitCode {
    let filter = std::env::var("SERVICE_MCP_LOG").ok().filter(|filter| !filter.is_empty());
    env_logger::Builder::new().parse_filters(filter.as_deref().unwrap_or(DEFAULT_LOG)).init();
    let options = match Options::read(std::env::args_os()) {
        Ok(options) => options,
        Err(OptionsError::HelpRequested(help)) => {
            // A closed standard output is not an error.
            let _ = help.print();
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("service-mcp: {error}");
            return ExitCode::from(MISUSE);
        }
    };
    match run_with(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("service-mcp: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run_with(options: Options) -> Result<(), Box<dyn std::error::Error>> {
    if options.api_url.is_unencrypted() {
        log::warn!("{} is not https: the API key is sent unencrypted", options.api_url);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("could not start the runtime: {error}"))?;
    let result = runtime.block_on(serve(options));
    // Do not wait for threads that are blocked on standard input or name resolution.
    runtime.shutdown_background();
    result
}

/// Serves until standard input is closed or a signal arrives.
async fn serve(options: Options) -> Result<(), Box<dyn std::error::Error>> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let adapter = Arc::new(Adapter::new(Upstream::new(options)?));
    let checker = Arc::clone(&adapter);
    let _check = tokio::spawn(async move { checker.check_key().await });
    tokio::select! {
        result = serve_client(adapter) => result,
        _ = terminate.recv() => Ok(()),
        _ = interrupt.recv() => Ok(()),
    }
}

async fn serve_client(adapter: Arc<Adapter>) -> Result<(), Box<dyn std::error::Error>> {
    let (input, output) = stdio_pipes();
    let transport = SessionGate::new(AsyncRwTransport::new_server(input, output));
    let service = match rmcp::serve_server(adapter, transport).await {
        Ok(service) => service,
        // The client disconnected before its first message.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    service.waiting().await?;
    Ok(())
}
