//! Throwaway clusters leave nothing behind, however their process ends.

use std::path::Path;

use embedded_postgres::{DATABASE, throwaway};

use crate::support::{Helper, mentioned_by_a_process, sql, wait_until};

fn is_empty(dir: &Path) -> bool {
    dir.read_dir().unwrap().next().is_none()
}

#[test]
fn a_dropped_cluster_leaves_nothing() {
    let cluster = throwaway().unwrap();
    let url = cluster.database_url(DATABASE);
    assert_eq!(sql(&url, "SHOW fsync"), "off");
    assert_eq!(sql(&url, "SHOW max_connections"), "300");
    let dir = cluster.dir().to_owned();
    drop(cluster);
    assert!(!dir.exists());
    wait_until("every process is gone", || !mentioned_by_a_process(&dir));
}

#[test]
fn a_killed_process_leaves_nothing() {
    let top = tempfile::tempdir().unwrap();
    let mut helper = Helper::throwing_away(top.path());
    assert_eq!(sql(&helper.ready(), "SELECT 1"), "1");
    assert!(!is_empty(top.path()));
    helper.kill();
    wait_until("the folder is gone", || is_empty(top.path()));
    wait_until("every process is gone", || !mentioned_by_a_process(top.path()));
}

/// Kills the process at various moments of a start, none of which may leave anything behind.
#[test]
fn a_process_killed_while_starting_leaves_nothing() {
    for files in [1, 30, 400, 900, 930, 940] {
        let top = tempfile::tempdir().unwrap();
        let helper = Helper::throwing_away(top.path());
        wait_until("the start is in progress", || count(top.path()) >= files);
        helper.kill();
        wait_until("the folder is gone", || is_empty(top.path()));
        wait_until("every process is gone", || !mentioned_by_a_process(top.path()));
    }
}

fn count(dir: &Path) -> usize {
    let entries = dir.read_dir().into_iter().flatten().flatten();
    entries.map(|entry| 1 + count(&entry.path())).sum()
}
