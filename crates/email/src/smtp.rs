//! Sends e-mail over SMTP.

use async_trait::async_trait;
use domain::email::AbuseContact;
use domain::kernel::input::EmailAddress;
use domain::ports::{EmailError, EmailTransport, OutgoingEmail};
use lettre::message::Mailbox;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::client::{CertificateStore, TlsParameters, TlsParametersBuilder};

use crate::authorities::Authorities;
use crate::connections::{Connections, Encryption, SendError};
use crate::message::{Sender, message_of};
use crate::smtp_errors::reason;
use crate::smtp_url::{Security, SmtpUrl};

/// Sends e-mails to a mail server. `Debug` hides the password.
pub struct SmtpTransport {
    connections: Connections,
    sender: Sender,
    url: SmtpUrl,
}

impl SmtpTransport {
    /// Connects for the first e-mail. `from` is an address, or a name followed by an address in angle brackets.
    ///
    /// # Errors
    /// If `from` is not an address, or TLS cannot be set up.
    pub fn new(url: &SmtpUrl, from: &str, authorities: &Authorities) -> anyhow::Result<Self> {
        let from = sender_of(from)?;
        let sender = Sender { from, service: String::new(), abuse_contact: None };
        Ok(Self { connections: Connections::new(url.clone(), encryption(url, authorities)?), sender, url: url.clone() })
    }

    /// Connects as for an e-mail, with TLS and the password, but sends nothing.
    ///
    /// # Errors
    /// Why e-mails could not be sent, without the password.
    pub async fn check(&self) -> Result<(), String> {
        self.connections.check().await.map_err(|error| self.reason(&error))
    }

    fn reason(&self, error: &SendError) -> String {
        match error {
            SendError::Rejected(error) | SendError::Connection(error) => reason(error, &self.url),
            SendError::Unreachable(error) => {
                format!("{}:{} is unreachable: {error}", self.url.host, self.url.port)
            }
        }
    }

    /// Adds to every message the public address of the service, which its links start with, and where to report abuse.
    #[must_use]
    pub fn of_service(mut self, public_url: &str, abuse_contact: Option<AbuseContact>) -> Self {
        (self.sender.service, self.sender.abuse_contact) = (public_url.to_owned(), abuse_contact);
        self
    }
}

impl std::fmt::Debug for SmtpTransport {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SmtpTransport").field("from", &self.sender.from).finish_non_exhaustive()
    }
}

#[async_trait]
impl EmailTransport for SmtpTransport {
    async fn send(&self, email: &OutgoingEmail) -> Result<(), EmailError> {
        let message = message_of(email, &self.sender)?;
        let result = self.connections.send(message.envelope(), &message.formatted()).await;
        result.map_err(|error| match &error {
            SendError::Rejected(rejection) if is_permanent_rejection(rejection) => {
                EmailError::permanent(self.reason(&error))
            }
            _ => EmailError::transient(self.reason(&error)),
        })
    }
}

/// The sender as mail servers accept it, with its domain in ASCII.
fn sender_of(from: &str) -> anyhow::Result<Mailbox> {
    let Mailbox { name, email } = from.parse().map_err(|error| {
        anyhow::anyhow!("mail_from (SERVICE_MAIL_FROM) must be an address, e.g. no-reply@example.com: {error}")
    })?;
    let address: &str = email.as_ref();
    let ascii = EmailAddress::stored(address).map_or_else(|| address.to_owned(), |stored| stored.to_ascii());
    anyhow::ensure!(
        ascii.is_ascii(),
        "mail_from (SERVICE_MAIL_FROM) must have only ASCII characters before the @: most mail servers accept no others"
    );
    Ok(Mailbox::new(name, ascii.parse()?))
}

fn encryption(url: &SmtpUrl, authorities: &Authorities) -> anyhow::Result<Encryption> {
    let parameters = || {
        // lettre's stores use either the system's certificates or Mozilla's, without a fallback between them.
        let builder = TlsParameters::builder(url.host.clone()).certificate_store(CertificateStore::None);
        let all = authorities.certificates()?.into_iter();
        anyhow::Ok(all.fold(builder, TlsParametersBuilder::add_root_certificate).build_rustls()?)
    };
    Ok(match url.security {
        Security::Wrapped => Encryption::Wrapped(parameters()?),
        Security::StartTls => Encryption::StartTls(parameters()?),
        Security::Loopback => Encryption::Open,
    })
}

/// Whether the server permanently rejected this e-mail. Other errors, such as a wrong password, need the operator.
fn is_permanent_rejection(error: &Error) -> bool {
    error.is_permanent() && error.status().is_some_and(|code| (550..=556).contains(&u16::from(code)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtp_url::InvalidSmtpUrl;

    #[test]
    fn debug_shows_no_password() {
        let url = SmtpUrl::parse("smtp://user:hunter2@mail.example.com").unwrap();
        let transport = SmtpTransport::new(&url, "no-reply@example.com", &Authorities::default()).unwrap();
        assert!(!format!("{url:?} {transport:?} {InvalidSmtpUrl}").contains("hunter2"));
        for bad in ["nobody", "jörg@example.com"] {
            let error = SmtpTransport::new(&url, bad, &Authorities::default()).unwrap_err().to_string();
            assert!(error.contains("SERVICE_MAIL_FROM") && !error.contains("hunter2"), "{error}");
        }
    }
}
