use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

/// A folder with fake binaries that report Postgres `version`, open to everyone.
fn fake_bin(parent: &Path, name: &str, version: &str) -> PathBuf {
    let dir = parent.join(name);
    fs::create_dir_all(&dir).unwrap();
    for program in NEEDED {
        let file = dir.join(program);
        let script = format!("#!/bin/sh\necho 'postgres (PostgreSQL) {version}'\n");
        fs::write(&file, script).unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o755)).unwrap();
    }
    dir.canonicalize().unwrap()
}

fn open_tempdir() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), Permissions::from_mode(0o755)).unwrap();
    dir
}

fn hidden(cache: impl IntoIterator<Item = PathBuf>) -> SearchPaths {
    SearchPaths {
        chosen: None,
        path: None,
        hide_system: true,
        cache: cache.into_iter().collect(),
        account: Account::for_programs(),
    }
}

#[test]
fn reads_the_major_version() {
    assert_eq!(parse_major("postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)"), Some(15));
    assert_eq!(parse_major("postgres (PostgreSQL) 19beta2"), Some(19));
    assert_eq!(parse_major("something else"), None);
}

#[test]
fn an_unusable_pg_bin_dir_is_an_error_without_fallback() {
    let top = open_tempdir();
    let places = SearchPaths {
        chosen: Some(top.path().join("nothing-here")),
        ..hidden(Some(fake_bin(top.path(), "cache", "18.1")))
    };
    let error = places.find(None).unwrap_err().to_string();
    assert!(error.contains("PG_BIN_DIR="), "{error}");
    assert!(error.contains("nothing-here"), "{error}");
}

#[test]
fn links_on_the_path_are_resolved_to_the_folder_of_the_program() {
    let top = open_tempdir();
    let real = fake_bin(top.path(), "real", "16.2");
    let links = top.path().join("links");
    fs::create_dir(&links).unwrap();
    symlink(real.join("postgres"), links.join("postgres")).unwrap();
    assert_eq!(on_path(Some(links.as_os_str()), "postgres"), [real]);
}

#[test]
fn old_versions_are_skipped_and_named() {
    let top = open_tempdir();
    let error = hidden(Some(fake_bin(top.path(), "old", "13.20"))).find(None).unwrap_err().to_string();
    assert!(error.contains("version 13 is older than 14"), "{error}");
    for way in ["apt-get", "dnf", "apk", "brew", "postgres install", "DATABASE_URL"] {
        assert!(error.contains(way), "{error}");
    }
}

#[test]
fn a_cluster_gets_the_version_that_created_it() {
    let top = open_tempdir();
    let old = fake_bin(top.path(), "a", "15.1");
    let new = fake_bin(top.path(), "b", "18.1");
    let places =
        SearchPaths { path: Some(std::env::join_paths([&new, &old]).unwrap()), hide_system: false, ..hidden(None) };
    assert_eq!(places.find(Some("15")).unwrap().version, "15");
    assert_eq!(places.find(Some("14")).unwrap().bin_dir, new);
}

#[test]
fn newer_packages_come_first() {
    let top = open_tempdir();
    for version in ["9.6", "15", "14"] {
        fs::create_dir(top.path().join(version)).unwrap();
    }
    let dirs = newest_first(top.path(), "", "bin");
    let expected = ["15", "14", "9.6"].map(|version| top.path().join(version).join("bin"));
    assert_eq!(dirs, expected);
}

#[test]
fn a_missing_program_disqualifies_a_folder() {
    let top = open_tempdir();
    let dir = fake_bin(top.path(), "bin", "17.0");
    fs::remove_file(dir.join("pg_ctl")).unwrap();
    assert_eq!(probe(&dir, &Account::for_programs()), Err("it has no pg_ctl".into()));
}
