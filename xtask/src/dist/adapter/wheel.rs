//! The wheel: contains the program as a script, which Python package installers put on the `PATH`.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};

use super::{NAME, SUMMARY, sources, text_of};
use crate::clients::packages::run_quietly;
use crate::dist::{Build, files};

/// The earliest date in the zip format, so that the same files give the same bytes.
const TIME: Duration = Duration::from_hours(87_672);

pub(super) fn write(build: &Build) -> Result<PathBuf> {
    let program = fs::read(build.program(NAME)).context("cannot read the program")?;
    let (major, minor) = newest_glibc(&program).context("the program names no version of glibc")?;
    let tag = format!("py3-none-manylinux_{major}_{minor}_{}", std::env::consts::ARCH);
    let stem = format!("{}-{}", NAME.replace('-', "_"), build.adapter_version);
    let folder = build.packages.join("wheel");
    files::empty(&folder)?;
    let (scripts, about) = (format!("{stem}.data"), format!("{stem}.dist-info"));
    files::place(&build.program(NAME), &folder.join(&scripts).join("scripts").join(NAME), 0o755)?;
    files::place(&sources(build).join("LICENSE"), &folder.join(&about).join("licenses/LICENSE"), 0o644)?;
    let described = metadata(&build.adapter_version, &text_of(&sources(build).join("README.md"))?);
    fs::write(folder.join(&about).join("METADATA"), described)?;
    let kind = format!("Wheel-Version: 1.0\nGenerator: cargo xtask dist\nRoot-Is-Purelib: false\nTag: {tag}\n");
    fs::write(folder.join(&about).join("WHEEL"), kind)?;
    let record = format!("{about}/RECORD");
    fs::write(folder.join(&record), format!("{}{record},,\n", hashes(&folder)?))?;
    for path in files::below(&folder)? {
        File::open(folder.join(path))?.set_modified(SystemTime::UNIX_EPOCH + TIME)?;
    }
    let path = build.packages.join(format!("{stem}-{tag}.whl"));
    let mut zip = Command::new("python3");
    run_quietly(
        zip.args(["-m", "zipfile", "-c"]).arg(&path).args([scripts, about]).current_dir(&folder),
        "python3 -m zipfile",
    )?;
    fs::remove_dir_all(&folder)?;
    Ok(path)
}

fn metadata(version: &str, description: &str) -> String {
    format!(
        "Metadata-Version: 2.4\nName: {NAME}\nVersion: {version}\nSummary: {SUMMARY}\nLicense-Expression: Apache-2.0\n\
         License-File: LICENSE\nDescription-Content-Type: text/markdown\n\n{description}"
    )
}

/// One line for each file: its path, hash and size.
fn hashes(folder: &Path) -> Result<String> {
    let mut lines = String::new();
    for path in files::below(folder)? {
        let bytes = fs::read(folder.join(&path))?;
        let hash = URL_SAFE_NO_PAD.encode(digest(&SHA256, &bytes).as_ref());
        writeln!(lines, "{},sha256={hash},{}", path.display(), bytes.len())?;
    }
    Ok(lines)
}

/// The newest version of glibc whose symbols the program uses, for the tag of the wheel.
fn newest_glibc(program: &[u8]) -> Option<(u32, u32)> {
    const PREFIX: &[u8] = b"GLIBC_";
    let version = |rest: &[u8]| {
        let end = rest.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'.')?;
        let (major, minor) = std::str::from_utf8(&rest[..end]).ok()?.split_once('.')?;
        Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
    };
    let matches = program.windows(PREFIX.len()).enumerate().filter(|(_, window)| *window == PREFIX);
    matches.filter_map(|(offset, _)| version(&program[offset + PREFIX.len()..])).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_required_version_of_glibc_is_found() {
        let program = b"\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.9\0GLIBC_PRIVATE\0";
        assert_eq!(newest_glibc(program), Some((2, 34)));
        assert_eq!(newest_glibc(b"GCC_3.0\0"), None);
    }
}
