//! Clusters in temp folders, SQL through `psql`, and a second process that holds a claim.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use embedded_postgres::{Cluster, ClusterOptions, DATABASE, Durability, Programs, throwaway};

const ROLE: &str = "EMBEDDED_POSTGRES_HELPER";
const DIR: &str = "EMBEDDED_POSTGRES_HELPER_DIR";
const MARK: &str = "helper-ready:";

pub(crate) fn open(dir: &Path) -> Cluster {
    Cluster::join_or_start(&programs(), &options(dir)).unwrap()
}

/// Full durability, because crash tests should use the service's own settings.
pub(crate) fn options(dir: &Path) -> ClusterOptions {
    ClusterOptions::new(dir, Durability::Full)
}

pub(crate) fn programs() -> Programs {
    Programs::find().unwrap()
}

/// Runs SQL and returns what it prints.
pub(crate) fn sql(url: &str, statement: &str) -> String {
    let output = Command::new(programs().program("psql"))
        .args(["-XAtqv", "ON_ERROR_STOP=1", "-c", statement, url])
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{statement}: {error}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

pub(crate) fn url(cluster: &Cluster) -> String {
    cluster.database_url(DATABASE)
}

pub(crate) fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(30);
    while !condition() {
        assert!(Instant::now() < end, "timed out waiting for: {what}");
        pause();
    }
}

#[expect(clippy::disallowed_methods, reason = "other processes offer nothing to block on; bounded by wait_until")]
fn pause() {
    std::thread::sleep(Duration::from_millis(2));
}

/// Whether any process has `dir` on its command line.
pub(crate) fn mentioned_by_a_process(dir: &Path) -> bool {
    let output = Command::new("ps").args(["-A", "-ww", "-o", "command="]).output().unwrap();
    String::from_utf8_lossy(&output.stdout).contains(dir.to_str().unwrap())
}

/// Whether a process is running, and not merely waiting to be reaped.
pub(crate) fn lives(pid: u32) -> bool {
    let output = Command::new("ps").args(["-o", "stat=", "-p", &pid.to_string()]).output().unwrap();
    let state = String::from_utf8_lossy(&output.stdout);
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

/// Fails unless the process ends soon. [`Cluster::stop`] considers it ended when its memory is gone, but the kernel lists it for
/// a moment longer.
pub(crate) fn assert_ends(pid: u32) {
    wait_until("the server's process ends", || !lives(pid));
}

pub(crate) fn kill_hard(pid: u32) {
    let status = Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap();
    assert!(status.success());
}

/// Another instance of this test binary, which uses a cluster as a second process.
pub(crate) struct Helper {
    child: Child,
    // Kept open, because the helper's test harness still prints to it at the end.
    output: BufReader<ChildStdout>,
}

impl Helper {
    /// Holds a claim on the cluster in `dir` until asked to leave.
    pub(crate) fn holding(dir: &Path) -> Self {
        Self::spawn("hold", dir)
    }

    /// Holds a throwaway cluster whose temp folder is in `dir`.
    pub(crate) fn throwing_away(dir: &Path) -> Self {
        Self::spawn("throwaway", dir)
    }

    fn spawn(role: &str, dir: &Path) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "support::helper", "--nocapture"])
            .env(ROLE, role)
            .env(DIR, dir)
            .env("TMPDIR", dir)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, output }
    }

    /// Waits until the helper holds its cluster; returns the URL.
    pub(crate) fn ready(&mut self) -> String {
        (&mut self.output)
            .lines()
            .map_while(Result::ok)
            .find_map(|line| Some(line.split_once(MARK)?.1.to_owned()))
            .expect("the helper ended early")
    }

    /// SIGKILL.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(crate) fn leave(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }
}

/// Not a test: the entry point of [`Helper`]. Without its variable it does nothing.
#[test]
fn helper() {
    let (Ok(role), Some(dir)) = (std::env::var(ROLE), std::env::var_os(DIR)) else {
        return;
    };
    match role.as_str() {
        "hold" => {
            let cluster = open(Path::new(&dir));
            hold(&url(&cluster));
            cluster.stop().unwrap();
        }
        "throwaway" => {
            let cluster = throwaway().unwrap();
            hold(&cluster.database_url(DATABASE));
        }
        other => panic!("no such role: {other}"),
    }
}

fn hold(url: &str) {
    println!("{MARK}{url}");
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}
