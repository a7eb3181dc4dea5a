//! A Postgres that accepts TCP connections only with TLS, and log-ins with SCRAM or a certificate.
#![expect(clippy::unwrap_used, clippy::missing_panics_doc, reason = "helper of tests, where a panic is the report")]

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use embedded_postgres::{Programs, ThrowawayCluster};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};

/// The role that logs in with a password.
pub const ROLE: &str = "work";
/// The role that logs in with a certificate of this name.
pub const CERTIFIED_ROLE: &str = "carl";
/// The database of both roles.
pub const DATABASE: &str = "work";

const PLAIN_ACCESS: &str = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n";
const TLS_ACCESS: &str = "local all all trust\n\
    hostssl all carl 127.0.0.1/32 cert\n\
    hostssl all all 127.0.0.1/32 scram-sha-256\n";

/// The server, and files for its clients.
pub struct TlsPostgres {
    pub cluster: ThrowawayCluster,
    pub port: u16,
    authority: Authority,
}

impl TlsPostgres {
    /// Starts a server with a certificate for `localhost`. Returns `None`, and reports that the test did not run, if Postgres was
    /// built without TLS.
    pub fn start() -> Option<Self> {
        let authority = Authority::new();
        let (certificate, key) = authority.certificate("localhost", &["localhost"]);
        Self::start_with(authority, &certificate, &key)
    }

    /// Starts a server with a self-signed certificate, as created by `openssl req -x509`.
    pub fn start_self_signed() -> Option<Self> {
        let authority = Authority::new();
        let (certificate, key) = (authority.pem(), pem("PRIVATE KEY", &authority.0.key().serialize_der()));
        Self::start_with(authority, &certificate, &key)
    }

    fn start_with(authority: Authority, certificate: &str, key: &str) -> Option<Self> {
        let server = Self { authority, ..Self::start_plain() };
        let data = server.cluster.dir().join("postgres");
        server.write_for_postgres(&data.join("server.crt"), certificate);
        server.write_for_postgres(&data.join("server.key"), key);
        server.write_for_postgres(&data.join("ca.crt"), &server.authority.pem());
        server.write_for_postgres(&data.join("pg_hba.conf"), TLS_ACCESS);
        for sql in [
            "ALTER SYSTEM SET ssl = on",
            "ALTER SYSTEM SET ssl_cert_file = 'server.crt'",
            "ALTER SYSTEM SET ssl_key_file = 'server.key'",
            "ALTER SYSTEM SET ssl_ca_file = 'ca.crt'",
            "SELECT pg_reload_conf()",
        ] {
            server.execute(sql).unwrap();
        }
        let has_tls = || server.execute("SHOW ssl").unwrap() == "on";
        // The server loads its settings a moment later, or logs why it cannot.
        let end = std::time::Instant::now() + std::time::Duration::from_secs(10);
        while !has_tls() {
            if std::time::Instant::now() > end {
                not_run::report("a Postgres that was built with TLS");
                return None;
            }
        }
        Some(server)
    }

    /// Starts a server without TLS.
    pub fn start_plain() -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let settings = [("listen_addresses", "127.0.0.1"), ("port", &port.to_string())];
        let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let cluster = embedded_postgres::throwaway_with(&settings).unwrap();
        let server = Self { cluster, port, authority: Authority::new() };
        server.write_for_postgres(&server.cluster.dir().join("postgres/pg_hba.conf"), PLAIN_ACCESS);
        for sql in [
            "SELECT pg_reload_conf()",
            "CREATE ROLE work LOGIN PASSWORD 'secret'",
            "CREATE ROLE carl LOGIN",
            "CREATE DATABASE work OWNER work",
        ] {
            server.execute(sql).unwrap();
        }
        server
    }

    /// The address for [`ROLE`], with the host name `localhost`.
    pub fn url(&self, options: &str) -> String {
        format!("postgres://{ROLE}:secret@localhost:{}/{DATABASE}?{options}", self.port)
    }

    /// Runs a statement as superuser over a local connection without TLS, and returns its only column.
    ///
    /// # Errors
    /// The error message of psql.
    pub fn execute(&self, sql: &str) -> Result<String, String> {
        psql(&self.cluster.database_url("postgres"), sql)
    }

    /// The certificate of the server's authority.
    pub fn authority_file(&self) -> PathBuf {
        self.file("root.crt", &self.authority.pem())
    }

    /// The certificate of an authority that has signed nothing.
    pub fn other_authority_file(&self) -> PathBuf {
        self.file("other.crt", &Authority::new().pem())
    }

    /// A client's certificate and its key.
    pub fn client_files(&self, name: &str) -> (PathBuf, PathBuf) {
        let (certificate, key) = self.authority.certificate(name, &[]);
        (self.file(&format!("{name}.crt"), &certificate), self.file(&format!("{name}.key"), &key))
    }

    fn file(&self, name: &str, content: &str) -> PathBuf {
        // In the cluster's folder, so that it is removed with the cluster.
        let path = self.cluster.dir().join(name);
        write_private(&path, content);
        path
    }

    fn write_for_postgres(&self, path: &Path, content: &str) {
        let owner = fs::metadata(self.cluster.dir().join("postgres")).unwrap();
        write_private(path, content);
        chown(path, Some(owner.uid()), Some(owner.gid())).unwrap();
    }
}

fn write_private(path: &Path, content: &str) {
    use std::io::Write;
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path).unwrap();
    file.write_all(content.as_bytes()).unwrap();
}

/// Runs a statement with the machine's libpq.
///
/// # Errors
/// The error message of psql.
pub fn psql(address: &str, sql: &str) -> Result<String, String> {
    let mut psql = Command::new(Programs::find().unwrap().program("psql"));
    let output = psql.args(["--no-psqlrc", "-At", "--no-password", "-c", sql, address]).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(["localhost".to_owned()]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, "an authority of tests");
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    fn pem(&self) -> String {
        pem("CERTIFICATE", self.0.as_ref().der())
    }

    fn certificate(&self, name: &str, alternatives: &[&str]) -> (String, String) {
        let names: Vec<String> = alternatives.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(names).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.0).unwrap();
        (pem("CERTIFICATE", certificate.der()), pem("PRIVATE KEY", &key.serialize_der()))
    }
}

fn pem(label: &str, der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let lines = text.as_bytes().chunks(64).map(|line| String::from_utf8_lossy(line).into_owned());
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.collect::<Vec<_>>().join("\n"))
}
