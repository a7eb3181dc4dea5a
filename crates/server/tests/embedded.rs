//! The binary with nothing configured: first start, stop, SIGKILL, and the operator's commands beside it.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const BINARY: &str = env!("CARGO_BIN_EXE_workspace-service");
const PATIENCE: Duration = Duration::from_mins(1);

/// A running `serve` with what it said at its start.
struct Service {
    child: Child,
    address: String,
    key: Option<String>,
    curl: Option<String>,
}

fn command(data_dir: &Path) -> Command {
    let mut command = Command::new(BINARY);
    for name in ["DATABASE_URL", "SERVICE_LOG", "SERVICE_DB_POOL_SIZE", "SERVICE_DRAIN_SECONDS"] {
        command.env_remove(name);
    }
    command.env("SERVICE_DATA_DIR", data_dir).env("SERVICE_BIND", "127.0.0.1:0").current_dir(data_dir);
    command
}

impl Service {
    fn start(data_dir: &Path) -> Self {
        let log = std::fs::OpenOptions::new().create(true).append(true).open(data_dir.join("service.log")).unwrap();
        let mut child = command(data_dir).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = lines.next().unwrap_or_else(|| panic!("it ended: {}", log_of(data_dir))).unwrap();
        let address = first.split("http://").nth(1).and_then(|rest| rest.split(' ').next()).unwrap().to_owned();
        let mut service = Self { child, address, key: None, curl: None };
        if first_start(data_dir) {
            let line = lines.map_while(Result::ok).find(|line| line.contains("curl")).unwrap();
            service.curl = Some(line.trim().to_owned());
            service.key = line.split("Bearer ").nth(1).and_then(|rest| rest.split('\'').next()).map(ToOwned::to_owned);
        }
        service
    }

    fn signal(&mut self, name: &str) -> Option<i32> {
        let sent = Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::yield_now();
        }
        panic!("it did not end after {name}");
    }

    fn get(&self, path: &str, key: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {key}\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn post(&self, path: &str, key: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!("POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {key}\r\n");
        let rest = format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all((head + &rest).as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn log_of(data_dir: &Path) -> String {
    std::fs::read_to_string(data_dir.join("service.log")).unwrap_or_default()
}

/// Notes that the folder has been started in; says whether this is the first time.
fn first_start(data_dir: &Path) -> bool {
    std::fs::File::create_new(data_dir.join("started")).is_ok()
}

/// A folder that the user which Postgres runs as can reach.
fn data_dir() -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

fn run(data_dir: &Path, arguments: &[&str]) -> Output {
    command(data_dir).args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn json_of(output: &Output) -> serde_json::Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Whether a Postgres of this folder runs, by its own pid file.
fn cluster_runs(data_dir: &Path) -> bool {
    data_dir.join("postgres/postmaster.pid").exists()
}

#[test]
fn a_first_start_a_stop_a_kill_and_the_same_data_each_time() {
    let folder = data_dir();
    let mut service = Service::start(folder.path());
    let key = service.key.clone().unwrap();
    let expected = format!("curl -H 'Authorization: Bearer {key}' http://{}/api/v1/crm/contacts", service.address);
    assert_eq!(service.curl.as_deref(), Some(expected.as_str()));
    assert!(service.get("/api/v1/crm/contacts", &key).starts_with("HTTP/1.1 200"));
    assert!(service.post("/api/v1/crm/deals", &key, r#"{"title":"kept"}"#).starts_with("HTTP/1.1 201"));
    assert_eq!(service.signal("-TERM"), Some(0), "{}", log_of(folder.path()));
    assert!(!cluster_runs(folder.path()), "the cluster outlived a stop");

    let mut service = Service::start(folder.path());
    assert!(service.key.is_none());
    assert!(service.get("/api/v1/crm/deals", &key).contains(r#""title":"kept""#));
    assert_eq!(service.signal("-KILL"), None);

    let mut service = Service::start(folder.path());
    assert!(service.get("/api/v1/crm/deals", &key).contains(r#""title":"kept""#));
    assert_eq!(service.signal("-INT"), Some(0), "{}", log_of(folder.path()));
    assert!(!cluster_runs(folder.path()), "the cluster outlived a stop");
    // One line a request, without anything secret.
    let log = log_of(folder.path());
    assert!(log.contains("/api/v1/crm/deals"), "{log}");
    assert!(!log.contains(&key) && !log.contains("kept"), "{log}");
}

#[test]
fn a_database_that_dies_under_the_service_comes_back() {
    let folder = data_dir();
    let mut service = Service::start(folder.path());
    let key = service.key.clone().unwrap();
    assert!(service.post("/api/v1/crm/deals", &key, r#"{"title":"kept"}"#).starts_with("HTTP/1.1 201"));
    let pid_file = std::fs::read_to_string(folder.path().join("postgres/postmaster.pid")).unwrap();
    let killed = Command::new("kill").args(["-KILL", pid_file.lines().next().unwrap()]).status().unwrap();
    assert!(killed.success());
    let end = Instant::now() + PATIENCE;
    loop {
        let answer = service.get("/api/v1/crm/deals", &key);
        if answer.starts_with("HTTP/1.1 200") {
            assert!(answer.contains(r#""title":"kept""#), "{answer}");
            break;
        }
        assert!(answer.starts_with("HTTP/1.1 503") && answer.to_lowercase().contains("retry-after"), "{answer}");
        assert!(Instant::now() < end, "it did not come back: {}", log_of(folder.path()));
    }
    assert!(service.post("/api/v1/crm/deals", &key, r#"{"title":"next"}"#).starts_with("HTTP/1.1 201"));
    assert_eq!(service.signal("-TERM"), Some(0), "{}", log_of(folder.path()));
    assert!(!cluster_runs(folder.path()));
}

#[test]
fn the_operators_commands_work_beside_the_service_and_without_it() {
    let folder = data_dir();
    // Without it: each command starts the cluster for its own time.
    let made = run(
        folder.path(),
        &["workspace", "create", "--name", "Acme", "--slug", "acme", "--plan", "professional", "--json"],
    );
    let workspace = json_of(&made);
    assert_eq!(
        (&workspace["slug"], &workspace["plan"], &workspace["status"]),
        (&"acme".into(), &"professional".into(), &"active".into())
    );
    assert!(!cluster_runs(folder.path()));
    let again = run(folder.path(), &["workspace", "create", "--name", "Acme", "--slug", "acme"]);
    assert!(!again.status.success() && String::from_utf8_lossy(&again.stderr).contains("slug"));

    std::fs::write(folder.path().join("started"), "").unwrap();
    let mut service = Service::start(folder.path());
    let key = json_of(&run(
        folder.path(),
        &[
            "key",
            "create",
            "--workspace",
            "acme",
            "--name",
            "k",
            "--scope",
            "deals.read",
            "--scope",
            "crm.write",
            "--json",
        ],
    ));
    assert_eq!(
        (&key["scopes"], &key["preset"], &key["expires_at"]),
        (&serde_json::json!(["crm.write", "deals.read"]), &serde_json::Value::Null, &serde_json::Value::Null)
    );
    let secret = key["key"].as_str().unwrap();
    assert!(service.get("/api/v1/crm/deals", secret).starts_with("HTTP/1.1 200"));
    assert!(service.get("/api/v1/projects", secret).starts_with("HTTP/1.1 403"));
    let id = key["id"].as_str().unwrap();
    let revoke = ["key", "revoke", "--workspace", workspace["id"].as_str().unwrap(), "--id", id, "--json"];
    assert_eq!(json_of(&run(folder.path(), &revoke))["revoked"], true);
    assert!(service.get("/api/v1/crm/deals", secret).starts_with("HTTP/1.1 401"));
    assert!(!run(folder.path(), &revoke).status.success());

    let short = json_of(&run(
        folder.path(),
        &["key", "create", "--workspace", "acme", "--name", "k", "--preset", "crm", "--expires-in", "1s", "--json"],
    ));
    let end = Instant::now() + PATIENCE;
    while !service.get("/api/v1/crm/deals", short["key"].as_str().unwrap()).starts_with("HTTP/1.1 401") {
        assert!(Instant::now() < end, "the key did not expire");
    }
    for arguments in [
        vec!["key", "create", "--workspace", "acme", "--name", "k"],
        vec!["key", "create", "--workspace", "acme", "--name", "k", "--preset", "nope"],
        vec!["key", "create", "--workspace", "acme", "--name", "k", "--scope", "stock.products.read"],
        vec!["key", "create", "--workspace", "acme", "--name", "k", "--preset", "crm", "--scope", "deals.read"],
        vec!["key", "create", "--workspace", "nope", "--name", "k", "--preset", "crm"],
        vec!["key", "create", "--workspace", "acme", "--name", "k", "--preset", "crm", "--expires-in", "soon"],
    ] {
        assert!(!run(folder.path(), &arguments).status.success(), "{arguments:?}");
    }
    assert_eq!(service.signal("-TERM"), Some(0));
    assert!(!cluster_runs(folder.path()));
}

#[test]
fn a_person_is_made_with_a_password_from_standard_input() {
    let folder = data_dir();
    let _ = json_of(&run(folder.path(), &["workspace", "create", "--name", "A", "--slug", "a", "--json"]));
    let make = |password: &str| {
        let arguments = [
            "user",
            "create",
            "--workspace",
            "a",
            "--email",
            "ann@example.com",
            "--name",
            "Ann",
            "--role",
            "admin",
            "--password-stdin",
            "--json",
        ];
        let mut child = command(folder.path())
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(password.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    assert!(!make("short\n").status.success());
    let user = json_of(&make("correct horse battery\n"));
    assert_eq!((&user["email"], &user["role"]), (&"ann@example.com".into(), &"admin".into()));
    let twice = make("correct horse battery\n");
    assert!(!twice.status.success() && !String::from_utf8_lossy(&twice.stderr).contains("horse"));
}

#[test]
fn what_cannot_be_read_stops_the_start_and_is_named() {
    let folder = data_dir();
    std::fs::write(folder.path().join("workspace-service.toml"), "prot = 8080\n").unwrap();
    let output = run(folder.path(), &["serve"]);
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("prot"));
    std::fs::remove_file(folder.path().join("workspace-service.toml")).unwrap();
    for (name, value) in [
        ("SERVICE_DB_POOL_SIZE", "many"),
        ("SERVICE_DB_POOL_SIZE", "0"),
        ("SERVICE_DRAIN_SECONDS", "-1"),
        ("SERVICE_BIND", "nowhere"),
        ("SERVICE_LOG", "a=b=c"),
    ] {
        let output = command(folder.path()).env(name, value).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let word = name.trim_start_matches("SERVICE_").to_lowercase();
        assert!(!output.status.success(), "{name}={value}");
        assert!(
            said.to_lowercase().contains(&word) || said.contains(value) || said.contains(&word.replace('_', "-")),
            "{name}: {said}"
        );
    }
    let output = command(folder.path()).env("PG_BIN_DIR", "/nowhere").output().unwrap();
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("/nowhere"));
    let secret = "postgres://user:hunter2@127.0.0.1:1/none";
    let output = command(folder.path()).env("DATABASE_URL", secret).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && !said.contains("hunter2"), "{said}");
    for broken in [
        "mysql://u:hunter2@h/x",
        "postgres://u:hunter2@[::1/x",
        "postgres://u:hunter 2@h/x",
        "postgres://u:hunter2%zz@h/x",
    ] {
        let output = command(folder.path()).env("DATABASE_URL", broken).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && !said.contains("hunter") && said.contains("postgres://"), "{said}");
    }
}
