//! Files and folders of packages.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use ring::digest::{SHA256, digest};

/// Makes the folder, without anything that was in it.
pub(super) fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}

/// Copies a file to a place whose folders need not exist.
pub(super) fn place(from: &Path, to: &Path, mode: u32) -> Result<()> {
    let copied = || format!("cannot copy {} to {}", from.display(), to.display());
    fs::create_dir_all(to.parent().unwrap_or(to)).with_context(copied)?;
    fs::copy(from, to).with_context(copied)?;
    fs::set_permissions(to, Permissions::from_mode(mode)).with_context(copied)
}

/// All files below a folder by their paths in it, sorted.
pub(super) fn below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(one) = open.pop() {
        for entry in fs::read_dir(&one).with_context(|| format!("cannot list {}", one.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path.strip_prefix(folder)?.to_owned());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Writes `FILE.sha256` beside a file, which `sha256sum --check` reads.
pub(super) fn write_hash(path: &Path) -> Result<()> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let line = format!("{}  {name}\n", hex::encode(digest(&SHA256, &bytes).as_ref()));
    let beside = path.with_file_name(format!("{name}.sha256"));
    fs::write(&beside, line).with_context(|| format!("cannot write {}", beside.display()))
}

/// A gzip-compressed tar of a folder, which is in it by its own name. The same files give the same bytes.
pub(super) fn write_tar_gz(folder: &Path, to: &Path) -> Result<()> {
    let written = || format!("cannot write {}", to.display());
    let name = Path::new(folder.file_name().unwrap_or_default());
    let file = fs::File::create(to).with_context(written)?;
    let mut tar = tar::Builder::new(flate2::write::GzEncoder::new(file, flate2::Compression::best()));
    for path in below(folder)? {
        let bytes = fs::read(folder.join(&path)).with_context(written)?;
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len().try_into()?);
        header.set_mode(fs::metadata(folder.join(&path))?.permissions().mode() & 0o777);
        // Not 0: some programs take that for a missing time.
        header.set_mtime(1);
        tar.append_data(&mut header, name.join(&path), &*bytes).with_context(written)?;
    }
    tar.into_inner()?.finish().with_context(written)?;
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
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(fs::File::open(&first).unwrap()));
        let entries = archive.entries().unwrap().map(|entry| {
            let entry = entry.unwrap();
            (entry.path().unwrap().display().to_string(), entry.header().mode().unwrap())
        });
        let expected = [("package/README.md".to_owned(), 0o644), ("package/bin/program".to_owned(), 0o755)];
        assert_eq!(entries.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_hash_is_beside_its_file() {
        let top = tempfile::tempdir().unwrap();
        let path = top.path().join("a.tar.gz");
        fs::write(&path, "abc").unwrap();
        write_hash(&path).unwrap();
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a.tar.gz\n";
        assert_eq!(fs::read_to_string(top.path().join("a.tar.gz.sha256")).unwrap(), expected);
    }
}
