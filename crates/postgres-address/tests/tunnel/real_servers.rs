//! A real Postgres that accepts no connections without TLS.

use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use embedded_postgres::Programs;
use postgres_address::Address;
use postgres_address::testing::{CERTIFIED_ROLE, DATABASE, TlsPostgres, psql};

use crate::ask;

const IS_ENCRYPTED: &str = "SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
const ENCRYPTED: &str = "t|TLSv1.3";
const BOUND: Duration = Duration::from_secs(30);

/// The server of all tests that do not change it.
fn shared() -> Option<&'static TlsPostgres> {
    static SERVER: OnceLock<Option<TlsPostgres>> = OnceLock::new();
    SERVER.get_or_init(TlsPostgres::start).as_ref()
}

#[test]
fn certificates_are_verified_as_the_mode_requires() {
    let Some(server) = shared() else { return };
    let (right, wrong) = (server.authority_file(), server.other_authority_file());
    let (right, wrong) = (right.display(), wrong.display());
    let by_number = format!("hostaddr=127.0.0.1&host=db.example.com&sslmode=verify-ca&sslrootcert={right}");
    for options in [
        "sslmode=require".to_owned(),
        "sslmode=prefer".to_owned(),
        "sslmode=allow".to_owned(),
        format!("sslmode=require&sslrootcert={right}"),
        format!("sslmode=verify-ca&sslrootcert={right}"),
        format!("sslmode=verify-full&sslrootcert={right}"),
        format!("sslmode=prefer&sslrootcert={wrong}"),
        by_number.clone(),
    ] {
        assert_eq!(ask(&server.url(&options), IS_ENCRYPTED).as_deref(), Ok(ENCRYPTED), "{options}");
    }
    for (options, reason) in [
        (format!("sslmode=require&sslrootcert={wrong}"), "not issued by an authority in sslrootcert"),
        (format!("sslmode=verify-ca&sslrootcert={wrong}"), "not issued by an authority in sslrootcert"),
        (format!("sslmode=verify-full&sslrootcert={wrong}"), "not issued by an authority in sslrootcert"),
        ("sslrootcert=system".to_owned(), "not issued by an authority in sslrootcert"),
        (by_number.replace("verify-ca", "verify-full"), "its certificate is for another name"),
        ("sslmode=verify-full".to_owned(), "sslmode=verify-full needs sslrootcert"),
        ("sslmode=disable".to_owned(), "no encryption"),
    ] {
        let message = ask(&server.url(&options), IS_ENCRYPTED).unwrap_err();
        assert!(message.contains(reason) && !message.contains("secret"), "{options}: {message}");
        let names_the_host =
            message.contains("localhost") || message.contains("db.example.com") || reason.contains("needs");
        assert!(names_the_host || options == "sslmode=disable", "{options}: {message}");
    }
}

#[test]
fn a_wrong_password_is_refused_by_the_server_and_the_error_names_the_host() {
    let Some(server) = shared() else { return };
    let wrong = server.url("sslmode=require").replace("secret", "guess");
    let message = ask(&wrong, "SELECT 1").unwrap_err();
    assert!(message.contains("password authentication failed") && message.contains("localhost"), "{message}");
}

#[test]
fn a_server_is_trusted_by_its_own_certificate() {
    let Some(server) = TlsPostgres::start_self_signed() else { return };
    let file = server.authority_file();
    let options = format!("sslmode=verify-full&sslrootcert={}", file.display());
    assert_eq!(ask(&server.url(&options), IS_ENCRYPTED).as_deref(), Ok(ENCRYPTED));
    let other = format!("sslmode=verify-full&sslrootcert={}", server.other_authority_file().display());
    assert!(ask(&server.url(&other), IS_ENCRYPTED).is_err());
}

#[test]
fn a_client_sends_its_certificate() {
    let Some(server) = shared() else { return };
    let (certificate, key) = server.client_files(CERTIFIED_ROLE);
    let address = |role: &str, certificate: &str| {
        format!("postgres://{role}@localhost:{}/{DATABASE}?sslmode=require&{certificate}", server.port)
    };
    let options = format!("sslcert={}&sslkey={}", certificate.display(), key.display());
    assert_eq!(ask(&address(CERTIFIED_ROLE, &options), "SELECT current_user").as_deref(), Ok(CERTIFIED_ROLE));
    let without = ask(&address(CERTIFIED_ROLE, ""), "SELECT 1").unwrap_err();
    assert!(without.contains("valid client certificate"), "{without}");
    let (others, key_of_others) = server.client_files("mallory");
    let mixed = format!("sslcert={}&sslkey={}", others.display(), key.display());
    assert!(ask(&address(CERTIFIED_ROLE, &mixed), "SELECT 1").unwrap_err().contains("belong together"));
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    std::fs::set_permissions(&key_of_others, open).unwrap();
    let readable = format!("sslcert={}&sslkey={}", others.display(), key_of_others.display());
    assert!(ask(&address("mallory", &readable), "SELECT 1").unwrap_err().contains("mode must be 0600"));
}

#[test]
fn only_weak_modes_connect_to_a_server_without_tls() {
    let server = TlsPostgres::start_plain();
    for mode in ["disable", "prefer"] {
        assert_eq!(ask(&server.url(&format!("sslmode={mode}")), "SELECT 1").as_deref(), Ok("1"), "{mode}");
    }
    let message = ask(&server.url("sslmode=require"), "SELECT 1").unwrap_err();
    let expected = format!("localhost:{} does not offer TLS, but sslmode=require asks for it", server.port);
    assert!(message.contains(&expected) && message.contains("sslmode=disable"), "{message}");
}

#[test]
fn the_next_host_is_tried() {
    let Some(server) = shared() else { return };
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let hosts = |last: u16| format!("postgres://work:secret@localhost:{closed},localhost:{last}/work?sslmode=require");
    assert_eq!(ask(&hosts(server.port), IS_ENCRYPTED).as_deref(), Ok(ENCRYPTED));
    let message = ask(&hosts(closed), "SELECT 1").unwrap_err();
    let each = format!("cannot reach localhost:{closed}: Connection refused");
    assert_eq!(message.matches(&each).count(), 2, "{message}");
}

#[test]
fn passwords_come_from_the_password_file() {
    let Some(server) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("passwords");
    std::fs::write(&file, format!("localhost:{}:*:work:secret\n", server.port)).unwrap();
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let address = server.url(&format!("sslmode=require&passfile={}", file.display())).replace(":secret@", "@");
    assert_eq!(ask(&address, IS_ENCRYPTED).as_deref(), Ok(ENCRYPTED));
}

#[test]
fn large_amounts_of_data_pass_in_both_directions() {
    let Some(server) = shared() else { return };
    let address = server.url("sslmode=require");
    let megabytes = "SELECT md5(string_agg(repeat(md5(n::text), 32), '' ORDER BY n)) FROM generate_series(1, 20000) n";
    let passed = "SELECT string_agg(repeat(md5(n::text), 32), '' ORDER BY n) FROM generate_series(1, 20000) n";
    let text = ask(&address, passed).unwrap();
    assert_eq!(text.len(), 20_000 * 1024);
    let tunnel = Address::open(&address, false).unwrap();
    let mut psql = Command::new(Programs::find().unwrap().program("psql"));
    psql.args(["--no-psqlrc", "-Atq", tunnel.for_libpq()]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = psql.spawn().unwrap();
    let statement = format!("SELECT md5('{text}');\n");
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), statement.as_bytes()).unwrap();
    let got = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(got.trim(), server.execute(megabytes).unwrap());
}

/// The error message of psql for a statement that would take minutes. `interrupt` runs during the statement and gets the ids of
/// the server process and of psql. The server ends when the value that `interrupt` returns is dropped.
fn error_after(server: TlsPostgres, interrupt: impl FnOnce(TlsPostgres, &str, u32) -> Option<TlsPostgres>) -> String {
    let address = Address::open(&server.url("sslmode=require"), false).unwrap();
    let mut command = Command::new(Programs::find().unwrap().program("psql"));
    command.args(["--no-psqlrc", "-c", "SELECT pg_sleep(300)", address.for_libpq()]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let sleeping = "SELECT pid FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(300)' AND state = 'active'";
    let start = Instant::now();
    let pid = loop {
        let pid = server.execute(sleeping).unwrap();
        if !pid.is_empty() {
            break pid;
        }
        assert!(start.elapsed() < BOUND, "the statement did not begin");
    };
    let start = Instant::now();
    let _server = interrupt(server, &pid, child.id());
    let output = child.wait_with_output().unwrap();
    assert!(start.elapsed() < BOUND, "it hung");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_connection_that_breaks_during_a_statement_is_an_error() {
    let Some(server) = TlsPostgres::start() else { return };
    let message = error_after(server, |server, pid, _| {
        server.execute(&format!("SELECT pg_terminate_backend({pid})")).unwrap();
        Some(server)
    });
    assert!(message.contains("terminating connection due to administrator command"), "{message}");
    let Some(server) = TlsPostgres::start() else { return };
    let message = error_after(server, |_, pid, _| {
        let killed = Command::new("kill").args(["-KILL", pid]).status().unwrap();
        assert!(killed.success());
        None
    });
    assert!(message.contains("server closed the connection unexpectedly"), "{message}");
}

#[test]
fn a_statement_is_cancelled() {
    let Some(server) = TlsPostgres::start() else { return };
    let message = error_after(server, |server, _, psql| {
        assert!(Command::new("kill").args(["-INT", &psql.to_string()]).status().unwrap().success());
        Some(server)
    });
    assert!(message.contains("canceling statement due to user request"), "{message}");
}

#[test]
fn a_dropped_tunnel_breaks_its_connections() {
    let Some(server) = shared() else { return };
    let address = Address::open(&server.url("sslmode=require"), false).unwrap();
    let address_text = address.for_libpq().to_owned();
    assert_eq!(psql(&address_text, IS_ENCRYPTED).as_deref(), Ok(ENCRYPTED));
    drop(address);
    assert!(psql(&address_text, IS_ENCRYPTED).unwrap_err().contains("No such file"));
}
