//! Tries the packages the way users do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::json;
use test_support::program::data_folder;

use super::adapter::{NAME, Packages};
use super::{Build, PROGRAMS, files};
use crate::cargo;
use crate::clients::packages::{self, output, run_quietly};
use crate::clients::service;
use crate::not_run::NotRun;
use crate::prepare;

/// Libraries of every Linux with glibc; no others may be linked.
const LIBRARIES: [&str; 5] = ["linux-vdso.so", "ld-linux", "libc.so", "libm.so", "libgcc_s.so"];
/// Threshold of `systemd-analyze security` in tenths. A unit above it is rated worse than "OK".
const MAX_EXPOSURE: &str = "20";
const UNIT: &str = "workspace-service.service";

pub(super) fn tarball(build: &Build, tarball: &Path) -> Result<()> {
    let folder = tempfile::tempdir().context("cannot create a temporary directory")?;
    let name = tarball.file_name().unwrap_or_default().to_string_lossy();
    let mut hash = Command::new("sha256sum");
    run_quietly(hash.args(["--check", &format!("{name}.sha256")]).current_dir(&build.packages), "sha256sum")?;
    run_quietly(Command::new("tar").arg("-xzf").arg(tarball).current_dir(folder.path()), "tar")?;
    let unpacked = folder.path().join(name.trim_end_matches(".tar.gz"));
    for (program, _) in PROGRAMS {
        runs(build, &unpacked.join("bin").join(program), program)?;
        let page = unpacked.join(format!("share/man/man1/{program}.1"));
        ensure!(page.is_file(), "the tarball has no manual page of {program}");
    }
    settings(&unpacked)
}

/// Checks that the service accepts each setting of the example file: it exits on unknown ones.
fn settings(unpacked: &Path) -> Result<()> {
    let mut command = Command::new(unpacked.join("bin/workspace-service"));
    command.arg("--config").arg(unpacked.join("share/doc/workspace-service/workspace-service.toml"));
    // Nothing listens at this address.
    let text = command.args(["--admin-bind", "127.0.0.1:1", "healthcheck"]).output()?;
    let text = String::from_utf8_lossy(&text.stderr).into_owned();
    ensure!(text.contains("does not answer on 127.0.0.1:1"), "with the settings for installations it says {text:?}");
    Ok(())
}

/// Checks the version of a program, and that it needs no library that may be missing.
fn runs(build: &Build, path: &Path, program: &str) -> Result<()> {
    let output = run_quietly(Command::new(path).arg("--version"), program)?;
    let expected = build.shown_version(program);
    ensure!(output == expected, "{program} --version prints {output:?}, not {expected:?}");
    let linked = run_quietly(Command::new("ldd").arg(path), "ldd")?;
    let is_known = |line: &&str| LIBRARIES.iter().any(|library| line.contains(library));
    let unknown: Vec<_> = linked.lines().filter(|line| !is_known(line)).collect();
    ensure!(unknown.is_empty(), "{program} is linked with {unknown:?}");
    Ok(())
}

pub(super) fn debian(build: &Build, package: &Path, not_run: &mut NotRun) -> Result<()> {
    if output("dpkg-deb", ["--version"]).is_none() {
        not_run.add("the Debian package, unpacked", "dpkg-deb");
        return Ok(());
    }
    let folder = tempfile::tempdir().context("cannot create a temporary directory")?;
    let (data, control) = (folder.path().join("data"), folder.path().join("control"));
    run_quietly(Command::new("dpkg-deb").arg("-x").arg(package).arg(&data), "dpkg-deb -x")?;
    run_quietly(Command::new("dpkg-deb").arg("-e").arg(package).arg(&control), "dpkg-deb -e")?;
    for (installed, program) in
        [("workspace-service", "workspace-service"), ("workspace-service-dispatcher", "dispatcher"), (NAME, NAME)]
    {
        runs(build, &data.join("usr/bin").join(installed), program)?;
    }
    let settings = fs::read_to_string(control.join("conffiles")).context("the package has no list of its settings")?;
    ensure!(settings.trim() == "/etc/workspace-service/workspace-service.toml", "its settings are {settings:?}");
    let script = fs::read_to_string(control.join("postinst")).context("the package has no postinst")?;
    ensure!(!script.contains("#DEBHELPER#") && script.contains("deb-systemd-helper"), "postinst lacks the unit");
    unit(&data, not_run)
}

/// Checks the unit against the files of the package, and how much it exposes if the service is compromised.
fn unit(data: &Path, not_run: &mut NotRun) -> Result<()> {
    if output("systemd-analyze", ["--version"]).is_none() {
        not_run.add("the systemd unit", "systemd-analyze");
        return Ok(());
    }
    let units = ["usr/lib/systemd/system", "lib/systemd/system"].map(|folder| data.join(folder));
    let unit = units.iter().map(|folder| folder.join(UNIT)).find(|path| path.is_file());
    let unit = unit.with_context(|| format!("the package has no {UNIT}"))?;
    // Uses the unpacked program: none is installed on this machine.
    let text = fs::read_to_string(&unit)?.replace("/usr/bin/", &format!("{}/usr/bin/", data.display()));
    let unpacked = data.join(UNIT);
    fs::write(&unpacked, text)?;
    run_quietly(Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&unpacked), "systemd-analyze verify")?;
    let mut exposure = Command::new("systemd-analyze");
    exposure.args(["security", "--offline=true", "--no-pager", "--threshold", MAX_EXPOSURE]).arg(&unpacked);
    run_quietly(&mut exposure, "systemd-analyze security")?;
    Ok(())
}

/// Starts the adapter from each package with the official client, against a running service.
pub(super) fn adapter(build: &Build, output: &Packages, not_run: &mut NotRun) -> Result<()> {
    let missing = packages::missing_for_python().or_else(packages::missing_for_node);
    if let Some(missing) = missing {
        not_run.add("the packages of the adapter, with the official client", missing);
        return Ok(());
    }
    let pins = build.root.join("tests/clients");
    let python = packages::python(&pins.join("python"))?;
    let uv = packages::venv("uv", &pins.join("packages/requirements.txt"), "uv", &[])?.with_file_name("uvx");
    prepare::prepare()?;
    let folder = data_folder()?;
    let mut commands = vec![
        json!(["npx", "--yes", "--package", output.npm, "--", NAME]),
        json!([uv, "--offline", "--from", output.wheel, NAME]),
    ];
    if let Some(source) = &output.source {
        commands.push(json!([compile(source, folder.path())?]));
    }
    let service = service::start(&build.program("workspace-service"), folder.path(), &[])?;
    let key = service::make_key(&service, service::WORKSPACE)?;
    let mut tests = Command::new(python);
    tests.args(["-B", "-m", "unittest", "discover", "--verbose", "--start-directory"]);
    tests.arg(pins.join("packages")).current_dir(folder.path());
    tests.env("SERVICE_MCP_API_URL", service.url()).env("SERVICE_MCP_API_KEY", key);
    tests.env("ADAPTER_VERSION", &build.adapter_version).env("ADAPTER_COMMANDS", json!(commands).to_string());
    // Caches of earlier runs must not be used.
    for cache in ["npm_config_cache", "UV_CACHE_DIR"] {
        tests.env(cache, folder.path().join(cache));
    }
    packages::succeed(&mut tests, "the tests of the adapter's packages")?;
    service.stop()
}

/// Compiles the program from the crate as it would be published.
fn compile(source: &Path, folder: &Path) -> Result<PathBuf> {
    let unpacked = folder.join("crate");
    files::empty(&unpacked)?;
    let mut tar = Command::new("tar");
    run_quietly(tar.args(["--strip-components=1", "-xzf"]).arg(source).current_dir(&unpacked), "tar")?;
    let root = folder.join("installed");
    let mut install = cargo::command();
    install.args(["install", "--locked", "--debug", "--path"]).arg(&unpacked).arg("--root").arg(&root);
    packages::succeed(&mut install, "cargo install of the adapter's crate")?;
    Ok(root.join("bin").join(NAME))
}
