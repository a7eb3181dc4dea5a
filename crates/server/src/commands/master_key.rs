//! `master-key`: rotation of the key that seals secrets at rest.

use std::io::{IsTerminal, stderr};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use domain::kernel::sealing::MasterKeys;
use serde_json::json;
use storage_diesel::{Resealed, reseal, sealed_counts};
use system::SecureRandom;

use super::print;
use crate::cli::MasterKeyCommand;
use crate::config::Config;
use crate::database::{Database, Schema};
use crate::master_key;

pub(super) fn run(config: &Config, command: &MasterKeyCommand) -> anyhow::Result<()> {
    let text = master_key::text(config)?
        .with_context(|| format!("there is no master key in {} or in SERVICE_MASTER_KEY", config.data_dir.display()))?;
    let keys = MasterKeys::parse(&text).context("the master key is invalid")?;
    let database = Database::open(config, Schema::MustBeCurrent, Duration::ZERO)?;
    let result = match command {
        MasterKeyCommand::List { json } => list(&database, &keys, *json),
        MasterKeyCommand::Add => add(config, &database, &text),
        MasterKeyCommand::Reseal => reseal_all(&database, &keys),
        MasterKeyCommand::Drop => drop_former(config, &database, &text, &keys),
    };
    let closed = database.close();
    result.and(closed)
}

fn list(database: &Database, keys: &MasterKeys, json: bool) -> anyhow::Result<()> {
    let mut counts = sealed_counts(database.session_url()).context("the database cannot be read")?;
    let mut rows = Vec::new();
    for (index, id) in keys.ids().enumerate() {
        rows.push((id.to_owned(), if index == 0 { "current" } else { "former" }, counts.remove(id).unwrap_or(0)));
    }
    rows.extend(counts.into_iter().map(|(id, count)| (id, "missing", count)));
    let object: Vec<_> =
        rows.iter().map(|(id, status, count)| json!({"id": id, "status": status, "sealed": count})).collect();
    let lines: Vec<_> = rows.iter().map(|(id, status, count)| format!("{id}  {status}  {count} sealed")).collect();
    print(json, &json!(object), &lines.join("\n"));
    Ok(())
}

fn add(config: &Config, database: &Database, text: &str) -> anyhow::Result<()> {
    ensure_in_file(config, "prepend a new one, e.g. from `openssl rand -base64 32`, separated by a comma")?;
    ensure_alone(database)?;
    let new = MasterKeys::generate(&SecureRandom::default());
    let file = master_key::replace(&config.data_dir, &format!("{new},{text}"))?;
    let id = master_key::ids(&new)?.join("");
    println!(
        "The master key {id} is now the current one in {}. Start the service, then run `workspace-service master-key reseal`.",
        file.display()
    );
    Ok(())
}

fn reseal_all(database: &Database, keys: &MasterKeys) -> anyhow::Result<()> {
    let is_terminal = stderr().is_terminal();
    let show = |result: &Resealed| {
        if is_terminal {
            eprint!("\r{} secrets resealed", result.renewed);
        }
    };
    let result = reseal(database.session_url(), keys, &SecureRandom::default(), show);
    if is_terminal {
        eprintln!();
    }
    let result = result.context("not all secrets were resealed: run the command again")?;
    println!("{} secrets were resealed.", result.renewed);
    let needed = still_needed(database, keys)?;
    ensure!(
        needed.is_empty(),
        "still sealed with other keys: {}. If an instance of the service still seals with a former key, restart it with the \
         current one and run this command again. If no configured key opens them, configure the key that sealed them: \
         without it, they are lost",
        needed.join(", ")
    );
    println!("Only the current master key is needed: you can remove former ones from the configuration.");
    Ok(())
}

fn drop_former(config: &Config, database: &Database, text: &str, keys: &MasterKeys) -> anyhow::Result<()> {
    let needed = still_needed(database, keys)?;
    ensure!(needed.is_empty(), "still needed: {}: run `workspace-service master-key reseal` first", needed.join(", "));
    ensure_in_file(config, "leave only the first key")?;
    ensure_alone(database)?;
    let current = text.split(',').next().unwrap_or_default().trim();
    let file = master_key::replace(&config.data_dir, current)?;
    println!(
        "{} has only the current master key. Earlier backups still contain the keys they were made with.",
        file.display()
    );
    Ok(())
}

/// Former keys that have sealed something, each with the number of secrets.
fn still_needed(database: &Database, keys: &MasterKeys) -> anyhow::Result<Vec<String>> {
    let counts = sealed_counts(database.session_url()).context("the database cannot be read")?;
    let current = keys.ids().next().unwrap_or_default();
    Ok(counts.into_iter().filter(|(id, _)| id != current).map(|(id, count)| format!("{id} ({count})")).collect())
}

fn ensure_in_file(config: &Config, hint: &str) -> anyhow::Result<()> {
    if config.master_key.is_some() {
        bail!("the master key is in SERVICE_MASTER_KEY or the configuration file, not in the data folder: {hint}");
    }
    Ok(())
}

/// A running service has already read the keys, and would seal with one that this command drops.
fn ensure_alone(database: &Database) -> anyhow::Result<()> {
    ensure!(!database.is_in_use(), "the service or another command is using the database: stop it first");
    Ok(())
}
