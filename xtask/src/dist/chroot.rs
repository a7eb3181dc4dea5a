//! Tries the Debian package and the container file in minimal systems, which mmdebstrap unpacks.

mod containerfile;
mod postgres;
mod stage;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use self::containerfile::Containerfile;
use self::stage::Stage;
use super::{Build, files};
use crate::clients::packages::{output, run_quietly};
use crate::not_run::NotRun;

/// Required programs, in addition to root.
const NEEDED: [&str; 2] = ["mmdebstrap", "unshare"];

pub(super) fn run(build: &Build, package: &Path, not_run: &mut NotRun) -> Result<()> {
    let is_root = output("id", ["-u"]).as_deref() == Some("0");
    let missing = NEEDED.into_iter().find(|program| output(program, ["--version"]).is_none());
    if let Some(missing) = missing.or((!is_root).then_some("root")) {
        not_run.add("the Debian package and the container file, in a bare system", missing);
        return Ok(());
    }
    let folder = tempfile::tempdir().context("cannot create a temporary directory")?;
    installed(build, package, folder.path())?;
    contained(build, folder.path())
}

/// Unpacks a system of the same Debian release as this machine, with these packages.
fn system(root: &Path, packages: &[&str], more: &[String]) -> Result<()> {
    let about = fs::read_to_string("/etc/os-release").context("cannot read which system this is")?;
    let release = about.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    let release = release.context("/etc/os-release names no release")?;
    let mut command = Command::new("mmdebstrap");
    command.args(["--quiet", "--variant=apt", "--mode=root"]).args(more);
    if !packages.is_empty() {
        command.arg(format!("--include={}", packages.join(",")));
    }
    run_quietly(command.arg(release).arg(root), "mmdebstrap")?;
    Ok(())
}

/// Installs the package, and runs the service as the package's account.
fn installed(build: &Build, package: &Path, folder: &Path) -> Result<()> {
    let root = folder.join("debian");
    let copied = format!("--customize-hook=copy-in {} /root", package.display());
    let name = package.file_name().unwrap_or_default().to_string_lossy();
    let install = format!(
        "--customize-hook=chroot \"$1\" apt-get install --yes --no-install-recommends systemd-standalone-sysusers /root/{name}"
    );
    system(&root, &[], &[copied, install])?;
    let inside = |line: &str| run_quietly(Command::new("chroot").arg(&root).args(["sh", "-ec", line]), line);
    let output = inside("workspace-service --version")?;
    ensure!(output == build.shown_version("workspace-service"), "the installed program says {output:?}");
    let owner = inside("stat --format '%U:%G %a' /etc/workspace-service/workspace-service.toml")?;
    ensure!(owner == "root:workspace-service 640", "the settings have owner and mode {owner}");
    let account = inside("getent passwd workspace-service")?;
    ensure!(account.contains("/var/lib/workspace-service"), "the account is {account}");
    // Without Postgres on the machine, the error suggests a fix.
    let output = inside(
        "install -d -o workspace-service -g workspace-service /var/lib/workspace-service
         ! setpriv --reuid workspace-service --regid workspace-service --clear-groups \
             workspace-service --config /etc/workspace-service/workspace-service.toml migrate 2>&1",
    )?;
    ensure!(output.contains("apt-get install postgresql"), "without Postgres it says {output:?}");
    inside("apt-get purge --yes workspace-service && test ! -e /etc/workspace-service/workspace-service.toml")?;
    println!("dist: the Debian package was installed, used and purged");
    Ok(())
}

/// Runs the steps of the container file, and then its entry point.
fn contained(build: &Build, folder: &Path) -> Result<()> {
    let path = build.root.join("packaging/Containerfile");
    let file = Containerfile::parse(&fs::read_to_string(&path)?).with_context(|| path.display().to_string())?;
    let mut stages: Vec<Stage> = Vec::new();
    for (number, steps) in file.stages.iter().enumerate() {
        let root = folder.join(format!("stage-{number}"));
        let stage = Stage::run(build, steps, &root, &stages)?;
        stages.push(stage);
    }
    let last = stages.last().context("the container file has no stage")?;
    last.serve(folder)?;
    println!("dist: the {} stages of the container file were run, and its command and health check", stages.len());
    Ok(())
}

/// A copy of the sources, as a builder sends them.
fn context(build: &Build, to: &Path) -> Result<PathBuf> {
    files::empty(to)?;
    let mut archive = Command::new("sh");
    archive
        .args(["-ec", "git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -C \"$0\""]);
    run_quietly(archive.arg(to).current_dir(&build.root), "the copy of the sources")?;
    Ok(to.to_owned())
}
