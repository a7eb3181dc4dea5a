//! Backups that fail or are killed leave nothing that looks complete.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use embedded_postgres::ClientPrograms;

use crate::support::{BINARY, copy_environment, eventually, failure, run, succeed};
use crate::used::{Used, with_passphrase};

/// The files in the folder whose names begin with that of the backup.
fn leftovers(file: &Path) -> Vec<PathBuf> {
    let name = file.file_name().unwrap().to_str().unwrap();
    let entries = std::fs::read_dir(file.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(name)).collect()
}

/// A session in the embedded cluster of a running service that makes a backup wait.
fn lock_a_table(data_dir: &Path) -> Child {
    let psql = ClientPrograms::find(1).unwrap().bin_dir.join("psql");
    let mut session = Command::new(psql)
        .args(["--no-psqlrc", "--username=postgres", "--dbname=postgres", "--host"])
        .arg(data_dir.join("postgres.socket"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let sql = b"BEGIN; LOCK TABLE deals;\n";
    session.stdin.as_mut().unwrap().write_all(sql).unwrap();
    session
}

#[test]
fn a_full_disk_leaves_no_backup() {
    let (used, _service) = Used::new();
    let output = with_passphrase(used.path(), &["backup", "-"])
        .stdout(File::options().write(true).open("/dev/full").unwrap())
        .output()
        .unwrap();
    let message = failure(&output);
    assert!(message.contains("cannot write the backup") && message.contains("No space left"), "{message}");

    // A limit on the size of files, which to a program looks like a full disk.
    let file = used.path().join("work.backup");
    let line = format!("trap '' XFSZ; ulimit -f 16; exec {BINARY} backup {}", file.display());
    let mut limited = Command::new("sh");
    limited.args(["-c", &line]).current_dir(used.path()).stdin(Stdio::null());
    copy_environment(&with_passphrase(used.path(), &[]), &mut limited);
    let message = failure(&limited.output().unwrap());
    assert!(message.contains("cannot write the backup") && message.contains("too large"), "{message}");
    assert!(leftovers(&file).is_empty(), "{:?}", leftovers(&file));
    used.back_up();
}

#[test]
fn a_killed_backup_leaves_no_file_with_its_name() {
    let (used, _service) = Used::new();
    let file = used.path().join("work.backup");
    let mut holder = lock_a_table(used.path());
    let mut started = with_passphrase(used.path(), &["backup", file.to_str().unwrap()]).spawn().unwrap();
    eventually("the backup has begun", || !leftovers(&file).is_empty());
    started.kill().unwrap();
    started.wait().unwrap();
    let leftovers = leftovers(&file);
    assert!(!file.exists() && leftovers.iter().all(|path| path.extension().unwrap() == "unfinished"), "{leftovers:?}");
    let refused = failure(&run(used.path(), &["backup", "--verify", leftovers[0].to_str().unwrap()]));
    assert!(refused.contains("not a backup") || refused.contains("truncated"), "{refused}");
    holder.kill().unwrap();
    holder.wait().unwrap();
    let file = used.back_up();
    assert!(succeed(&run(used.path(), &["backup", "--verify", file.to_str().unwrap()])).contains("intact"));
}
