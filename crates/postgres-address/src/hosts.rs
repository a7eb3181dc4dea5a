//! The hosts of an address.

use std::fmt::{self, Display};
use std::net::IpAddr;

use crate::error::AddressError;
use crate::settings::Settings;

const DEFAULT_PORT: u16 = 5432;

/// One of the hosts that libpq tries in turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Host {
    /// If empty, libpq uses its own folder for sockets.
    pub(crate) name: String,
    /// The IP address to connect to instead of resolving the name.
    pub(crate) address: Option<String>,
    pub(crate) port: u16,
}

impl Host {
    /// All hosts of an address, in order; at least one.
    pub(crate) fn all(settings: &Settings) -> Result<Vec<Self>, AddressError> {
        let list = |name| settings.get(name).map(|list| list.split(',').map(str::trim).collect::<Vec<_>>());
        let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port").unwrap_or_else(|| vec![""]));
        let count = addresses.as_ref().or(names.as_ref()).map_or(1, Vec::len);
        let fits = |list: &Option<Vec<&str>>| list.as_ref().is_none_or(|list| list.len() == count);
        if !fits(&names) || !fits(&addresses) || ![1, count].contains(&ports.len()) {
            return Err(AddressError::Lists);
        }
        (0..count)
            .map(|index| {
                let entry = |list: &Option<Vec<&str>>| list.as_ref().map_or("", |list| list[index]).to_owned();
                let address = Some(entry(&addresses)).filter(|address| !address.is_empty());
                let name = Some(entry(&names)).filter(|name| !name.is_empty()).or_else(|| address.clone());
                Ok(Self { name: name.unwrap_or_default(), address, port: port(ports[index % ports.len()])? })
            })
            .collect()
    }

    /// Whether this is the folder or the name of a Unix socket rather than a host.
    pub(crate) fn is_socket(&self) -> bool {
        self.address.is_none() && (self.name.is_empty() || self.name.starts_with(['/', '@']))
    }

    /// Whether connections stay on this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        let target = self.target();
        target.parse::<IpAddr>().map_or_else(|_| target == "localhost", |ip| ip.to_canonical().is_loopback())
    }

    /// The name or the address to connect to.
    pub(crate) fn target(&self) -> &str {
        self.address.as_ref().unwrap_or(&self.name)
    }
}

impl Display for Host {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name.contains(':') {
            return write!(formatter, "[{}]:{}", self.name, self.port);
        }
        write!(formatter, "{}:{}", self.name, self.port)
    }
}

/// In a URL, a `/` or `:` in the password ends the host, and the rest is taken for the port.
const PORT: &str =
    "a number from 1 to 65535; if the password has / : @ ? # or %, percent-encode them (/ is %2F, @ is %40)";

fn port(text: &str) -> Result<u16, AddressError> {
    let expected = AddressError::Value { name: "port", expected: PORT };
    match text {
        "" => Ok(DEFAULT_PORT),
        text => text.parse().ok().filter(|port| *port > 0).ok_or(expected),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(address: &str) -> Result<Vec<Host>, AddressError> {
        Host::all(&Settings::read(address).unwrap())
    }

    #[test]
    fn lists_must_have_matching_lengths() {
        let displayed = |address| hosts(address).unwrap().iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(displayed("postgres://a,b/d"), ["a:5432", "b:5432"]);
        assert_eq!(displayed("postgres://a,b/d?port=7"), ["a:7", "b:7"]);
        assert_eq!(displayed("postgres://a:1,[::2]:3/d"), ["a:1", "[::2]:3"]);
        assert_eq!(displayed("hostaddr=10.0.0.1"), ["10.0.0.1:5432"]);
        for wrong in ["host=a,b port=1,2,3", "host=a hostaddr=1.2.3.4,1.2.3.5"] {
            assert!(matches!(hosts(wrong), Err(AddressError::Lists)), "{wrong}");
        }
        assert!(matches!(hosts("host=a port=x"), Err(AddressError::Value { name: "port", .. })));
    }

    #[test]
    fn local_hosts_are_recognized() {
        for (address, is_socket, is_loopback) in [
            ("postgres://db.example.com/d", false, false),
            ("postgres://localhost/d", false, true),
            ("postgres://127.9.9.9/d", false, true),
            ("postgres://[::1]/d", false, true),
            ("host=localhost hostaddr=10.0.0.1", false, false),
            ("host=db.example.com hostaddr=127.0.0.1", false, true),
            ("dbname=d", true, false),
            ("host=/run/postgresql", true, false),
        ] {
            let host = hosts(address).unwrap().remove(0);
            assert_eq!((host.is_socket(), host.is_loopback()), (is_socket, is_loopback), "{address}");
        }
    }
}
