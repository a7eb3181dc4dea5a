//! The arguments of `database`.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum DatabaseCommand {
    /// Let a role serve, and make backups, without owning the schema. `DATABASE_URL` names the role that owns it. Can be repeated.
    #[command(after_help = "Example:
  DATABASE_URL=postgres://owner@db.example.com/work workspace-service database grant --app-role app")]
    Grant {
        /// The role, which exists.
        #[arg(long, value_name = "ROLE")]
        app_role: String,
    },
}
