//! Parses mail server URLs.

use std::net::IpAddr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use url::{Host, Url};

/// An invalid mail server URL. The message does not quote it, because it may contain a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "it must be smtp://user:password@host:587 or smtps://user:password@host:465; user, password and port are optional, user \
     and password percent-encoded, and nothing may follow the port"
)]
pub struct InvalidSmtpUrl;

/// A mail server URL. `Debug` hides the password.
#[derive(Clone)]
pub struct SmtpUrl {
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) security: Security,
    pub(crate) login: Option<(String, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Security {
    /// TLS from the first byte.
    Wrapped,
    /// STARTTLS before anything else.
    StartTls,
    /// Plaintext: the server is on this machine.
    Loopback,
}

impl std::fmt::Debug for SmtpUrl {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SmtpUrl").field("host", &self.host).field("port", &self.port).finish_non_exhaustive()
    }
}

impl SmtpUrl {
    pub fn parse(text: &str) -> Result<Self, InvalidSmtpUrl> {
        let url = Url::parse(text).map_err(|_| InvalidSmtpUrl)?;
        if url.query().is_some() || url.fragment().is_some() || !matches!(url.path(), "" | "/") {
            return Err(InvalidSmtpUrl);
        }
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or(InvalidSmtpUrl)?;
        let security = match url.scheme() {
            "smtps" => Security::Wrapped,
            "smtp" if is_loopback(host) => Security::Loopback,
            "smtp" => Security::StartTls,
            _ => return Err(InvalidSmtpUrl),
        };
        let decoded = |text: &str| percent_decode_str(text).decode_utf8().map(String::from).map_err(|_| InvalidSmtpUrl);
        let login = match (url.username(), url.password()) {
            ("", None) => None,
            ("", Some(_)) | (_, None) => return Err(InvalidSmtpUrl),
            (user, Some(password)) => Some((decoded(user)?, decoded(password)?)),
        };
        let default = if security == Security::Wrapped { 465 } else { 587 };
        // Connections need an IPv6 address without brackets.
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        Ok(Self { host, port: url.port().unwrap_or(default), security, login })
    }

    /// The same server, treated as a remote one.
    #[cfg(test)]
    pub(crate) fn treated_as_remote(self) -> Self {
        Self { security: Security::StartTls, ..self }
    }

    /// Texts that no message may contain: the password and its SMTP encodings.
    pub(crate) fn secrets(&self) -> Vec<String> {
        self.login.iter().fold(Vec::new(), |mut all, (user, password)| {
            all.push(STANDARD.encode(format!("\0{user}\0{password}")));
            all.push(STANDARD.encode(password));
            all.push(password.clone());
            all
        })
    }
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost")
        || address.is_ok_and(|address| address.is_loopback())
        || matches!(Host::parse(host), Ok(Host::Ipv4(address)) if address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_servers() {
        let read = |text: &str| SmtpUrl::parse(text).unwrap();
        let url = read("smtp://us%40er:p%3Aw%2F@mail.example.com");
        assert_eq!((url.host.as_str(), url.port, url.security), ("mail.example.com", 587, Security::StartTls));
        assert_eq!(url.login, Some(("us@er".to_owned(), "p:w/".to_owned())));
        let url = read("smtps://mail.example.com/");
        assert_eq!((url.port, url.security, &url.login), (465, Security::Wrapped, &None));
        for local in ["smtp://localhost:25", "smtp://127.0.0.1:25", "smtp://[::1]:25"] {
            let url = read(local);
            assert_eq!((url.port, url.security), (25, Security::Loopback), "{local}");
        }
        assert_eq!(read("smtp://[::1]").host, "::1");
        for remote in ["smtp://localhost.example.com", "smtp://10.0.0.1", "smtp://[2001:db8::1]"] {
            assert_eq!(read(remote).security, Security::StartTls, "{remote}");
        }
        for bad in [
            "",
            "mail.example.com",
            "http://mail.example.com",
            "smtp://",
            "smtp://user@mail.example.com",
            "smtp://:pw@mail.example.com",
            "smtp://mail.example.com?tls=none",
            "smtp://mail.example.com/x",
            "smtp://u:%ff@mail.example.com",
        ] {
            assert!(SmtpUrl::parse(bad).is_err(), "{bad}");
        }
    }
}
