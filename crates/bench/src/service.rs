//! The service in its own process.

use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
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
pub(crate) struct Program {
    path: PathBuf,
    data: PathBuf,
}

impl Program {
    /// Uses this data directory.
    pub(crate) fn new(path: &Path, data: &Path) -> Self {
        Self { path: path.to_owned(), data: data.to_owned() }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        // Settings in the caller's environment must not affect the measurement.
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("SERVICE_") || name == "DATABASE_URL" {
                command.env_remove(&*name);
            }
        }
        for name in ["SERVICE_LIMIT_ANONYMOUS", "SERVICE_LIMIT_CRITICAL", "SERVICE_LIMIT_BULK"] {
            command.env(name, "1000000");
        }
        command
            .env("SERVICE_DATA_DIR", &self.data)
            .env("SERVICE_BIND", "127.0.0.1:0")
            .env("SERVICE_LOG", "warn")
            .env("SERVICE_WEBHOOK_ALLOW_HTTP", "true")
            .env("SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS", "true")
            // The configuration file is read from the working directory.
            .current_dir(&self.data);
        command
    }

    /// Runs an operator command that prints one JSON object.
    pub(crate) fn operate(&self, arguments: &[&str], input: &str) -> anyhow::Result<Value> {
        let mut command = self.command();
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
    pub(crate) fn start(&self, dispatcher: &str) -> anyhow::Result<Service> {
        let mut command = self.command();
        command.arg("serve").env("SERVICE_DISPATCHER", dispatcher).stdin(Stdio::null()).stdout(Stdio::piped());
        let child = command.spawn().with_context(|| format!("cannot run {}", self.path.display()))?;
        let pid = child.id();
        let ((address_to, address), (ended_to, ended)) = (mpsc::channel(), mpsc::channel());
        std::thread::spawn(move || watch(child, &address_to, &ended_to));
        let mut service =
            Service { pid, ended, has_ended: false, data: self.data.clone(), address: ([0; 4], 0).into() };
        service.address = address.recv_timeout(START_TIMEOUT).context("the service did not start")?;
        Ok(service)
    }
}

/// Reads the output of the service, so that the pipe never fills up and its exit is noticed.
fn watch(mut child: Child, address_to: &Sender<SocketAddr>, ended_to: &Sender<()>) {
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
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
pub(crate) struct Service {
    pub(crate) address: SocketAddr,
    pid: u32,
    ended: Receiver<()>,
    has_ended: bool,
    data: PathBuf,
}

impl Service {
    /// Stops the service gracefully, and its Postgres with it.
    pub(crate) fn stop(mut self) -> anyhow::Result<()> {
        self.end()
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
            eprintln!("bench: {error:#}");
        }
    }
}
