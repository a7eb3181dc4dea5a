//! A cluster for tests that ends with the process that created it.

use std::fs::{DirBuilder, File};
use std::hash::{BuildHasher, RandomState};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::account::Account;
use crate::cluster::{database_url, start};
use crate::error::EmbeddedPostgresError;
use crate::folder::Folder;
use crate::programs::Programs;
use crate::server::{Launch, START_BOUND};
use crate::settings::Durability;
use crate::{reach, socket};

const WATCHDOG: &str = include_str!("watchdog.sh");

/// The file in which the watchdog reads which process to end; `watchdog.sh` has the same name.
const PID_NOTE: &str = "pid";

/// A running cluster in a temp folder, for as long as this value or, in a `static`, this process lives.
///
/// A small shell process guards it: however this process ends, SIGKILL included, the server is stopped and the folder
/// deleted.
#[derive(Debug)]
pub struct ThrowawayCluster {
    dir: PathBuf,
    socket_dir: PathBuf,
    port: u16,
    // Dropped last, when nothing uses the cluster any more.
    _guard: Guard,
}

/// Starts a fast cluster without durability in the system's temp folder.
pub fn throwaway() -> Result<ThrowawayCluster, EmbeddedPostgresError> {
    throwaway_with(&[])
}

/// Like [`throwaway`], with settings that may open it to more than its private socket.
pub fn throwaway_with(settings: &[(String, String)]) -> Result<ThrowawayCluster, EmbeddedPostgresError> {
    let programs = Programs::find()?;
    let dir = choose_dir();
    let guard = Guard::spawn(&dir)?;
    DirBuilder::new().mode(0o700).create(&dir).map_err(EmbeddedPostgresError::io("create the folder", &dir))?;
    let folder = Folder::prepare(&dir)?;
    let account = folder.account()?;
    let pid_note = folder.root.join(PID_NOTE);
    File::create_new(&pid_note).map_err(EmbeddedPostgresError::io("create", &pid_note))?;
    account.give(&pid_note)?;
    let server = start(&Launch {
        folder: &folder,
        programs: &programs,
        account: &account,
        durability: Durability::Throwaway,
        settings,
        start_bound: START_BOUND,
        decisions: None,
        pid_note: Some(&pid_note),
    })?;
    Ok(ThrowawayCluster { dir: folder.root, socket_dir: server.socket_dir, port: server.port, _guard: guard })
}

impl ThrowawayCluster {
    /// A libpq URL for the superuser over the private socket.
    pub fn database_url(&self, database: &str) -> String {
        database_url(&self.socket_dir, self.port, database)
    }

    /// The temp folder that contains the whole cluster.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}

/// The process that cleans up when the other end of its standard input closes.
#[derive(Debug)]
struct Guard(Child);

impl Guard {
    /// Spawned before anything is created, so that nothing is ever unguarded.
    fn spawn(dir: &Path) -> Result<Self, EmbeddedPostgresError> {
        let shell = Path::new("/bin/sh");
        Command::new(shell)
            .args(["-c", WATCHDOG, "watchdog"])
            .arg(dir)
            .current_dir("/")
            .stdin(Stdio::piped())
            // Not inherited: a reader of the tests' output would wait for the watchdog too.
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Ctrl-C is for the tests; the watchdog still has to clean up then.
            .process_group(0)
            .spawn()
            .map(Self)
            .map_err(EmbeddedPostgresError::io("run", shell))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        if let Err(error) = self.0.wait() {
            log::warn!("could not wait for the watchdog of a throwaway cluster: {error}");
        }
    }
}

/// In the system's temp folder, or `/tmp` if that is too long for a socket or closed to Postgres' account.
fn choose_dir() -> PathBuf {
    let system = std::env::temp_dir();
    // A new hasher is randomly seeded, so the folder name cannot be predicted.
    let random = RandomState::new().hash_one(std::process::id());
    let name = format!("workspace-service-test-{random:016x}");
    let usable = system.is_absolute()
        && socket::fits_beneath(&system.join(&name))
        && reach::first_closed(&system, &Account::for_programs()).is_none();
    if usable { system.join(name) } else { Path::new("/tmp").join(name) }
}
