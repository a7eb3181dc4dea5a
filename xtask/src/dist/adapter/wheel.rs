//! The wheel: the program as a script, which installers of Python packages put onto the `PATH`.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{NAME, SUMMARY, sources, text_of};
use crate::dist::Build;

pub(super) fn write(build: &Build) -> Result<PathBuf> {
    let program = fs::read(build.program(NAME)).context("cannot read the program")?;
    let (major, minor) = newest_glibc(&program).context("the program names no version of glibc")?;
    let tag = format!("py3-none-manylinux_{major}_{minor}_{}", std::env::consts::ARCH);
    let stem = format!("{}-{}", NAME.replace('-', "_"), build.adapter_version);
    let path = build.made.join(format!("{stem}-{tag}.whl"));
    let about = sources(build);
    let mut wheel = Wheel::create(&path)?;
    wheel.add(&format!("{stem}.data/scripts/{NAME}"), &program, 0o755)?;
    let metadata = metadata(&build.adapter_version, &text_of(&about.join("README.md"))?);
    wheel.add(&format!("{stem}.dist-info/METADATA"), metadata.as_bytes(), 0o644)?;
    let kind = format!("Wheel-Version: 1.0\nGenerator: cargo xtask dist\nRoot-Is-Purelib: false\nTag: {tag}\n");
    wheel.add(&format!("{stem}.dist-info/WHEEL"), kind.as_bytes(), 0o644)?;
    let license = text_of(&about.join("LICENSE"))?;
    wheel.add(&format!("{stem}.dist-info/licenses/LICENSE"), license.as_bytes(), 0o644)?;
    wheel.finish(&format!("{stem}.dist-info/RECORD"))?;
    Ok(path)
}

fn metadata(version: &str, description: &str) -> String {
    format!(
        "Metadata-Version: 2.4\nName: {NAME}\nVersion: {version}\nSummary: {SUMMARY}\nLicense-Expression: Apache-2.0\n\
         License-File: LICENSE\nDescription-Content-Type: text/markdown\n\n{description}"
    )
}

/// A zip file with a record of what is in it.
struct Wheel {
    zip: ZipWriter<File>,
    record: String,
}

impl Wheel {
    fn create(path: &PathBuf) -> Result<Self> {
        let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { zip: ZipWriter::new(file), record: String::new() })
    }

    fn add(&mut self, name: &str, bytes: &[u8], mode: u32) -> Result<()> {
        let hash = URL_SAFE_NO_PAD.encode(digest(&SHA256, bytes).as_ref());
        self.record.push_str(&format!("{name},sha256={hash},{}\n", bytes.len()));
        self.put(name, bytes, mode)
    }

    fn put(&mut self, name: &str, bytes: &[u8], mode: u32) -> Result<()> {
        let added = || format!("cannot add {name} to the wheel");
        // Without a time, the same files give the same bytes.
        self.zip.start_file(name, SimpleFileOptions::default().unix_permissions(mode)).with_context(added)?;
        self.zip.write_all(bytes).with_context(added)
    }

    fn finish(mut self, record: &str) -> Result<()> {
        let lines = format!("{}{record},,\n", self.record);
        self.put(record, lines.as_bytes(), 0o644)?;
        self.zip.finish().context("cannot end the wheel")?;
        Ok(())
    }
}

/// The newest version of glibc whose symbols the program uses: what the tag of the wheel promises to need.
fn newest_glibc(program: &[u8]) -> Option<(u32, u32)> {
    const PREFIX: &[u8] = b"GLIBC_";
    let version = |rest: &[u8]| {
        let end = rest.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'.')?;
        let (major, minor) = std::str::from_utf8(&rest[..end]).ok()?.split_once('.')?;
        Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
    };
    let found = program.windows(PREFIX.len()).enumerate().filter(|(_, window)| *window == PREFIX);
    found.filter_map(|(at, _)| version(&program[at + PREFIX.len()..])).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_of_glibc_counts() {
        let program = b"\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.9\0GLIBC_PRIVATE\0";
        assert_eq!(newest_glibc(program), Some((2, 34)));
        assert_eq!(newest_glibc(b"GCC_3.0\0"), None);
    }
}
