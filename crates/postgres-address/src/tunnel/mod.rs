//! Private Unix sockets of this process, behind each of which a host is reached by TLS.
//!
//! libpq takes such a socket for a server without TLS. Each connection is answered for the server until that has agreed to
//! TLS and named its ways of logging in; from then on bytes are passed on unread.

mod connect;
mod messages;
mod serve;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use rustls::ClientConfig;
use socket2::TcpKeepalive;
use tempfile::TempDir;
use tokio::net::UnixListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, watch};

use crate::error::AddressError;
use crate::hosts::Host;
use crate::mode::SslMode;
use crate::settings::Settings;
use crate::trust;

/// Encryption is all they do, and half of the pool's connections wait for the database at any time.
const THREADS: usize = 2;
/// More wait in the backlogs of the sockets.
const MOST_CONNECTIONS: usize = 512;
const DEFAULT_CONNECT_TIMEOUT: i64 = 5;
/// libpq's time-out: long enough for a distant host, and short enough to be waited for.
const CONNECT_TIMEOUTS: std::ops::RangeInclusive<i64> = 1..=3600;
/// How long a connection lasts whose packets are not acknowledged, in milliseconds.
const DEFAULT_USER_TIMEOUT: i64 = 10_000;
const KEEPALIVE_IDLE: i64 = 60;
const KEEPALIVE_INTERVAL: i64 = 10;
const KEEPALIVE_COUNT: i64 = 3;
/// How long the sessions may take to end, all together.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
/// The longest path of a socket, on every system.
const LONGEST_PATH: usize = 103;
/// As long as the longest `.s.PGSQL.PORT`, with its slash.
const LONGEST_SOCKET: usize = 15;
/// How much of a host's name is in the name of its folder, for those who read it in messages.
const LONGEST_FOLDER: usize = 60;

/// How hosts are connected to.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) mode: SslMode,
    pub(crate) tls: Arc<ClientConfig>,
    pub(crate) connect_timeout: Duration,
    pub(crate) keepalive: Option<TcpKeepalive>,
    pub(crate) user_timeout: Option<Duration>,
}

impl Options {
    pub(crate) fn of(settings: &Settings, mode: SslMode) -> Result<Self, AddressError> {
        let seconds = settings.number("connect_timeout")?.filter(|seconds| CONNECT_TIMEOUTS.contains(seconds));
        let positive = |name, default| {
            let number = settings.number(name)?.filter(|number| *number > 0).unwrap_or(default);
            Ok::<u64, AddressError>(number.unsigned_abs())
        };
        let keepalive = TcpKeepalive::new()
            .with_time(Duration::from_secs(positive("keepalives_idle", KEEPALIVE_IDLE)?))
            .with_interval(Duration::from_secs(positive("keepalives_interval", KEEPALIVE_INTERVAL)?))
            .with_retries(u32::try_from(positive("keepalives_count", KEEPALIVE_COUNT)?).unwrap_or(u32::MAX));
        let user_timeout = settings.number("tcp_user_timeout")?.unwrap_or(DEFAULT_USER_TIMEOUT);
        Ok(Self {
            mode,
            tls: Arc::new(trust::client_config(settings, mode)?),
            connect_timeout: Duration::from_secs(seconds.unwrap_or(DEFAULT_CONNECT_TIMEOUT).unsigned_abs()),
            keepalive: (settings.number("keepalives")? != Some(0)).then_some(keepalive),
            user_timeout: (user_timeout > 0).then(|| Duration::from_millis(user_timeout.unsigned_abs())),
        })
    }

    /// How long a connection may take here: a little less than libpq waits, so that it learns the reason.
    fn patience(&self) -> Duration {
        self.connect_timeout * 9 / 10
    }
}

/// One host behind a socket.
#[derive(Debug)]
struct Way {
    host: Host,
    options: Options,
}

/// What each task of a tunnel has: by dropping it, it says that it has ended.
#[derive(Clone)]
struct Task {
    /// Whether the tunnel is closing.
    closing: watch::Receiver<bool>,
    _alive: mpsc::Sender<()>,
}

impl Task {
    /// Returns once the tunnel is closing.
    async fn closing(&mut self) {
        // An error means that the tunnel is gone.
        let _ = self.closing.wait_for(|closing| *closing).await;
    }
}

/// Leads to the hosts until it is dropped, and ends their sessions then: a connection that breaks is an error in the log of the server.
#[derive(Debug)]
pub(crate) struct Tunnel {
    /// The folder of each host's socket, in their order.
    pub(crate) folders: Vec<PathBuf>,
    folder: TempDir,
    runtime: Option<Runtime>,
    closing: watch::Sender<bool>,
    /// Disconnected once all tasks have ended.
    tasks: Mutex<mpsc::Receiver<()>>,
}

impl Tunnel {
    pub(crate) fn open(hosts: &[&Host], options: &Options) -> Result<Self, AddressError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(THREADS)
            .thread_name("postgres-tls")
            .enable_all()
            .build()
            .map_err(AddressError::Threads)?;
        let folder = private_folder()?;
        let permits = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        let mut folders = Vec::with_capacity(hosts.len());
        let ((closing, of_task), (alive, tasks)) = (watch::channel(false), mpsc::channel());
        let task = Task { closing: of_task, _alive: alive };
        for host in hosts {
            let place = own_folder(folder.path(), host)?;
            let path = place.join(format!(".s.PGSQL.{}", host.port));
            let listener = {
                let _inside = runtime.enter();
                UnixListener::bind(&path)
            };
            let listener = listener.map_err(failed("listen", &path))?;
            let way = Arc::new(Way { host: (*host).clone(), options: options.clone() });
            runtime.spawn(serve::accept(listener, way, Arc::clone(&permits), task.clone()));
            log::debug!("connections to {host} use TLS: sslmode={}", options.mode.name());
            folders.push(place);
        }
        Ok(Self { folders, folder, runtime: Some(runtime), closing, tasks: Mutex::new(tasks) })
    }

    /// Where only this account can read.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Tunnel {
    fn drop(&mut self) {
        self.closing.send_replace(true);
        if let Ok(tasks) = self.tasks.get_mut() {
            // Nothing is ever sent: this ends with the last task, or because one takes too long.
            let _ = tasks.recv_timeout(CLOSE_TIMEOUT);
        }
        // Not by waiting, which async callers may not do.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A folder of mode 0700, at a path that is short enough for sockets and can be in libpq's list of hosts.
fn private_folder() -> Result<TempDir, AddressError> {
    let system = std::env::temp_dir();
    let longest = system.as_os_str().len() + "/postgres-XXXXXX/".len() + LONGEST_FOLDER + LONGEST_SOCKET;
    let fits =
        system.is_absolute() && longest <= LONGEST_PATH && system.to_str().is_some_and(|path| !path.contains(','));
    let within = if fits { system } else { "/tmp".into() };
    let mut builder = tempfile::Builder::new();
    builder.prefix("postgres-").permissions(Permissions::from_mode(0o700));
    builder.tempdir_in(&within).map_err(failed("make a folder for sockets", &within))
}

/// Named by the host, since libpq's messages show it; hosts of one name are told apart by a number.
fn own_folder(within: &Path, host: &Host) -> Result<PathBuf, AddressError> {
    let is_plain = |character: &char| character.is_ascii_alphanumeric() || ".-_:".contains(*character);
    let name: String = host.name.chars().filter(is_plain).take(LONGEST_FOLDER - 3).collect();
    let mut number = 1;
    loop {
        let suffix = if number == 1 { String::new() } else { format!("-{number}") };
        let path = within.join(format!("{name}{suffix}"));
        match fs::create_dir(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            made => return made.map(|()| path.clone()).map_err(failed("make a folder", &path)),
        }
    }
}

fn failed(what: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> AddressError {
    move |cause| AddressError::Folder { what, path: path.to_owned(), cause }
}
