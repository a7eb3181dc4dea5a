//! `database grant`.

use std::time::Duration;

use anyhow::Context;

use crate::config::Config;
use crate::database::{Database, Schema};

pub(super) fn run(config: &Config, role: &str) -> anyhow::Result<()> {
    let database = Database::open(config, Schema::MustBeCurrent, Duration::ZERO)?;
    let granted = storage_diesel::grant(database.session_url(), role)
        .with_context(|| format!("{role} was not granted its privileges"));
    let closed = database.close();
    granted?;
    println!("The role {role} can now run the service with SERVICE_MIGRATE=off, and make backups.");
    closed
}
