//! `doctor`: every check is tested with a real fault.

mod faults;

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use email::testing::MailServer;
use embedded_postgres::ThrowawayCluster;
use serde_json::Value;

use self::faults::{Fault, Row};
use crate::support::{MASTER_KEY, Service, command, data_dir, psql, run};

/// Part of every address, and of no output.
const PASSWORD: &str = "hunter2hunter2";
const PUBLIC_URL: &str = "https://work.example.com";

/// A Postgres with databases for faults, each copied from one without faults.
struct Databases {
    cluster: ThrowawayCluster,
    mails: MailServer,
}

impl Databases {
    fn new() -> Self {
        let databases = Self { cluster: embedded_postgres::throwaway().unwrap(), mails: MailServer::good() };
        databases.query("postgres", "CREATE DATABASE good");
        storage_diesel::migrate(&databases.url("good")).unwrap();
        storage_diesel::mark_backup(&databases.url("good")).unwrap();
        databases
    }

    fn url(&self, database: &str) -> String {
        self.cluster.database_url(database).replace("://postgres@", &format!("://postgres:{PASSWORD}@"))
    }

    fn query(&self, database: &str, sql: &str) {
        psql(&self.url(database), sql);
    }

    /// The address of a copy in which these statements were run.
    fn altered_copy(&self, name: &str, sql: &str) -> String {
        self.query("postgres", &format!("CREATE DATABASE {name} TEMPLATE good"));
        self.query(name, sql);
        self.url(name)
    }

    /// An installation without faults.
    fn installation(&self) -> (tempfile::TempDir, Command) {
        let folder = data_dir();
        set_mode(folder.path(), 0o711);
        let mut command = command(folder.path());
        command.env("DATABASE_URL", self.url("good")).env("SERVICE_MASTER_KEY", MASTER_KEY);
        command.env("SERVICE_SMTP_URL", format!("smtp://127.0.0.1:{}", self.mails.port));
        command.args(["doctor", "--json"]);
        (folder, command)
    }

    /// What doctor finds after a change to that installation; `None` if the machine lacks what the fault needs.
    fn findings_after(&self, fault: &Fault) -> Option<Vec<Value>> {
        let (folder, command) = self.installation();
        let guards = Vec::new();
        let mut world = World { databases: self, folder: folder.path(), command, guards, is_possible: true };
        fault(&mut world);
        world.is_possible.then(|| checked_findings(&world.command.output().unwrap()))
    }
}

/// The installation that a fault changes.
struct World<'a> {
    databases: &'a Databases,
    folder: &'a Path,
    command: Command,
    /// Values that must live as long as the command runs.
    guards: Vec<Box<dyn std::any::Any>>,
    /// Whether the machine has what the fault needs.
    is_possible: bool,
}

impl World<'_> {
    fn set(&mut self, name: &str, value: &str) {
        self.command.env(name, value);
    }

    fn lacks(&mut self, missing: &str) {
        not_run::report(missing);
        self.is_possible = false;
    }

    fn database(&mut self, name: &str, sql: &str) {
        let url = self.databases.altered_copy(name, sql);
        self.set("DATABASE_URL", &url);
    }
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// A program that listens, and answers everything with a page.
fn other_program() -> TcpListener {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let accepting = listener.try_clone().unwrap();
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = accepting.accept() {
            let _ = stream.read(&mut [0; 1024]);
            let _ = stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
    });
    listener
}

fn checked_findings(output: &Output) -> Vec<Value> {
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!stdout.contains(PASSWORD) && !stderr.contains(PASSWORD), "a password: {stdout} {stderr}");
    assert!(!stdout.contains(MASTER_KEY), "the master key: {stdout}");
    let findings: Vec<Value> = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stdout} {stderr}"));
    for finding in &findings {
        let members: BTreeSet<_> = finding.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(members, BTreeSet::from(["check", "cure", "message", "status"]));
        let is_wrong = ["warning", "error"].contains(&finding["status"].as_str().unwrap());
        assert_eq!(finding["cure"].is_string(), is_wrong, "{finding}");
    }
    let has_errors = findings.iter().any(|finding| finding["status"] == "error");
    assert_eq!(output.status.code(), Some(i32::from(has_errors)), "{stdout} {stderr}");
    findings
}

fn status_of<'a>(findings: &'a [Value], check: &str) -> Vec<&'a str> {
    findings
        .iter()
        .filter(|finding| finding["check"] == check)
        .map(|finding| finding["status"].as_str().unwrap())
        .collect()
}

/// The part of the expected finding that doctor did not report, if any.
fn unreported(databases: &Databases, row: &Row) -> Option<String> {
    let Row { check, status, message, cure, fault } = row;
    let findings = databases.findings_after(&**fault)?;
    let is_expected = |finding: &Value| {
        let contains_text =
            |member: &str, text: &str| finding[member].as_str().is_some_and(|value| value.contains(text));
        finding["check"] == *check
            && finding["status"] == *status
            && contains_text("message", message)
            && contains_text("cure", cure)
    };
    let of_check: Vec<_> = findings.iter().filter(|finding| finding["check"] == *check).collect();
    (!findings.iter().any(is_expected)).then(|| format!("{check}, {status}, {message}: {of_check:?}"))
}

#[test]
fn every_check_finds_its_fault_and_nothing_else() {
    let databases = Databases::new();
    let findings = checked_findings(&databases.installation().1.output().unwrap());
    for finding in &findings {
        assert!(["ok", "not_checked"].contains(&finding["status"].as_str().unwrap()), "{finding}");
    }
    let groups =
        [faults::settings_faults(), faults::machine_faults(), faults::database_faults(), faults::server_faults()];
    let checks: BTreeSet<_> = findings.iter().map(|finding| finding["check"].as_str().unwrap()).collect();
    let covered: BTreeSet<_> = groups.iter().flatten().map(|row| row.check).collect();
    assert_eq!(covered, checks, "every check has a row");
    let unreported: Vec<_> = groups.iter().flatten().filter_map(|row| unreported(&databases, row)).collect();
    assert!(unreported.is_empty(), "{}", unreported.join("\n"));
    assert_eq!(databases.mails.rest(), 0, "no e-mail was sent");
}

/// The names of the files in a folder.
fn entries(folder: &Path) -> BTreeSet<std::ffi::OsString> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
}

#[test]
fn an_embedded_database_is_joined_or_started_but_never_created() {
    let folder = data_dir();
    let findings = checked_findings(&run(folder.path(), &["doctor", "--json"]));
    assert_eq!(
        (status_of(&findings, "database"), status_of(&findings, "schema")),
        (vec!["not_checked"], vec!["not_checked"])
    );
    assert!(entries(folder.path()).is_empty(), "nothing was created");

    let mut service = Service::start(folder.path());
    let doctor_alongside = |address: &str, admin: &str| {
        let mut command = command(folder.path());
        command.env("SERVICE_BIND", address).env("SERVICE_ADMIN_BIND", admin).args(["doctor", "--json"]);
        checked_findings(&command.output().unwrap())
    };
    let findings = doctor_alongside(&service.address, &service.admin);
    for check in ["database", "schema", "clock", "master_key", "public_url", "pooler"] {
        assert_eq!(status_of(&findings, check), ["ok"], "{check}: {findings:#?}");
    }
    assert_eq!(status_of(&findings, "ports"), ["warning", "warning"]);
    assert_eq!(status_of(&findings, "backup"), ["warning"]);
    let backup = folder.path().join("work.backup");
    assert!(run(folder.path(), &["backup", backup.to_str().unwrap()]).status.success());
    assert_eq!(status_of(&doctor_alongside(&service.address, &service.admin), "backup"), ["ok"]);
    let other = other_program();
    let mut doctor_of_other = command(folder.path());
    doctor_of_other.env("SERVICE_BIND", &service.address).args(["doctor", "--json"]);
    doctor_of_other.env("SERVICE_PUBLIC_URL", format!("http://{}", other.local_addr().unwrap()));
    assert_eq!(status_of(&checked_findings(&doctor_of_other.output().unwrap()), "public_url"), ["error"]);

    assert_eq!(service.signal("TERM"), Some(0));
    let before = entries(folder.path());
    let findings = checked_findings(&run(folder.path(), &["doctor", "--json"]));
    assert_eq!((status_of(&findings, "database"), status_of(&findings, "master_key")), (vec!["ok"], vec!["ok"]));
    assert_eq!(entries(folder.path()), before);
    for (archive, status) in [("archive", "warning"), ("typo/archive", "error")] {
        let mut command = command(folder.path());
        command.env("SERVICE_WAL_ARCHIVE_DIR", folder.path().join(archive));
        let findings = checked_findings(&command.args(["doctor", "--json"]).output().unwrap());
        assert_eq!(status_of(&findings, "wal_archive"), [status], "{findings:?}");
    }
    assert_eq!(entries(folder.path()), before, "nothing was created");
    std::fs::remove_file(folder.path().join("master-key")).unwrap();
    let text_output = run(folder.path(), &["doctor"]);
    let text_output = String::from_utf8_lossy(&text_output.stdout);
    assert!(text_output.lines().any(|line| line.starts_with("ok ") && line.contains(" database ")), "{text_output}");
    assert!(text_output.contains("\n    "), "cures are indented: {text_output}");
}
