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
use crate::postmaster::Postmaster;
use crate::programs::Programs;
use crate::server::{Launch, START_TIMEOUT, signal};
use crate::settings::Durability;
use crate::{reach, socket};

const WATCHDOG: &str = include_str!("watchdog.sh");

/// The file that tells the watchdog which process to end. `watchdog.sh` uses the same name.
const PID_NOTE: &str = "pid";

/// A cluster in a temp folder. It runs as long as this value exists or, in a `static`, as long as this process lives.
///
/// A small shell process watches over it. However this process ends, even by SIGKILL, the server is stopped and the folder
/// is deleted.
#[derive(Debug)]
pub struct ThrowawayCluster {
    folder: Folder,
    programs: Programs,
    account: Account,
    settings: Vec<(String, String)>,
    socket_dir: PathBuf,
    port: u16,
    // Dropped last, when nothing uses the cluster any more.
    _guard: Guard,
}

/// Starts a fast cluster without durability in the system's temp folder.
pub fn throwaway() -> Result<ThrowawayCluster, EmbeddedPostgresError> {
    throwaway_with(&[])
}

/// Like [`throwaway`], with extra settings. They may make the server accessible outside its private socket.
pub fn throwaway_with(settings: &[(String, String)]) -> Result<ThrowawayCluster, EmbeddedPostgresError> {
    ThrowawayCluster::make(Programs::find()?, settings, |_| Ok(()))
}

impl ThrowawayCluster {
    fn make(
        programs: Programs,
        settings: &[(String, String)],
        fill: impl FnOnce(&Launch<'_>) -> Result<(), EmbeddedPostgresError>,
    ) -> Result<Self, EmbeddedPostgresError> {
        let dir = choose_dir();
        let guard = Guard::spawn(&dir)?;
        DirBuilder::new().mode(0o700).create(&dir).map_err(EmbeddedPostgresError::io("create the folder", &dir))?;
        let folder = Folder::prepare(&dir)?;
        let account = folder.account()?;
        let pid_note = folder.root.join(PID_NOTE);
        File::create_new(&pid_note).map_err(EmbeddedPostgresError::io("create", &pid_note))?;
        account.give(&pid_note)?;
        let launch = launch(&folder, &programs, &account, settings, &pid_note);
        fill(&launch)?;
        let server = start(&launch)?;
        let (socket_dir, port) = (server.socket_dir, server.port);
        Ok(Self { folder, programs, account, settings: settings.to_vec(), socket_dir, port, _guard: guard })
    }

    /// Starts a streaming replica with the same settings.
    pub fn replica(&self) -> Result<Self, EmbeddedPostgresError> {
        Self::make(self.programs.clone(), &self.settings, |launch| {
            // The account cannot create anything next to the cluster.
            let cluster = launch.folder.cluster();
            DirBuilder::new().mode(0o700).create(&cluster).map_err(EmbeddedPostgresError::io("create", &cluster))?;
            launch.account.give(&cluster)?;
            let program = self.programs.program("pg_basebackup");
            let mut command = launch.command("pg_basebackup");
            command.arg("--host").arg(&self.socket_dir).args(["--port", &self.port.to_string()]);
            command.args(["--username=postgres", "--write-recovery-conf", "--checkpoint=fast", "--no-sync"]);
            command.arg("--pgdata").arg(&cluster);
            let output = command.output().map_err(EmbeddedPostgresError::io("run", &program))?;
            if output.status.success() {
                return Ok(());
            }
            Err(EmbeddedPostgresError::Init { output: String::from_utf8_lossy(&output.stderr).trim().to_owned() })
        })
    }

    /// Ends the server as in a crash. Its backends end when they notice.
    pub fn kill(&self) {
        if let Some(server) = Postmaster::running(&self.folder.cluster()) {
            signal(&self.programs, &self.account, "KILL", server.pid);
        }
    }

    /// Starts the server again after [`Self::kill`].
    pub fn start_again(&self) -> Result<(), EmbeddedPostgresError> {
        let pid_note = self.folder.root.join(PID_NOTE);
        launch(&self.folder, &self.programs, &self.account, &self.settings, &pid_note).start().map(drop)
    }

    /// A libpq URL for the superuser over the private socket.
    pub fn database_url(&self, database: &str) -> String {
        database_url(&self.socket_dir, self.port, database)
    }

    /// The temp folder that contains the whole cluster.
    pub fn dir(&self) -> &Path {
        &self.folder.root
    }
}

fn launch<'a>(
    folder: &'a Folder,
    programs: &'a Programs,
    account: &'a Account,
    settings: &'a [(String, String)],
    pid_note: &'a Path,
) -> Launch<'a> {
    Launch {
        folder,
        programs,
        account,
        durability: Durability::Throwaway,
        settings,
        start_timeout: START_TIMEOUT,
        decisions: None,
        pid_note: Some(pid_note),
    }
}

/// A process that cleans up when its standard input is closed.
#[derive(Debug)]
struct Guard(Child);

impl Guard {
    /// Spawned before anything is created, so that nothing is ever left behind.
    fn spawn(dir: &Path) -> Result<Self, EmbeddedPostgresError> {
        let shell = Path::new("/bin/sh");
        Command::new(shell)
            .args(["-c", WATCHDOG, "watchdog"])
            .arg(dir)
            .current_dir("/")
            .stdin(Stdio::piped())
            // Not inherited, because a reader of the tests' output would wait for the watchdog too.
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // In a separate process group, because the watchdog must survive Ctrl-C to clean up after the tests.
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

/// A folder in the system's temp folder, or in `/tmp` if that is too long for a socket or closed to Postgres's account.
fn choose_dir() -> PathBuf {
    let system = std::env::temp_dir();
    // A new hasher has a random seed, so the name of the folder cannot be predicted.
    let random = RandomState::new().hash_one(std::process::id());
    let name = format!("workspace-service-test-{random:016x}");
    let usable = system.is_absolute()
        && socket::fits_beneath(&system.join(&name))
        && reach::first_closed(&system, &Account::for_programs()).is_none();
    if usable { system.join(name) } else { Path::new("/tmp").join(name) }
}
