//! Error messages for operators: why a server did not accept an e-mail, and how to fix it.

use domain::kernel::input::format_timestamp;
use lettre::transport::smtp::Error;
use rustls::{CertificateError, InvalidMessage};
use time::OffsetDateTime;

use crate::smtp_url::{Security, SmtpUrl};

/// Maximum length of an error message, in characters.
const MAX_REASON: usize = 300;
/// The maximum number of a certificate's names in a message.
const MAX_NAMES: usize = 3;
/// lettre's error if the server does not offer STARTTLS.
const NO_STARTTLS: &str = "STARTTLS is not supported";

/// The error message, without the password.
pub(crate) fn reason(error: &Error, url: &SmtpUrl) -> String {
    let text = match tls_error_in(error) {
        Some(rustls::Error::InvalidCertificate(error)) => of_certificate(error, &url.host),
        Some(rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType))
            if url.security == Security::Wrapped =>
        {
            format!(
                "the server at {}:{} does not begin with TLS: if it uses STARTTLS, SERVICE_SMTP_URL must begin with \
                 smtp://",
                url.host, url.port
            )
        }
        Some(other) => format!("TLS with {} failed: {other}", url.host),
        None => of_chain(error),
    };
    let text = if text.contains(NO_STARTTLS) {
        format!(
            "the server at {}:{} does not offer STARTTLS, and nothing is sent without TLS: enable STARTTLS on the server, \
             or set SERVICE_SMTP_URL to a server with implicit TLS (smtps://)",
            url.host, url.port
        )
    } else {
        text
    };
    // A server's reply may echo the credentials.
    let text = url.secrets().iter().filter(|it| !it.is_empty()).fold(text, |text, it| text.replace(it.as_str(), "…"));
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).take(MAX_REASON).collect()
}

/// An error with its causes, without repetitions.
fn of_chain(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text = format!("{text}: {inner_text}");
        }
        cause = inner.source();
    }
    text
}

fn tls_error_in(error: &Error) -> Option<&rustls::Error> {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        // An I/O error does not return the error it wraps from `source`.
        cause = match error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
            Some(wrapped) => Some(wrapped),
            None => error.source(),
        };
    }
    None
}

fn of_certificate(error: &CertificateError, host: &str) -> String {
    match error {
        CertificateError::UnknownIssuer | CertificateError::BadSignature => format!(
            "the certificate of {host} is issued by an authority that is not trusted: set SERVICE_SMTP_CA_FILE \
             to a file with the authority's certificate"
        ),
        CertificateError::NotValidForNameContext { presented, .. } => format!(
            "the certificate is not for {host}, but for {}: SERVICE_SMTP_URL must name the server as its certificate does",
            names(presented)
        ),
        CertificateError::NotValidForName => {
            format!("the certificate is not for {host}: SERVICE_SMTP_URL must name the server as its certificate does")
        }
        CertificateError::ExpiredContext { not_after, .. } => {
            format!("the certificate of {host} expired at {}: the server needs a new one", day(not_after.as_secs()))
        }
        CertificateError::Expired => format!("the certificate of {host} has expired: the server needs a new one"),
        CertificateError::NotValidYetContext { not_before, .. } => format!(
            "the certificate of {host} is not valid before {}: check the clock of this machine",
            day(not_before.as_secs())
        ),
        other => format!("the certificate of {host} is invalid: {other}"),
    }
}

/// The first names of a certificate; rustls renders them as `DnsName("mail.example.com")`.
fn names(presented: &[String]) -> String {
    let plain = |name: &String| name.split('"').nth(1).unwrap_or(name).to_owned();
    match presented.len() {
        0 => "no name".to_owned(),
        1..=MAX_NAMES => presented.iter().map(plain).collect::<Vec<_>>().join(", "),
        count => format!("{} and {} more", names(&presented[..MAX_NAMES]), count - MAX_NAMES),
    }
}

fn day(seconds: u64) -> String {
    let time = i64::try_from(seconds).ok().and_then(|seconds| OffsetDateTime::from_unix_timestamp(seconds).ok());
    time.map_or_else(|| format!("{seconds} s"), format_timestamp)
}
