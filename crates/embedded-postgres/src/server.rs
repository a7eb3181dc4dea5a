//! Starts and stops the server process.

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, OnceLock, mpsc};
use std::thread;
use std::time::Duration;

use crate::account::Account;
use crate::error::EmbeddedPostgresError;
use crate::folder::Folder;
use crate::postmaster::{Postmaster, disarm_stale_record};
use crate::programs::Programs;
use crate::settings::{self, Durability};
use crate::{poll, socket};

/// How long a start may take, including crash recovery.
pub(crate) const START_TIMEOUT: Duration = Duration::from_mins(1);
/// How long sessions may take to end by themselves before a fast shutdown ends them.
const SESSIONS_TIMEOUT: Duration = Duration::from_secs(1);
/// How long a fast shutdown may take, including its checkpoint.
const STOP_TIMEOUT: Duration = Duration::from_mins(1);
/// How long an immediate shutdown may take. It leaves recovery to the next start.
const IMMEDIATE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long backends may outlive a killed server.
const ORPHANS_TIMEOUT: Duration = Duration::from_secs(15);

/// What a start needs.
pub(crate) struct Launch<'a> {
    pub(crate) folder: &'a Folder,
    pub(crate) programs: &'a Programs,
    pub(crate) account: &'a Account,
    pub(crate) durability: Durability,
    pub(crate) settings: &'a [(String, String)],
    /// How long to wait until the server is ready.
    pub(crate) start_timeout: Duration,
    /// The decision lock, if one is held during the start.
    pub(crate) decisions: Option<&'a File>,
    /// A file that the account can write. Each program records its process id and name there before it begins.
    pub(crate) pid_note: Option<&'a Path>,
}

impl Launch<'_> {
    /// A command for one of the binaries. It runs in a folder that the account can enter, because our own may be closed to it.
    pub(crate) fn command(&self, name: &str) -> Command {
        let program = self.programs.program(name);
        let mut command = match self.pid_note {
            None => self.account.command(&program),
            Some(note) => {
                let mut shell = self.account.command(Path::new("/bin/sh"));
                shell.args(["-c", "echo \"$$ ${1##*/}\" >\"$0\" && exec \"$@\""]).arg(note).arg(&program);
                shell
            }
        };
        command.current_dir(&self.folder.root);
        command
    }

    /// Starts the server on an existing cluster without a running server. The caller must hold the decision lock.
    pub(crate) fn start(&self) -> Result<Postmaster, EmbeddedPostgresError> {
        let socket_dir = socket::prepare(self.folder, self.account)?;
        disarm_stale_record(self.folder, self.account)?;
        let mut last = None;
        let started = poll::until(ORPHANS_TIMEOUT, || match self.attempt(&socket_dir) {
            // The backends of a killed server live on for a moment. No server can start until they have ended.
            Err(EmbeddedPostgresError::EndedEarly { status, log, tail }) if tail.contains("shared memory block") => {
                last = Some(EmbeddedPostgresError::EndedEarly { status, log, tail });
                Ok(None)
            }
            other => other.map(Some),
        })?;
        started.ok_or_else(|| last.unwrap_or_else(|| self.folder.timed_out("start", ORPHANS_TIMEOUT)))
    }

    fn attempt(&self, socket_dir: &Path) -> Result<Postmaster, EmbeddedPostgresError> {
        let (log, log_start) = self.folder.open_log()?;
        let server = self.spawn(socket_dir, log)?;
        let cluster = self.folder.cluster();
        let ready = poll::until(self.start_timeout, || {
            let recorded = Postmaster::recorded(&cluster);
            if let Some(record) = recorded.filter(|record| record.pid == server.pid && record.is_ready()) {
                return Ok(Some(record));
            }
            match server.ended.get() {
                Some(status) => Err(self.ended_early(*status, log_start)),
                None => Ok(None),
            }
        })?;
        ready.ok_or_else(|| {
            signal(self.programs, self.account, "QUIT", server.pid);
            self.folder.timed_out("become ready", self.start_timeout)
        })
    }

    fn spawn(&self, socket_dir: &Path, log: File) -> Result<Spawned, EmbeddedPostgresError> {
        let program = self.programs.program("postgres");
        let failed = || EmbeddedPostgresError::io("run", &program);
        let mut command = self.command("postgres");
        command
            .arg("-D")
            .arg(self.folder.cluster())
            .args(settings::arguments(self.durability, self.settings, socket_dir))
            .stdout(log.try_clone().map_err(failed())?)
            .stderr(Stdio::from(log))
            // Ctrl-C in a terminal ends the service, which then shuts down its server.
            .process_group(0);
        let ended = Arc::new(OnceLock::new());
        let reaper = reaper(Arc::clone(&ended)).map_err(failed())?;
        let child = command.spawn().map_err(failed())?;
        let pid = child.id();
        // The reaper waits for this single message.
        let _ = reaper.send(child);
        Ok(Spawned { pid, ended })
    }

    fn ended_early(&self, status: ExitStatus, log_start: u64) -> EmbeddedPostgresError {
        EmbeddedPostgresError::EndedEarly {
            status: status.to_string(),
            log: self.folder.log(),
            tail: self.folder.log_tail(log_start),
        }
    }
}

struct Spawned {
    pid: u32,
    ended: Arc<OnceLock<ExitStatus>>,
}

/// A thread that reaps the server when it exits. Without it, the server would still look alive, to Postgres as well.
fn reaper(ended: Arc<OnceLock<ExitStatus>>) -> std::io::Result<mpsc::Sender<Child>> {
    let (sender, receiver) = mpsc::channel::<Child>();
    thread::Builder::new().name("postgres-reaper".into()).stack_size(128 * 1024).spawn(move || {
        let Ok(mut child) = receiver.recv() else {
            return;
        };
        if let Ok(status) = child.wait() {
            if !status.success() {
                log::warn!("Postgres (process {}) exited: {status}", child.id());
            }
            let _ = ended.set(status);
        }
    })?;
    Ok(sender)
}

/// Waits until a server that another process started is ready; `None` if it ends instead.
pub(crate) fn wait_ready(folder: &Folder) -> Result<Option<Postmaster>, EmbeddedPostgresError> {
    let cluster = folder.cluster();
    let mut last = None;
    let settled = poll::holds(START_TIMEOUT, || {
        last = Postmaster::running(&cluster);
        last.as_ref().is_none_or(Postmaster::is_ready)
    });
    if settled {
        return Ok(last);
    }
    Err(folder.timed_out("become ready", START_TIMEOUT))
}

/// Waits for a server that is shutting down.
pub(crate) fn wait_gone(folder: &Folder, server: &Postmaster) -> Result<(), EmbeddedPostgresError> {
    if gone_within(folder, server, STOP_TIMEOUT) {
        return Ok(());
    }
    Err(folder.timed_out("stop", STOP_TIMEOUT))
}

/// Shuts the server down gracefully, and immediately if that takes too long. The caller must hold the decision lock.
pub(crate) fn stop(folder: &Folder, programs: &Programs, account: &Account) -> Result<(), EmbeddedPostgresError> {
    let Some(server) = Postmaster::running(&folder.cluster()) else {
        return Ok(());
    };
    // Let sessions whose clients have just disconnected end by themselves: ending them would log errors.
    signal(programs, account, "TERM", server.pid);
    if gone_within(folder, &server, SESSIONS_TIMEOUT) {
        return Ok(());
    }
    for (name, timeout) in [("INT", STOP_TIMEOUT), ("QUIT", IMMEDIATE_TIMEOUT)] {
        signal(programs, account, name, server.pid);
        if gone_within(folder, &server, timeout) {
            return Ok(());
        }
        log::warn!("Postgres (process {}) is still running {timeout:?} after SIG{name}", server.pid);
    }
    Err(folder.timed_out("stop", STOP_TIMEOUT + IMMEDIATE_TIMEOUT))
}

fn gone_within(folder: &Folder, server: &Postmaster, timeout: Duration) -> bool {
    let cluster = folder.cluster();
    poll::holds(timeout, || !server.runs(&cluster))
}

/// Sends a signal with `pg_ctl`, which knows the signals of every system. It runs as the server's account, so that it cannot
/// affect processes of others.
pub(crate) fn signal(programs: &Programs, account: &Account, name: &str, pid: u32) {
    let signalled =
        account.command(&programs.program("pg_ctl")).args(["kill", name, &pid.to_string()]).current_dir("/").output();
    match signalled {
        Ok(output) if output.status.success() => {}
        Ok(output) => log::warn!("SIG{name}: {}", String::from_utf8_lossy(&output.stderr).trim()),
        Err(error) => log::warn!("cannot run pg_ctl: {error}"),
    }
}
