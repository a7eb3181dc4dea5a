//! A dedicated Redis for a test.
#![expect(clippy::unwrap_used, clippy::missing_panics_doc, reason = "helper of tests, where a panic is the report")]

use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

const PROGRAM: &str = "redis-server";

/// Below the ephemeral port range, so that no outgoing connection takes the port between a stop and a restart, and a client
/// that keeps retrying a stopped server does not connect to itself.
const PORTS: std::ops::Range<u16> = 20_000..32_000;

/// How long a start may take on a busy machine.
const START_TIMEOUT: Duration = Duration::from_secs(20);

/// A `redis-server` process without persistence; killed on drop.
#[derive(Debug)]
pub struct RedisServer {
    port: u16,
    folder: TempDir,
    child: Child,
}

impl RedisServer {
    /// Starts one on a free local port. Without `redis-server`, the calling test is reported as not run and `None` is
    /// returned; with `CI=true` in the environment this panics.
    pub fn start() -> Option<Self> {
        if !is_installed() {
            not_run::report("redis-server; install the package redis-server");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let end = Instant::now() + START_TIMEOUT;
        loop {
            let port = some_port();
            if let Some(child) = spawn(port, &folder, end) {
                return Some(Self { port, folder, child });
            }
            assert!(Instant::now() < end, "{PROGRAM} did not start on any port");
        }
    }

    /// The address for [`RedisLimiter::connect`](crate::RedisLimiter::connect).
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Kills it like a crash. The process has ended when this returns.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again, empty, on the same port, after [`RedisServer::kill`].
    pub fn restart(&mut self) {
        self.child = spawn(self.port, &self.folder, Instant::now() + START_TIMEOUT).unwrap();
    }

    /// Makes it unresponsive: it keeps its connections and accepts new ones, but sends no replies.
    pub fn suspend(&self) {
        self.signal("STOP");
    }

    /// Undoes [`RedisServer::suspend`].
    pub fn resume(&self) {
        self.signal("CONT");
    }

    /// Sends a command and returns the first line of the reply, for example `:60` for `TTL key`.
    pub fn ask(&self, command: &str) -> String {
        let mut lines = lines(self.port, command).unwrap();
        lines.next().unwrap().unwrap()
    }

    /// All keys that it holds.
    pub fn keys(&self) -> Vec<String> {
        let mut lines = lines(self.port, "KEYS *").unwrap().map(Result::unwrap);
        let count: usize = lines.next().unwrap().trim_start_matches('*').parse().unwrap();
        // Each key is preceded by a line with its length.
        lines.skip(1).step_by(2).take(count).collect()
    }

    fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        // The shell's built-in `kill`: some machines lack the program.
        let status = Command::new("sh").args(["-c", "kill -s \"$1\" \"$2\"", "sh", name, &pid]).status().unwrap();
        assert!(status.success());
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        // A test may have killed it already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn is_installed() -> bool {
    let version = Command::new(PROGRAM).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

/// Random, so that tests in different processes rarely collide.
fn some_port() -> u16 {
    let offset = RandomState::new().hash_one(0) % u64::from(PORTS.end - PORTS.start);
    PORTS.start + u16::try_from(offset).unwrap()
}

/// A server that accepts connections; `None` if it exited because the port is in use.
fn spawn(port: u16, folder: &TempDir, end: Instant) -> Option<Child> {
    let mut child = Command::new(PROGRAM)
        .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
        .args(["--daemonize", "no", "--dir"])
        .arg(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !is_ready(port, child.id()) {
        if child.try_wait().unwrap().is_some() {
            return None;
        }
        if Instant::now() >= end {
            let _ = child.kill();
            let _ = child.wait();
            panic!("{PROGRAM} did not answer");
        }
        pause();
    }
    Some(child)
}

/// Whether the server on the port is this process.
fn is_ready(port: u16, pid: u32) -> bool {
    let expected = format!("process_id:{pid}");
    let Ok(lines) = lines(port, "INFO server") else {
        return false;
    };
    // The reply ends with an empty line; another server may never reply, and then the read times out.
    lines.map_while(Result::ok).skip(1).take_while(|line| !line.is_empty()).any(|line| line == expected)
}

fn lines(port: u16, command: &str) -> std::io::Result<impl Iterator<Item = std::io::Result<String>>> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    stream.write_all(format!("{command}\r\n").as_bytes())?;
    Ok(BufReader::new(stream).lines())
}

#[expect(clippy::disallowed_methods, reason = "another process offers nothing to block on; the caller is bounded")]
fn pause() {
    std::thread::sleep(Duration::from_millis(3));
}
