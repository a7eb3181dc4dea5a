//! Fetches packages with npm, which uses the configured registry, mirrors and proxies.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::LIST;
use super::check::present;
use super::list::{List, Package, sha256};
use crate::clients::packages::run_quietly;

/// Writes the files of every package. With `pin`, writes their hashes into the list; without, refuses files with other hashes.
pub(super) fn fetch(root: &Path, list: &mut List, pin: bool) -> Result<()> {
    for package in &mut list.packages {
        let package_at_version = format!("{}@{}", package.name, package.version);
        fetch_package(root, package, pin).with_context(|| format!("cannot vendor {package_at_version}"))?;
        println!("{package_at_version}");
    }
    Ok(())
}

/// Removes files that are no longer in the list.
pub(super) fn remove_unlisted(root: &Path, list: &List) -> Result<()> {
    let listed: Vec<PathBuf> = list.stored().map(|(path, _)| path).chain([LIST.into()]).collect();
    for path in present(root, list)?.into_iter().filter(|path| !listed.contains(path)) {
        fs::remove_file(root.join(&path)).with_context(|| format!("cannot remove {}", path.display()))?;
        println!("removed {}", path.display());
    }
    Ok(())
}

fn fetch_package(root: &Path, package: &mut Package, pin: bool) -> Result<()> {
    let draft = tempfile::tempdir().context("cannot create a temporary folder")?;
    let archive = pack(package, draft.path())?;
    let bytes = fs::read(&archive).context("cannot read the package")?;
    accept(&mut package.sha256, sha256(&bytes), "the package", pin)?;
    let unpacked = unpack(&archive, draft.path())?;
    for (path, file) in &mut package.files {
        let target = root.join(&package.folder).join(path);
        let bytes = match &file.from {
            Some(from) => {
                let text = without_source_map(&read(&unpacked.join(from))?)?;
                without_addresses(text, &file.without).with_context(|| path.clone())?
            }
            None => read(&target)?,
        };
        accept(&mut file.sha256, sha256(&bytes), path, pin)?;
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        }
        fs::write(&target, bytes).with_context(|| format!("cannot write {}", target.display()))?;
    }
    Ok(())
}

fn accept(pinned: &mut String, hash: String, what: &str, pin: bool) -> Result<()> {
    if pin {
        *pinned = hash;
        return Ok(());
    }
    ensure!(*pinned == hash, "{what} has the SHA-256 {hash}, and {LIST} says {pinned:?}");
    Ok(())
}

/// Downloads the package as the registry serves it, without running its scripts.
fn pack(package: &Package, into: &Path) -> Result<PathBuf> {
    let mut npm = Command::new("npm");
    npm.args(["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination"]).arg(into);
    // Outside the repository, where npm would read the package.json of the current folder.
    npm.arg(format!("{}@{}", package.name, package.version)).current_dir(into);
    Ok(into.join(run_quietly(&mut npm, "npm pack")?))
}

/// npm packages hold one folder, `package`.
fn unpack(archive: &Path, into: &Path) -> Result<PathBuf> {
    run_quietly(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(into), "tar")?;
    Ok(into.join("package"))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Removes the last line if it names a source map, which browsers would request although it is not served.
fn without_source_map(bytes: &[u8]) -> Result<Vec<u8>> {
    let text = std::str::from_utf8(bytes).context("not UTF-8")?;
    let without_map = text.trim_end().rsplit_once('\n').filter(|(_, last)| last.contains("# sourceMappingURL="));
    Ok(without_map.map_or_else(|| bytes.to_vec(), |(before, _)| format!("{before}\n").into_bytes()))
}

/// Replaces addresses by `data:,`, an empty resource.
fn without_addresses(bytes: Vec<u8>, addresses: &[String]) -> Result<Vec<u8>> {
    if addresses.is_empty() {
        return Ok(bytes);
    }
    let mut text = String::from_utf8(bytes).context("not UTF-8")?;
    for address in addresses {
        ensure!(text.contains(address), "there is no {address} to remove: is it another one now?");
        text = text.replace(address, "data:,");
    }
    Ok(text.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_that_name_a_source_map_are_removed() {
        for (text, expected) in [
            ("a{}\n/*# sourceMappingURL=a.css.map */", "a{}\n"),
            ("f();\n//# sourceMappingURL=a.js.map\n", "f();\n"),
            ("a{}\nb{}", "a{}\nb{}"),
            ("a{}", "a{}"),
        ] {
            assert_eq!(without_source_map(text.as_bytes()).unwrap(), expected.as_bytes(), "{text}");
        }
    }

    #[test]
    fn addresses_are_removed_and_must_be_there() {
        let removed = |address: &str| without_addresses(b"load(`//a/b.svg`)".to_vec(), &[address.to_owned()]);
        assert_eq!(removed("//a/b.svg").unwrap(), b"load(`data:,`)");
        assert!(removed("//a/c.svg").unwrap_err().to_string().starts_with("there is no //a/c.svg"));
    }

    #[test]
    fn another_hash_is_refused_unless_it_is_to_be_pinned() {
        let mut pinned = "old".to_owned();
        let refused = accept(&mut pinned, "new".to_owned(), "a.js", false).unwrap_err().to_string();
        assert!(refused.starts_with("a.js has the SHA-256 new, and "), "{refused}");
        accept(&mut pinned, "new".to_owned(), "a.js", true).unwrap();
        assert_eq!(pinned, "new");
    }
}
