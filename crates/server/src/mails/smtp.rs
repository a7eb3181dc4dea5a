//! A mail server that takes letters over SMTP.

use std::net::IpAddr;

use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::ports::{MailError, MailTransport, OutgoingMail};
use lettre::message::Mailbox;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::client::{CertificateStore, TlsParameters, TlsParametersBuilder};
use percent_encoding::percent_decode_str;
use url::{Host, Url};

use super::authorities::Authorities;
use super::connections::{Connections, Trouble, Way};
use super::message::message_of;
use super::reason::reason;

/// A text that names no mail server. It does not repeat the text, which may hold a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "it must be smtp://user:password@host:587 or smtps://user:password@host:465, with user, password and port as needed, \
     percent-encoded, and nothing behind the port"
)]
pub(crate) struct BadSmtpUrl;

/// Where a mail server is. `Debug` does not show the password.
#[derive(Clone)]
pub(crate) struct SmtpUrl {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) security: Security,
    pub(super) login: Option<(String, String)>,
}

/// How a connection is made secure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Security {
    /// TLS from the first byte.
    Wrapped,
    /// STARTTLS before anything is said.
    StartTls,
    /// None: the server is on this machine.
    Loopback,
}

impl std::fmt::Debug for SmtpUrl {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SmtpUrl").field("host", &self.host).field("port", &self.port).finish_non_exhaustive()
    }
}

impl SmtpUrl {
    /// Reads an address.
    pub(crate) fn parse(text: &str) -> Result<Self, BadSmtpUrl> {
        let url = Url::parse(text).map_err(|_| BadSmtpUrl)?;
        if url.query().is_some() || url.fragment().is_some() || !matches!(url.path(), "" | "/") {
            return Err(BadSmtpUrl);
        }
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or(BadSmtpUrl)?;
        let security = match url.scheme() {
            "smtps" => Security::Wrapped,
            "smtp" if is_loopback(host) => Security::Loopback,
            "smtp" => Security::StartTls,
            _ => return Err(BadSmtpUrl),
        };
        let decoded = |text: &str| percent_decode_str(text).decode_utf8().map(String::from).map_err(|_| BadSmtpUrl);
        let login = match (url.username(), url.password()) {
            ("", None) => None,
            ("", Some(_)) | (_, None) => return Err(BadSmtpUrl),
            (user, Some(password)) => Some((decoded(user)?, decoded(password)?)),
        };
        let default = if security == Security::Wrapped { 465 } else { 587 };
        // Connections take an address of version 6 without its brackets.
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        Ok(Self { host, port: url.port().unwrap_or(default), security, login })
    }

    /// The same server, taken for one on another machine.
    #[cfg(test)]
    pub(super) fn taken_for_elsewhere(self) -> Self {
        Self { security: Security::StartTls, ..self }
    }

    fn way(&self, authorities: &Authorities) -> anyhow::Result<Way> {
        let parameters = || {
            // The library's own store knows the machine's authorities or Mozilla's, but not the one for want of the other.
            let builder = TlsParameters::builder(self.host.clone()).certificate_store(CertificateStore::None);
            let all = authorities.certificates()?.into_iter();
            anyhow::Ok(all.fold(builder, TlsParametersBuilder::add_root_certificate).build_rustls()?)
        };
        Ok(match self.security {
            Security::Wrapped => Way::Wrapped(parameters()?),
            Security::StartTls => Way::StartTls(parameters()?),
            Security::Loopback => Way::Open,
        })
    }

    /// What no message may show: the password, and what it looks like on its way to the server.
    pub(super) fn secrets(&self) -> Vec<String> {
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

/// Hands letters to a mail server. `Debug` does not show its password.
pub(crate) struct SmtpTransport {
    connections: Connections,
    from: Mailbox,
    url: SmtpUrl,
}

impl SmtpTransport {
    /// Connects when the first letter comes. `from` is an address, or a name with one in angle brackets.
    ///
    /// # Errors
    /// When `from` is no address, or TLS cannot be had.
    pub(crate) fn new(url: &SmtpUrl, from: &str, authorities: &Authorities) -> anyhow::Result<Self> {
        let from = from.parse().map_err(|error| {
            anyhow::anyhow!("mail_from (SERVICE_MAIL_FROM) must be an address such as no-reply@example.com: {error}")
        })?;
        Ok(Self { connections: Connections::new(url.clone(), url.way(authorities)?), from, url: url.clone() })
    }
}

impl std::fmt::Debug for SmtpTransport {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SmtpTransport").field("from", &self.from).finish_non_exhaustive()
    }
}

#[async_trait]
impl MailTransport for SmtpTransport {
    async fn send(&self, mail: &OutgoingMail) -> Result<(), MailError> {
        let message = message_of(mail, &self.from)?;
        let sent = self.connections.send(message.envelope(), &message.formatted()).await;
        sent.map_err(|trouble| match trouble {
            Trouble::Letter(error) if is_about_the_letter(&error) => MailError::permanent(reason(&error, &self.url)),
            Trouble::Letter(error) | Trouble::Connection(error) => MailError::transient(reason(&error, &self.url)),
            Trouble::Unreachable(error) => {
                MailError::transient(format!("{}:{} cannot be reached: {error}", self.url.host, self.url.port))
            }
        })
    }
}

/// Whether a server refused this letter for good. Other refusals, such as of the password, are mended by an operator.
fn is_about_the_letter(error: &Error) -> bool {
    error.is_permanent() && error.status().is_some_and(|code| (550..=556).contains(&u16::from(code)))
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

    #[test]
    fn a_password_does_not_show() {
        let url = SmtpUrl::parse("smtp://user:hunter2@mail.example.com").unwrap();
        let transport = SmtpTransport::new(&url, "no-reply@example.com", &Authorities::default()).unwrap();
        assert!(!format!("{url:?} {transport:?} {BadSmtpUrl}").contains("hunter2"));
        let error = SmtpTransport::new(&url, "nobody", &Authorities::default()).unwrap_err().to_string();
        assert!(error.contains("SERVICE_MAIL_FROM") && !error.contains("hunter2"), "{error}");
    }
}
