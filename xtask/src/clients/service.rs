//! The service as an operator starts it, in a folder of its own.

use std::fs::{File, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value as Json;
use tempfile::TempDir;

/// How long it may take to end, Postgres and all.
const WAIT_TIMEOUT: Duration = Duration::from_mins(1);
/// What this run asks in a minute stays far below.
const REQUESTS_PER_MINUTE: &str = "requests_per_minute=100000";
const BULK_PER_MINUTE: &str = "100000";
const WORKSPACE: &str = "clients";

/// A folder that the account which Postgres runs as can reach; gone with the value.
pub(super) fn folder() -> Result<TempDir> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).context("cannot open the folder")?;
    Ok(folder)
}

/// A service that runs; dropped, it is killed.
pub(super) struct Service {
    child: Child,
    /// Hangs up when its output ends, which is when it does.
    ended: Receiver<()>,
    program: PathBuf,
    folder: PathBuf,
    /// `host:port`, as it said at its start.
    pub(super) address: String,
}

impl Service {
    /// Starts one that is known to its users as `public_url`, and waits until it listens.
    pub(super) fn start(program: &Path, folder: &Path, public_url: &str) -> Result<Self> {
        let log = File::create(folder.join("service.log")).context("cannot make the log")?;
        let mut command = command(program, folder);
        command.env("SERVICE_PUBLIC_URL", public_url).env("SERVICE_LIMIT_BULK", BULK_PER_MINUTE);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log);
        let child = command.spawn().with_context(|| format!("cannot run {}", program.display()))?;
        let (running, ended) = channel();
        let mut service = Self { child, ended, program: program.into(), folder: folder.into(), address: String::new() };
        let output = service.child.stdout.take().context("the service has no output")?;
        let mut lines = BufReader::new(output).lines();
        let Some(Ok(first)) = lines.next() else { bail!("the service ended at its start: {}", service.log()) };
        let address = first.split("http://").nth(1).and_then(|rest| rest.split(' ').next());
        address.with_context(|| format!("no address in: {first}"))?.clone_into(&mut service.address);
        // Read on, so that it never waits for a reader.
        thread::spawn(move || {
            lines.for_each(drop);
            drop::<Sender<()>>(running);
        });
        Ok(service)
    }

    /// Makes a workspace and a key that may do everything there.
    pub(super) fn make_key(&self) -> Result<String> {
        let named = ["--workspace", WORKSPACE, "--json"];
        self.operate(&[
            "workspace",
            "create",
            "--name",
            "Clients",
            "--slug",
            WORKSPACE,
            "--plan",
            "enterprise",
            "--json",
        ])?;
        self.operate(&[&["workspace", "update", "--limit", REQUESTS_PER_MINUTE], &named[..]].concat())?;
        let made =
            self.operate(&[&["key", "create", "--name", "All", "--preset", "full_access"], &named[..]].concat())?;
        let key = made["key"].as_str().context("no key was told")?;
        Ok(key.to_owned())
    }

    /// What a command of an operator prints.
    fn operate(&self, arguments: &[&str]) -> Result<Json> {
        let said = command(&self.program, &self.folder).args(arguments).stdin(Stdio::null()).output();
        let said = said.with_context(|| format!("cannot run {}", self.program.display()))?;
        let what = arguments[..2].join(" ");
        ensure!(said.status.success(), "{what} failed: {}", String::from_utf8_lossy(&said.stderr));
        serde_json::from_slice(&said.stdout).with_context(|| format!("{what} printed no JSON"))
    }

    /// Asks it to end, and waits until it did, with its Postgres.
    pub(super) fn end(mut self) -> Result<()> {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status().context("cannot run kill")?;
        ensure!(sent.success(), "the service ended before its time: {}", self.log());
        if matches!(self.ended.recv_timeout(WAIT_TIMEOUT), Err(RecvTimeoutError::Timeout)) {
            bail!("the service does not end: {}", self.log());
        }
        let status = self.child.wait().context("cannot wait for the service")?;
        ensure!(status.success(), "the service ended with {status}: {}", self.log());
        Ok(())
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("service.log")).unwrap_or_default()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program with its own settings alone, whatever the environment has.
fn command(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name == "DATABASE_URL" || name.starts_with("SERVICE_") {
            command.env_remove(&*name);
        }
    }
    command.env("SERVICE_DATA_DIR", folder).env("SERVICE_BIND", "127.0.0.1:0").current_dir(folder);
    command
}
