//! Files and folders of packages.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use ring::digest::{SHA256, digest};

use crate::clients::packages::run_quietly;

/// Creates the folder, and removes any previous content.
pub(super) fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}

/// Copies a file, and creates the folders of the target.
pub(super) fn place(from: &Path, to: &Path, mode: u32) -> Result<()> {
    let copied = || format!("cannot copy {} to {}", from.display(), to.display());
    fs::create_dir_all(to.parent().unwrap_or(to)).with_context(copied)?;
    fs::copy(from, to).with_context(copied)?;
    fs::set_permissions(to, Permissions::from_mode(mode)).with_context(copied)
}

/// The relative paths of all files below a folder, sorted.
pub(super) fn below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(one) = open.pop() {
        for entry in fs::read_dir(&one).with_context(|| format!("cannot list {}", one.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else {
                paths.push(path.strip_prefix(folder)?.to_owned());
            }
        }
    }
    paths.sort();
    Ok(paths)
}

/// Writes `FILE.sha256` next to the file, for `sha256sum --check`.
pub(super) fn write_hash(path: &Path) -> Result<()> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let line = format!("{}  {name}\n", hex::encode(digest(&SHA256, &bytes).as_ref()));
    let hash_file = path.with_file_name(format!("{name}.sha256"));
    fs::write(&hash_file, line).with_context(|| format!("cannot write {}", hash_file.display()))
}

/// Writes a gzip-compressed tar that contains the folder itself. The same files give the same bytes.
pub(super) fn write_tar_gz(folder: &Path, to: &Path) -> Result<()> {
    let name = folder.file_name().context("the folder has no name")?;
    // Some programs treat a time of 0 as missing.
    let options = ["--sort=name", "--mtime=@1", "--owner=0", "--group=0", "--numeric-owner", "-c"];
    let mut tar = Command::new("tar");
    tar.args(options).arg("--use-compress-program=gzip -n").arg("-f").arg(to);
    run_quietly(tar.arg("-C").arg(folder.parent().unwrap_or(folder)).arg(name), "tar")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tar_has_the_modes_and_is_the_same_each_time() {
        let top = tempfile::tempdir().unwrap();
        let (folder, source) = (top.path().join("package"), top.path().join("source"));
        fs::write(&source, "text").unwrap();
        place(&source, &folder.join("bin/program"), 0o755).unwrap();
        place(&source, &folder.join("README.md"), 0o644).unwrap();
        let [first, second] = ["first", "second"].map(|name| top.path().join(name));
        write_tar_gz(&folder, &first).unwrap();
        write_tar_gz(&folder, &second).unwrap();
        assert_eq!(fs::read(&first).unwrap(), fs::read(&second).unwrap());
        let mut list = Command::new("tar");
        let names = run_quietly(list.args(["--list", "--verbose", "-f"]).arg(&first), "tar").unwrap();
        assert!(names.lines().any(|line| line.starts_with("-rwxr-xr-x 0/0") && line.ends_with("package/bin/program")));
        assert!(names.lines().any(|line| line.starts_with("-rw-r--r-- 0/0") && line.ends_with("package/README.md")));
    }

    #[test]
    fn a_hash_is_written_next_to_its_file() {
        let top = tempfile::tempdir().unwrap();
        let path = top.path().join("a.tar.gz");
        fs::write(&path, "abc").unwrap();
        write_hash(&path).unwrap();
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a.tar.gz\n";
        assert_eq!(fs::read_to_string(top.path().join("a.tar.gz.sha256")).unwrap(), expected);
    }
}
