//! Private Unix sockets of this process, each of which leads to a host over TLS.
//!
//! To libpq, such a socket looks like a server without TLS. The tunnel answers each connection until the server has agreed to TLS
//! and offered its authentication methods. From then on it forwards bytes without reading them.

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

/// Two suffice: the threads only encrypt, and half of the pool's connections wait for the database at any time.
const THREADS: usize = 2;
/// Connections over this limit wait in the backlogs of the sockets.
const MAX_CONNECTIONS: usize = 512;
const DEFAULT_CONNECT_TIMEOUT: i64 = 5;
/// The allowed values of libpq's timeout: long enough for a distant host, and short enough to wait for.
const CONNECT_TIMEOUTS: std::ops::RangeInclusive<i64> = 1..=3600;
/// How long a connection survives without acknowledgement of its packets, in milliseconds.
const DEFAULT_USER_TIMEOUT: i64 = 10_000;
const KEEPALIVE_IDLE: i64 = 60;
const KEEPALIVE_INTERVAL: i64 = 10;
const KEEPALIVE_COUNT: i64 = 3;
/// How long all sessions together may take to end.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
/// The longest path of a socket that every system supports.
const MAX_PATH: usize = 103;
/// The length of the longest `/.s.PGSQL.PORT`.
const MAX_SOCKET: usize = 15;
/// How much of a host's name goes into the name of its folder, for those who read it in messages.
const MAX_FOLDER: usize = 60;

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

    /// The timeout of a connection attempt. It is slightly shorter than libpq's, so that libpq receives the reason.
    fn timeout(&self) -> Duration {
        self.connect_timeout * 9 / 10
    }
}

/// The host behind a socket.
#[derive(Debug)]
struct Upstream {
    host: Host,
    options: Options,
}

/// Held by each task of a tunnel. Dropping it signals that the task has ended.
#[derive(Clone)]
struct Task {
    /// Whether the tunnel is closing.
    closing: watch::Receiver<bool>,
    _alive: mpsc::Sender<()>,
}

impl Task {
    /// Waits until the tunnel closes.
    async fn closing(&mut self) {
        // An error means that the tunnel was dropped.
        let _ = self.closing.wait_for(|closing| *closing).await;
    }
}

/// Forwards connections to the hosts until it is dropped. It then ends the sessions properly, because the server would log a
/// broken connection as an error.
#[derive(Debug)]
pub(crate) struct Tunnel {
    /// The folder of each host's socket, in their order.
    pub(crate) folders: Vec<PathBuf>,
    folder: TempDir,
    runtime: Option<Runtime>,
    closing: watch::Sender<bool>,
    /// Disconnected when all tasks have ended.
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
        let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        let mut folders = Vec::with_capacity(hosts.len());
        let ((closing, of_task), (alive, tasks)) = (watch::channel(false), mpsc::channel());
        let task = Task { closing: of_task, _alive: alive };
        for host in hosts {
            let directory = host_folder(folder.path(), host)?;
            let path = directory.join(format!(".s.PGSQL.{}", host.port));
            let listener = {
                let _inside = runtime.enter();
                UnixListener::bind(&path)
            };
            let listener = listener.map_err(failed("listen", &path))?;
            let upstream = Arc::new(Upstream { host: (*host).clone(), options: options.clone() });
            runtime.spawn(serve::accept(listener, upstream, Arc::clone(&permits), task.clone()));
            log::debug!("connections to {host} use TLS: sslmode={}", options.mode.name());
            folders.push(directory);
        }
        Ok(Self { folders, folder, runtime: Some(runtime), closing, tasks: Mutex::new(tasks) })
    }

    /// A folder that only this account can read.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Tunnel {
    fn drop(&mut self) {
        self.closing.send_replace(true);
        if let Ok(tasks) = self.tasks.get_mut() {
            // Nothing is ever sent. This returns when the last task ends, or after the timeout.
            let _ = tasks.recv_timeout(CLOSE_TIMEOUT);
        }
        // Without waiting, which is not allowed in async callers.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A folder of mode 0700, whose path is short enough for sockets and can be part of libpq's list of hosts.
fn private_folder() -> Result<TempDir, AddressError> {
    let system = std::env::temp_dir();
    let longest = system.as_os_str().len() + "/postgres-XXXXXX/".len() + MAX_FOLDER + MAX_SOCKET;
    let fits = system.is_absolute() && longest <= MAX_PATH && system.to_str().is_some_and(|path| !path.contains(','));
    let parent = if fits { system } else { "/tmp".into() };
    let mut builder = tempfile::Builder::new();
    builder.prefix("postgres-").permissions(Permissions::from_mode(0o700));
    builder.tempdir_in(&parent).map_err(failed("make a folder for sockets", &parent))
}

/// A folder with the name of the host, because libpq's messages show it. Hosts with the same name get a number.
fn host_folder(parent: &Path, host: &Host) -> Result<PathBuf, AddressError> {
    let is_plain = |character: &char| character.is_ascii_alphanumeric() || ".-_:".contains(*character);
    let name: String = host.name.chars().filter(is_plain).take(MAX_FOLDER - 3).collect();
    let mut number = 1;
    loop {
        let suffix = if number == 1 { String::new() } else { format!("-{number}") };
        let path = parent.join(format!("{name}{suffix}"));
        match fs::create_dir(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            created => return created.map(|()| path.clone()).map_err(failed("make a folder", &path)),
        }
    }
}

fn failed(what: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> AddressError {
    move |cause| AddressError::Folder { what, path: path.to_owned(), cause }
}
