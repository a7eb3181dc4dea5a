//! Compares vendored files with the list, without a network.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::LIST;
use super::list::{List, sha256};

/// Violations, one line each.
pub(crate) fn check(root: &Path) -> Result<Vec<String>> {
    let list = List::read(root)?;
    let mut violations = licenses(&list);
    let mut expected = BTreeSet::from([PathBuf::from(LIST)]);
    for (path, file) in list.stored() {
        let shown = path.display();
        match fs::read(root.join(&path)) {
            Ok(bytes) if sha256(&bytes) == file.sha256 => violations.extend(content(&path, &bytes)),
            Ok(_) => {
                violations.push(format!("{shown}: its SHA-256 is not the one in {LIST}; run `cargo xtask vendor`"));
            }
            Err(error) => violations.push(format!("{shown}: {error}; run `cargo xtask vendor`")),
        }
        if !expected.insert(path.clone()) {
            violations.push(format!("{}: twice in {LIST}", path.display()));
        }
    }
    for path in present(root, &list)? {
        if !expected.contains(&path) {
            violations.push(format!("{}: not in {LIST}", path.display()));
        }
    }
    Ok(violations)
}

/// The licenses must be distributed with the files.
fn licenses(list: &List) -> Vec<String> {
    let has_license = |path: &String| path.rsplit('/').next().is_some_and(|name| name.starts_with("LICENSE"));
    let without = list.packages.iter().filter(|package| !package.files.keys().any(has_license));
    without.map(|package| format!("{LIST}: {} has no LICENSE among its files", package.name)).collect()
}

/// Finds style sheets that load other resources. The content security policy allows connections only to the service.
fn content(path: &Path, bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut violations = Vec::new();
    if text.contains("sourceMappingURL=") {
        violations.push(format!("{}: names a source map, which is not served", path.display()));
    }
    if path.extension().is_some_and(|extension| extension == "css") {
        let loads = |part: &str| !part.trim_start_matches(['"', '\'']).starts_with("data:");
        if text.contains("@import") || text.split("url(").skip(1).any(loads) {
            violations.push(format!("{}: loads another file", path.display()));
        }
    }
    violations
}

/// Every file in the vendored folders, from the root of the repository.
pub(super) fn present(root: &Path, list: &List) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> = list.folders().into_iter().map(|folder| root.join(folder)).collect();
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
        for entry in entries {
            let path = entry.with_context(|| format!("cannot list {}", folder.display()))?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path.strip_prefix(root).unwrap_or(&path).to_owned());
            }
        }
    }
    files.sort();
    files.dedup();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repository(list: &str, files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files.iter().copied().chain([(LIST, list)]) {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    fn list(files: &[(&str, &str)]) -> String {
        let head = "[[package]]\nname = \"a\"\nversion = \"1\"\nlicense = \"MIT\"\nfolder = \"f\"\n[package.files]\n";
        let line =
            |(path, text): &(&str, &str)| format!("\"{path}\" = {{ sha256 = \"{}\" }}\n", sha256(text.as_bytes()));
        format!("{head}{}", files.iter().map(line).collect::<String>())
    }

    #[test]
    fn listed_files_pass() {
        let css = "a{background:url(\"data:image/svg+xml,x\")}b{c:url(data:x)}";
        let root = repository(&list(&[("LICENSE", "MIT"), ("a.css", css)]), &[("f/LICENSE", "MIT"), ("f/a.css", css)]);
        assert_eq!(check(root.path()).unwrap(), [""; 0]);
    }

    #[test]
    fn changed_missing_and_unlisted_files_are_named() {
        let pinned = list(&[("LICENSE", "MIT"), ("a.js", "1"), ("b.js", "2")]);
        let root = repository(&pinned, &[("f/LICENSE", "MIT"), ("f/a.js", "changed"), ("f/deep/c.js", "3")]);
        let violations = check(root.path()).unwrap();
        let starts = ["f/a.js: its SHA-256 is not", "f/b.js: No such file", "f/deep/c.js: not in"];
        assert_eq!(violations.len(), starts.len(), "{violations:?}");
        for (violation, start) in violations.iter().zip(starts) {
            assert!(violation.starts_with(start), "{violation}");
        }
    }

    #[test]
    fn a_package_without_its_license_is_named() {
        let root = repository(&list(&[("a.js", "1")]), &[("f/a.js", "1")]);
        assert_eq!(check(root.path()).unwrap(), [format!("{LIST}: a has no LICENSE among its files")]);
    }

    #[test]
    fn files_that_load_others_are_named() {
        for css in ["@import 'b.css';", "a{b:url(//elsewhere.example/c)}", "a{b:url(\"font.woff\")}"] {
            assert_eq!(content(Path::new("a.css"), css.as_bytes()), ["a.css: loads another file"], "{css}");
        }
        let map = "f();\n//# sourceMappingURL=a.js.map";
        assert_eq!(content(Path::new("a.js"), map.as_bytes()), ["a.js: names a source map, which is not served"]);
    }
}
