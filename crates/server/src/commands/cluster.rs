//! `base-backup`, `recover` and `upgrade-cluster`, which handle the embedded cluster as a whole.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use domain::kernel::input::format_timestamp;
use embedded_postgres::{BegunUpgrade, ClientPrograms, DATABASE, Programs, Recovery, Upgrade, recover, remove_kept};
use storage_diesel::Snapshot;

use crate::backup::child::{KillOnDrop, connect};
use crate::cli::{BaseBackupOptions, RecoverOptions, UpgradeClusterOptions};
use crate::config::Config;
use crate::database::{Database, Schema, cluster_options};

pub(super) fn base_backup(config: &Config, options: &BaseBackupOptions) -> anyhow::Result<()> {
    ensure_embedded(config)?;
    ensure!(
        config.wal_archive_dir.is_some(),
        "without SERVICE_WAL_ARCHIVE_DIR there is no archive to recover a base backup with: set it for the service and for \
         this command"
    );
    ensure!(!options.folder.exists(), "{} exists: name another folder", options.folder.display());
    let programs = Programs::find_for(&config.data_dir)?;
    let database = Database::open(config, Schema::MustBeCurrent, Duration::ZERO)?;
    let mut command = ClientPrograms::of(&programs).command("pg_basebackup");
    command.args(["--checkpoint=fast", "--progress", "--pgdata"]).arg(&options.folder).stdin(Stdio::null());
    connect(&mut command, &database.url)?;
    let spawned = command.spawn().context("cannot run pg_basebackup");
    let result = spawned.and_then(|child| KillOnDrop(child).finish("pg_basebackup"));
    let closed = database.close();
    result?;
    println!("The base backup is in {}. The master key is not in it.", options.folder.display());
    closed
}

pub(super) fn run_recovery(config: &Config, options: &RecoverOptions) -> anyhow::Result<()> {
    ensure_embedded(config)?;
    let recovery = Recovery {
        base: options.base.clone(),
        archive: options.archive.clone(),
        until: options.to.map(format_timestamp),
    };
    // The archive belongs to the former cluster, so this one must not write to it.
    let cluster = embedded_postgres::ClusterOptions { wal_archive: None, ..cluster_options(config) };
    recover(&cluster, &recovery).context("the cluster was not recovered")?;
    println!(
        "Recovered into {}. Before you start the service, copy the file `master-key` from the old data folder to it, and set \
         SERVICE_WAL_ARCHIVE_DIR to a new folder.",
        config.data_dir.display()
    );
    Ok(())
}

pub(super) fn upgrade(config: &Config, options: &UpgradeClusterOptions) -> anyhow::Result<()> {
    ensure_embedded(config)?;
    let cluster = cluster_options(config);
    if options.remove_old {
        for old_cluster in remove_kept(&cluster)? {
            println!("Removed {}.", old_cluster.display());
        }
        return Ok(());
    }
    // The archive belongs to the old cluster, so the data that is loaded must not go there.
    let cluster = embedded_postgres::ClusterOptions { wal_archive: None, ..cluster };
    let old_cluster = match Upgrade::begin(&cluster)? {
        Upgrade::Newest(version) => {
            println!("The cluster has Postgres {version}, and this machine has no newer version.");
            return Ok(());
        }
        Upgrade::Completed(old_cluster) => old_cluster,
        Upgrade::Begun(upgrade) => {
            load(&upgrade).context("the cluster was not upgraded and is unchanged")?;
            upgrade.finish()?
        }
    };
    println!(
        "The cluster is upgraded. The old one is kept in {}; once everything works, remove it with `workspace-service \
         upgrade-cluster --remove-old`.",
        old_cluster.display()
    );
    if config.wal_archive_dir.is_some() {
        println!(
            "Set SERVICE_WAL_ARCHIVE_DIR to a new folder, and make a new base backup: the old one is for the old version."
        );
    }
    Ok(())
}

/// Copies everything from the old cluster to the new one, compares the row counts, and collects statistics for query plans.
fn load(upgrade: &BegunUpgrade) -> anyhow::Result<()> {
    let (old, new) = (upgrade.old_url(DATABASE), upgrade.new_url(DATABASE));
    let programs = ClientPrograms::of(upgrade.programs());
    eprintln!("Loading into Postgres {} …", programs.major);
    let mut dump = ClientPrograms::of(upgrade.old_programs()).command("pg_dump");
    dump.args(["--format=custom", "--compress=0"]);
    connect(&mut dump, &old)?;
    let spawned = dump.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
    let mut dump = KillOnDrop(spawned.context("cannot run pg_dump")?);
    let output = dump.0.stdout.take().context("pg_dump has no output")?;
    let mut restore = programs.command("pg_restore");
    restore.args(["--exit-on-error", "--single-transaction"]);
    connect(&mut restore, &new)?;
    let mut restore = KillOnDrop(restore.stdin(output).spawn().context("cannot run pg_restore")?);
    dump.finish("pg_dump")?;
    restore.finish("pg_restore")?;
    let (expected, actual) = (Snapshot::open(&old)?.counts()?, Snapshot::open(&new)?.counts()?);
    ensure!(expected == actual, "the rows of the new cluster differ from those of the old one");
    let mut analyze = programs.command("vacuumdb");
    analyze.args(["--analyze-only", "--quiet"]);
    connect(&mut analyze, &new)?;
    let analyze = analyze.stdin(Stdio::null()).spawn().context("cannot run vacuumdb")?;
    KillOnDrop(analyze).finish("vacuumdb")
}

fn ensure_embedded(config: &Config) -> anyhow::Result<()> {
    if config.database_url.is_some() {
        bail!("this command is for the embedded database, but DATABASE_URL is set: use the tools of your Postgres");
    }
    Ok(())
}
