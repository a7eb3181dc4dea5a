//! The server's PID file (`postmaster.pid`), and whether the process in it is the server.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::account::Account;
use crate::error::EmbeddedPostgresError;
use crate::folder::{Folder, replace_file};
use crate::socket;

/// Larger than any process id of any system.
const NO_PROCESS: u32 = 2_147_483_646;

/// The content of the PID file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Postmaster {
    pub(crate) pid: u32,
    pub(crate) port: u16,
    pub(crate) socket_dir: PathBuf,
    status: String,
}

impl Postmaster {
    /// The record in `cluster`, if it exists and is complete.
    pub(crate) fn recorded(cluster: &Path) -> Option<Self> {
        parse(&fs::read_to_string(pid_file(cluster)).ok()?)
    }

    /// The server that is running on `cluster`, if any.
    pub(crate) fn running(cluster: &Path) -> Option<Self> {
        Self::recorded(cluster).filter(|found| found.runs(cluster))
    }

    /// Whether it accepts connections.
    pub(crate) fn is_ready(&self) -> bool {
        self.status == "ready" && socket::accepts_connections(&self.socket_dir, self.port)
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.status == "stopping"
    }

    /// Whether its program was removed after it started and `program` is another file. Always false without `/proc`.
    pub(crate) fn runs_other_than(&self, program: &Path) -> bool {
        let executable = PathBuf::from(format!("/proc/{}/exe", self.pid));
        let is_gone = fs::read_link(&executable).is_ok_and(|path| path.as_os_str().as_bytes().ends_with(b" (deleted)"));
        // Without this check, a file system that reports every program as deleted would have the server restarted forever.
        let file = |path: &Path| fs::metadata(path).map(|metadata| (metadata.dev(), metadata.ino())).ok();
        is_gone && file(&executable).zip(file(program)).is_some_and(|(executable, present)| executable != present)
    }

    /// Whether the process is a server on `cluster`, and not another process that got the same id.
    pub(crate) fn runs(&self, cluster: &Path) -> bool {
        command_line(self.pid).is_some_and(|args| {
            is_server(&args) && (mentions(&args, cluster) || socket::accepts_connections(&self.socket_dir, self.port))
        })
    }
}

fn pid_file(cluster: &Path) -> PathBuf {
    cluster.join("postmaster.pid")
}

/// Lines: process id, data folder, start time, port, socket folder, address, shared memory, status. A server that has
/// just started has written only some of them, which is enough.
fn parse(text: &str) -> Option<Postmaster> {
    let lines: Vec<&str> = text.lines().collect();
    let line = |number: usize| lines.get(number).map_or("", |line| line.trim());
    Some(Postmaster {
        pid: line(0).parse().ok()?,
        port: line(3).parse().unwrap_or(0),
        socket_dir: PathBuf::from(lines.get(4).copied().unwrap_or_default()),
        status: line(7).to_owned(),
    })
}

/// Postgres refuses to start if any process of the same user has the recorded id. If that process is not a server, this replaces
/// the id in the record with one that no process has. The rest stays: from the shared memory key, Postgres still notices
/// backends that outlived their server.
pub(crate) fn disarm_stale_record(folder: &Folder, account: &Account) -> Result<(), EmbeddedPostgresError> {
    let path = pid_file(&folder.cluster());
    let Ok(text) = fs::read_to_string(&path) else {
        return Ok(());
    };
    let Some((pid, rest)) = text.split_once('\n') else {
        return Ok(());
    };
    if !pid.trim().parse().is_ok_and(exists) {
        return Ok(());
    }
    log::warn!("process {pid} is not the Postgres named in {}; continuing", path.display());
    replace_file(folder, &path, &format!("{NO_PROCESS}\n{rest}"), account)
}

/// Whether a process with this id exists. A process that was not reaped yet counts, because Postgres considers it alive.
fn exists(pid: u32) -> bool {
    if Path::new("/proc/self").exists() {
        return Path::new(&format!("/proc/{pid}")).exists();
    }
    Command::new("ps").args(["-p", &pid.to_string()]).output().is_ok_and(|output| output.status.success())
}

/// The args of a live process; `None` for a process that ended, even if it was not reaped yet.
fn command_line(pid: u32) -> Option<Vec<String>> {
    if !Path::new("/proc/self").exists() {
        return command_line_of_ps(pid);
    }
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let args: Vec<String> = text.split_terminator('\0').map(ToOwned::to_owned).collect();
    (!args.is_empty()).then_some(args)
}

/// For systems without `/proc`. Paths with spaces get split; in that case the socket decides.
fn command_line_of_ps(pid: u32) -> Option<Vec<String>> {
    let output = Command::new("ps").args(["-ww", "-o", "command=", "-p", &pid.to_string()]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let args: Vec<String> = text.split_whitespace().map(ToOwned::to_owned).collect();
    let zombie = args.iter().any(|argument| argument == "<defunct>");
    (!args.is_empty() && !zombie).then_some(args)
}

/// Whether this is the command line of the server itself. Backends rename themselves (`postgres: checkpointer`).
fn is_server(args: &[String]) -> bool {
    let name = args.first().and_then(|argument| Path::new(argument).file_name());
    name.is_some_and(|name| name == "postgres" || name == "postmaster")
}

fn mentions(args: &[String], cluster: &Path) -> bool {
    args.iter().any(|argument| Path::new(argument) == cluster)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str =
        "4711\n/srv/data/postgres\n1763698500\n5432\n/srv/data/postgres.socket\n\n  5432001   32768\nready   \n";

    #[test]
    fn a_record_is_parsed() {
        let record = parse(RECORD).unwrap();
        assert_eq!((record.pid, record.port), (4711, 5432));
        assert_eq!(record.socket_dir, Path::new("/srv/data/postgres.socket"));
        assert_eq!(record.status, "ready");
    }

    #[test]
    fn an_unfinished_record_counts_but_is_not_ready() {
        assert_eq!(parse(""), None);
        let record = parse("4711\n/srv/data/postgres\n").unwrap();
        assert_eq!(record.pid, 4711);
        assert!(!record.is_ready());
    }

    #[test]
    fn another_program_is_not_the_server() {
        let args = |line: &str| line.split(' ').map(ToOwned::to_owned).collect::<Vec<_>>();
        assert!(is_server(&args("/usr/lib/postgresql/15/bin/postgres -D /x")));
        assert!(!is_server(&args("vim /srv/data/postgres")));
        assert!(!is_server(&["postgres: checkpointer ".to_owned()]));
    }

    #[test]
    fn a_record_that_names_another_program_is_disarmed() {
        let top = tempfile::tempdir().unwrap();
        let folder = Folder::prepare(top.path()).unwrap();
        let account = Account::for_cluster(&folder.cluster()).unwrap();
        fs::create_dir(folder.cluster()).unwrap();
        let path = pid_file(&folder.cluster());
        let rest = RECORD.split_once('\n').unwrap().1;
        fs::write(&path, format!("{}\n{rest}", std::process::id())).unwrap();
        assert_eq!(Postmaster::running(&folder.cluster()), None);
        disarm_stale_record(&folder, &account).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{NO_PROCESS}\n{rest}"));
        disarm_stale_record(&folder, &account).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{NO_PROCESS}\n{rest}"));
    }
}
