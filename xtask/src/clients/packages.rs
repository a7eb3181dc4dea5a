//! Packages at pinned versions in the user's cache, fetched by the package managers of their languages, which use the
//! configured mirrors and proxies. Each directory is named after a hash of its pins, so a second run fetches nothing.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use embedded_postgres::{fetch_once, wheel_cache_dir};
use ring::digest::{SHA256, digest};

/// Minimum Node version of the conformance suite.
const NODE_MAJOR: u32 = 22;

/// What is missing for the Python client, if anything.
pub(crate) fn missing_for_python() -> Option<&'static str> {
    let missing = "python3 of 3.11 or newer with venv; install the package python3-venv";
    lacks_python(11).then_some(missing)
}

/// Whether no Python of at least this minor version can create virtual environments.
pub(crate) fn lacks_python(minor: u32) -> bool {
    let probe = format!("import ensurepip, sys; assert sys.version_info >= (3, {minor})");
    output("python3", ["-c", &*probe]).is_none()
}

/// What is missing for Node packages, if anything.
pub(crate) fn missing_for_node() -> Option<&'static str> {
    output("npm", ["--version"]).is_none().then_some("npm; install the package npm")
}

/// A Python with the official client; `pins` holds its `requirements.txt`.
pub(crate) fn python(pins: &Path) -> Result<PathBuf> {
    venv("python", &pins.join("requirements.txt"), "mcp", &[])
}

/// A Python with the packages that `requirements` pins, one of which is imported as `module`.
pub(crate) fn venv(name: &str, requirements: &Path, module: &str, options: &[&str]) -> Result<PathBuf> {
    let version = output("python3", ["--version"]).context("cannot run python3")?;
    let target = cache_dir_for(name, &[read(requirements)?, version])?;
    let program = target.join("bin/python");
    let import = format!("import {module}");
    let works = || output(&program, ["-c", &import]).is_some();
    if !works() {
        fetch_once(&target, works, |_, folder| {
            eprintln!("xtask: fetching Python packages into {}", target.display());
            succeed(Command::new("python3").args(["-m", "venv"]).arg(folder), "python3 -m venv")?;
            let mut pip = Command::new(folder.join("bin/python"));
            pip.args(["-m", "pip", "install", "--disable-pip-version-check", "--quiet", "--no-deps"]);
            succeed(pip.arg("--only-binary=:all:").args(options).arg("-r").arg(requirements), "pip")
        })?;
        ensure!(works(), "{} cannot import {module}", program.display());
    }
    Ok(program)
}

/// The conformance suite, and the Node that it runs on.
pub(super) struct Suite {
    node: PathBuf,
    script: PathBuf,
    modules: PathBuf,
}

impl Suite {
    pub(super) fn command(&self) -> Command {
        let mut command = self.node();
        command.arg(&self.script);
        command
    }

    pub(super) fn node(&self) -> Command {
        Command::new(&self.node)
    }

    /// The installed packages, which include the official client.
    pub(super) fn modules(&self) -> &Path {
        &self.modules
    }

    fn in_folder(folder: &Path) -> Self {
        let modules = folder.join("node_modules");
        let script = modules.join("@modelcontextprotocol/conformance/dist/index.js");
        Self { node: node_of(&modules), script, modules }
    }

    fn works(&self) -> bool {
        self.node_major().is_some_and(|major| major >= NODE_MAJOR) && self.script.is_file()
    }

    fn node_major(&self) -> Option<u32> {
        output(&self.node, ["--version"])?.trim_start_matches('v').split('.').next()?.parse().ok()
    }
}

/// The Node for packages in this folder: the one from npm in CI, the installed one elsewhere.
pub(crate) fn node_of(modules: &Path) -> PathBuf {
    let fetched = modules.join(".bin/node");
    if fetched.is_file() { fetched } else { PathBuf::from("node") }
}

/// The conformance suite; `pins` holds its `package.json` and `package-lock.json`.
pub(super) fn conformance(pins: &Path) -> Result<Suite> {
    let target = npm_place("conformance", pins)?;
    let works = || Suite::in_folder(&target).works();
    if !works() {
        npm(&target, pins, works)?;
        ensure!(works(), "the conformance suite needs Node {NODE_MAJOR} or newer, and this machine has none");
    }
    Ok(Suite::in_folder(&target))
}

/// A directory with the packages that `package.json` and `package-lock.json` in `pins` name, one of which has `file`.
pub(crate) fn node_modules(name: &str, pins: &Path, file: &str) -> Result<PathBuf> {
    let target = npm_place(name, pins)?;
    let modules = target.join("node_modules");
    let works = || modules.join(file).is_file();
    if !works() {
        npm(&target, pins, works)?;
        ensure!(works(), "{} has no {file}", modules.display());
    }
    Ok(modules)
}

fn npm_files(pins: &Path) -> [PathBuf; 2] {
    ["package.json", "package-lock.json"].map(|name| pins.join(name))
}

fn npm_place(name: &str, pins: &Path) -> Result<PathBuf> {
    let [package, lock] = npm_files(pins);
    cache_dir_for(name, &[read(&package)?, read(&lock)?])
}

fn npm(target: &Path, pins: &Path, works: impl Fn() -> bool) -> Result<()> {
    fetch_once(target, works, |_, folder| {
        eprintln!("xtask: fetching npm packages into {}", target.display());
        fs::create_dir(folder).context("cannot create a directory for npm")?;
        for file in &npm_files(pins) {
            fs::copy(file, folder.join(file.file_name().unwrap_or_default())).context("cannot copy the pins")?;
        }
        // No package needs install scripts.
        let mut npm = Command::new("npm");
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(folder);
        succeed(&mut npm, "npm ci")
    })
}

/// The cache directory for the packages pinned by these texts.
fn cache_dir_for(name: &str, pins: &[String]) -> Result<PathBuf> {
    let wheel_dir = wheel_cache_dir().context("neither XDG_CACHE_HOME nor HOME is set")?;
    let hash = hex::encode(&digest(&SHA256, pins.join("\n").as_bytes()).as_ref()[..8]);
    Ok(wheel_dir.with_file_name(format!("client-{name}-{hash}")))
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// A command's output; `None` if it fails or is missing.
pub(crate) fn output<const N: usize>(program: impl AsRef<OsStr>, arguments: [&str; N]) -> Option<String> {
    let output = Command::new(program).args(arguments).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs a command, and returns its output. Shows it only if the command fails.
pub(crate) fn run_quietly(command: &mut Command, what: &str) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot run {what}"))?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{what} failed: {}\n{text}\n{errors}", output.status);
    Ok(text)
}

/// Runs a command whose messages go to the terminal.
pub(crate) fn succeed(command: &mut Command, what: &str) -> Result<()> {
    let status = command.stdin(Stdio::null()).status().with_context(|| format!("cannot run {what}"))?;
    ensure!(status.success(), "{what} failed: {status}");
    Ok(())
}
