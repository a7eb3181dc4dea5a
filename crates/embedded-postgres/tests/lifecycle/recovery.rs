//! Base backups and recovery to a point in time.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use embedded_postgres::{Cluster, EmbeddedPostgresError, Recovery, recover};

use crate::support::{mentioned_by_a_process, open, options, programs, sql, url, wait_until};

/// A folder that the account of Postgres can enter.
fn open_tempdir() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), Permissions::from_mode(0o755)).unwrap();
    dir
}

fn archiving(data_dir: &Path, archive: &Path) -> Cluster {
    let mut options = options(data_dir);
    options.wal_archive = Some(archive.to_path_buf());
    Cluster::join_or_start(&programs(), &options).unwrap()
}

fn base_backup(cluster: &Cluster, folder: &Path) {
    let mut command = Command::new(programs().program("pg_basebackup"));
    command.args(["--checkpoint=fast", "--dbname", &url(cluster), "--pgdata"]).arg(folder);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Closes the current segment and waits until it is archived.
fn archive_all(cluster: &Cluster) {
    let segment = sql(&url(cluster), "SELECT pg_walfile_name(pg_switch_wal())");
    let archived = format!("SELECT last_archived_wal >= '{segment}' FROM pg_stat_archiver");
    wait_until("the segment is archived", || sql(&url(cluster), &archived) == "t");
}

#[test]
fn a_cluster_is_recovered_to_a_point_in_time() {
    let top = open_tempdir();
    let [data, archive, base] = ["data", "the archive's 5%", "base"].map(|name| top.path().join(name));
    // Created by a release that did not support archives.
    let cluster = open(&data);
    cluster.stop().unwrap();
    let rules = data.join("postgres/pg_hba.conf");
    fs::write(&rules, "# Written by the service when it made this cluster.\nlocal all all trust\n").unwrap();

    let cluster = archiving(&data, &archive);
    let run = |statement: &str| sql(&url(&cluster), statement);
    // The label of a base backup has whole seconds.
    let before = run("SELECT clock_timestamp() - interval '1 s'");
    run("CREATE TABLE kept (id int); INSERT INTO kept VALUES (1)");
    base_backup(&cluster, &base);
    run("INSERT INTO kept VALUES (2)");
    let time = run("SELECT clock_timestamp()");
    run("INSERT INTO kept VALUES (3)");
    archive_all(&cluster);
    let after = run("SELECT clock_timestamp() + interval '1 day'");
    cluster.stop().unwrap();

    let recovered = top.path().join("recovered");
    let target = options(&recovered);
    let to = |until: &str| Recovery { base: base.clone(), archive: archive.clone(), until: Some(until.to_owned()) };
    let unreached = recover(&target, &to(&after)).unwrap_err();
    assert!(unreached.to_string().contains("recovery ended before configured recovery target"), "{unreached}");
    assert!(!recovered.join("postgres").exists(), "nothing looks complete");

    let early = recover(&target, &to(&before)).unwrap_err();
    assert!(matches!(early, EmbeddedPostgresError::BeforeBase { .. }), "{early}");
    assert!(!recovered.join("postgres").exists(), "nothing looks complete");

    recover(&target, &to(&time)).unwrap();
    assert!(!mentioned_by_a_process(&recovered) && !recovered.join("postgres.next").exists());
    let again = recover(&target, &to(&time)).unwrap_err();
    assert!(matches!(again, EmbeddedPostgresError::ClusterExists { .. }), "{again}");
    let cluster = open(&recovered);
    assert_eq!(sql(&url(&cluster), "SELECT string_agg(id::text, ',' ORDER BY id) FROM kept"), "1,2");
    sql(&url(&cluster), "INSERT INTO kept VALUES (4)");
    cluster.stop().unwrap();

    let all = top.path().join("all");
    recover(&options(&all), &Recovery { base: base.clone(), archive: archive.clone(), until: None }).unwrap();
    let cluster = open(&all);
    assert_eq!(sql(&url(&cluster), "SELECT string_agg(id::text, ',' ORDER BY id) FROM kept"), "1,2,3");
    drop(cluster);

    fs::write(base.join("postgresql.conf"), "# changed").unwrap();
    let error = recover(&options(&top.path().join("damaged")), &to(&time)).unwrap_err();
    assert!(matches!(error, EmbeddedPostgresError::DamagedBase { .. }), "{error}");
}

#[test]
fn a_segment_is_never_replaced_by_another() {
    let top = open_tempdir();
    let (data, archive) = (top.path().join("data"), top.path().join("archive"));
    let cluster = archiving(&data, &archive);
    let segment = sql(&url(&cluster), "SELECT pg_walfile_name(pg_current_wal_lsn())");
    let file = archive.join(format!("{segment}.gz"));
    fs::write(&file, "of another cluster").unwrap();
    sql(&url(&cluster), "CREATE TABLE t (); SELECT pg_switch_wal()");
    wait_until("it fails", || sql(&url(&cluster), "SELECT failed_count > 0 FROM pg_stat_archiver") == "t");
    assert_eq!(fs::read(&file).unwrap(), b"of another cluster");
}
