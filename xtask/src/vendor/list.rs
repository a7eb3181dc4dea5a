//! `vendor.toml`: packages, their versions and licenses, and their vendored files with hashes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use ring::digest::{SHA256, digest};
use serde::Deserialize;

use super::LIST;

const HEAD: &str = "\
# Third-party files from the npm registry that the console and the browser tests use. This list contains the packages with
# versions and licenses, and the SHA-256 of each package and of each stored file.
#
#     cargo xtask vendor            # fetches the files again; refuses files with other hashes
#     cargo xtask vendor --check    # compares the stored files with the hashes, without a network (part of `tidy`)
#     cargo xtask vendor --pin      # accepts the registry's files: use it after changing a version or adding a file here
#
# A file without `from` is not in its package and was added by hand. Links to source maps are removed from all files, and
# the addresses listed in `without` from their file: pages load nothing from other sites.
# `--pin` rewrites this file, sorted, without other comments.
";

#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    #[serde(rename = "package")]
    pub(super) packages: Vec<Package>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    /// SPDX expression.
    pub(super) license: String,
    /// Folder of its files, relative to the root of the repository.
    pub(super) folder: PathBuf,
    /// Hash of the package as the registry serves it. Empty until pinned.
    #[serde(default)]
    pub(super) sha256: String,
    /// Files by path in `folder`.
    pub(super) files: BTreeMap<String, File>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    /// Path in the package; `None` if the package has no such file.
    pub(super) from: Option<String>,
    /// External addresses that the file would load; `data:,`, an empty resource, replaces them.
    #[serde(default)]
    pub(super) without: Vec<String>,
    /// Hash of the file as stored. Empty until pinned.
    #[serde(default)]
    pub(super) sha256: String,
}

impl List {
    pub(super) fn read(root: &Path) -> Result<Self> {
        let path = root.join(LIST);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        toml::from_str(&text).with_context(|| format!("{LIST} is not a list of packages"))
    }

    pub(super) fn write(&self, root: &Path) -> Result<()> {
        fs::write(root.join(LIST), self.to_string()?).with_context(|| format!("cannot write {LIST}"))
    }

    fn to_string(&self) -> Result<String> {
        let mut text = HEAD.to_owned();
        for package in &self.packages {
            let Package { name, version, license, folder, sha256, files } = package;
            let folder = folder.display();
            write!(text, "\n[[package]]\nname = {name:?}\nversion = {version:?}\nlicense = {license:?}\n")?;
            write!(text, "folder = \"{folder}\"\nsha256 = {sha256:?}\n\n[package.files]\n")?;
            for (path, File { from, without, sha256 }) in files {
                let from = from.as_ref().map(|from| format!("from = {from:?}, ")).unwrap_or_default();
                let without = if without.is_empty() { String::new() } else { format!("without = {without:?}, ") };
                writeln!(text, "{path:?} = {{ {from}{without}sha256 = {sha256:?} }}")?;
            }
        }
        Ok(text)
    }

    /// Every stored file with its path relative to the root of the repository.
    pub(super) fn stored(&self) -> impl Iterator<Item = (PathBuf, &File)> {
        self.packages
            .iter()
            .flat_map(|package| package.files.iter().map(|(path, file)| (package.folder.join(path), file)))
    }

    /// The folders that contain only vendored files.
    pub(super) fn folders(&self) -> Vec<&Path> {
        let mut folders: Vec<&Path> = self.packages.iter().map(|package| package.folder.as_path()).collect();
        folders.sort();
        folders.dedup();
        folders
    }
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    hex::encode(digest(&SHA256, bytes).as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_survives_writing_and_reading() {
        let file = |from: Option<&str>| File {
            from: from.map(str::to_owned),
            without: from.map(|_| "https://elsewhere.example/a.svg".to_owned()).into_iter().collect(),
            sha256: sha256(b"x"),
        };
        let list = List {
            packages: vec![Package {
                name: "@scope/name".to_owned(),
                version: "1.2.3".to_owned(),
                license: "MIT".to_owned(),
                folder: "a/b".into(),
                sha256: sha256(b"package"),
                files: [("a.css".to_owned(), file(Some("dist/a.css"))), ("LICENSE".to_owned(), file(None))].into(),
            }],
        };
        let text = list.to_string().unwrap();
        assert_eq!(toml::from_str::<List>(&text).unwrap(), list, "{text}");
    }

    #[test]
    fn a_new_file_needs_no_hash_yet() {
        let text = "[[package]]\nname = \"a\"\nversion = \"1\"\nlicense = \"MIT\"\nfolder = \"f\"\n[package.files]\n\
            \"a.js\" = { from = \"dist/a.js\" }\n";
        let list: List = toml::from_str(text).unwrap();
        assert_eq!(list.packages[0].files["a.js"].sha256, "");
    }
}
