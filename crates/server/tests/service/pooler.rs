//! The binary behind a real PgBouncer.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use embedded_postgres::ThrowawayCluster;
use pgbouncer::PgBouncer;
use serde_json::json;

use crate::support::{
    MASTER_KEY, Service, acme_key, body_of, command, create_user_by, data_dir, eventually, failure, json_of, log_of,
    operate, psql, text,
};
use crate::used::{HOOKS, Webhook};

const CLIENTS: usize = 12;
const RECORDS_PER_CLIENT: usize = 12;
const OWNER: &str = "ann@example.com";
const PASSWORD: &str = "correct horse battery";

/// A cluster behind a PgBouncer.
pub(crate) struct Pooled {
    pooler: PgBouncer,
    cluster: ThrowawayCluster,
    /// The setting for prepared statements.
    prepared: &'static str,
}

impl Pooled {
    /// Uses prepared statements if this machine's PgBouncer keeps them. `None` if there is no PgBouncer.
    pub(crate) fn start(pool_mode: &str) -> Option<Self> {
        Self::start_with(pool_mode, true)
    }

    fn start_with(pool_mode: &str, may_prepare: bool) -> Option<Self> {
        let cluster = embedded_postgres::throwaway().unwrap();
        let pooler = PgBouncer::start(&cluster.database_url("postgres"), pool_mode, may_prepare)?;
        let prepared = if may_prepare && pooler.version.keeps_prepared_statements() { "on" } else { "off" };
        Some(Self { pooler, cluster, prepared })
    }

    pub(crate) fn url(&self) -> String {
        self.pooler.url("postgres")
    }

    pub(crate) fn direct_url(&self) -> String {
        self.cluster.database_url("postgres")
    }

    /// The error of `serve`, which must refuse to start.
    fn refusal(&self, settings: &[(&str, &str)]) -> String {
        let folder = data_dir();
        failure(&self.command(folder.path()).envs(settings.iter().copied()).output().unwrap())
    }

    fn command(&self, folder: &Path) -> Command {
        let mut command = command(folder);
        command.env("DATABASE_URL", self.url()).env("SERVICE_MASTER_KEY", MASTER_KEY);
        command
    }

    /// A service behind the pooler, and a key of a workspace.
    fn serve(&self, folder: &Path) -> (Service, String) {
        std::fs::File::create_new(folder.join("started")).unwrap();
        let url = self.url();
        let settings =
            [("DATABASE_URL", &*url), ("SERVICE_MASTER_KEY", MASTER_KEY), ("SERVICE_DB_PREPARED", self.prepared)];
        let service = Service::start_with(folder, &[&settings[..], &HOOKS].concat());
        let key = acme_key(|arguments| operate(self.operator_command(folder), arguments));
        (service, key)
    }

    fn create_owner(&self, folder: &Path) {
        json_of(&create_user_by(self.operator_command(folder), "acme", OWNER, "owner", PASSWORD));
    }

    fn operator_command(&self, folder: &Path) -> Command {
        let mut command = self.command(folder);
        command.env("SERVICE_DB_PREPARED", self.prepared);
        command
    }
}

#[test]
fn a_pooler_that_would_break_the_service_is_refused_with_a_fix() {
    // Versions before 1.21 never keep prepared statements, and later ones do not with this setting.
    let Some(transactions) = Pooled::start_with("transaction", false) else { return };
    let message = transactions.refusal(&[]);
    let cure = "set SERVICE_DB_PREPARED=off, or use PgBouncer 1.21";
    assert!(message.contains("transaction mode") && message.contains(cure), "{message}");
    let Some(statements) = Pooled::start("statement") else { return };
    // Migrations need transactions, too.
    let direct = statements.direct_url();
    let message = statements.refusal(&[("SERVICE_DATABASE_DIRECT_URL", &direct)]);
    assert!(message.contains("statement mode") && message.contains("pool_mode = transaction"), "{message}");
}

#[test]
fn transactions_share_three_connections_without_an_error() {
    for may_prepare in [true, false] {
        let Some(pooler) = Pooled::start_with("transaction", may_prepare) else { return };
        // Before 1.21, both cases are the same.
        if !may_prepare || pooler.prepared == "on" {
            share_three_connections(&pooler);
        }
    }
}

fn share_three_connections(pooler: &Pooled) {
    let folder = data_dir();
    let (mut service, key) = pooler.serve(folder.path());
    std::thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (service, key) = (&service, &key);
            scope.spawn(move || work(service, key, client));
        }
    });
    let mut count = 0;
    let mut cursor = String::new();
    loop {
        let page = body_of(&service.get(&format!("/api/v1/crm/deals?limit=100{cursor}"), &key), 200);
        count += page["data"].as_array().unwrap().len();
        let Some(next) = page["pagination"]["nextCursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(count, CLIENTS * RECORDS_PER_CLIENT);
    let log = log_of(folder.path());
    let complaints: Vec<_> = log.lines().filter(|line| line.contains(" ERROR ") || line.contains(" WARN ")).collect();
    // On a busy machine, a job with a limit of a second may time out. It runs again.
    let is_expected = |line: &&str| line.contains("no mail server") || line.contains("timed out; retrying");
    assert!(complaints.iter().all(is_expected), "{complaints:?}");
    let log = pooler.pooler.log();
    assert!(!log.contains("ERROR") && !log.contains("WARNING"), "{log}");
    assert_eq!(service.signal("TERM"), Some(0));
    let lock_count = psql(&pooler.direct_url(), "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'");
    assert_eq!(lock_count, "0", "a lock is left behind");
}

/// Creates, reads, changes, searches and lists. Every response must be correct.
fn work(service: &Service, key: &str, client: usize) {
    for number in 0..RECORDS_PER_CLIENT {
        let title = format!("Deal {client}-{number}");
        let body = json!({"title": title, "value": number, "external_id": title}).to_string();
        let deal = body_of(&service.post("/api/v1/crm/deals", key, &body), 201)["data"].take();
        let path = format!("/api/v1/crm/deals/{}", deal["id"].as_str().unwrap());
        let read = body_of(&service.get(&path, key), 200);
        assert_eq!(read["data"]["title"], title.as_str(), "another one's row");
        let changed = body_of(&service.patch(&path, key, r#"{"stage": "proposal"}"#), 200);
        assert_eq!((&changed["data"]["id"], &changed["data"]["version"]), (&deal["id"], &json!(2)));
        let found =
            body_of(&service.get(&format!("/api/v1/crm/deals?external_id={}", title.replace(' ', "%20")), key), 200);
        assert_eq!(found["data"][0]["id"], deal["id"]);
        let events = body_of(&service.get("/api/v1/events?limit=5", key), 200);
        assert!(events["data"].as_array().is_some_and(|events| !events.is_empty()), "{events}");
        body_of(&service.get("/api/v1/crm/deals?search=deal&limit=10", key), 200);
    }
}

/// The pooler is killed twice while clients write. They get errors that can be retried, and no acknowledged write is lost.
#[test]
fn a_killed_pooler_causes_errors_but_loses_no_data() {
    let Some(mut pooler) = Pooled::start("transaction") else { return };
    let folder = data_dir();
    let (mut service, key) = pooler.serve(folder.path());
    let is_finished = AtomicBool::new(false);
    let stored: Vec<String> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..3)
            .map(|client| {
                let (service, key, is_finished) = (&service, &key, &is_finished);
                scope.spawn(move || write_until(service, key, client, is_finished))
            })
            .collect();
        for _ in 0..2 {
            pooler.pooler.kill();
            eventually("an instance without a database is not ready", || service.readiness() == 503);
            pooler.pooler.start_again();
            eventually("the instance is ready again", || service.readiness() == 200);
        }
        is_finished.store(true, Ordering::Relaxed);
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    assert!(!stored.is_empty());
    for id in &stored {
        body_of(&service.get(&format!("/api/v1/crm/deals/{id}"), &key), 200);
    }
    assert_eq!(service.signal("TERM"), Some(0));
}

/// Creates deals; returns the ids of the acknowledged ones.
fn write_until(service: &Service, key: &str, client: usize, is_finished: &AtomicBool) -> Vec<String> {
    let mut stored = Vec::new();
    let mut number = 0;
    while !is_finished.load(Ordering::Relaxed) {
        number += 1;
        let response =
            service.post("/api/v1/crm/deals", key, &json!({"title": format!("{client} {number}")}).to_string());
        if response.starts_with("HTTP/1.1 201 ") {
            stored.push(text(&body_of(&response, 201)["data"]["id"]));
        } else {
            // The limit per minute was reached, or the database is unavailable.
            assert!(["HTTP/1.1 429 ", "HTTP/1.1 503 "].iter().any(|status| response.starts_with(status)), "{response}");
            assert!(response.to_ascii_lowercase().contains("\nretry-after: "), "{response}");
        }
    }
    stored
}

/// Without `SERVICE_DATABASE_DIRECT_URL`, the dispatcher and followers are not notified of new events, so they poll.
#[test]
fn webhooks_and_waiting_followers_work_without_a_session() {
    let Some(pooler) = Pooled::start("transaction") else { return };
    let folder = data_dir();
    let (service, key) = pooler.serve(folder.path());
    pooler.create_owner(folder.path());
    Webhook::of(&service, OWNER, PASSWORD).assert_delivery(&service, &key);

    let read = body_of(&service.get("/api/v1/events?event=deal.created", &key), 200);
    let cursor = read["pagination"]["nextCursor"].as_str().unwrap();
    let waiting = format!("/api/v1/events?event=deal.created&wait=30&cursor={cursor}");
    std::thread::scope(|scope| {
        let follower = scope.spawn(|| body_of(&service.get(&waiting, &key), 200));
        eventually("it waits", || service.metrics().contains("service_event_followers 1"));
        body_of(&service.post("/api/v1/crm/deals", &key, r#"{"title": "new"}"#), 201);
        let page = follower.join().unwrap();
        assert_eq!(page["data"][0]["data"]["title"], "new");
    });
}
