//! Whether the traffic to the database is encrypted.

use std::net::IpAddr;

use url::{Host, Url};

use super::finding::or_ok;
use super::{Finding, Installation};

pub(super) fn check(installation: &Installation) -> Vec<Finding> {
    let config = &installation.config;
    let addresses =
        [("DATABASE_URL", &config.database_url), ("SERVICE_DATABASE_DIRECT_URL", &config.database_direct_url)];
    let configured = addresses.into_iter().filter_map(|(name, url)| Some((name, url.as_ref()?)));
    let findings = configured.filter_map(|(name, url)| judge(name, &Address::read(&url.0)?)).collect();
    or_ok(findings, "the database is on this machine, or the connection asks for TLS")
}

/// The relevant parts of the address of a database.
#[derive(Default)]
struct Address {
    hosts: Vec<String>,
    /// Numeric addresses, which take precedence over the names.
    numeric: Vec<String>,
    mode: Option<String>,
}

impl Address {
    fn read(text: &str) -> Option<Self> {
        let mut address = Self::default();
        if !text.starts_with("postgres") {
            for (name, value) in text.split_whitespace().filter_map(|setting| setting.split_once('=')) {
                address.set(name, value.trim_matches('\''));
            }
            return Some(address);
        }
        let url = Url::parse(text).ok()?;
        if let Some(host) = url.host().filter(|host| !matches!(host, Host::Domain(""))) {
            let host = host.to_string();
            let host = percent_encoding::percent_decode_str(&host).decode_utf8_lossy().into_owned();
            address.set("host", host.trim_matches(['[', ']']));
        }
        url.query_pairs().for_each(|(name, value)| address.set(&name, &value));
        Some(address)
    }

    fn set(&mut self, name: &str, value: &str) {
        let list = || value.split(',').map(ToOwned::to_owned).collect();
        match name {
            "host" => self.hosts = list(),
            "hostaddr" => self.numeric = list(),
            "sslmode" => self.mode = Some(value.to_owned()),
            _ => {}
        }
    }

    /// Whether the traffic leaves this machine.
    fn is_remote(&self) -> bool {
        let targets = if self.numeric.is_empty() { &self.hosts } else { &self.numeric };
        targets.iter().any(|host| {
            let is_local = host.is_empty() || host.starts_with(['/', '@']) || host == "localhost";
            !is_local && !host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
        })
    }
}

fn judge(name: &str, address: &Address) -> Option<Finding> {
    let mode = address.mode.as_deref().filter(|mode| ["disable", "allow", "prefer"].contains(mode))?;
    address.is_remote().then(|| {
        Finding::warning(
            format!("{name} has sslmode={mode}: traffic to the database on another machine may be unencrypted"),
            format!("set sslmode=verify-full&sslrootcert=FILE, or at least sslmode=require, in {name}"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_other_machines_without_tls_are_named() {
        for (address, is_reported) in [
            ("postgres://u:p@db.example.com/d?sslmode=disable", true),
            ("postgres://u:p@192.0.2.7:6432/d?sslmode=prefer&connect_timeout=1", true),
            ("postgres://u:p@localhost/d?host=db.example.com&sslmode=disable", true),
            ("host=db.example.com sslmode=disable password=x", true),
            ("postgres://u:p@db.example.com/d?sslmode=require", false),
            ("postgres://u:p@db.example.com/d", false),
            ("postgres://u:p@127.0.0.1/d?sslmode=disable", false),
            ("postgres://u:p@[::1]/d?sslmode=disable", false),
            ("postgres://u:p@db.example.com/d?hostaddr=127.0.0.1&sslmode=disable", false),
            ("postgres://postgres@%2Ftmp%2Fs:5432/d?sslmode=disable", false),
        ] {
            let findings = judge("DATABASE_URL", &Address::read(address).unwrap());
            assert_eq!(findings.is_some(), is_reported, "{address}");
        }
    }
}
