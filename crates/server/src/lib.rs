//! The service as a library: configuration, the adapters of the small ports, composition, and the commands.
//!
//! The binary `workspace-service` is a thin `main` over [`run`].

mod cli;
mod commands;
mod compose;
mod config;
mod deliveries;
mod demo;
mod housekeeping;
mod keeper;
mod link_requests;
mod mails;
mod master_key;
mod metrics;
mod surfaces;

pub use cli::Cli;
pub use deliveries::{BellRope, Deliveries};
pub use housekeeping::{keep_looking, keep_reindexing, keep_writing_activity};
pub use link_requests::{LinkBell, keep_answering};
pub use mails::{FileTransport, MailBell, MailSender, MailSenderOptions};
pub use surfaces::SURFACES;

/// Runs one command to its end.
///
/// # Errors
/// What went wrong, for the person at the terminal.
pub fn run(cli: Cli) -> anyhow::Result<()> {
    commands::run(cli)
}
