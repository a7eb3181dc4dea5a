//! `backup` and `restore`.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::process::{ChildStdin, Stdio};

use anyhow::{Context, bail, ensure};
use domain::kernel::input::format_timestamp;
use domain::ports::Clock;
use embedded_postgres::ClientPrograms;
use storage_diesel::{GrantError, Snapshot};
use system::{SecureRandom, SystemClock};

use crate::backup::archive::{self, FORMAT, PART_BYTES, Writer};
use crate::backup::child::{self, KillOnDrop};
use crate::backup::{Manifest, PASSPHRASE_VARIABLE, SealedKey};
use crate::cli::{BackupOptions, RestoreOptions};
use crate::config::Config;
use crate::database::Database;
use crate::draft::{Draft, remove_abandoned, remove_abandoned_in_folder_of};
use crate::master_key;

mod passphrase;

pub(super) fn backup(config: &Config, options: &BackupOptions) -> anyhow::Result<()> {
    if options.verify {
        let manifest = archive::verify(input(&options.file)?)?;
        println!("The backup is intact. {}", summary(&manifest));
        return Ok(());
    }
    let key = master_key::text(config)?;
    let mut passphrase = passphrase::configured(options.passphrase_file.as_deref())?;
    ensure!(
        key.is_some() || passphrase.is_none(),
        "a passphrase was given, but there is no master key to seal: set SERVICE_MASTER_KEY or SERVICE_MASTER_KEY_FILE as \
         for the service, or omit the passphrase"
    );
    if key.is_some() && passphrase.is_none() {
        passphrase = passphrase::prompt_new()?;
    }
    let database = Database::reach(config)?;
    let key = key.as_deref();
    let written = write_to(&options.file, options.force, |output| write(&database, key, passphrase.as_deref(), output));
    if written.is_ok()
        && let Err(error) = storage_diesel::mark_backup(database.session_url())
    {
        eprintln!("warning: the backup is complete, but could not be recorded in the database for `doctor`: {error}");
    }
    let closed = database.close();
    eprintln!("{}", summary(&written?));
    closed
}

/// Writes the backup to a file or to standard output.
fn write_to(
    file: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<Manifest>,
) -> anyhow::Result<Manifest> {
    if file == Path::new("-") {
        return write(&mut io::stdout().lock());
    }
    remove_abandoned(file);
    remove_abandoned_in_folder_of(file);
    let mut draft = Draft::create(file, force)?;
    let manifest = write(&mut draft)?;
    draft.publish()?;
    Ok(manifest)
}

fn write(
    database: &Database,
    key: Option<&str>,
    passphrase: Option<&str>,
    output: &mut dyn Write,
) -> anyhow::Result<Manifest> {
    database.ensure_same_database()?;
    database.ensure_complete()?;
    database.ensure_distributed()?;
    let mut snapshot = Snapshot::open(database.session_url()).context("the database cannot be used")?;
    let programs = ClientPrograms::find(snapshot.server_major)?;
    let ids = key.map(master_key::ids).transpose()?;
    let seal = |(key, passphrase)| SealedKey::seal(key, passphrase, &SecureRandom::default());
    let sealed = key.zip(passphrase).map(seal).transpose()?;
    if sealed.is_none() {
        let cure = if key.is_some() {
            "keep a copy elsewhere, or give a passphrase"
        } else {
            "this command has none; keep a copy elsewhere, or set SERVICE_MASTER_KEY as for the service and give a passphrase"
        };
        eprintln!(
            "warning: the master key is not in this backup: {cure}; without it, webhook secrets and second factors are lost"
        );
    }
    let manifest = Manifest {
        format: FORMAT,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        created_at: format_timestamp(SystemClock.now()),
        postgres: snapshot.server_major,
        pg_dump: programs.major,
        migrations: snapshot.migrations().context("this is not a database of the service")?,
        counts: snapshot.counts().context("the tables cannot be counted")?,
        master_keys: ids.unwrap_or_default(),
        has_master_key: sealed.is_some(),
        app_roles: storage_diesel::serving_roles(database.session_url()).context("the roles cannot be read")?,
    };
    let mut archive = Writer::begin(output, &manifest, sealed.as_ref())?;
    let mut command = programs.command("pg_dump");
    command.args(["--format=custom", "--no-owner", "--no-privileges", "--snapshot", &snapshot.id]);
    child::connect(&mut command, database.session_url())?;
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().context("cannot run pg_dump")?;
    let mut dump = KillOnDrop(child);
    let mut from = dump.0.stdout.take().context("pg_dump has no output")?;
    let (mut part, mut progress) = (Vec::with_capacity(PART_BYTES), Progress::new("written"));
    loop {
        part.clear();
        let read = from.by_ref().take(PART_BYTES as u64).read_to_end(&mut part).context("cannot read from pg_dump")?;
        if read == 0 {
            break;
        }
        archive.part(&part)?;
        progress.add(read);
    }
    dump.finish("pg_dump")?;
    archive.end()?;
    Ok(manifest)
}

pub(super) fn restore(config: &Config, options: &RestoreOptions) -> anyhow::Result<()> {
    let passphrase = passphrase::configured(options.passphrase_file.as_deref())?;
    let from = input(&options.file)?;
    let mut database = None;
    let mut key = None;
    let loaded = archive::read(from, |manifest, sealed| {
        key = sealed_key(manifest, sealed, passphrase.as_deref())?;
        ensure_known_migrations(manifest)?;
        let reached = database.insert(Database::reach(config)?);
        reached.ensure_same_database()?;
        if let Some(key) = &key {
            master_key::ensure_no_other(&config.data_dir, key)?;
        }
        DumpLoader::begin(&reached.url, manifest)
    })
    .and_then(|(manifest, load)| {
        load.finish()?;
        let database = database.as_ref().context("the backup has no dump")?;
        complete(config, database, &manifest, key.as_deref())?;
        grant(database, &manifest, &options.app_roles)?;
        Ok(manifest)
    });
    let closed = database.map_or(Ok(()), Database::close);
    println!("Restored. {}", summary(&loaded?));
    closed
}

fn sealed_key(
    manifest: &Manifest,
    sealed: Option<&SealedKey>,
    passphrase: Option<&str>,
) -> anyhow::Result<Option<String>> {
    let Some(sealed) = sealed else { return Ok(None) };
    let prompted = match passphrase {
        Some(_) => None,
        None => passphrase::prompt()?,
    };
    let Some(passphrase) = passphrase.or(prompted.as_deref()) else {
        bail!("the master key is in the backup: give its passphrase with --passphrase-file or {PASSPHRASE_VARIABLE}")
    };
    let key = sealed.open(passphrase)?;
    ensure!(
        master_key::ids(&key)? == manifest.master_keys,
        "the master key in the backup is not the one named in the manifest"
    );
    Ok(Some(key))
}

/// Refuses a schema that is newer than this program. An older one is migrated after it is loaded.
fn ensure_known_migrations(manifest: &Manifest) -> anyhow::Result<()> {
    let known = storage_diesel::known_versions()?;
    let newer: Vec<&str> =
        manifest.migrations.iter().filter(|version| !known.contains(version)).map(String::as_str).collect();
    ensure!(
        newer.is_empty(),
        "the backup was made by a newer release ({}) with migrations that this one does not know ({}): use that release",
        manifest.program,
        newer.join(", ")
    );
    Ok(())
}

/// Loads a dump in a single transaction.
struct DumpLoader {
    restore: KillOnDrop,
    input: Option<ChildStdin>,
    progress: Progress,
}

impl DumpLoader {
    fn begin(url: &str, manifest: &Manifest) -> anyhow::Result<Self> {
        let tables = storage_diesel::tables(url).context("the database cannot be used")?;
        ensure!(
            tables.is_empty(),
            "the database has {} tables, e.g. {}: restore into an empty data folder or database",
            tables.len(),
            tables.first().map_or("", String::as_str)
        );
        let server = Snapshot::open(url).context("the database cannot be used")?.server_major;
        ensure!(
            server >= manifest.pg_dump,
            "the dump was made by pg_dump {}, but the database is Postgres {server}: restore into Postgres {} or newer",
            manifest.pg_dump,
            manifest.pg_dump
        );
        let programs = ClientPrograms::find(manifest.pg_dump)?;
        storage_diesel::mark_restore(url, true).context("the database cannot be written")?;
        let mut command = programs.command("pg_restore");
        command.args(["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"]);
        child::connect(&mut command, url)?;
        let mut child = command.stdin(Stdio::piped()).spawn().context("cannot run pg_restore")?;
        let input = child.stdin.take();
        Ok(Self { restore: KillOnDrop(child), input, progress: Progress::new("read") })
    }

    fn finish(mut self) -> anyhow::Result<()> {
        drop(self.input.take());
        self.restore.finish("pg_restore")
    }
}

impl Write for DumpLoader {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.input.as_mut().map_or(Ok(0), |input| input.write(bytes))?;
        self.progress.add(written);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Checks what was loaded, stores the key, migrates, and then lets the service use the database.
fn complete(config: &Config, database: &Database, manifest: &Manifest, key: Option<&str>) -> anyhow::Result<()> {
    // First, because until then every role of the server may call functions that run with the rights of this one.
    storage_diesel::secure(database.session_url()).context("the functions of the schema cannot be secured")?;
    let counts = Snapshot::open(database.session_url())?.counts()?;
    for (table, expected) in &manifest.counts {
        let actual = counts.get(table).copied().unwrap_or(0);
        ensure!(actual == *expected, "{table} has {actual} rows after the restore, but the backup has {expected}");
    }
    match key {
        Some(key) => {
            let file = master_key::store(&config.data_dir, key)?;
            if !database.is_embedded() {
                eprintln!("Set SERVICE_MASTER_KEY of the service to the master key in {}.", file.display());
            }
        }
        None => eprintln!(
            "warning: the master key is not in the backup: before the service starts, {}",
            if database.is_embedded() {
                "copy the file `master-key` from the old data folder to the new one"
            } else {
                "set SERVICE_MASTER_KEY to the key that the service had"
            }
        ),
    }
    database.migrate()?;
    storage_diesel::mark_restore(database.session_url(), false).context("the database cannot be written")
}

/// Grants roles that do not own the schema what the service needs. The dump has no privileges, because its roles may be missing here.
fn grant(database: &Database, manifest: &Manifest, requested: &[String]) -> anyhow::Result<()> {
    let url = database.session_url();
    for role in requested {
        storage_diesel::grant(url, role).with_context(|| {
            format!("everything is restored, but {role} was not granted its privileges: run `database grant --app-role {role}`")
        })?;
    }
    let recorded_roles = manifest.app_roles.iter().filter(|_| requested.is_empty());
    for role in recorded_roles {
        match storage_diesel::grant(url, role) {
            Ok(()) => eprintln!("The role {role} can run the service again, as when the backup was made."),
            // The role that restores is the one that runs the service.
            Err(GrantError::IsOwner(_)) => {}
            Err(error) => eprintln!(
                "warning: the role {role} could run the service when the backup was made, but was not granted its privileges: {error}; \
                 see `workspace-service database grant`"
            ),
        }
    }
    Ok(())
}

/// Shown only on a terminal.
struct Progress {
    verb: &'static str,
    bytes: usize,
    shown: usize,
    is_terminal: bool,
}

impl Progress {
    fn new(verb: &'static str) -> Self {
        Self { verb, bytes: 0, shown: 0, is_terminal: io::stderr().is_terminal() }
    }

    fn add(&mut self, bytes: usize) {
        self.bytes += bytes;
        let mib = self.bytes / PART_BYTES;
        if self.is_terminal && mib > self.shown {
            self.shown = mib;
            eprint!("\r{mib} MiB {}", self.verb);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown > 0 {
            eprintln!();
        }
    }
}

fn input(file: &Path) -> anyhow::Result<Box<dyn Read>> {
    if file == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    Ok(Box::new(File::open(file).with_context(|| format!("cannot read {}", file.display()))?))
}

fn summary(manifest: &Manifest) -> String {
    format!(
        "Made {}: {} rows in {} tables, release {}, Postgres {}, {} the master key.",
        manifest.created_at,
        manifest.counts.values().sum::<i64>(),
        manifest.counts.len(),
        manifest.program,
        manifest.postgres,
        if manifest.has_master_key { "with" } else { "without" }
    )
}
