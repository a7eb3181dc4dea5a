//! Start, stop, SIGKILL, and start-up errors.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::Instant;

use crate::support::{
    MASTER_KEY, Service, WAIT_TIMEOUT, body_of, cluster_runs, command, create_user, data_dir, data_dir_after_start,
    eventually, failure, json_of, kill, log_of, postmaster, run,
};

#[test]
fn data_survives_a_stop_and_a_kill() {
    let folder = data_dir();
    let mut service = Service::start(folder.path());
    let key = service.key.clone().unwrap();
    // In many places the startup output is collected as a log, so it only names the file with the key.
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
    assert_eq!(service.signal("TERM"), Some(0), "{}", log_of(folder.path()));
    assert!(!cluster_runs(folder.path()), "the cluster outlived a stop");

    let mut service = Service::start(folder.path());
    assert!(service.key.is_none());
    assert!(service.get("/api/v1/crm/deals", &key).contains(r#""title":"kept""#));
    assert_eq!(service.signal("KILL"), None);

    let mut service = Service::start(folder.path());
    assert!(service.get("/api/v1/crm/deals", &key).contains(r#""title":"kept""#));
    assert_eq!(service.signal("INT"), Some(0), "{}", log_of(folder.path()));
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
    kill(&postmaster(folder.path()));
    let wait_for_status = |status: &str, request: &dyn Fn() -> String| {
        let deadline = Instant::now() + WAIT_TIMEOUT;
        loop {
            let response = request();
            if response.starts_with(status) {
                return response;
            }
            assert!(
                response.starts_with("HTTP/1.1 503") && response.to_lowercase().contains("retry-after"),
                "{response}"
            );
            assert!(Instant::now() < deadline, "the database was not restarted: {}", log_of(folder.path()));
        }
    };
    let list = wait_for_status("HTTP/1.1 200", &|| service.get("/api/v1/crm/deals", &key));
    assert!(list.contains(r#""title":"kept""#), "{list}");
    // A connection may outlive the postmaster for a moment, so the list may have come from before the restart.
    wait_for_status("HTTP/1.1 201", &|| service.post("/api/v1/crm/deals", &key, r#"{"title":"next"}"#));
    assert_eq!(service.signal("TERM"), Some(0), "{}", log_of(folder.path()));
    assert!(!cluster_runs(folder.path()));
}

#[test]
fn a_stop_before_the_service_listens_stops_the_database_too() {
    let folder = data_dir();
    let output = std::process::Stdio::piped();
    let mut child = command(folder.path()).stdout(output).stderr(std::process::Stdio::null()).spawn().unwrap();
    eventually("the database runs", || cluster_runs(folder.path()));
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(!cluster_runs(folder.path()), "the cluster outlived a stop");
}

#[test]
fn invalid_settings_fail_the_start_and_are_named() {
    let folder = data_dir();
    let refusal = |name: &str, value: &str| failure(&command(folder.path()).env(name, value).output().unwrap());
    std::fs::write(folder.path().join("workspace-service.toml"), "prot = 8080\n").unwrap();
    assert!(failure(&run(folder.path(), &["serve"])).contains("prot"));
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
        ("SERVICE_PUBLIC_URL", "https://work.example.com/?a=b"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "not an address"),
        ("SERVICE_WAL_ARCHIVE_DIR", "typo/archive"),
        ("SERVICE_LIMIT_ANONYMOUS", "-1"),
        ("SERVICE_ABUSE_CONTACT", "nobody"),
        ("SERVICE_REDIS_URL", "nonsense://x"),
    ] {
        let message = refusal(name, value);
        let word = name.trim_start_matches("SERVICE_").to_lowercase();
        assert!(
            message.to_lowercase().contains(&word)
                || message.contains(value)
                || message.contains(&word.replace('_', "-")),
            "{name}: {message}"
        );
    }
    assert!(refusal("PG_BIN_DIR", "/nowhere").contains("/nowhere"));
    let message = refusal("DATABASE_URL", "postgres://user:hunter2@127.0.0.1:1/none");
    assert!(!message.contains("hunter2"), "{message}");
    for broken in [
        "",
        "postgres://u:a@hunter2@h/x",
        "mysql://u:hunter2@h/x",
        "postgres://u:hunter2@[::1/x",
        "postgres://u:hunter 2@h/x",
        "postgres://u:hunter2%zz@h/x",
    ] {
        let message = refusal("DATABASE_URL", broken);
        assert!(!message.contains("hunter") && message.contains("postgres://"), "{message}");
    }
    let message = refusal("DATABASE_URL", "postgres://u:hunter2/x@h/x");
    assert!(!message.contains("hunter") && message.contains("percent-encode"), "{message}");
}

#[test]
fn a_start_without_a_demo_writes_a_new_set_up_code_each_time() {
    let folder = data_dir_after_start();
    let mut codes = Vec::new();
    for _ in 0..2 {
        let mut service = Service::start_with(folder.path(), &[("SERVICE_DEMO", "false")]);
        codes.push(secret_in(folder.path(), "set-up-code", "svu_"));
        assert_eq!(service.signal("TERM"), Some(0), "{}", log_of(folder.path()));
    }
    assert_ne!(codes[0], codes[1]);
    assert!(!folder.path().join("demo-key").exists());
    assert!(!codes.iter().any(|code| log_of(folder.path()).contains(code.as_str())));
    assert_eq!(json_of(&run(folder.path(), &["workspace", "list", "--json"])), serde_json::json!([]));
}

#[test]
fn the_demo_has_records_and_each_start_gives_its_owner_a_link() {
    let folder = data_dir();
    let mut service = Service::start(folder.path());
    let key = service.key.clone().unwrap();
    for (path, min_count) in [
        ("crm/companies", 8),
        ("crm/contacts", 25),
        ("crm/deals", 20),
        ("projects", 3),
        ("issues?kind=task", 35),
        ("issues?kind=ticket", 12),
    ] {
        let separator = if path.contains('?') { '&' } else { '?' };
        let body = body_of(&service.get(&format!("/api/v1/{path}{separator}limit=100"), &key), 200);
        assert!(body["data"].as_array().unwrap().len() >= min_count, "{path}: {body}");
    }
    // The records were created over weeks, and so were their histories.
    let deals = body_of(&service.get("/api/v1/crm/deals?limit=100", &key), 200);
    for deal in deals["data"].as_array().unwrap() {
        let history = service.get(&format!("/api/v1/crm/deals/{}/history", deal["id"].as_str().unwrap()), &key);
        assert!(history.contains(r#""event":"deal.created""#), "{history}");
    }
    // Creating the records sent no e-mail.
    assert_eq!(json_of(&run(folder.path(), &["mail", "list", "--json"])), serde_json::json!([]));
    let first = secret_in(folder.path(), "sign-in-link", "svo_");
    assert_eq!(service.signal("TERM"), Some(0), "{}", log_of(folder.path()));

    let mut service = Service::start(folder.path());
    let second = secret_in(folder.path(), "sign-in-link", "svo_");
    let arguments = ["user", "sign-in-link", "--workspace", "demo", "--email", "owner@demo.example"];
    let result = run(folder.path(), &arguments);
    let third = secret_in(folder.path(), "sign-in-link", "svo_");
    assert!(result.status.success() && first != second && second != third, "{result:?}");
    let output = String::from_utf8_lossy(&result.stdout);
    assert!(output.contains("sign-in-link") && !output.contains("No running service"), "{result:?}");
    assert!(![first, second, third].iter().any(|link| log_of(folder.path()).contains(link.as_str())));
    assert_eq!(service.signal("TERM"), Some(0), "{}", log_of(folder.path()));
}

#[test]
fn a_sign_in_link_leads_to_the_running_service_of_the_data_folder() {
    let link_in = |folder: &std::path::Path| std::fs::read_to_string(folder.join("sign-in-link")).unwrap();
    let folder = data_dir();
    let mut service = Service::start(folder.path());
    // In a shell that knows only the data folder, and in one with settings of another service.
    let other_settings = [("SERVICE_BIND", "127.0.0.1:4711")];
    for settings in [&other_settings[..0], &other_settings[..]] {
        let mut command = command(folder.path());
        command.env_remove("SERVICE_BIND").envs(settings.iter().copied()).stdin(std::process::Stdio::null());
        command.args(["user", "sign-in-link", "--workspace", "demo", "--email", "owner@demo.example"]);
        let result = command.output().unwrap();
        let output = String::from_utf8_lossy(&result.stdout);
        assert!(result.status.success() && !output.contains("No running service"), "{settings:?}: {result:?}");
        let start = format!("http://{}/sign-in/link/svo_", service.address);
        assert!(link_in(folder.path()).starts_with(&start), "{settings:?}: {}", link_in(folder.path()));
    }
    assert_eq!(service.signal("TERM"), Some(0), "{}", log_of(folder.path()));

    // If no service has run yet, the address is assumed, and a note says so.
    let folder = data_dir();
    let _ = json_of(&run(folder.path(), &["workspace", "create", "--name", "A", "--slug", "a", "--json"]));
    let _ = json_of(&create_user(folder.path(), "a", "ann@example.com", "owner", "correct horse battery\n"));
    let mut command = command(folder.path());
    command.env("SERVICE_BIND", "127.0.0.1:4711").stdin(std::process::Stdio::null());
    let result =
        command.args(["user", "sign-in-link", "--workspace", "a", "--email", "ann@example.com"]).output().unwrap();
    let output = String::from_utf8_lossy(&result.stdout);
    for part in ["No running service was found for the data folder ", "assumes the address 127.0.0.1:4711."] {
        assert!(result.status.success() && output.contains(part), "{part}: {result:?}");
    }
    let start = "http://127.0.0.1:4711/sign-in/link/svo_";
    assert!(link_in(folder.path()).starts_with(start), "{}", link_in(folder.path()));
}

#[test]
fn an_interrupted_demo_is_created_again() {
    let folder = data_dir();
    let mut service = Service::start(folder.path());
    let old_key = service.key.clone().unwrap();
    assert!(service.post("/api/v1/crm/deals", &old_key, r#"{"title":"half"}"#).starts_with("HTTP/1.1 201"));
    assert!(!folder.path().join("demo-unfinished").exists());
    assert_eq!(service.signal("KILL"), None);

    // The state that a kill before the last record leaves.
    std::fs::File::create_new(folder.path().join("demo-unfinished")).unwrap();
    std::fs::remove_file(folder.path().join("demo-key")).unwrap();
    std::fs::remove_file(folder.path().join("started")).unwrap();
    let mut service = Service::start(folder.path());
    let key = service.key.clone().unwrap();
    assert!(service.get("/api/v1/crm/deals", &old_key).starts_with("HTTP/1.1 401"));
    let deals = service.get("/api/v1/crm/deals?limit=100", &key);
    assert!(deals.starts_with("HTTP/1.1 200") && !deals.contains(r#""title":"half""#), "{deals}");
    assert!(!folder.path().join("demo-unfinished").exists());
    assert_eq!(service.signal("TERM"), Some(0), "{}", log_of(folder.path()));
}

#[test]
fn the_owner_of_the_demo_is_an_operator_and_the_next_user_is_not() {
    let folder = data_dir();
    let mut service = Service::start(folder.path());
    let created = json_of(&create_user(folder.path(), "demo", "ann@example.com", "member", "correct horse battery\n"));
    assert_eq!(created["operator"], false);
    let operators = json_of(&run(folder.path(), &["user", "list-operators", "--json"]));
    assert_eq!(operators.as_array().map(Vec::len), Some(1), "{operators}");
    assert_eq!(service.signal("TERM"), Some(0));
}

/// Opens the printed address and submits the form on its page with the cookies that it set, as a browser does.
#[test]
fn the_link_of_a_first_start_signs_in() {
    let folder = data_dir();
    let mut service = Service::start(folder.path());
    let token = secret_in(folder.path(), "sign-in-link", "svo_");
    let page = service.get(&format!("/sign-in/link/{token}"), "none");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("Lantern Coffee"), "{page}");
    let visit = cookie(&page, "visit");
    let form_token = page.split_once("name=\"_token\" value=\"").unwrap().1.split('"').next().unwrap();
    let body = format!("_token={form_token}&token={token}");
    let signed_in = service.submit("/sign-in/link", &format!("visit={visit}"), &body);
    assert!(
        signed_in.starts_with("HTTP/1.1 303") && signed_in.to_lowercase().contains("location: /w/demo\r\n"),
        "{signed_in}"
    );
    let home = service.open("/w/demo", &format!("session-demo={}", cookie(&signed_in, "session-demo")));
    assert!(
        home.starts_with("HTTP/1.1 200") && home.contains("Lantern Coffee") && home.contains("Next steps"),
        "{home}"
    );
    let again = service.submit("/sign-in/link", &format!("visit={visit}"), &body);
    assert!(again.starts_with("HTTP/1.1 409") && again.contains("sign-in-link --workspace"), "{again}");
    assert_eq!(service.signal("TERM"), Some(0), "{}", log_of(folder.path()));
}

/// The value of a cookie that a response sets.
fn cookie<'a>(response: &'a str, name: &str) -> &'a str {
    let head = response.split("\r\n\r\n").next().unwrap();
    let set = head.lines().find_map(|line| line.split_once(&format!(" {name}=")).map(|(_, rest)| rest));
    set.unwrap_or_else(|| panic!("no cookie {name}: {head}")).split(';').next().unwrap()
}

/// The secret in a private file, which is written when the service is up.
fn secret_in(folder: &std::path::Path, file: &str, prefix: &str) -> String {
    let path = folder.join(file);
    let read = || std::fs::read_to_string(&path).unwrap_or_default();
    eventually(file, || read().ends_with('\n'));
    let text = read();
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600, "{file}");
    // The next start writes a new secret.
    std::fs::remove_file(&path).unwrap();
    let token = text.trim().rsplit('/').next().unwrap();
    assert!(token.starts_with(prefix), "{file}");
    token.to_owned()
}

#[test]
fn secrets_may_be_in_files() {
    let folder = data_dir();
    let file = folder.path().join("database-url");
    std::fs::write(&file, "postgres://user:hunter2@127.0.0.1:1/none\n").unwrap();
    let error_of = |settings: &[(&str, &std::path::Path)]| {
        failure(&command(folder.path()).envs(settings.iter().copied()).output().unwrap())
    };
    let unreachable = error_of(&[("DATABASE_URL_FILE", &file)]);
    assert!(unreachable.contains("connection to server") && !unreachable.contains("hunter2"), "{unreachable}");
    let twice = error_of(&[("SERVICE_MASTER_KEY_FILE", &file), ("SERVICE_MASTER_KEY", &file)]);
    assert!(twice.contains("SERVICE_MASTER_KEY and SERVICE_MASTER_KEY_FILE are both set"), "{twice}");
    let missing = error_of(&[("SERVICE_SMTP_URL_FILE", std::path::Path::new("/nowhere/smtp"))]);
    assert!(missing.contains("SERVICE_SMTP_URL_FILE names /nowhere/smtp"), "{missing}");
}

#[test]
fn a_start_waits_for_the_database() {
    let folder = data_dir_after_start();
    let cluster = embedded_postgres::throwaway().unwrap();
    let url = cluster.database_url("postgres");
    // The database becomes reachable at this address when the link is created.
    let host = url.split_once('@').and_then(|(_, rest)| rest.split_once(':')).map(|(host, _)| host.to_owned()).unwrap();
    let (socket_dir, link) = (host.replace("%2F", "/"), folder.path().join("sockets"));
    let url = url.replace(&host, &link.to_str().unwrap().replace('/', "%2F"));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            eventually("the start waits", || log_of(folder.path()).contains("trying for up to 60 s"));
            std::os::unix::fs::symlink(&socket_dir, &link).unwrap();
        });
        let settings =
            [("DATABASE_URL", url.as_str()), ("SERVICE_MASTER_KEY", MASTER_KEY), ("SERVICE_START_WAIT", "60")];
        let service = Service::start_with(folder.path(), &settings);
        assert!(service.get("/healthz", "none").starts_with("HTTP/1.1 200"));
    });
    assert!(log_of(folder.path()).contains("the database was reached after"));
}
