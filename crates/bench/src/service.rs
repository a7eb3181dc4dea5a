//! The service in a process of its own.

use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use anyhow::{Context, bail};
use embedded_postgres::{Cluster, ClusterOptions, Durability, Programs};
use serde_json::Value;

/// How long a first start may take, `initdb` included.
const START_TIMEOUT: Duration = Duration::from_mins(1);
/// How long an orderly end may take: requests to receivers are given ten seconds.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);
/// What stands before the address in the line that says that the service is there.
const LISTENS: &str = "listens on http://";

/// How to run the program on a folder of data.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    path: PathBuf,
    data: PathBuf,
}

impl Program {
    /// Keeps its data in this folder.
    pub(crate) fn new(path: &Path, data: &Path) -> Self {
        Self { path: path.to_owned(), data: data.to_owned() }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        // What the caller has set for a service of their own must not change what is measured.
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
            // A configuration file is looked for where it starts.
            .current_dir(&self.data);
        command
    }

    /// Runs an operator's command, which answers with one JSON object.
    pub(crate) fn operate(&self, arguments: &[&str], input: &str) -> anyhow::Result<Value> {
        let mut command = self.command();
        command.args(arguments).arg("--json").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("cannot run {}", self.path.display()))?;
        if let Some(mut stdin) = child.stdin.take() {
            // Most commands read nothing, and may be gone already.
            let _ = stdin.write_all(input.as_bytes());
        }
        let output = child.wait_with_output()?;
        anyhow::ensure!(output.status.success(), "{arguments:?} failed");
        serde_json::from_slice(&output.stdout).with_context(|| format!("{arguments:?} answered no JSON"))
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

/// Reads what the service prints, so that it never waits for a reader, and sees its end.
fn watch(mut child: Child, address_to: &Sender<SocketAddr>, ended_to: &Sender<()>) {
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            let address = line.split_once(LISTENS).and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
            if let Some(address) = address {
                // Nobody listens once the start has failed.
                let _ = address_to.send(address);
            }
        }
    }
    let _ = child.wait();
    let _ = ended_to.send(());
}

/// A service that runs, and ends with this value.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) address: SocketAddr,
    pid: u32,
    ended: Receiver<()>,
    has_ended: bool,
    data: PathBuf,
}

impl Service {
    /// Ends it in order, and its Postgres with it.
    pub(crate) fn stop(mut self) -> anyhow::Result<()> {
        self.end()
    }

    fn end(&mut self) -> anyhow::Result<()> {
        if std::mem::replace(&mut self.has_ended, true) {
            return Ok(());
        }
        self.signal("TERM");
        // A watch that is gone saw the end too.
        if self.ended.recv_timeout(STOP_TIMEOUT) != Err(RecvTimeoutError::Timeout) {
            return Ok(());
        }
        self.signal("KILL");
        // Its Postgres outlives a service that was killed.
        let options = ClusterOptions::new(&self.data, Durability::Full);
        Cluster::join_or_start(&Programs::find_for(&options.data_dir)?, &options)?.stop()?;
        bail!("the service did not end in {} s and was killed", STOP_TIMEOUT.as_secs())
    }

    /// The standard library can only kill. Its process is not yet waited for, or says so in `ended`: the id is its own.
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
