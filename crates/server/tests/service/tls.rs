//! The service with a Postgres that accepts only connections with TLS.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use postgres_address::Address;
use postgres_address::testing::TlsPostgres;
use storage_diesel::{LIBPQ_HAS_TLS, Listening, NotifyListener};

use crate::support::{
    MASTER_KEY, Service, acme_key, body_of, command, data_dir, doctor_finding, eventually, failure, log_of, operate,
    succeed,
};

const DEALS: &str = "/api/v1/crm/deals";

fn verified_url(server: &TlsPostgres) -> String {
    server.url(&format!("sslmode=verify-full&sslrootcert={}", server.authority_file().display()))
}

fn command_with(url: &str, folder: &Path) -> Command {
    let mut command = command(folder);
    command.env("DATABASE_URL", url).env("SERVICE_MASTER_KEY", MASTER_KEY);
    command
}

fn start(url: &str, folder: &Path) -> (Service, String) {
    std::fs::File::create_new(folder.join("started")).unwrap();
    let service = Service::start_with(folder, &[("DATABASE_URL", url), ("SERVICE_MASTER_KEY", MASTER_KEY)]);
    (service, acme_key(|arguments| operate(command_with(url, folder), arguments)))
}

#[test]
fn the_service_continues_after_its_connections_broke() {
    let Some(server) = TlsPostgres::start() else { return };
    let (folder, url) = (data_dir(), verified_url(&server));
    let (mut service, key) = start(&url, folder.path());
    body_of(&service.post(DEALS, &key, r#"{"title": "Big"}"#), 201);
    let of_the_service = "FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'work'";
    let plain = format!("SELECT count(*) FILTER (WHERE NOT ssl) {of_the_service}");
    assert_eq!(server.execute(&plain).as_deref(), Ok("0"));
    let listening = format!("SELECT count(*) > 0 {of_the_service} AND query LIKE 'LISTEN%'");
    eventually("it listens", || server.execute(&listening).as_deref() == Ok("t"));
    server.execute(&format!("SELECT pg_terminate_backend(pid) {of_the_service}")).unwrap();
    assert_eq!(body_of(&service.get(DEALS, &key), 200)["data"][0]["title"], "Big");
    eventually("the service listens again", || server.execute(&listening).as_deref() == Ok("t"));
    let before = std::fs::read_to_string(server.cluster.dir().join("postgres.log")).unwrap().len();
    assert_eq!(service.signal("TERM"), Some(0), "{}", log_of(folder.path()));
    // Every session was ended properly, and no connection was broken.
    eventually("its sessions have ended", || {
        server.execute(&format!("SELECT count(*) {of_the_service}")).as_deref() == Ok("0")
    });
    let log = std::fs::read_to_string(server.cluster.dir().join("postgres.log")).unwrap();
    let broken: Vec<_> = log[before..].lines().filter(|line| line.contains("reset") || line.contains("EOF")).collect();
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn notifications_arrive() {
    let Some(server) = TlsPostgres::start() else { return };
    let address = Address::open(&verified_url(&server), LIBPQ_HAS_TLS).unwrap();
    let notifications = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&notifications);
    let callback = move || {
        counter.fetch_add(1, Ordering::Relaxed);
    };
    let listening = Listening { on_queued: Some(Arc::new(callback)), ..Listening::default() };
    let _listener = NotifyListener::listen(address.for_libpq(), listening);
    eventually("it listens", || notifications.load(Ordering::Relaxed) == 1);
    let in_database = server.cluster.database_url(postgres_address::testing::DATABASE);
    postgres_address::testing::psql(&in_database, "NOTIFY webhook_deliveries").unwrap();
    eventually("both notifications arrived", || notifications.load(Ordering::Relaxed) == 2);
}

#[test]
fn backup_and_restore_go_through_tls() {
    let Some(server) = TlsPostgres::start() else { return };
    let (folder, url) = (data_dir(), verified_url(&server));
    let (service, key) = start(&url, folder.path());
    body_of(&service.post(DEALS, &key, r#"{"title": "Big"}"#), 201);
    drop(service);
    let file = folder.path().join("tls.backup");
    succeed(&command_with(&url, folder.path()).arg("backup").arg(&file).output().unwrap());
    server.execute("CREATE DATABASE moved OWNER work").unwrap();
    let (target, moved) = (data_dir(), url.replace("/work?", "/moved?"));
    succeed(&command_with(&moved, target.path()).arg("restore").arg(&file).output().unwrap());
    let in_moved = server.cluster.database_url("moved");
    assert_eq!(postgres_address::testing::psql(&in_moved, "SELECT title FROM deals").as_deref(), Ok("Big"));
}

#[test]
fn doctor_looks_for_a_pooler_through_tls() {
    let Some(server) = TlsPostgres::start() else { return };
    let folder = data_dir();
    let output =
        command_with(&server.url("sslmode=require"), folder.path()).args(["doctor", "--json"]).output().unwrap();
    let pooler = doctor_finding(&output, "pooler");
    assert_eq!(pooler["status"], "ok", "{pooler}");
}

#[test]
fn a_certificate_of_another_authority_ends_the_start_at_once() {
    let Some(server) = TlsPostgres::start() else { return };
    let folder = data_dir();
    let url = server.url(&format!("sslmode=verify-full&sslrootcert={}", server.other_authority_file().display()));
    let output = command_with(&url, folder.path()).env("SERVICE_START_WAIT", "600").output().unwrap();
    let message = failure(&output);
    assert!(message.contains("not issued by an authority in sslrootcert"), "{message}");
    assert!(message.contains(&format!("localhost:{}", server.port)) && !message.contains("secret"), "{message}");
}
