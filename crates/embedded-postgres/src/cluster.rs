//! Claims on the cluster of a data folder, which several processes may share.

use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

use crate::account::Account;
use crate::error::EmbeddedPostgresError;
use crate::folder::Folder;
use crate::postmaster::Postmaster;
use crate::programs::Programs;
use crate::server::{self, Launch};
use crate::settings::Durability;
use crate::{log_file, wal_archive};

/// All bytes except the unreserved characters of a URL.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Which cluster to use, and how to start its server.
#[derive(Debug, Clone)]
pub struct ClusterOptions {
    /// The folder that contains the cluster (`postgres/`), its log, its locks and its socket.
    pub data_dir: PathBuf,
    /// How durable the content must be.
    pub durability: Durability,
    /// Postgres settings for a server that this process starts; they override the defaults.
    pub settings: Vec<(String, String)>,
    /// The folder for archiving the write-ahead log; `None` disables archiving.
    pub wal_archive: Option<PathBuf>,
}

impl ClusterOptions {
    /// Without extra settings.
    pub fn new(data_dir: impl Into<PathBuf>, durability: Durability) -> Self {
        Self { data_dir: data_dir.into(), durability, settings: Vec::new(), wal_archive: None }
    }
}

/// This process's claim on a running cluster. The server runs as long as any process holds a claim. Releasing the last claim
/// stops it. Dropping a claim releases it like [`Cluster::stop`] and only logs errors.
#[derive(Debug)]
pub struct Cluster {
    folder: Folder,
    account: Account,
    programs: Programs,
    socket_dir: PathBuf,
    port: u16,
    joined: bool,
    /// A shared lock; `None` once released.
    claim: Option<File>,
}

impl Cluster {
    /// Joins the running server of the data folder, or starts one, creating the cluster first if necessary.
    pub fn join_or_start(programs: &Programs, options: &ClusterOptions) -> Result<Self, EmbeddedPostgresError> {
        let folder = Folder::prepare(&options.data_dir)?;
        let decisions = folder.lock_decisions()?;
        let account = folder.account()?;
        let claim = folder.lock_use()?;
        let running = running_server(&folder)?;
        let joined = running.is_some();
        let server = match running {
            Some(server) => server,
            None => start(&Launch {
                folder: &folder,
                programs,
                account: &account,
                durability: options.durability,
                settings: &server_settings(options, &account)?,
                start_timeout: server::START_TIMEOUT,
                decisions: Some(&decisions),
                pid_note: None,
            })?,
        };
        drop(decisions);
        Ok(Self {
            folder,
            account,
            programs: programs.clone(),
            socket_dir: server.socket_dir,
            port: server.port,
            joined,
            claim: Some(claim),
        })
    }

    /// A libpq URL for the superuser over the private socket.
    pub fn database_url(&self, database: &str) -> String {
        database_url(&self.socket_dir, self.port, database)
    }

    /// Whether the server was already running when this claim was made.
    pub fn joined(&self) -> bool {
        self.joined
    }

    /// The process id of the server; `None` if it is not running, for example because it was killed. Another
    /// [`Cluster::join_or_start`] restarts it.
    pub fn server_pid(&self) -> Option<u32> {
        Postmaster::running(&self.folder.cluster()).map(|server| server.pid)
    }

    /// Whether the server's programs were replaced after it started, such as by a package upgrade within the same major version. Its
    /// new sessions then cannot load libraries, such as PL/pgSQL, until it is restarted.
    pub fn is_outdated(&self) -> bool {
        outdated_server(&self.folder, &self.programs).is_some()
    }

    /// Stops a server that [is outdated](Self::is_outdated), so that [`Cluster::join_or_start`] can start the new programs. All
    /// clients lose their connections.
    pub fn stop_outdated(&self) -> Result<(), EmbeddedPostgresError> {
        let _decisions = self.folder.lock_decisions()?;
        // Another process may have stopped it in the meantime.
        match outdated_server(&self.folder, &self.programs) {
            Some(_) => server::stop(&self.folder, &self.programs, &self.account),
            None => Ok(()),
        }
    }

    pub fn log_file(&self) -> PathBuf {
        self.folder.log()
    }

    /// Starts a new log if the server's log is too long, and keeps a few earlier ones. Call it from time to time.
    pub fn rotate_log(&self) -> std::io::Result<()> {
        log_file::rotate_if_long(&self.folder.log())
    }

    /// Releases the claim, and stops the server unless another process holds a claim.
    pub fn stop(mut self) -> Result<(), EmbeddedPostgresError> {
        self.release()
    }

    fn release(&mut self) -> Result<(), EmbeddedPostgresError> {
        let Some(claim) = self.claim.take() else {
            return Ok(());
        };
        let _decisions = self.folder.lock_decisions()?;
        // Explicitly, because a child that is being spawned may briefly hold a copy of the file.
        let released = claim.unlock();
        released.map_err(EmbeddedPostgresError::io("unlock", &self.folder.root))?;
        if claim.try_lock().is_err() {
            log::info!("leaving Postgres running: another process is using it");
            return Ok(());
        }
        server::stop(&self.folder, &self.programs, &self.account)
        // The lock is released with the file. No process requests it before the decision lock is free again.
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Err(error) = self.release() {
            log::warn!("could not stop the embedded Postgres: {error}");
        }
    }
}

/// The running server, if its program was removed and there is another one that can run the cluster.
fn outdated_server(folder: &Folder, programs: &Programs) -> Option<Postmaster> {
    let program = programs.program("postgres");
    let server = Postmaster::running(&folder.cluster()).filter(|server| server.runs_other_than(&program))?;
    let present = Programs::probe(&programs.bin_dir).ok()?;
    (present.version == programs.version).then_some(server)
}

/// The settings of a server that this process starts.
fn server_settings(
    options: &ClusterOptions,
    account: &Account,
) -> Result<Vec<(String, String)>, EmbeddedPostgresError> {
    let mut settings = options.settings.clone();
    if let Some(archive) = &options.wal_archive {
        wal_archive::prepare(archive, account)?;
        let archive = archive.canonicalize().map_err(EmbeddedPostgresError::io("resolve", archive))?;
        settings.extend(wal_archive::settings(&archive));
    }
    Ok(settings)
}

/// The running server, once it is ready. If the server is shutting down, waits until it has ended.
fn running_server(folder: &Folder) -> Result<Option<Postmaster>, EmbeddedPostgresError> {
    let Some(found) = Postmaster::running(&folder.cluster()) else {
        return Ok(None);
    };
    if found.is_stopping() {
        server::wait_gone(folder, &found)?;
        return Ok(None);
    }
    server::wait_ready(folder)
}

/// Creates the cluster if necessary and starts its server. The caller must hold the decision lock.
pub(crate) fn start(launch: &Launch<'_>) -> Result<Postmaster, EmbeddedPostgresError> {
    launch.ensure_cluster()?;
    launch.ensure_access_rules()?;
    launch.start()
}

pub(crate) fn database_url(socket_dir: &Path, port: u16, database: &str) -> String {
    let host = percent_encode(socket_dir.as_os_str().as_bytes(), ESCAPED);
    let database = percent_encode(database.as_bytes(), ESCAPED);
    format!("postgres://postgres@{host}:{port}/{database}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_paths_are_escaped_in_the_url() {
        assert_eq!(
            database_url(Path::new("/a b/é%"), 5432, "x/y"),
            "postgres://postgres@%2Fa%20b%2F%C3%A9%25:5432/x%2Fy"
        );
    }
}
