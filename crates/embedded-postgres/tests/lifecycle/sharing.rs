//! Which process starts, joins and stops the server.

use crate::support::{Helper, assert_ends, lives, open, sql, url};

#[test]
fn written_data_is_there_after_a_restart() {
    let top = tempfile::tempdir().unwrap();
    let dir = top.path().join("data");
    let cluster = open(&dir);
    assert!(!cluster.joined());
    let first = cluster.server_pid().unwrap();
    sql(&url(&cluster), "CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)");
    cluster.stop().unwrap();
    assert_ends(first);

    let cluster = open(&dir);
    assert_eq!(sql(&url(&cluster), "SELECT n FROM kept"), "7");
    cluster.stop().unwrap();
}

#[test]
fn the_server_listens_only_on_its_private_socket() {
    let top = tempfile::tempdir().unwrap();
    let cluster = open(top.path());
    let url = url(&cluster);
    assert_eq!(sql(&url, "SHOW listen_addresses"), "");
    assert_eq!(sql(&url, "SHOW fsync"), "on");
    assert_eq!(sql(&url, "SELECT count(*) FROM pg_hba_file_rules WHERE type <> 'local'"), "0");
    let socket_dir = top.path().join("postgres.socket");
    let mode = std::os::unix::fs::MetadataExt::mode(&socket_dir.metadata().unwrap());
    assert_eq!(mode & 0o777, 0o700);
}

#[test]
fn the_last_of_two_users_stops_the_server() {
    let top = tempfile::tempdir().unwrap();
    let first = open(top.path());
    let pid = first.server_pid().unwrap();
    let mut second = Helper::holding(top.path());
    let url = second.ready();

    first.stop().unwrap();
    assert!(lives(pid), "the helper still uses it");
    assert_eq!(sql(&url, "SELECT 1"), "1");

    second.leave();
    assert_ends(pid);
}

#[test]
fn the_server_of_a_killed_owner_runs_as_long_as_others_use_it() {
    let top = tempfile::tempdir().unwrap();
    let mut owner = Helper::holding(top.path());
    owner.ready();
    let second = open(top.path());
    assert!(second.joined());
    let pid = second.server_pid().unwrap();

    owner.kill();
    assert_eq!(sql(&url(&second), "SELECT 1"), "1");
    second.stop().unwrap();
    assert_ends(pid);
}

#[test]
fn concurrent_starts_share_one_server() {
    let top = tempfile::tempdir().unwrap();
    let clusters: Vec<_> = std::thread::scope(|scope| {
        let starts: Vec<_> = (0..4).map(|_| scope.spawn(|| open(top.path()))).collect();
        starts.into_iter().map(|start| start.join().unwrap()).collect()
    });
    let pid = clusters[0].server_pid().unwrap();
    assert!(clusters.iter().all(|cluster| cluster.server_pid() == Some(pid)));
    assert_eq!(clusters.iter().filter(|cluster| !cluster.joined()).count(), 1);
    drop(clusters);
    assert_ends(pid);
}
