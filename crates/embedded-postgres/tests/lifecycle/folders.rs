//! Unusual data folders.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use embedded_postgres::{Cluster, EmbeddedPostgresError};

use crate::support::{open, options, programs, sql, url};

fn refusal(dir: &Path) -> EmbeddedPostgresError {
    Cluster::join_or_start(&programs(), &options(dir)).unwrap_err()
}

/// The socket cannot be inside the data folder, so it has a stable path elsewhere.
fn works_with_its_socket_elsewhere(dir: &Path) {
    let cluster = open(dir);
    assert_eq!(sql(&url(&cluster), "SELECT 1"), "1");
    let first = url(&cluster);
    cluster.stop().unwrap();
    let again = open(dir);
    assert_eq!(url(&again), first);
    let socket_dir = sql(&url(&again), "SHOW unix_socket_directories");
    drop(again);
    fs::remove_dir_all(socket_dir.trim_matches('"')).unwrap();
}

#[test]
fn a_path_too_long_for_a_socket_works() {
    let top = tempfile::tempdir().unwrap();
    works_with_its_socket_elsewhere(&top.path().join("long ".repeat(30)));
}

#[test]
fn a_comma_in_the_path_works() {
    let top = tempfile::tempdir().unwrap();
    works_with_its_socket_elsewhere(&top.path().join("a,b"));
}

#[test]
fn spaces_and_quotes_in_the_path_are_harmless() {
    let top = tempfile::tempdir().unwrap();
    let dir = top.path().join("a \"b\" %é 'c'");
    let cluster = open(&dir);
    assert_eq!(sql(&url(&cluster), "SELECT 1"), "1");
    assert!(dir.join("postgres.socket/.s.PGSQL.5432").exists());
}

#[test]
fn a_cluster_of_another_version_is_refused_and_named() {
    let top = tempfile::tempdir().unwrap();
    fs::create_dir(top.path().join("postgres")).unwrap();
    fs::write(top.path().join("postgres/PG_VERSION"), "9\n").unwrap();
    let error = refusal(top.path());
    assert!(matches!(error, EmbeddedPostgresError::OtherVersion { .. }), "{error}");
    assert!(error.to_string().contains("made by Postgres 9"), "{error}");
}

#[test]
fn a_folder_that_only_root_can_enter_is_named_before_anything_is_created() {
    if fs::metadata("/proc/self").map_or(1, |me| me.uid()) != 0 {
        return;
    }
    let top = tempfile::tempdir().unwrap();
    fs::set_permissions(top.path(), Permissions::from_mode(0o700)).unwrap();
    let dir = top.path().join("data");
    let error = refusal(&dir).to_string();
    assert!(error.contains(top.path().to_str().unwrap()), "{error}");
    assert!(error.contains("SERVICE_DATA_DIR"), "{error}");
    assert!(!dir.join("postgres").exists());
}

#[test]
fn a_setting_that_postgres_rejects_shows_the_end_of_its_log() {
    let top = tempfile::tempdir().unwrap();
    let mut options = options(top.path());
    options.settings = vec![("max_connections".into(), "many".into())];
    let error = Cluster::join_or_start(&programs(), &options).unwrap_err().to_string();
    assert!(error.contains("invalid value for parameter"), "{error}");
}
