//! `database grant`.

use std::time::Duration;

use anyhow::Context;

use crate::config::Config;
use crate::database::{Database, Schema};

pub(super) fn run(config: &Config, role: &str) -> anyhow::Result<()> {
    let database = Database::open(config, Schema::MustBeCurrent, Duration::ZERO)?;
    let granted =
        storage_diesel::grant(database.session_url(), role).with_context(|| format!("{role} was granted nothing"));
    let closed = database.close();
    granted?;
    println!("The role {role} can serve with SERVICE_MIGRATE=off, and make backups.");
    closed
}
