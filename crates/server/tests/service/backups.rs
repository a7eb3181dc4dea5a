//! Backup and restore with the binary, including the master key.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Output, Stdio};

use embedded_postgres::ThrowawayCluster;

use crate::support::{Service, command, data_dir, eventually, failure, log_of, psql, run, succeed};
use crate::used::{HOOKS, Used, with_passphrase};

fn restore(data_dir: &Path, file: &Path) -> Output {
    with_passphrase(data_dir, &["restore", file.to_str().unwrap()]).output().unwrap()
}

/// A Postgres with a role that is not a superuser and owns an empty database.
fn external_postgres() -> (ThrowawayCluster, String) {
    let cluster = embedded_postgres::throwaway().unwrap();
    for sql in ["CREATE ROLE work LOGIN PASSWORD 'secret'", "CREATE DATABASE work OWNER work"] {
        psql(&cluster.database_url("postgres"), sql);
    }
    let url = cluster.database_url("work").replace("://postgres@", "://work:secret@");
    assert!(url.contains("work:secret@"), "{url}");
    (cluster, url)
}

#[test]
fn a_backup_of_a_running_service_is_restored_only_into_an_empty_folder() {
    let (used, mut service) = Used::new();
    let file = used.back_up();
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let second_run = failure(&with_passphrase(used.path(), &["backup", file.to_str().unwrap()]).output().unwrap());
    assert!(second_run.contains("--force"), "{second_run}");
    assert_eq!(service.signal("TERM"), Some(0), "{}", log_of(used.path()));
    let name = file.to_str().unwrap();
    assert!(succeed(&run(used.path(), &["backup", "--verify", name])).contains("intact"));

    let target = data_dir();
    succeed(&restore(target.path(), &file));
    let full = failure(&restore(target.path(), &file));
    assert!(full.contains("tables") && full.contains("empty"), "{full}");
    let key = |folder: &Path| std::fs::read(folder.join("master-key")).unwrap();
    assert_eq!(key(target.path()), key(used.path()));
    let mode = std::fs::metadata(target.path().join("master-key")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    // The demo is not created again.
    std::fs::File::create_new(target.path().join("started")).unwrap();
    used.assert_served_by(&Service::start_with(target.path(), &HOOKS));
}

#[test]
fn wrong_files_and_passphrases_are_refused_and_the_service_refuses_what_they_leave() {
    let (used, service) = Used::new();
    let file = used.back_up();
    drop(service);
    let backup = std::fs::read(&file).unwrap();
    let target = data_dir();
    let wrong = with_passphrase(target.path(), &["restore", file.to_str().unwrap()])
        .env("SERVICE_BACKUP_PASSPHRASE", "another passphrase")
        .output();
    assert!(failure(&wrong.unwrap()).contains("the passphrase does not open"));
    let none = failure(&run(target.path(), &["restore", file.to_str().unwrap()]));
    assert!(none.contains("--passphrase-file") && none.contains("SERVICE_BACKUP_PASSPHRASE"), "{none}");
    assert!(!target.path().join("postgres").exists(), "nothing was created");

    let mut flipped = backup.clone();
    flipped[backup.len() / 2] ^= 1;
    let bad = used.path().join("bad.backup");
    for (bytes, reason) in [
        (&backup[..backup.len() - 3000], "truncated"),
        (&backup[..backup.len() / 2], "truncated"),
        (&flipped, "damaged"),
        (b"something else", "not a backup"),
    ] {
        std::fs::write(&bad, bytes).unwrap();
        let verified = failure(&run(used.path(), &["backup", "--verify", bad.to_str().unwrap()]));
        assert!(verified.contains(reason), "{reason}: {verified}");
        let refused = failure(&restore(target.path(), &bad));
        assert!(refused.contains(reason), "{reason}: {refused}");
    }
    let newer = used.path().join("newer.backup");
    let index = backup.windows(6).position(|bytes| bytes == b"\"0010\"").unwrap();
    std::fs::write(&newer, [&backup[..index], b"\"9010\"", &backup[index + 6..]].concat()).unwrap();
    let refused = failure(&restore(target.path(), &newer));
    assert!(refused.contains("newer release") && refused.contains("9010"), "{refused}");
    assert!(failure(&run(used.path(), &["backup", "--verify", newer.to_str().unwrap()])).contains("SHA-256"));
    for arguments in [["serve"].as_slice(), &["migrate"], &["backup", "-"]] {
        let refused = failure(&run(target.path(), arguments));
        assert!(refused.contains("restore into this database did not finish"), "{arguments:?}: {refused}");
    }
    succeed(&restore(target.path(), &file));
    succeed(&run(target.path(), &["migrate"]));
}

#[test]
fn a_database_moves_to_an_external_postgres_and_back() {
    let (used, service) = Used::new();
    let (_cluster, url) = external_postgres();
    let parent = data_dir();
    let moved = parent.path().join("new");
    let mut dump = with_passphrase(used.path(), &["backup", "-"]).stdout(Stdio::piped()).spawn().unwrap();
    let loaded = with_passphrase(parent.path(), &["restore", "-"])
        .env("DATABASE_URL", &url)
        .env("SERVICE_DATA_DIR", &moved)
        .stdin(dump.stdout.take().unwrap())
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&loaded.stderr).into_owned();
    succeed(&loaded);
    assert!(dump.wait().unwrap().success());
    drop(service);
    let key = std::fs::read_to_string(moved.join("master-key")).unwrap();
    let mode = std::fs::metadata(&moved).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700, "others can read the folder of the master key");
    assert!(message.contains("SERVICE_MASTER_KEY") && !message.contains(&key), "{message}");

    let settings = [
        HOOKS[0],
        HOOKS[1],
        ("DATABASE_URL", url.as_str()),
        ("SERVICE_DRAIN_SECONDS", "0"),
        ("SERVICE_MASTER_KEY", &key),
    ];
    std::fs::File::create_new(moved.join("started")).unwrap();
    let service = Service::start_with(&moved, &settings);
    used.assert_served_by(&service);
    let file = moved.join("own.backup");
    let mut back_up = with_passphrase(&moved, &["backup", file.to_str().unwrap()]);
    succeed(&back_up.envs(settings).output().unwrap());
    drop(service);
    let full = with_passphrase(&moved, &["restore", file.to_str().unwrap()]).env("DATABASE_URL", &url).output();
    assert!(failure(&full.unwrap()).contains("restore into an empty"));

    let back = data_dir();
    succeed(&restore(back.path(), &file));
    std::fs::File::create_new(back.path().join("started")).unwrap();
    let service = Service::start_with(back.path(), &HOOKS);
    assert!(service.get("/api/v1/crm/contacts", &used.key).contains(r#""first_name":"Bob""#));
}

#[test]
fn the_service_refuses_a_killed_restore_which_can_be_started_again() {
    let (used, service) = Used::new();
    let file = used.back_up();
    drop(service);
    let (_cluster, url) = external_postgres();
    let folder = data_dir();
    let backup = std::fs::read(&file).unwrap();
    let mut loading = with_passphrase(folder.path(), &["restore", "-"]);
    let mut loading = loading.env("DATABASE_URL", &url).stdin(Stdio::piped()).spawn().unwrap();
    // Everything except `end.json` and the end of the archive.
    let mut input = loading.stdin.take().unwrap();
    input.write_all(&backup[..backup.len() - 2048]).unwrap();
    eventually("the restore has begun", || storage_diesel::restore_is_unfinished(&url).unwrap());
    loading.kill().unwrap();
    loading.wait().unwrap();
    let refused = failure(&command(folder.path()).env("DATABASE_URL", &url).arg("migrate").output().unwrap());
    assert!(refused.contains("restore into this database did not finish"), "{refused}");
    let mut second_run = with_passphrase(folder.path(), &["restore", file.to_str().unwrap()]);
    succeed(&second_run.env("DATABASE_URL", &url).output().unwrap());
    assert!(!storage_diesel::restore_is_unfinished(&url).unwrap());
}

#[test]
fn a_backup_without_the_master_key_says_so_and_its_restore_waits_for_the_key() {
    let (used, service) = Used::new();
    let file = used.path().join("work.backup");
    let written = run(used.path(), &["backup", file.to_str().unwrap()]);
    assert!(String::from_utf8_lossy(&written.stderr).contains("the master key is not in this backup"));
    succeed(&written);
    drop(service);
    let target = data_dir();
    let loaded = run(target.path(), &["restore", file.to_str().unwrap()]);
    assert!(String::from_utf8_lossy(&loaded.stderr).contains("`master-key`"));
    succeed(&loaded);
    let refused = failure(&run(target.path(), &["serve"]));
    assert!(refused.contains("master-key is missing"), "{refused}");
    assert!(!target.path().join("master-key").exists(), "a key was created");
    let other = command(target.path()).env("SERVICE_MASTER_KEY", "A".repeat(43) + "=").arg("serve").output();
    let refused = failure(&other.unwrap());
    assert!(refused.contains("sealed with the master key") && refused.contains("SERVICE_MASTER_KEY"), "{refused}");
    std::fs::copy(used.path().join("master-key"), target.path().join("master-key")).unwrap();
    std::fs::File::create_new(target.path().join("started")).unwrap();
    used.assert_served_by(&Service::start_with(target.path(), &HOOKS));
}
