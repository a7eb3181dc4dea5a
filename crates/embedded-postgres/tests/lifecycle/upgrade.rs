//! Upgrades between two major versions, if this machine has two.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use embedded_postgres::{BegunUpgrade, Cluster, DATABASE, EmbeddedPostgresError, Programs, Upgrade, remove_kept};

use crate::support::{open, options, sql, url};

fn tempdir_with_rows() -> tempfile::TempDir {
    let top = tempfile::tempdir().unwrap();
    fs::set_permissions(top.path(), Permissions::from_mode(0o755)).unwrap();
    let cluster = open(top.path());
    sql(&url(&cluster), "CREATE TABLE kept (id int); INSERT INTO kept VALUES (1), (2)");
    cluster.stop().unwrap();
    top
}

fn version_of(dir: &Path) -> String {
    fs::read_to_string(dir.join("PG_VERSION")).unwrap().trim().to_owned()
}

/// Begins an upgrade; `None` if this machine has only one version.
fn begin_upgrade(dir: &Path) -> Option<Box<BegunUpgrade>> {
    match Upgrade::begin(&options(dir)).unwrap() {
        Upgrade::Begun(begin_upgrade) => Some(begin_upgrade),
        Upgrade::Newest(_) => {
            not_run::report("programs of a second major version of Postgres");
            None
        }
        Upgrade::Completed(kept) => panic!("completed: {}", kept.display()),
    }
}

fn load(upgrade: &BegunUpgrade) {
    let (dump, psql) = (upgrade.old_programs().program("pg_dump"), upgrade.programs().program("psql"));
    let mut dump = Command::new(dump).arg(upgrade.old_url(DATABASE)).stdout(Stdio::piped()).spawn().unwrap();
    let output = dump.stdout.take().unwrap();
    let mut load = Command::new(psql);
    load.args(["-Xqv", "ON_ERROR_STOP=1", &upgrade.new_url(DATABASE)]).stdin(output).stdout(Stdio::null());
    assert!(load.status().unwrap().success() && dump.wait().unwrap().success());
}

fn ids(cluster: &Cluster) -> String {
    sql(&url(cluster), "SELECT string_agg(id::text, ',' ORDER BY id) FROM kept")
}

#[test]
fn the_new_cluster_takes_the_place_of_the_old_one() {
    let top = tempdir_with_rows();
    let dir = top.path();
    let old_version = version_of(&dir.join("postgres"));
    let Some(upgrade) = begin_upgrade(dir) else { return };
    load(&upgrade);
    let kept = upgrade.finish().unwrap();
    assert_eq!(kept, dir.join(format!("postgres.old-{old_version}")));
    assert_ne!(version_of(&dir.join("postgres")), old_version);
    let cluster = Cluster::join_or_start(&Programs::find_for(dir).unwrap(), &options(dir)).unwrap();
    assert_eq!(ids(&cluster), "1,2");
    let busy = Upgrade::begin(&options(dir)).unwrap_err();
    assert!(matches!(busy, EmbeddedPostgresError::InUse { .. }), "{busy}");
    cluster.stop().unwrap();
    assert!(matches!(Upgrade::begin(&options(dir)).unwrap(), Upgrade::Newest(_)));
    assert_eq!(remove_kept(&options(dir)).unwrap(), std::slice::from_ref(&kept));
    assert!(!kept.exists() && dir.join("postgres").exists());
}

#[test]
fn an_abandoned_upgrade_leaves_the_old_cluster() {
    let top = tempdir_with_rows();
    let dir = top.path();
    let old_version = version_of(&dir.join("postgres"));
    let Some(upgrade) = begin_upgrade(dir) else { return };
    drop(upgrade);
    let cluster = open(dir);
    assert_eq!(ids(&cluster), "1,2");
    cluster.stop().unwrap();
    assert_eq!(version_of(&dir.join("postgres")), old_version);
    let kept = dir.join(format!("postgres.old-{old_version}"));
    fs::create_dir(&kept).unwrap();
    let occupied = Upgrade::begin(&options(dir)).unwrap_err();
    assert!(matches!(occupied, EmbeddedPostgresError::KeptAlready { .. }), "{occupied}");
    fs::remove_dir(&kept).unwrap();

    // An upgrade that was interrupted between the last two steps.
    let Some(upgrade) = begin_upgrade(dir) else { return };
    load(&upgrade);
    drop(upgrade);
    fs::rename(dir.join("postgres"), &kept).unwrap();
    let refused = Cluster::join_or_start(&Programs::find().unwrap(), &options(dir)).unwrap_err();
    assert!(matches!(refused, EmbeddedPostgresError::HalfUpgraded { .. }), "{refused}");
    assert!(matches!(Upgrade::begin(&options(dir)).unwrap(), Upgrade::Completed(it) if it == kept));
    let cluster = Cluster::join_or_start(&Programs::find_for(dir).unwrap(), &options(dir)).unwrap();
    assert_eq!(ids(&cluster), "1,2");
}
