//! What remains after a process is killed, and how the next start recovers.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use embedded_postgres::Cluster;

use crate::support::{Helper, assert_ends, kill_hard, lives, mentioned_by_a_process, open, sql, url, wait_until};

/// Kills the server of the cluster; returns its process id.
fn kill_server(cluster: &Cluster) -> u32 {
    let pid = cluster.server_pid().unwrap();
    kill_hard(pid);
    wait_until("the server is gone", || cluster.server_pid().is_none());
    pid
}

#[test]
fn the_server_of_a_killed_owner_is_joined() {
    let top = tempfile::tempdir().unwrap();
    let mut owner = Helper::holding(top.path());
    let url_of_owner = owner.ready();
    sql(&url_of_owner, "CREATE TABLE kept (n int)");
    owner.kill();

    let next = open(top.path());
    assert!(next.joined());
    assert_eq!(url(&next), url_of_owner);
    assert_eq!(sql(&url(&next), "SELECT count(*) FROM kept"), "0");
    let pid = next.server_pid().unwrap();
    next.stop().unwrap();
    assert_ends(pid);
}

#[test]
fn a_killed_server_is_started_again_and_recovers() {
    let top = tempfile::tempdir().unwrap();
    let before = open(top.path());
    sql(&url(&before), "CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)");
    let killed = kill_server(&before);

    let after = open(top.path());
    assert!(!after.joined());
    assert_ne!(after.server_pid(), Some(killed));
    assert_eq!(sql(&url(&after), "SELECT n FROM kept"), "7");
    assert_eq!(sql(&url(&before), "SELECT n FROM kept"), "7", "the old claim has the same URL");
}

#[test]
fn a_server_killed_during_a_query_recovers_too() {
    let top = tempfile::tempdir().unwrap();
    let before = open(top.path());
    let mut busy = Command::new(crate::support::programs().program("psql"))
        .args(["-XAtqc", "SELECT pg_sleep(3)", &url(&before)])
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    wait_until("the query runs", || {
        let running = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'";
        sql(&url(&before), running) != "0"
    });
    kill_server(&before);
    let after = open(top.path());
    assert_eq!(sql(&url(&after), "SELECT 1"), "1");
    busy.wait().unwrap();
}

#[test]
fn a_reused_process_id_does_not_block_a_start() {
    let top = tempfile::tempdir().unwrap();
    let before = open(top.path());
    kill_server(&before);

    let record = top.path().join("postgres/postmaster.pid");
    let owner = fs::metadata(top.path().join("postgres")).unwrap();
    let mut command = Command::new("sleep");
    command.arg("60");
    if fs::metadata("/proc/self").is_ok_and(|me| me.uid() != owner.uid()) {
        // Only a process of the same user misleads Postgres.
        command.uid(owner.uid()).gid(owner.gid());
    }
    let mut other = command.spawn().unwrap();
    let text = fs::read_to_string(&record).unwrap();
    let rest = text.split_once('\n').unwrap().1;
    fs::write(&record, format!("{}\n{rest}", other.id())).unwrap();
    assert_eq!(before.server_pid(), None);

    let after = open(top.path());
    assert!(!after.joined());
    assert_eq!(sql(&url(&after), "SELECT 1"), "1");
    drop((before, after));
    assert!(lives(other.id()), "the other process must not be killed");
    other.kill().unwrap();
    other.wait().unwrap();
}

#[test]
fn a_start_killed_during_initdb_leaves_no_partial_cluster() {
    let top = tempfile::tempdir().unwrap();
    let starter = Helper::holding(top.path());
    wait_until("initdb is running", || draft(top.path()).is_some_and(|draft| draft.join("base/1").exists()));
    starter.kill();
    assert!(!top.path().join("postgres").exists());

    let cluster = open(top.path());
    assert_eq!(sql(&url(&cluster), "SELECT 1"), "1");
    assert_eq!(draft(top.path()), None);
    cluster.stop().unwrap();
    wait_until("initdb is gone", || !mentioned_by_a_process(top.path()));
}

fn draft(dir: &Path) -> Option<PathBuf> {
    let is_draft = |path: &PathBuf| path.to_string_lossy().contains("postgres.new-");
    let paths = fs::read_dir(dir).ok()?.flatten().map(|entry| entry.path());
    paths.into_iter().find(is_draft)
}
