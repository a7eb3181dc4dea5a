//! The service in its own process.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, bail};
use embedded_postgres::{Cluster, ClusterOptions, Durability, Programs};
use serde_json::Value;

/// Timeout of a first start, `initdb` included.
const START_TIMEOUT: Duration = Duration::from_mins(1);
/// Timeout of a graceful shutdown: requests to receivers get ten seconds.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);
/// Precedes the address in the start-up line of the service.
const LISTENS: &str = "listens on http://";

/// Runs the binary with a data directory.
#[derive(Debug, Clone)]
pub struct Program {
    path: PathBuf,
    data: PathBuf,
    settings: Vec<(String, String)>,
    log: Option<PathBuf>,
}

impl Program {
    /// Uses this data directory, any free port, and otherwise the defaults.
    pub fn new(path: &Path, data: &Path) -> Self {
        let program = Self { path: path.to_owned(), data: data.to_owned(), settings: Vec::new(), log: None };
        program.with("SERVICE_BIND", "127.0.0.1:0").with("SERVICE_LOG", "warn")
    }

    /// With limits that no measurement reaches, and deliveries to receivers on loopback.
    pub fn for_measuring(path: &Path, data: &Path) -> Self {
        let mut program = Self::new(path, data).allowing_loopback_receivers();
        for name in ["SERVICE_LIMIT_ANONYMOUS", "SERVICE_LIMIT_CRITICAL", "SERVICE_LIMIT_BULK", "SERVICE_LIMIT_CONSOLE"]
        {
            program = program.with(name, "1000000");
        }
        program
    }

    /// Delivers webhooks to receivers on loopback.
    #[must_use]
    pub fn allowing_loopback_receivers(self) -> Self {
        self.with("SERVICE_WEBHOOK_ALLOW_HTTP", "true").with("SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS", "true")
    }

    /// Sets a variable of its environment.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.settings.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Appends the log to a file, instead of this process's standard error.
    #[must_use]
    pub fn logging_to(mut self, file: &Path) -> Self {
        self.log = Some(file.to_owned());
        self
    }

    fn command(&self) -> anyhow::Result<Command> {
        let mut command = Command::new(&self.path);
        // Settings in the caller's environment must not affect the measurement.
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("SERVICE_") || name == "DATABASE_URL" {
                command.env_remove(&*name);
            }
        }
        // The configuration file is read from the working directory.
        command.env("SERVICE_DATA_DIR", &self.data).current_dir(&self.data);
        command.envs(self.settings.iter().map(|(name, value)| (name, value)));
        if let Some(log) = &self.log {
            let file = OpenOptions::new().create(true).append(true).open(log);
            command.stderr(file.with_context(|| format!("cannot write the log {}", log.display()))?);
        }
        Ok(command)
    }

    /// Runs an operator command that prints one JSON object.
    pub fn operate(&self, arguments: &[&str], input: &str) -> anyhow::Result<Value> {
        let mut command = self.command()?;
        command.args(arguments).arg("--json").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("cannot run {}", self.path.display()))?;
        if let Some(mut stdin) = child.stdin.take() {
            // Most commands do not read stdin and may have exited.
            let _ = stdin.write_all(input.as_bytes());
        }
        let output = child.wait_with_output()?;
        anyhow::ensure!(output.status.success(), "{arguments:?} failed");
        serde_json::from_slice(&output.stdout).with_context(|| format!("{arguments:?} did not print JSON"))
    }

    /// Starts the service.
    pub fn start(&self, dispatcher: &str) -> anyhow::Result<Service> {
        let mut command = self.command()?;
        command.arg("serve").env("SERVICE_DISPATCHER", dispatcher).stdin(Stdio::null()).stdout(Stdio::piped());
        let child = command.spawn().with_context(|| format!("cannot run {}", self.path.display()))?;
        let pid = child.id();
        let ((address_to, address), (ended_to, ended)) = (mpsc::channel(), mpsc::channel());
        let output = Arc::default();
        let lines = Arc::clone(&output);
        std::thread::spawn(move || watch(child, &lines, &address_to, &ended_to));
        let address_then = ([0; 4], 0).into();
        let mut service =
            Service { pid, output, ended, has_ended: false, data: self.data.clone(), address: address_then };
        service.address = address.recv_timeout(START_TIMEOUT).context("the service did not start")?;
        Ok(service)
    }
}

/// Reads the output of the service, so that the pipe never fills up and its exit is noticed.
fn watch(mut child: Child, output: &Mutex<String>, address_to: &Sender<SocketAddr>, ended_to: &Sender<()>) {
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
            output.push_str(&line);
            output.push('\n');
            let address = line.split_once(LISTENS).and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
            if let Some(address) = address {
                // The receiver is dropped if the start failed.
                let _ = address_to.send(address);
            }
        }
    }
    let _ = child.wait();
    let _ = ended_to.send(());
}

/// A running service, stopped with this value.
#[derive(Debug)]
pub struct Service {
    pub address: SocketAddr,
    pub pid: u32,
    output: Arc<Mutex<String>>,
    ended: Receiver<()>,
    has_ended: bool,
    data: PathBuf,
}

impl Service {
    /// What it has printed so far, apart from its log.
    pub fn output(&self) -> String {
        self.output.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stops the service gracefully, and its Postgres with it.
    pub fn stop(mut self) -> anyhow::Result<()> {
        self.end()
    }

    /// Kills the service. Its Postgres survives.
    pub fn kill(mut self) -> anyhow::Result<()> {
        self.has_ended = true;
        self.signal("KILL");
        let ended = self.ended.recv_timeout(STOP_TIMEOUT);
        anyhow::ensure!(ended != Err(RecvTimeoutError::Timeout), "the killed service has not ended");
        Ok(())
    }

    fn end(&mut self) -> anyhow::Result<()> {
        if std::mem::replace(&mut self.has_ended, true) {
            return Ok(());
        }
        self.signal("TERM");
        // A closed channel means it has exited too.
        if self.ended.recv_timeout(STOP_TIMEOUT) != Err(RecvTimeoutError::Timeout) {
            return Ok(());
        }
        self.signal("KILL");
        // Its Postgres survives a killed service.
        let options = ClusterOptions::new(&self.data, Durability::Full);
        Cluster::join_or_start(&Programs::find_for(&options.data_dir)?, &options)?.stop()?;
        bail!("the service did not exit within {} s and was killed", STOP_TIMEOUT.as_secs())
    }

    /// The standard library can only kill. The pid is still valid: the process is not reaped, or `ended` says so.
    fn signal(&self, name: &str) {
        if self.ended.try_recv().is_ok() {
            return;
        }
        let _ = Command::new("sh").args(["-c", "kill -s \"$0\" \"$1\"", name, &self.pid.to_string()]).status();
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Err(error) = self.end() {
            eprintln!("{error:#}");
        }
    }
}
