//! Recovery of the embedded cluster to a point in time, and upgrades, with the binary.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use embedded_postgres::{Cluster, ClusterOptions, Durability, Programs};

use crate::support::{
    Service, body_of, command, data_dir, doctor_finding, eventually, failure, log_of, postmaster, run, succeed,
};
use crate::used::{HOOKS, Used, sql};

#[test]
fn the_service_is_recovered_to_a_point_in_time() {
    let top = data_dir();
    let [live, archive, base, target] = ["live", "archive", "base", "target"].map(|name| top.path().join(name));
    std::fs::create_dir(&live).unwrap();
    let settings = [("SERVICE_WAL_ARCHIVE_DIR", archive.to_str().unwrap())];
    let mut service = Service::start_with(&live, &settings);
    let key = service.key.clone().unwrap();
    let deal = |title: &str| {
        body_of(&service.post("/api/v1/crm/deals", &key, &format!(r#"{{"title": "{title}"}}"#)), 201);
    };
    deal("before");
    let unset = failure(&run(&live, &["base-backup", base.to_str().unwrap()]));
    assert!(unset.contains("SERVICE_WAL_ARCHIVE_DIR"), "{unset}");
    let backup_output = command(&live).envs(settings).args(["base-backup", base.to_str().unwrap()]).output();
    succeed(&backup_output.unwrap());
    deal("kept");
    let time = sql(&live, "SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')");
    deal("too late");
    let segment = sql(&live, "SELECT pg_walfile_name(pg_switch_wal())");
    eventually("the segment is archived", || archive.join(format!("{segment}.gz")).exists());
    assert_eq!(service.signal("TERM"), Some(0), "{}", log_of(&live));

    let arguments =
        ["recover", "--base", base.to_str().unwrap(), "--archive", archive.to_str().unwrap(), "--to", &time];
    let output = succeed(&run_in(top.path(), &target, &arguments));
    assert!(output.contains("master-key"), "{output}");
    let again = failure(&run_in(top.path(), &target, &arguments));
    assert!(again.contains("new SERVICE_DATA_DIR"), "{again}");
    std::fs::copy(live.join("master-key"), target.join("master-key")).unwrap();
    std::fs::File::create_new(target.join("started")).unwrap();
    let service = Service::start(&target);
    let deals = service.get("/api/v1/crm/deals", &key);
    assert!(deals.contains("before") && deals.contains("kept") && !deals.contains("too late"), "{deals}");
}

/// Runs the binary for a data folder that does not exist yet.
fn run_in(current: &Path, data_dir: &Path, arguments: &[&str]) -> std::process::Output {
    command(current).env("SERVICE_DATA_DIR", data_dir).args(arguments).output().unwrap()
}

#[test]
fn the_cluster_is_upgraded_with_all_its_content() {
    let (used, mut service) = Used::new();
    let busy = failure(&run(used.path(), &["upgrade-cluster"]));
    assert!(busy.contains("stop it first"), "{busy}");
    assert_eq!(service.signal("TERM"), Some(0), "{}", log_of(used.path()));
    let old_version = Programs::find_for(used.path()).unwrap().version;
    let output = succeed(&run(used.path(), &["upgrade-cluster"]));
    if output.contains("no newer version") {
        return not_run::report("programs of a second major version of Postgres");
    }
    assert!(output.contains("--remove-old"), "{output}");
    assert_ne!(Programs::find_for(used.path()).unwrap().version, old_version);
    let service = Service::start_with(used.path(), &HOOKS);
    used.assert_served_by(&service);
    drop(service);
    let old_cluster = used.path().join(format!("postgres.old-{old_version}"));
    assert!(old_cluster.exists());
    succeed(&run(used.path(), &["upgrade-cluster", "--remove-old"]));
    assert!(!old_cluster.exists());
}

/// Copies the programs into a folder. The server finds its other files relative to its own path, so those are links.
fn copy_programs(programs: &Programs, root: &Path) -> PathBuf {
    let (mut from, mut to) = (PathBuf::from("/"), root.to_owned());
    for part in programs.bin_dir.components().skip(1) {
        for entry in std::fs::read_dir(&from).unwrap().map(|entry| entry.unwrap()) {
            if entry.file_name() != part.as_os_str() {
                symlink(entry.path(), to.join(entry.file_name())).unwrap();
            }
        }
        (from, to) = (from.join(part), to.join(part));
        std::fs::create_dir(&to).unwrap();
    }
    for entry in std::fs::read_dir(&from).unwrap().map(|entry| entry.unwrap()) {
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
    to
}

/// Replaces a program as a package manager does.
fn replace(program: &Path) {
    let new = program.with_extension("new");
    std::fs::copy(program, &new).unwrap();
    std::fs::rename(&new, program).unwrap();
}

#[test]
fn a_server_whose_programs_were_replaced_is_restarted() {
    let (folder, root) = (data_dir(), data_dir());
    let programs = copy_programs(&Programs::find().unwrap(), root.path());
    let settings = [("PG_BIN_DIR", programs.to_str().unwrap())];
    let mut service = Service::start_with(folder.path(), &settings);
    let (key, old_pid) = (service.key.clone().unwrap(), postmaster(folder.path()));
    replace(&programs.join("postgres"));
    eventually("the server is restarted", || !["", &old_pid].contains(&postmaster(folder.path()).as_str()));
    let deal = || service.post("/api/v1/crm/deals", &key, r#"{"title": "after"}"#);
    eventually("it works", || deal().starts_with("HTTP/1.1 201"));
    assert!(log_of(folder.path()).contains("were replaced while it was running"), "{}", log_of(folder.path()));
    assert_eq!(service.signal("TERM"), Some(0), "{}", log_of(folder.path()));
}

#[test]
fn doctor_names_a_server_whose_programs_were_replaced() {
    let (folder, root) = (data_dir(), data_dir());
    let installed = Programs::find().unwrap();
    let programs = Programs { bin_dir: copy_programs(&installed, root.path()), ..installed };
    // Start the server without the service, which would restart it.
    let cluster = Cluster::join_or_start(&programs, &ClusterOptions::new(folder.path(), Durability::Full)).unwrap();
    replace(&programs.program("postgres"));
    let old_pid = postmaster(folder.path());
    let doctor_output = command(folder.path()).env("PG_BIN_DIR", &programs.bin_dir).args(["doctor", "--json"]).output();
    let database = doctor_finding(&doctor_output.unwrap(), "database");
    assert!(database["status"] == "error" && database["cure"].to_string().contains("restart"), "{database}");
    assert_eq!(postmaster(folder.path()), old_pid, "doctor changes nothing");
    cluster.stop().unwrap();
}
