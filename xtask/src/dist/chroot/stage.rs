//! Runs the steps of one stage in a folder that stands for its image.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use test_support::program::free_address;

use super::super::{Build, COMMIT};
use super::containerfile::{StageSteps, Step};
use super::postgres::Postgres;
use super::{context, system};
use crate::clients::packages::{output, run_quietly};

/// Where the Rust image keeps the toolchain and cargo's cache.
const CARGO_HOME: &str = "/usr/local/cargo";
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/// How long the service may take to become ready, and to stop.
const TIMEOUT: Duration = Duration::from_mins(2);
const PAUSE: Duration = Duration::from_millis(200);

/// A stage whose steps were run.
pub(super) struct Stage {
    root: PathBuf,
    name: Option<String>,
    /// Environment variables of the container.
    variables: BTreeMap<String, String>,
    /// Environment variables of the steps only.
    arguments: BTreeMap<String, String>,
    folder: String,
    user: String,
    healthcheck: Vec<String>,
    entrypoint: Vec<String>,
    command: Vec<String>,
    /// Folders of this machine that are mounted, with their paths in the stage.
    mounts: Vec<(PathBuf, String)>,
}

impl Stage {
    pub(super) fn run(build: &Build, steps: &StageSteps, root: &Path, earlier: &[Self]) -> Result<Self> {
        let mut stage = Self::of_image(build, steps, root)?;
        for step in &steps.steps {
            stage.step(build, step, earlier).with_context(|| format!("{step:?}"))?;
        }
        Ok(stage)
    }

    /// Prepares the base image. The Rust image is a system with a C compiler and the toolchain of this machine.
    fn of_image(build: &Build, steps: &StageSteps, root: &Path) -> Result<Self> {
        let has_rust = steps.image.contains("/rust:");
        ensure!(has_rust || steps.image.contains("/debian:"), "{} cannot be made here", steps.image);
        system(root, if has_rust { &["gcc", "libc6-dev"] } else { &[] }, &[])?;
        let mut stage = Self {
            root: root.to_owned(),
            name: steps.name.clone(),
            variables: BTreeMap::from([("PATH".to_owned(), PATH.to_owned())]),
            arguments: BTreeMap::new(),
            folder: "/".to_owned(),
            user: "0:0".to_owned(),
            healthcheck: Vec::new(),
            entrypoint: Vec::new(),
            command: Vec::new(),
            mounts: Vec::new(),
        };
        if has_rust {
            let toolchain = PathBuf::from(output("rustc", ["--print", "sysroot"]).context("cannot run rustc")?);
            stage.mounts.push((toolchain, "/usr/local/toolchain".to_owned()));
            // Build results of this machine are reused, and contain the path of the sources here.
            stage.mounts.push((build.root.clone(), build.root.display().to_string()));
            stage.variables.insert("PATH".to_owned(), format!("/usr/local/toolchain/bin:{PATH}"));
            stage.variables.insert("CARGO_HOME".to_owned(), CARGO_HOME.to_owned());
            stage.variables.insert("CARGO_NET_OFFLINE".to_owned(), "true".to_owned());
        }
        Ok(stage)
    }

    fn step(&mut self, build: &Build, step: &Step, earlier: &[Self]) -> Result<()> {
        match step {
            Step::Variable { name, value, stays: true } => {
                self.variables.insert(name.clone(), value.clone());
            }
            Step::Variable { name, value, stays: false } => {
                let value = build_argument(build, name).unwrap_or_else(|| value.clone());
                self.arguments.insert(name.clone(), value);
            }
            Step::Workdir(folder) => {
                self.folder.clone_from(folder);
                run_quietly(Command::new("mkdir").arg("-p").arg(self.inside(folder)), "mkdir")?;
            }
            Step::User(user) => self.user.clone_from(user),
            Step::Copy { from: Some(name), source, target } => {
                let stage = earlier.iter().find(|stage| stage.name.as_ref() == Some(name));
                let source = stage.with_context(|| format!("no stage {name}"))?.inside(source);
                // Builders copy the content of a folder, not the folder itself.
                run_quietly(Command::new("cp").arg("-a").arg(source.join(".")).arg(self.inside(target)), "cp")?;
            }
            Step::Copy { from: None, source, target } => {
                ensure!(source == "." && target == ".", "only the whole of the sources can be copied here");
                context(build, &self.inside(&self.folder))?;
            }
            Step::Run { caches, line } => {
                let mut mounts = self.mounts.clone();
                mounts.extend(
                    caches
                        .iter()
                        .map(|cache| Ok((cached(build, cache)?, cache.clone())))
                        .collect::<Result<Vec<_>>>()?,
                );
                let command = ["sh", "-ec", line].map(str::to_owned);
                run_quietly(&mut self.command(&command, &mounts, &self.arguments), line)?;
            }
            Step::Healthcheck(command) => self.healthcheck.clone_from(command),
            Step::Entrypoint(command) => self.entrypoint.clone_from(command),
            Step::Command(command) => self.command.clone_from(command),
        }
        Ok(())
    }

    fn inside(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    /// A command inside the stage. Its mounts are removed when it ends.
    fn command(&self, words: &[String], mounts: &[(PathBuf, String)], more: &BTreeMap<String, String>) -> Command {
        let mut script = "mount -t proc proc \"$0/proc\"\n".to_owned();
        for (from, to) in mounts {
            let (from, to) = (from.display(), self.inside(to).display().to_string());
            script.extend([format!("mkdir -p '{to}'\nmount --bind '{from}' '{to}'\n")]);
        }
        script += "exec chroot --userspec=\"$1\" \"$0\" env -i --chdir=\"$2\" \"${@:3}\"";
        let mut command = Command::new("unshare");
        command.args(["--mount", "--propagation", "private", "bash", "-ec", &script]).arg(&self.root);
        command.args([&self.user, &self.folder]);
        command.args(self.variables.iter().chain(more).map(|(name, value)| format!("{name}={value}")));
        command.args(words).stdin(Stdio::null());
        command
    }

    /// Runs the entry point until the health check succeeds, then stops it as a container runtime does.
    pub(super) fn serve(&self, folder: &Path) -> Result<()> {
        ensure!(!self.healthcheck.is_empty(), "the last stage has no health check");
        ensure!(self.user.split(':').next() != Some("0"), "the last stage runs as root");
        let postgres = Postgres::start(&folder.join("database"))?;
        let key = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, [7; 32]);
        let settings = [
            ("DATABASE_URL", format!("{}?sslmode=disable", postgres.url)),
            ("SERVICE_MASTER_KEY", key),
            // The ports of the file and the default ones may be in use on this machine.
            ("SERVICE_BIND", "127.0.0.1:0".to_owned()),
            ("SERVICE_ADMIN_BIND", free_address()?.to_string()),
            ("SERVICE_DRAIN_SECONDS", "0".to_owned()),
        ];
        let settings = BTreeMap::from(settings.map(|(name, value)| (name.to_owned(), value)));
        let words = [&self.entrypoint[..], &self.command[..]].concat();
        let mut running = Running(self.command(&words, &[], &settings).stdout(Stdio::null()).spawn()?);
        let start = Instant::now();
        while let Err(error) = run_quietly(&mut self.command(&self.healthcheck, &[], &settings), "the health check") {
            if let Some(status) = running.0.try_wait()? {
                bail!("the service ended with {status}");
            }
            ensure!(start.elapsed() < TIMEOUT, "the service does not get ready: {error:#}");
            pause();
        }
        running.end()
    }
}

/// A build argument, as given by `--build-arg`.
fn build_argument(build: &Build, name: &str) -> Option<String> {
    match name {
        "PROFILE" => Some(build.profile.clone()),
        "FOLDER" => Some(build.programs.file_name()?.to_string_lossy().into_owned()),
        COMMIT => build.commit_of_version().map(str::to_owned),
        _ => None,
    }
}

/// The folder that serves as a builder's cache.
fn cached(build: &Build, folder: &str) -> Result<PathBuf> {
    if folder.ends_with("/target") {
        return Ok(build.target_dir.clone());
    }
    ensure!(folder == format!("{CARGO_HOME}/registry"), "nothing stands for the cache {folder}");
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    Ok(home.context("neither CARGO_HOME nor HOME is set")?.join("registry"))
}

/// A process, killed on drop. It is the service itself, since every wrapper executes the next program in place.
pub(super) struct Running(pub(super) Child);

impl Running {
    fn end(mut self) -> Result<()> {
        run_quietly(Command::new("kill").args(["-TERM", &self.0.id().to_string()]), "kill")?;
        let start = Instant::now();
        while start.elapsed() < TIMEOUT {
            if let Some(status) = self.0.try_wait()? {
                ensure!(status.success(), "the service ended with {status}");
                return Ok(());
            }
            pause();
        }
        bail!("the service does not end")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[expect(clippy::disallowed_methods, reason = "polls a process, with a bound")]
fn pause() {
    thread::sleep(PAUSE);
}
