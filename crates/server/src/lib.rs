//! The service as a library: configuration, the adapters of the small ports, composition, and the commands.
//!
//! The binary `workspace-service` is a thin `main` over [`run`].

mod cli;
mod cluster_supervisor;
mod commands;
mod compose;
mod config;
mod demo;
mod email;
mod housekeeping;
mod link_requests;
mod master_key;
mod metrics;
mod password_hashing;
mod surfaces;
mod webhook_dispatcher;

pub use cli::Cli;
pub use email::{EmailNotifier, EmailSender, EmailSenderOptions, FileTransport};
pub use housekeeping::{run_activity_flush, run_credential_refresh, run_reindexing};
pub use link_requests::{LinkRequestNotifier, run_link_requests};
pub use password_hashing::Argon2Passwords;
pub use surfaces::SURFACES;
pub use webhook_dispatcher::{Deliveries, DeliveryNotifier};

/// Runs one command to its end.
///
/// # Errors
/// What went wrong, for the person at the terminal.
pub fn run(cli: Cli) -> anyhow::Result<()> {
    commands::run(cli)
}
