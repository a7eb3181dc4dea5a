//! Behind PgBouncer, the real program.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use embedded_postgres::ThrowawayCluster;
use serde_json::{Value, json};

use crate::support::{Service, body_of, command, data_dir, eventually, json_of, log_of};

const MASTER_KEY: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
const CLIENTS: usize = 12;
const RECORDS_PER_CLIENT: usize = 12;

/// A PgBouncer with three server connections, in front of a cluster.
pub(crate) struct PgBouncer {
    child: Child,
    folder: tempfile::TempDir,
    cluster: ThrowawayCluster,
}

impl PgBouncer {
    /// `None` where the program is missing, which is reported.
    pub(crate) fn start(pool_mode: &str) -> Option<Self> {
        if Command::new("pgbouncer").arg("--version").output().is_err() {
            not_run::report("pgbouncer");
            return None;
        }
        let (folder, cluster) = (data_dir(), embedded_postgres::throwaway().unwrap());
        let direct = cluster.database_url("postgres");
        let (host, port) = host_and_port(&direct);
        let mut settings = format!(
            "[databases]\n* = host={} port={port} user=postgres\n[pgbouncer]\nauth_type = any\npool_mode = {pool_mode}\n\
             default_pool_size = 3\nlisten_addr =\nlisten_port = 6432\nunix_socket_dir = {}\n",
            host.replace("%2F", "/"),
            folder.path().display()
        );
        if rustix::process::geteuid().is_root() {
            // It refuses to run as root.
            settings.push_str("user = postgres\n");
            let open = std::os::unix::fs::PermissionsExt::from_mode(0o777);
            std::fs::set_permissions(folder.path(), open).unwrap();
        }
        let file = folder.path().join("pgbouncer.ini");
        std::fs::write(&file, settings).unwrap();
        let log = std::fs::File::create(folder.path().join("pgbouncer.log")).unwrap();
        let child = Command::new("pgbouncer").arg(&file).stdout(Stdio::null()).stderr(log).spawn().unwrap();
        let pooler = Self { child, folder, cluster };
        eventually("PgBouncer listens", || pooler.folder.path().join(".s.PGSQL.6432").exists());
        Some(pooler)
    }

    pub(crate) fn url(&self) -> String {
        let host = self.folder.path().to_str().unwrap().replace('/', "%2F");
        format!("postgres://postgres@{host}:6432/postgres")
    }

    pub(crate) fn direct_url(&self) -> String {
        self.cluster.database_url("postgres")
    }

    /// What `serve` says when it refuses to start.
    fn refusal(&self, settings: &[(&str, &str)]) -> String {
        let folder = data_dir();
        let output = self.command(folder.path()).envs(settings.iter().copied()).output().unwrap();
        assert!(!output.status.success(), "it started");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    fn command(&self, folder: &Path) -> Command {
        let mut command = command(folder);
        command.env("DATABASE_URL", self.url()).env("SERVICE_MASTER_KEY", MASTER_KEY);
        command
    }

    /// One value, asked for past the pooler.
    fn cluster_query(&self, sql: &str) -> String {
        let mut psql = Command::new("psql");
        let output = psql.args([&self.direct_url(), "-At", "-c", sql]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Runs a command of operators, which must succeed.
    fn operate(&self, folder: &Path, arguments: &[&str]) -> Value {
        json_of(&self.command(folder).env("SERVICE_DB_PREPARED", "off").args(arguments).arg("--json").output().unwrap())
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The host, percent-encoded, and the port of an address of a Unix socket.
fn host_and_port(url: &str) -> (String, String) {
    let (_, rest) = url.split_once('@').unwrap();
    let (host, rest) = rest.split_once(':').unwrap();
    (host.to_owned(), rest.split('/').next().unwrap().to_owned())
}

#[test]
fn a_pooler_that_would_break_the_service_is_refused_with_the_cure() {
    let Some(transactions) = PgBouncer::start("transaction") else { return };
    let said = transactions.refusal(&[]);
    let cure = "set SERVICE_DB_PREPARED=off, or use PgBouncer 1.21";
    assert!(said.contains("transaction mode") && said.contains(cure), "{said}");
    let Some(statements) = PgBouncer::start("statement") else { return };
    // Migrations need transactions, too.
    let direct = statements.direct_url();
    let said = statements.refusal(&[("SERVICE_DATABASE_DIRECT_URL", &direct)]);
    assert!(said.contains("statement mode") && said.contains("pool_mode = transaction"), "{said}");
}

#[test]
fn transactions_share_three_connections_without_an_error() {
    let Some(pooler) = PgBouncer::start("transaction") else { return };
    let folder = data_dir();
    std::fs::File::create_new(folder.path().join("started")).unwrap();
    let url = pooler.url();
    let settings = [("DATABASE_URL", url.as_str()), ("SERVICE_MASTER_KEY", MASTER_KEY), ("SERVICE_DB_PREPARED", "off")];
    let mut service = Service::start_with(folder.path(), &settings);
    pooler.operate(folder.path(), &["workspace", "create", "--name", "Acme", "--slug", "acme"]);
    let created = ["key", "create", "--workspace", "acme", "--name", "all", "--preset", "full_access"];
    let key = pooler.operate(folder.path(), &created)["key"].as_str().unwrap().to_owned();
    std::thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (service, key) = (&service, &key);
            scope.spawn(move || work(service, key, client));
        }
    });
    let mut seen = 0;
    let mut cursor = String::new();
    loop {
        let page = body_of(&service.get(&format!("/api/v1/crm/deals?limit=100{cursor}"), &key), 200);
        seen += page["data"].as_array().unwrap().len();
        let Some(next) = page["pagination"]["nextCursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(seen, CLIENTS * RECORDS_PER_CLIENT);
    let log = log_of(folder.path());
    assert!(!log.contains("ERROR"), "{log}");
    assert_eq!(service.signal("-TERM"), Some(0));
    let left = pooler.cluster_query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'");
    assert_eq!(left, "0", "a lock is left behind");
}

/// Creates, reads, changes, searches and lists; every answer must be the right one.
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
