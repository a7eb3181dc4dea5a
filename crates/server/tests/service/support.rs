//! Runs the binary like a user.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Instant;

use embedded_postgres::ClientPrograms;
use serde_json::{Value, json};
use test_support::program::{Program, data_folder, output_of, signal};
use test_support::request::{bearer, exchange};
pub(crate) use test_support::waiting::{POLL_INTERVAL, WAIT_TIMEOUT, eventually_on_thread as eventually};

/// The master key of services with an external Postgres, which must be given one.
pub(crate) const MASTER_KEY: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_workspace-service");

/// A running `serve`, with its start-up output.
pub(crate) struct Service {
    pub(crate) process: Process,
    pub(crate) address: String,
    /// The address of probes and metrics.
    pub(crate) admin: String,
    pub(crate) key: Option<String>,
    pub(crate) curl: Option<String>,
}

pub(crate) fn command(data_dir: &Path) -> Command {
    let mut command = Program::new(Path::new(BINARY), data_dir).command();
    command.env("SERVICE_START_WAIT", "0").env("SERVICE_ADMIN_BIND", "127.0.0.1:0");
    command
}

impl Service {
    pub(crate) fn start(data_dir: &Path) -> Self {
        Self::start_with(data_dir, &[])
    }

    pub(crate) fn start_with(data_dir: &Path, settings: &[(&str, &str)]) -> Self {
        let log = std::fs::OpenOptions::new().create(true).append(true).open(data_dir.join("service.log")).unwrap();
        let mut child =
            command(data_dir).envs(settings.iter().copied()).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = lines.next().unwrap_or_else(|| panic!("it exited: {}", log_of(data_dir))).unwrap();
        let address = first.split("http://").nth(1).and_then(|rest| rest.split(' ').next()).unwrap().to_owned();
        let second = lines.next().unwrap().unwrap();
        let admin = second.split("http://").nth(1).unwrap_or_default().to_owned();
        let mut service = Self { process: Process(child), address, admin, key: None, curl: None };
        if first_start(data_dir) {
            let line = lines.map_while(Result::ok).find(|line| line.contains("curl")).unwrap();
            service.curl = Some(line.trim().to_owned());
            // Not a terminal, so the key is in a file.
            let path = line.split("$(cat '").nth(1).and_then(|rest| rest.split('\'').next()).unwrap();
            service.key = Some(std::fs::read_to_string(path).unwrap().trim().to_owned());
        }
        service
    }

    pub(crate) fn signal(&mut self, name: &str) -> Option<i32> {
        assert!(signal(name, &[self.process.0.id().to_string()]));
        let deadline = Instant::now() + WAIT_TIMEOUT;
        while Instant::now() < deadline {
            if let Some(status) = self.process.0.try_wait().unwrap() {
                return status.code();
            }
            std::thread::park_timeout(POLL_INTERVAL);
        }
        panic!("it did not exit after {name}");
    }

    /// The response to a scrape of `/metrics`.
    pub(crate) fn metrics(&self) -> String {
        Self::get_from(&self.admin, "/metrics", "none")
    }

    /// The status of `/readyz`.
    pub(crate) fn readiness(&self) -> u16 {
        Self::get_from(&self.admin, "/readyz", "none")["HTTP/1.1 ".len()..][..3].parse().unwrap()
    }

    pub(crate) fn get(&self, path: &str, key: &str) -> String {
        Self::get_from(&self.address, path, key)
    }

    pub(crate) fn get_from(address: &str, path: &str, key: &str) -> String {
        exchange(address, "GET", path, &bearer(key), "").unwrap()
    }

    pub(crate) fn post(&self, path: &str, key: &str, body: &str) -> String {
        self.send("POST", path, &bearer(key), body)
    }

    pub(crate) fn patch(&self, path: &str, key: &str, body: &str) -> String {
        self.send("PATCH", path, &bearer(key), body)
    }

    /// Opens a page with cookies.
    pub(crate) fn open(&self, path: &str, cookies: &str) -> String {
        self.send("GET", path, &format!("Cookie: {cookies}\r\n"), "")
    }

    /// Submits a form like a page of the service.
    pub(crate) fn submit(&self, path: &str, cookies: &str, form: &str) -> String {
        let headers =
            format!("Cookie: {cookies}\r\nOrigin: http://x\r\nContent-Type: application/x-www-form-urlencoded\r\n");
        self.send("POST", path, &headers, form)
    }

    fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> String {
        exchange(&self.address, method, path, headers, body).unwrap()
    }
}

/// A process that is killed on drop.
pub(crate) struct Process(pub(crate) Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) fn log_of(data_dir: &Path) -> String {
    std::fs::read_to_string(data_dir.join("service.log")).unwrap_or_default()
}

/// Marks the directory as used; returns whether this is its first start.
fn first_start(data_dir: &Path) -> bool {
    std::fs::File::create_new(data_dir.join("started")).is_ok()
}

pub(crate) fn data_dir() -> tempfile::TempDir {
    data_folder().unwrap()
}

/// A data directory that looks as if the service had started in it before. Otherwise the start would create a demo workspace, and
/// `Service::start` would wait for its key.
pub(crate) fn data_dir_after_start() -> tempfile::TempDir {
    let folder = data_dir();
    assert!(first_start(folder.path()));
    folder
}

pub(crate) fn run(data_dir: &Path, arguments: &[&str]) -> Output {
    command(data_dir).args(arguments).stdin(Stdio::null()).output().unwrap()
}

/// The standard output of a command that must succeed.
pub(crate) fn succeed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The error of a command that must fail.
pub(crate) fn failure(output: &Output) -> String {
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub(crate) fn json_of(output: &Output) -> Value {
    serde_json::from_str(&succeed(output)).unwrap()
}

/// Runs an operator command that prints JSON.
pub(crate) fn operate(mut command: Command, arguments: &[&str]) -> Value {
    json_of(&command.args(arguments).arg("--json").output().unwrap())
}

/// Creates the workspace `acme` by operator commands; returns a key with all scopes.
pub(crate) fn acme_key(operate: impl Fn(&[&str]) -> Value) -> String {
    operate(&["workspace", "create", "--name", "Acme", "--slug", "acme"]);
    let key = operate(&["key", "create", "--workspace", "acme", "--name", "all", "--preset", "full_access"]);
    text(&key["key"])
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// The first finding of a check in the output of `doctor --json`.
pub(crate) fn doctor_finding(output: &Output, check: &str) -> Value {
    let findings: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    findings.into_iter().find(|finding| finding["check"] == check).unwrap()
}

/// Runs SQL in the database of this URL; returns the output.
pub(crate) fn psql(url: &str, sql: &str) -> String {
    let mut psql = Command::new(ClientPrograms::find(1).unwrap().bin_dir.join("psql"));
    psql.args(["--no-psqlrc", "-v", "ON_ERROR_STOP=1", "-Atq", "--command", sql, url]);
    succeed(&psql.output().unwrap()).trim().to_owned()
}

/// Gives a command the environment of another one.
pub(crate) fn copy_environment(from: &Command, to: &mut Command) {
    for (name, value) in from.get_envs() {
        match value {
            Some(value) => to.env(name, value),
            None => to.env_remove(name),
        };
    }
}

/// All files in a folder and below it.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = match std::fs::read_dir(folder) {
        // A running Postgres removes its folders of temporary files.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Vec::new(),
        entries => entries.unwrap(),
    };
    let paths = entries.map(|entry| entry.unwrap().path());
    let paths = paths.filter(|path| !path.is_symlink());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Whether the Postgres of this directory is running, by its pid file.
pub(crate) fn cluster_runs(data_dir: &Path) -> bool {
    data_dir.join("postgres/postmaster.pid").exists()
}

/// The process id of this directory's Postgres; empty if it is not running.
pub(crate) fn postmaster(data_dir: &Path) -> String {
    let file = std::fs::read_to_string(data_dir.join("postgres/postmaster.pid")).unwrap_or_default();
    file.lines().next().unwrap_or_default().to_owned()
}

/// Ends a process as in a crash.
pub(crate) fn kill(pid: &str) {
    assert!(signal("KILL", &[pid.to_owned()]));
}

/// Creates a user with a password from standard input.
pub(crate) fn create_user(data_dir: &Path, workspace: &str, email: &str, role: &str, password: &str) -> Output {
    create_user_by(command(data_dir), workspace, email, role, password)
}

/// Like [`create_user`], with a command that has its own settings.
pub(crate) fn create_user_by(mut command: Command, workspace: &str, email: &str, role: &str, password: &str) -> Output {
    command.args(["user", "create", "--workspace", workspace, "--email", email, "--name", "Ann", "--role", role]);
    output_of(command.args(["--password-stdin", "--json"]), password).unwrap()
}

/// Logs a user in; returns the access token.
pub(crate) fn log_in(service: &Service, email: &str, password: &str) -> String {
    let body = json!({"email": email, "password": password}).to_string();
    text(&body_of(&service.post("/api/auth/login", "none", &body), 200)["data"]["access_token"])
}

/// Checks the status; returns the body as JSON.
pub(crate) fn body_of(response: &str, status: u16) -> Value {
    assert!(response.starts_with(&format!("HTTP/1.1 {status} ")), "{response}");
    serde_json::from_str(response.split_once("\r\n\r\n").unwrap().1).unwrap()
}
