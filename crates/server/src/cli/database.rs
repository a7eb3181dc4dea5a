//! The arguments of `database`.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum DatabaseCommand {
    /// Grant a role the privileges to run the service and make backups without owning the schema. `DATABASE_URL` must
    /// name the owner. Can be repeated.
    #[command(after_help = "Example:
  DATABASE_URL=postgres://owner@db.example.com/work workspace-service database grant --app-role app")]
    Grant {
        /// Role to grant the privileges to, which must exist.
        #[arg(long, value_name = "ROLE")]
        app_role: String,
    },
}
