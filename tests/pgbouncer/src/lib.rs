//! A PgBouncer for tests, in front of a Postgres that listens on a Unix socket.
#![expect(clippy::unwrap_used, reason = "helper of tests, where a panic is the report")]

use std::fmt::Write;
use std::fs::{OpenOptions, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = "pgbouncer";
const SOCKET: &str = ".s.PGSQL.6432";
const START_TIMEOUT: Duration = Duration::from_mins(1);
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// The first version that separates the prepared statements of its clients.
const KEEPS_PREPARED_STATEMENTS: (u32, u32) = (1, 21);

/// A version: major and minor number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(u32, u32);

impl Version {
    /// The version of the installed program. Reports a missing program, and returns `None`.
    ///
    /// # Panics
    /// If the program does not print a version.
    pub fn installed() -> Option<Self> {
        let Ok(output) = Command::new(PROGRAM).arg("--version").output() else {
            not_run::report(PROGRAM);
            return None;
        };
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        Some(Self::parse(&said).unwrap_or_else(|| panic!("no version: {said:?}")))
    }

    /// Parses the output of `pgbouncer --version`.
    fn parse(said: &str) -> Option<Self> {
        let mut numbers = said.lines().next()?.strip_prefix("PgBouncer ")?.split('.');
        Some(Self(numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
    }

    /// Whether prepared statements can work in transaction mode.
    pub fn keeps_prepared_statements(self) -> bool {
        self >= Self(KEEPS_PREPARED_STATEMENTS.0, KEEPS_PREPARED_STATEMENTS.1)
    }
}

/// A running PgBouncer with three server connections for each database.
#[derive(Debug)]
pub struct PgBouncer {
    pub version: Version,
    child: Child,
    folder: tempfile::TempDir,
}

impl PgBouncer {
    /// Starts it in front of the Postgres at `direct_url`, the address of a Unix socket. Prepared statements are
    /// separated if `prepares` is set and the version supports it. Reports a missing program, and returns `None`.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start(direct_url: &str, pool_mode: &str, prepares: bool) -> Option<Self> {
        let version = Version::installed()?;
        let folder = tempfile::tempdir().unwrap();
        // Both PgBouncer's account and the cluster's need access to the socket.
        std::fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        let (host, port) = host_and_port(direct_url);
        let mut settings = format!(
            "[databases]\n* = host={host} port={port} user=postgres\n[pgbouncer]\nauth_type = any\npool_mode = {pool_mode}\n\
             default_pool_size = 3\nlisten_addr =\nlisten_port = 6432\nunix_socket_dir = {}\n",
            folder.path().display()
        );
        if version.keeps_prepared_statements() {
            // Older versions do not have the setting; the default is 0 in some versions and 200 in others.
            writeln!(settings, "max_prepared_statements = {}", if prepares { 200 } else { 0 }).unwrap();
        }
        if rustix::process::geteuid().is_root() {
            // PgBouncer refuses to run as root.
            settings.push_str("user = postgres\n");
        }
        std::fs::write(folder.path().join("pgbouncer.ini"), settings).unwrap();
        let child = spawn(folder.path());
        Some(Self { version, child, folder })
    }

    /// The address of a database through PgBouncer.
    ///
    /// # Panics
    /// If the path of the temporary folder is not UTF-8.
    pub fn url(&self, database: &str) -> String {
        let host = self.folder.path().to_str().unwrap().replace('/', "%2F");
        format!("postgres://postgres@{host}:6432/{database}")
    }

    /// Its log.
    ///
    /// # Panics
    /// If it cannot be read.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("pgbouncer.log")).unwrap()
    }

    /// Kills it, as a crash would.
    ///
    /// # Panics
    /// If it has already ended.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Restarts it after [`Self::kill`]. Removes the old socket, which it would take for another running PgBouncer's.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start_again(&mut self) {
        std::fs::remove_file(self.folder.path().join(SOCKET)).unwrap();
        self.child = spawn(self.folder.path());
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(folder: &Path) -> Child {
    let log = OpenOptions::new().create(true).append(true).open(folder.join("pgbouncer.log")).unwrap();
    let mut command = Command::new(PROGRAM);
    let child = command.arg(folder.join("pgbouncer.ini")).stdout(Stdio::null()).stderr(log).spawn().unwrap();
    let end = Instant::now() + START_TIMEOUT;
    while UnixStream::connect(folder.join(SOCKET)).is_err() {
        assert!(Instant::now() < end, "PgBouncer does not listen");
        std::thread::park_timeout(POLL_INTERVAL);
    }
    child
}

/// The folder and port of the address of a Unix socket.
fn host_and_port(url: &str) -> (String, String) {
    let (_, rest) = url.split_once('@').unwrap();
    let (host, rest) = rest.split_once(':').unwrap();
    (host.replace("%2F", "/"), rest.split('/').next().unwrap().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_compared() {
        let keeps = |said: &str| Version::parse(said).unwrap().keeps_prepared_statements();
        assert!(!keeps("PgBouncer 1.18.0\nlibevent 2.1.12-stable\n"));
        assert!(!keeps("PgBouncer 1.9.0\n"));
        assert!(keeps("PgBouncer 1.21.0\n"));
        assert!(keeps("PgBouncer 1.25.2\nlibevent 2.1.12-stable\n"));
        assert_eq!(Version::parse("something else"), None);
    }
}
