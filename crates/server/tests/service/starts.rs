//! Start, stop, SIGKILL, and start-up errors.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::Instant;

use crate::support::{Service, WAIT_TIMEOUT, cluster_runs, command, data_dir, log_of, run};

#[test]
fn a_first_start_a_stop_a_kill_and_the_same_data_each_time() {
    let folder = data_dir();
    let mut service = Service::start(folder.path());
    let key = service.key.clone().unwrap();
    // What a start prints is collected as a log in many places: it names the file that holds the key.
    let file = folder.path().join("demo-key").canonicalize().unwrap();
    let expected = format!(
        "curl -H \"Authorization: Bearer $(cat '{}')\" http://{}/api/v1/crm/contacts",
        file.display(),
        service.address
    );
    assert_eq!(service.curl.as_deref(), Some(expected.as_str()));
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
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
    // One line per request, without secrets.
    let log = log_of(folder.path());
    assert!(log.contains("/api/v1/crm/deals"), "{log}");
    assert!(!log.contains(&key) && !log.contains("kept"), "{log}");
}

#[test]
fn a_database_that_exits_is_restarted() {
    let folder = data_dir();
    let mut service = Service::start(folder.path());
    let key = service.key.clone().unwrap();
    assert!(service.post("/api/v1/crm/deals", &key, r#"{"title":"kept"}"#).starts_with("HTTP/1.1 201"));
    let pid_file = std::fs::read_to_string(folder.path().join("postgres/postmaster.pid")).unwrap();
    let killed = Command::new("kill").args(["-KILL", pid_file.lines().next().unwrap()]).status().unwrap();
    assert!(killed.success());
    let end = Instant::now() + WAIT_TIMEOUT;
    loop {
        let answer = service.get("/api/v1/crm/deals", &key);
        if answer.starts_with("HTTP/1.1 200") {
            assert!(answer.contains(r#""title":"kept""#), "{answer}");
            break;
        }
        assert!(answer.starts_with("HTTP/1.1 503") && answer.to_lowercase().contains("retry-after"), "{answer}");
        assert!(Instant::now() < end, "it did not come back: {}", log_of(folder.path()));
    }
    let answer = service.post("/api/v1/crm/deals", &key, r#"{"title":"next"}"#);
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}\n{}", log_of(folder.path()));
    assert_eq!(service.signal("-TERM"), Some(0), "{}", log_of(folder.path()));
    assert!(!cluster_runs(folder.path()));
}

#[test]
fn invalid_settings_fail_the_start_and_are_named() {
    let folder = data_dir();
    std::fs::write(folder.path().join("workspace-service.toml"), "prot = 8080\n").unwrap();
    let output = run(folder.path(), &["serve"]);
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("prot"));
    std::fs::remove_file(folder.path().join("workspace-service.toml")).unwrap();
    for (name, value) in [
        ("SERVICE_DB_POOL_SIZE", "many"),
        ("SERVICE_DB_POOL_SIZE", "0"),
        ("SERVICE_DB_HEAVY_JOBS", "0"),
        ("SERVICE_DB_HEAVY_JOBS", "65"),
        ("SERVICE_DRAIN_SECONDS", "-1"),
        ("SERVICE_BIND", "nowhere"),
        ("SERVICE_LOG", "a=b=c"),
        ("SERVICE_LOG_FORMAT", "xml"),
        ("SERVICE_TRUSTED_PROXIES", "10.0.0.0/33"),
        ("SERVICE_PUBLIC_URL", "work.example.com"),
        ("SERVICE_LIMIT_ANONYMOUS", "-1"),
        ("SERVICE_ABUSE_CONTACT", "nobody"),
        ("SERVICE_REDIS_URL", "nonsense://x"),
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
