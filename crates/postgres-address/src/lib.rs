//! Connects libpq to a database by the address that the operator configured, with TLS.
//!
//! The compiled-in libpq has no TLS (docs/adr/0029-tls-to-postgres-in-a-tunnel.md). It connects to a private Unix socket of this
//! process. Behind the socket, a tunnel connects to the database with rustls and honours libpq's settings: `sslmode`,
//! `sslrootcert`, `sslcert`, `sslkey`.
//!
//! If the address of another machine does not set `sslmode`, it is `require`.

mod error;
mod hosts;
mod mode;
mod password_file;
mod settings;
#[cfg(feature = "testing")]
pub mod testing;
mod trust;
mod tunnel;

use std::path::PathBuf;

use hosts::Host;
use mode::SslMode;
use settings::{Settings, url_body};
use tunnel::{Options, Tunnel};

pub use error::AddressError;

/// Settings that do not work through the tunnel: the name, the values that make no difference, and what to do instead of
/// setting another value.
const UNSUPPORTED: [(&str, &[&str], &str); 11] = [
    (
        "channel_binding",
        &["disable", "prefer"],
        "omit it; sslmode=verify-full protects the connection against interception",
    ),
    ("gssencmode", &["disable", "prefer"], "omit it"),
    ("service", &[], "write the settings of the service file into the address"),
    ("sslcertmode", &["allow"], "omit it"),
    ("sslcrl", &[], "omit it, and replace a certificate authority whose certificates must not be accepted"),
    ("sslcrldir", &[], "omit it, and replace a certificate authority whose certificates must not be accepted"),
    ("sslkeylogfile", &[], "omit it"),
    ("sslpassword", &[], "store the key of sslkey without a passphrase, with mode 0600"),
    ("ssl_max_protocol_version", &["TLSv1.3"], "omit it"),
    ("ssl_min_protocol_version", &["TLSv1", "TLSv1.1", "TLSv1.2"], "omit it; it is TLS 1.2"),
    ("sslnegotiation", &["postgres"], "omit it"),
];

/// Settings for libpq's connection to the tunnel, so that it does not take them from the environment.
const TUNNEL_SETTINGS: [(&str, &str); 6] = [
    ("channel_binding", "disable"),
    ("gssencmode", "disable"),
    ("hostaddr", ""),
    ("requirepeer", ""),
    ("sslmode", "disable"),
    ("sslrootcert", ""),
];

/// Where libpq connects. The connection leads to the database for as long as this value exists.
#[derive(Debug)]
pub struct Address {
    for_libpq: SecretText,
    _tunnel: Option<Tunnel>,
}

/// Text that contains the password.
struct SecretText(String);

impl std::fmt::Debug for SecretText {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("***")
    }
}

impl Address {
    /// Parses an address as libpq would, including the environment. Opens a tunnel if the address asks for TLS and libpq has none.
    ///
    /// # Errors
    /// If the address is invalid, asks for something unsupported, or names files that cannot be used. This does not check whether
    /// the database is reachable.
    pub fn open(address: &str, libpq_has_tls: bool) -> Result<Self, AddressError> {
        let settings = Settings::read(address)?.with_environment(|name| std::env::var(name).ok());
        if libpq_has_tls {
            return Ok(Self::without_tunnel(with_mode(address, &settings)?));
        }
        let plan = Plan::of(&settings)?;
        match plan.mode {
            Some(SslMode::Disable) => Ok(Self::without_tunnel(address.to_owned())),
            // A service file may name another machine.
            None if settings.get("service").is_none() => Ok(Self::without_tunnel(address.to_owned())),
            _ => plan.open(settings),
        }
    }

    /// Like [`Address::open`], for an address whose connections must all lead to the same server, so that it may have only one host.
    ///
    /// # Errors
    /// The errors of [`Address::open`], and [`AddressError::ManyHosts`].
    pub fn open_one(address: &str, libpq_has_tls: bool) -> Result<Self, AddressError> {
        let settings = Settings::read(address)?.with_environment(|name| std::env::var(name).ok());
        if Host::all(&settings)?.len() > 1 {
            return Err(AddressError::ManyHosts);
        }
        Self::open(address, libpq_has_tls)
    }

    /// The address for libpq, including the password.
    pub fn for_libpq(&self) -> &str {
        &self.for_libpq.0
    }

    fn without_tunnel(for_libpq: String) -> Self {
        Self { for_libpq: SecretText(for_libpq), _tunnel: None }
    }
}

/// The address for a libpq with TLS, which does everything itself except requiring TLS for other machines.
fn with_mode(address: &str, settings: &Settings) -> Result<String, AddressError> {
    if settings.get("service").is_some() || Plan::of(settings)?.mode_is_written {
        return Ok(address.to_owned());
    }
    let Some(mode) = Plan::of(settings)?.mode else { return Ok(address.to_owned()) };
    let joint = match url_body(address) {
        Some(body) if body.contains('?') => '&',
        Some(_) => '?',
        None => ' ',
    };
    Ok(format!("{address}{joint}sslmode={}", mode.name()))
}

/// What an address asks for.
struct Plan {
    hosts: Vec<Host>,
    /// `None` if every host is on this machine and the address does not set `sslmode`.
    mode: Option<SslMode>,
    mode_is_written: bool,
}

impl Plan {
    fn of(settings: &Settings) -> Result<Self, AddressError> {
        let hosts = Host::all(settings)?;
        let set_mode = SslMode::written(settings)?;
        let is_remote = hosts.iter().any(|host| !host.is_socket() && !host.is_loopback());
        let mode = set_mode.or(is_remote.then_some(SslMode::Require));
        Ok(Self { hosts, mode, mode_is_written: set_mode.is_some() })
    }

    /// Whether the host is reached through the tunnel. Hosts on this machine use TLS only if the address sets `sslmode`.
    fn is_tunnelled(&self, host: &Host) -> bool {
        !host.is_socket() && (self.mode_is_written || !host.is_loopback())
    }

    fn open(self, mut settings: Settings) -> Result<Address, AddressError> {
        refuse_unsupported(&settings)?;
        if settings.get("requirepeer").is_some() && self.hosts.iter().any(Host::is_socket) {
            let cure = "omit sslmode from an address of Unix sockets";
            return Err(AddressError::Unsupported { name: "requirepeer", cure });
        }
        let options = Options::of(&settings, self.mode.unwrap_or(SslMode::Require))?;
        let tunnelled: Vec<&Host> = self.hosts.iter().filter(|host| self.is_tunnelled(host)).collect();
        let tunnel = Tunnel::open(&tunnelled, &options)?;
        let folders: Vec<(&Host, PathBuf)> = tunnelled.into_iter().zip(tunnel.folders.iter().cloned()).collect();
        let folder_or_name = |host: &Host| match folders.iter().find(|(tunnelled, _)| std::ptr::eq(*tunnelled, host)) {
            Some((_, folder)) => folder.display().to_string(),
            None => host.target().to_owned(),
        };
        let list = |value: &dyn Fn(&Host) -> String| self.hosts.iter().map(value).collect::<Vec<_>>().join(",");
        let password_file = password_file::translate(&settings, &folders, tunnel.folder())?;
        settings.set("host", list(&folder_or_name));
        settings.set("port", list(&|host| host.port.to_string()));
        settings.set("connect_timeout", options.connect_timeout.as_secs().to_string());
        if let Some(path) = password_file {
            settings.set("passfile", path.display().to_string());
        }
        for (name, value) in TUNNEL_SETTINGS {
            settings.set(name, value);
        }
        Ok(Address { for_libpq: SecretText(settings.to_url()), _tunnel: Some(tunnel) })
    }
}

fn refuse_unsupported(settings: &Settings) -> Result<(), AddressError> {
    for (name, harmless, cure) in UNSUPPORTED {
        if settings.get(name).is_some_and(|value| !harmless.contains(&value)) {
            return Err(AddressError::Unsupported { name, cure });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(address: &str) -> Plan {
        Plan::of(&Settings::read(address).unwrap()).unwrap()
    }

    #[test]
    fn other_machines_need_tls_unless_the_address_says_otherwise() {
        for (address, mode, tunnelled) in [
            ("postgres://db.example.com/d", Some(SslMode::Require), true),
            ("postgres://10.0.0.7/d", Some(SslMode::Require), true),
            ("host=localhost hostaddr=10.0.0.7", Some(SslMode::Require), true),
            ("postgres://db.example.com/d?sslrootcert=system", Some(SslMode::VerifyFull), true),
            ("postgres://db.example.com/d?sslmode=prefer", Some(SslMode::Prefer), true),
            ("postgres://localhost/d?sslmode=verify-ca", Some(SslMode::VerifyCa), true),
            ("postgres://%2Frun%2Fpostgresql/d?sslmode=require", Some(SslMode::Require), false),
            ("postgres://localhost/d", None, false),
            ("postgres:///d", None, false),
        ] {
            let plan = plan(address);
            assert_eq!((plan.mode, plan.is_tunnelled(&plan.hosts[0])), (mode, tunnelled), "{address}");
        }
        assert_eq!(plan("postgres://db.example.com/d?sslmode=disable").mode, Some(SslMode::Disable));
        let both = plan("postgres://localhost,db.example.com/d");
        assert_eq!(both.hosts.iter().map(|host| both.is_tunnelled(host)).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn the_default_mode_is_added_for_a_libpq_with_tls() {
        for (address, expected) in [
            ("postgres://h/d", "postgres://h/d?sslmode=require"),
            ("postgres://h/d?connect_timeout=1", "postgres://h/d?connect_timeout=1&sslmode=require"),
            ("host=h", "host=h sslmode=require"),
            ("postgres://h/d?sslmode=disable", "postgres://h/d?sslmode=disable"),
            ("postgres://localhost/d", "postgres://localhost/d"),
            ("service=work", "service=work"),
        ] {
            assert_eq!(with_mode(address, &Settings::read(address).unwrap()).unwrap(), expected);
        }
    }

    #[test]
    fn unsupported_settings_are_refused_with_a_fix() {
        for (options, expected) in [
            ("channel_binding=require", "channel_binding is not supported together with TLS: omit it"),
            ("sslcrl=/crl", "sslcrl is not supported"),
            ("sslpassword=x", "without a passphrase"),
            ("sslnegotiation=direct", "sslnegotiation is not supported"),
            ("ssl_min_protocol_version=TLSv1.3", "it is TLS 1.2"),
            ("sslmode=verify-ful", "sslmode in the address must be disable, allow"),
            ("sslmode=require&sslrootcert=system", "sslmode in the address must be verify-full"),
            ("sslmode=verify-full&sslrootcert=/nowhere.crt", "sslrootcert cannot be used: /nowhere.crt: No such file"),
            ("sslcert=/nowhere.crt", "sslcert cannot be used"),
            ("connect_timeout=soon", "connect_timeout in the address must be a whole number"),
            ("service=work", "write the settings of the service file into the address"),
        ] {
            let message = Address::open(&format!("postgres://u:hunter2@h/d?{options}"), false).unwrap_err().to_string();
            assert!(message.contains(expected) && !message.contains("hunter2"), "{options}: {message}");
        }
        assert!(Address::open("postgres:///d?service=work", false).is_err());
        assert!(Address::open("postgres:///d?service=work&sslmode=disable", false).is_ok());
    }

    #[test]
    fn an_address_for_one_server_must_have_one_host() {
        assert!(Address::open_one("postgres://u@localhost:5433/d", false).is_ok());
        let message =
            Address::open_one("postgres://u:hunter2@localhost,localhost:5433/d", false).unwrap_err().to_string();
        assert!(message.contains("one host") && !message.contains("hunter2"), "{message}");
    }

    #[test]
    fn only_this_account_can_reach_the_sockets() {
        use std::os::unix::fs::PermissionsExt;
        let written =
            "postgres://u:hunter2@h:7,h:7,%2Frun%2Fpg/d?sslmode=require&channel_binding=prefer&connect_timeout=9";
        let address = Address::open(written, false).unwrap();
        assert!(!format!("{address:?}").contains("hunter2"));
        let settings = Settings::read(address.for_libpq()).unwrap();
        let hosts = settings.get("host").unwrap().split(',').collect::<Vec<_>>();
        assert_eq!((hosts[2], settings.get("port")), ("/run/pg", Some("7,7,5432")));
        assert!(hosts[0].ends_with("/h") && hosts[1].ends_with("/h-2"), "{hosts:?}");
        for folder in &hosts[..2] {
            let socket = std::path::Path::new(folder).join(".s.PGSQL.7");
            assert!(socket.exists());
            let mode = std::fs::metadata(socket.ancestors().nth(2).unwrap()).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o700);
        }
        assert_eq!((settings.get("sslmode"), settings.get("channel_binding")), (Some("disable"), Some("disable")));
        assert_eq!((settings.get("password"), settings.get("connect_timeout")), (Some("hunter2"), Some("9")));
        let folder = hosts[0].to_owned();
        drop(address);
        assert!(!std::path::Path::new(&folder).exists());
    }
}
