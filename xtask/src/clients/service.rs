//! Runs the service as an operator does, in its own directory.

use std::fs::{File, Permissions};
use std::io::{BufRead, BufReader, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value as Json;
use tempfile::TempDir;

/// Shutdown timeout, Postgres included.
const WAIT_TIMEOUT: Duration = Duration::from_mins(1);
/// Requests per minute, far above what a run sends.
const REQUESTS_PER_MINUTE: &str = "requests_per_minute=100000";
const BULK_PER_MINUTE: &str = "100000";
const WORKSPACE: &str = "clients";
/// Settings without which an operator command would use another database.
const OF_THE_DATABASE: [&str; 2] = ["DATABASE_URL", "SERVICE_MASTER_KEY"];

/// A directory that the account of Postgres can access; removed on drop.
pub(crate) fn folder() -> Result<TempDir> {
    folder_in(&std::env::temp_dir())
}

/// The same below another directory.
pub(crate) fn folder_in(parent: &Path) -> Result<TempDir> {
    let folder = tempfile::tempdir_in(parent).context("cannot create a temporary directory")?;
    std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755))
        .context("cannot set the mode of the directory")?;
    Ok(folder)
}

/// A running service, killed on drop.
pub(crate) struct Service {
    child: Child,
    /// Disconnects when the output ends, i.e. when the service exits.
    ended: Receiver<()>,
    program: PathBuf,
    folder: PathBuf,
    /// The settings of a database that is not its own, for operator commands too.
    database: Vec<(String, String)>,
    /// `host:port`, from its start-up output.
    pub(crate) address: String,
}

impl Service {
    /// Starts the service with these settings and waits until it listens.
    pub(crate) fn start(program: &Path, folder: &Path, settings: &[(&str, &str)]) -> Result<Self> {
        let log = File::create(folder.join("service.log")).context("cannot create the log file")?;
        let mut command = command(program, folder);
        command.env("SERVICE_LIMIT_BULK", BULK_PER_MINUTE).envs(settings.iter().copied());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log);
        let child = command.spawn().with_context(|| format!("cannot run {}", program.display()))?;
        let (running, ended) = channel();
        let mut service = Self {
            child,
            ended,
            program: program.into(),
            folder: folder.into(),
            database: settings
                .iter()
                .filter(|(name, _)| OF_THE_DATABASE.contains(name))
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            address: String::new(),
        };
        let output = service.child.stdout.take().context("the service has no output")?;
        let mut lines = BufReader::new(output).lines();
        let Some(Ok(first)) = lines.next() else { bail!("the service exited during start-up: {}", service.log()) };
        let address = first.split("http://").nth(1).and_then(|rest| rest.split(' ').next());
        address.with_context(|| format!("no address in: {first}"))?.clone_into(&mut service.address);
        // Keep reading, so that the pipe never fills up.
        thread::spawn(move || {
            lines.for_each(drop);
            drop::<Sender<()>>(running);
        });
        Ok(service)
    }

    /// Creates a workspace with a full-access key.
    pub(crate) fn make_key(&self) -> Result<String> {
        self.make_key_in(WORKSPACE)
    }

    /// Creates a workspace of this name with a full-access key.
    pub(crate) fn make_key_in(&self, slug: &str) -> Result<String> {
        let named = ["--workspace", slug, "--json"];
        self.operate(&["workspace", "create", "--name", "Clients", "--slug", slug, "--plan", "enterprise", "--json"])?;
        self.operate(&[&["workspace", "update", "--limit", REQUESTS_PER_MINUTE], &named[..]].concat())?;
        let made =
            self.operate(&[&["key", "create", "--name", "All", "--preset", "full_access"], &named[..]].concat())?;
        let key = made["key"].as_str().context("no key in the output")?;
        Ok(key.to_owned())
    }

    /// Creates a key that manages webhooks of deals, in the workspace of `make_key`.
    pub(crate) fn make_webhook_key(&self) -> Result<String> {
        let named = ["--workspace", WORKSPACE, "--json"];
        let granted =
            ["--permission", "read_deals", "read_webhooks", "create_webhooks", "update_webhooks", "delete_webhooks"];
        let key = ["key", "create", "--name", "Webhooks", "--scope", "deals.read"];
        let made = self.operate(&[&key[..], &granted, &named].concat())?;
        Ok(made["key"].as_str().context("no key in the output")?.to_owned())
    }

    /// An access token of this user, for a workspace by its slug.
    pub(crate) fn sign_in(&self, workspace: &str, email: &str, password: &str) -> Result<String> {
        let body = serde_json::json!({"workspace": workspace, "email": email, "password": password}).to_string();
        let mut login = Command::new("curl");
        login.args(["--silent", "--json", &body]).arg(format!("http://{}/api/auth/login", self.address));
        let said = login.output().context("cannot run curl")?;
        let answer: Json = serde_json::from_slice(&said.stdout).context("the login was answered by no JSON")?;
        let token = answer["data"]["access_token"].as_str();
        Ok(token.with_context(|| format!("the login failed: {answer}"))?.to_owned())
    }

    /// Runs an operator command; returns its JSON output.
    pub(crate) fn operate(&self, arguments: &[&str]) -> Result<Json> {
        self.operate_with(arguments, "")
    }

    /// Runs an operator command that reads a line, such as a password.
    pub(crate) fn operate_with(&self, arguments: &[&str], line: &str) -> Result<Json> {
        let mut input = tempfile::tempfile().context("cannot create a file for the input")?;
        input.write_all(line.as_bytes()).and_then(|()| input.rewind()).context("cannot write the input")?;
        let database = self.database.iter().map(|(name, value)| (name, value));
        let said = command(&self.program, &self.folder).envs(database).args(arguments).stdin(input).output();
        let said = said.with_context(|| format!("cannot run {}", self.program.display()))?;
        let what = arguments[..2].join(" ");
        ensure!(said.status.success(), "{what} failed: {}", String::from_utf8_lossy(&said.stderr));
        serde_json::from_slice(&said.stdout).with_context(|| format!("{what} printed no JSON"))
    }

    /// Stops the service and waits until it has exited, with its Postgres.
    pub(crate) fn end(mut self) -> Result<()> {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status().context("cannot run kill")?;
        ensure!(sent.success(), "the service exited too early: {}", self.log());
        if matches!(self.ended.recv_timeout(WAIT_TIMEOUT), Err(RecvTimeoutError::Timeout)) {
            bail!("the service does not exit: {}", self.log());
        }
        let status = self.child.wait().context("cannot wait for the service")?;
        ensure!(status.success(), "the service exited with {status}: {}", self.log());
        Ok(())
    }

    /// The lines of its log that tell of a fault.
    pub(crate) fn logged_errors(&self) -> Vec<String> {
        self.log().lines().filter(|line| line.contains("ERROR")).map(str::to_owned).collect()
    }

    /// All that it has logged.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("service.log")).unwrap_or_default()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the binary with these settings, and returns what it prints.
pub(crate) fn program_output(
    program: &Path,
    folder: &Path,
    settings: &[(&str, &str)],
    arguments: &[&str],
) -> Result<String> {
    let said = command(program, folder).envs(settings.iter().copied()).args(arguments).stdin(Stdio::null()).output();
    let said = said.with_context(|| format!("cannot run {}", program.display()))?;
    ensure!(said.status.success(), "{} failed: {}", arguments.join(" "), String::from_utf8_lossy(&said.stderr));
    String::from_utf8(said.stdout).context("the program printed no text")
}

/// The binary, without settings inherited from the environment.
fn command(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name == OF_THE_DATABASE[0] || name.starts_with("SERVICE_") {
            command.env_remove(&*name);
        }
    }
    command.env("SERVICE_DATA_DIR", folder).env("SERVICE_BIND", "127.0.0.1:0").current_dir(folder);
    command
}
