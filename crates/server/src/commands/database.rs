//! `database grant`, `distribute` and `postgres install`.

use std::path::absolute;
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use embedded_postgres::{InstallSource, install, installed_in, wheel_cache_dir};
use serde_json::{Value, json};
use storage_diesel::Distributed;

use super::print;
use crate::cli::{DistributeOptions, InstallOptions};
use crate::config::Config;
use crate::database::{Database, Schema};

pub(super) fn grant(config: &Config, role: &str) -> anyhow::Result<()> {
    let database = Database::open(config, Schema::MustBeCurrent, Duration::ZERO)?;
    let granted = storage_diesel::grant(database.session_url(), role)
        .with_context(|| format!("{role} was not granted its privileges"));
    let closed = database.close();
    granted?;
    println!("The role {role} can now run the service with SERVICE_MIGRATE=off, and make backups.");
    closed
}

/// Distributes the tables over the nodes of a Citus cluster.
pub(super) fn distribute(config: &Config, options: &DistributeOptions) -> anyhow::Result<()> {
    ensure!(
        config.database_url.is_some(),
        "the embedded Postgres runs on one machine: set DATABASE_URL to the coordinator of a Citus cluster"
    );
    let database = Database::reach(config)?;
    let result =
        storage_diesel::distribute(database.session_url(), options.role.as_deref(), |step| eprintln!("{step}"));
    let closed = database.close();
    let result = result?;
    print(options.json, &object(&result), &prose(&result));
    closed
}

fn object(result: &Distributed) -> Value {
    let tables: Vec<_> = result
        .tables
        .iter()
        .map(|(name, class, rows)| json!({"table": name, "class": class.name(), "rows": rows}))
        .collect();
    json!({"distributed": tables, "unchanged": result.unchanged, "foreign_keys": result.foreign_keys})
}

fn prose(result: &Distributed) -> String {
    if result.tables.is_empty() && result.foreign_keys == 0 {
        return format!("All {} tables are already distributed.", result.unchanged);
    }
    let rows: i64 = result.tables.iter().map(|(_, _, rows)| rows).sum();
    format!(
        "Distributed {} tables with {rows} rows ({} already were) and recreated {} foreign keys. Start the service.",
        result.tables.len(),
        result.unchanged,
        result.foreign_keys
    )
}

/// Installs the Postgres programs.
pub(super) fn install_programs(options: InstallOptions) -> anyhow::Result<()> {
    let is_custom = options.folder.is_some();
    let target =
        options.folder.or_else(wheel_cache_dir).context("name a folder: neither XDG_CACHE_HOME nor HOME is set")?;
    let target = absolute(&target).with_context(|| format!("{} is not a folder path", target.display()))?;
    let was_installed = installed_in(&target).is_some();
    install(&source(options.from), &target, || installed_in(&target).is_some())?;
    let programs = installed_in(&target).ok_or_else(|| anyhow!("the programs in {} do not run", target.display()))?;
    let dir = programs.bin_dir.display();
    let result = if was_installed { "is already installed" } else { "is installed" };
    println!("Postgres {} {result}: {dir}", programs.version);
    if is_custom {
        println!("Set PG_BIN_DIR={dir} for the service: it does not search this folder by default.");
    }
    Ok(())
}

fn source(from: Option<String>) -> InstallSource {
    match from {
        None => InstallSource::Index,
        Some(url) if url.starts_with("http://") || url.starts_with("https://") => InstallSource::Url(url),
        Some(file) => InstallSource::File(file.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use storage_diesel::Class;

    #[test]
    fn the_result_says_what_was_done() {
        let result = Distributed { tables: vec![("deals", Class::Sharded, 7)], unchanged: 2, foreign_keys: 3 };
        assert_eq!(
            prose(&result),
            "Distributed 1 tables with 7 rows (2 already were) and recreated 3 foreign keys. Start the service."
        );
        let expected = json!({
            "distributed": [{"table": "deals", "class": "sharded", "rows": 7}], "unchanged": 2, "foreign_keys": 3
        });
        assert_eq!(object(&result), expected);
        let nothing = Distributed { unchanged: 60, ..Distributed::default() };
        assert_eq!(prose(&nothing), "All 60 tables are already distributed.");
    }
}
