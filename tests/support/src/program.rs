//! The service in its own process.

use std::fs::{OpenOptions, Permissions};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use embedded_postgres::{Cluster, ClusterOptions, Durability, Programs};
use serde_json::Value;
use tempfile::TempDir;

/// The password of every user.
pub const PASSWORD: &str = "correct horse battery staple";
/// Timeout of a first start, `initdb` included.
const START_TIMEOUT: Duration = Duration::from_mins(1);
/// Timeout of a graceful shutdown: requests to receivers get ten seconds.
const STOP_TIMEOUT: Duration = Duration::from_mins(1);
/// Precedes the address in the start-up line of the service.
const LISTENING: &str = "listens on http://";

/// A temporary directory that the Postgres account can access.
pub fn data_folder() -> Result<TempDir> {
    data_folder_in(&std::env::temp_dir())
}

/// Like [`data_folder`], in another directory.
pub fn data_folder_in(parent: &Path) -> Result<TempDir> {
    let folder = tempfile::tempdir_in(parent).context("cannot create a temporary directory")?;
    std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755))
        .context("cannot set the mode of the directory")?;
    Ok(folder)
}

/// A free local address. Nothing else on this machine is expected to take it.
pub fn free_address() -> std::io::Result<SocketAddr> {
    TcpListener::bind("127.0.0.1:0")?.local_addr()
}

/// Sends a signal to processes, and returns whether it was sent. Uses the shell's builtin: not every machine has the program.
pub fn signal(name: &str, processes: &[String]) -> bool {
    let mut shell = Command::new("sh");
    shell.args(["-c", "name=$1; shift; kill -s \"$name\" \"$@\"", "sh", name]).args(processes);
    shell.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

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
        program.with("SERVICE_BIND", "127.0.0.1:0")
    }

    /// Uses limits that no measurement reaches, and delivers to receivers on loopback.
    pub fn for_measuring(path: &Path, data: &Path) -> Self {
        let mut program = Self::new(path, data).with("SERVICE_LOG", "warn").allowing_loopback_receivers();
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

    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.settings.push((name.to_owned(), value.to_owned()));
        self
    }

    #[must_use]
    pub fn with_all(self, settings: &[(&str, &str)]) -> Self {
        settings.iter().fold(self, |program, (name, value)| program.with(name, value))
    }

    /// Appends the log to a file, instead of this process's standard error.
    #[must_use]
    pub fn logging_to(mut self, file: &Path) -> Self {
        self.log = Some(file.to_owned());
        self
    }

    /// Its log, if it is written to a file.
    pub fn log(&self) -> String {
        self.log.as_deref().and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default()
    }

    /// The binary, without settings inherited from the environment.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("SERVICE_") || name == "DATABASE_URL" {
                command.env_remove(&*name);
            }
        }
        // The configuration file is read from the working directory.
        command.env("SERVICE_DATA_DIR", &self.data).current_dir(&self.data);
        command.envs(self.settings.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs a command, and returns its output.
    pub fn output(&self, arguments: &[&str], input: &str) -> Result<String> {
        let mut command = self.command();
        command.args(arguments);
        let output = output_of(&mut command, input).with_context(|| format!("cannot run {}", self.path.display()))?;
        ensure!(output.status.success(), "{arguments:?} failed: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).with_context(|| format!("{arguments:?} printed no text"))
    }

    /// Runs an operator command that prints JSON.
    pub fn operate(&self, arguments: &[&str], input: &str) -> Result<Value> {
        let printed = self.output(&[arguments, &["--json"]].concat(), input)?;
        serde_json::from_str(&printed).with_context(|| format!("{arguments:?} did not print JSON"))
    }

    /// Creates a workspace. Returns its id.
    pub fn create_workspace(&self, slug: &str, plan: &str) -> Result<String> {
        let created = self.operate(&["workspace", "create", "--name", slug, "--slug", slug, "--plan", plan], "")?;
        member(&created, "id")
    }

    /// Sets limits of a workspace, such as `requests_per_minute=default`.
    pub fn set_limits(&self, workspace: &str, limits: &[&str]) -> Result<()> {
        let mut arguments = vec!["workspace", "update", "--workspace", workspace];
        arguments.extend(limits.iter().flat_map(|limit| ["--limit", limit]));
        self.operate(&arguments, "")?;
        Ok(())
    }

    /// Creates a user with [`PASSWORD`]. `further` are arguments such as `--operator`.
    pub fn create_user(&self, workspace: &str, email: &str, role: &str, extra: &[&str]) -> Result<()> {
        let user = ["user", "create", "--workspace", workspace, "--email", email, "--name", "Ada", "--role", role];
        self.operate(&[&user[..], extra, &["--password-stdin"]].concat(), &format!("{PASSWORD}\n"))?;
        Ok(())
    }

    /// Creates a key with all scopes. Returns its text.
    pub fn create_key(&self, workspace: &str) -> Result<String> {
        let key = ["key", "create", "--workspace", workspace, "--name", "all", "--preset", "full_access"];
        member(&self.operate(&key, "")?, "key")
    }

    pub fn start(&self) -> Result<Service> {
        let mut command = self.command();
        if let Some(log) = &self.log {
            let file = OpenOptions::new().create(true).append(true).open(log);
            command.stderr(file.with_context(|| format!("cannot write the log {}", log.display()))?);
        }
        command.arg("serve").stdin(Stdio::null()).stdout(Stdio::piped());
        let child = command.spawn().with_context(|| format!("cannot run {}", self.path.display()))?;
        let pid = child.id();
        let ((address_sender, address), (exit_sender, exits)) = (mpsc::channel(), mpsc::channel());
        let output = Arc::default();
        let lines = Arc::clone(&output);
        std::thread::spawn(move || watch(child, &lines, &address_sender, &exit_sender));
        let address_then = ([0; 4], 0).into();
        let program = self.clone();
        let mut service = Service { address: address_then, pid, program, output, exits, exit: None, is_stopped: false };
        let address = address.recv_timeout(START_TIMEOUT);
        service.address = address.with_context(|| format!("the service did not start: {}", self.log()))?;
        Ok(service)
    }

    /// Starts the service with this dispatcher setting.
    pub fn start_dispatching(&self, dispatcher: &str) -> Result<Service> {
        self.clone().with("SERVICE_DISPATCHER", dispatcher).start()
    }
}

/// Runs a command with this input until it exits.
pub fn output_of(command: &mut Command, input: &str) -> std::io::Result<Output> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // Most commands do not read the input, and may have exited.
        let _ = stdin.write_all(input.as_bytes());
    }
    child.wait_with_output()
}

fn member(output: &Value, name: &str) -> Result<String> {
    Ok(output[name].as_str().with_context(|| format!("no {name} in the output"))?.to_owned())
}

/// Reads the output of the service, so that the pipe never fills up and its exit is noticed.
fn watch(
    mut child: Child,
    output: &Mutex<String>,
    address_sender: &Sender<SocketAddr>,
    exit_sender: &Sender<ExitStatus>,
) {
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
            output.push_str(&line);
            output.push('\n');
            let address = line.split_once(LISTENING).and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
            if let Some(address) = address {
                // The receiver is dropped if the start failed.
                let _ = address_sender.send(address);
            }
        }
    }
    if let Ok(status) = child.wait() {
        let _ = exit_sender.send(status);
    }
}

/// A running service, stopped on drop.
#[derive(Debug)]
pub struct Service {
    pub address: SocketAddr,
    pub pid: u32,
    pub program: Program,
    output: Arc<Mutex<String>>,
    exits: Receiver<ExitStatus>,
    exit: Option<ExitStatus>,
    is_stopped: bool,
}

impl Service {
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Its output so far, without the log.
    pub fn output(&self) -> String {
        self.output.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stops the service gracefully, and its Postgres with it.
    pub fn stop(mut self) -> Result<()> {
        self.end()
    }

    /// Kills the service. Its Postgres survives.
    pub fn kill(mut self) -> Result<()> {
        self.is_stopped = true;
        self.send("KILL");
        ensure!(self.exit(STOP_TIMEOUT).is_some(), "the killed service has not ended");
        Ok(())
    }

    fn end(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.is_stopped, true) {
            return Ok(());
        }
        self.send("TERM");
        if let Some(status) = self.exit(STOP_TIMEOUT) {
            ensure!(status.success(), "the service exited with {status}: {}", self.program.log());
            return Ok(());
        }
        self.send("KILL");
        // Postgres survives a killed service.
        let options = ClusterOptions::new(&self.program.data, Durability::Full);
        Cluster::join_or_start(&Programs::find_for(&options.data_dir)?, &options)?.stop()?;
        bail!("the service did not exit within {} s and was killed", STOP_TIMEOUT.as_secs())
    }

    /// The exit status, if it exits within this time.
    fn exit(&mut self, timeout: Duration) -> Option<ExitStatus> {
        self.exit = self.exit.or_else(|| self.exits.recv_timeout(timeout).ok());
        self.exit
    }

    /// The pid is still valid: either the process is not reaped yet, or its exit status was received.
    fn send(&mut self, name: &str) {
        if self.exit(Duration::ZERO).is_none() {
            signal(name, &[self.pid.to_string()]);
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Err(error) = self.end() {
            eprintln!("{error:#}");
        }
    }
}
