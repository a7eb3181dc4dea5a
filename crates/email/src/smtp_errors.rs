//! Why a server did not take a letter, for operators: what is wrong, and what would be right.

use domain::kernel::input::format_timestamp;
use lettre::transport::smtp::Error;
use rustls::{CertificateError, InvalidMessage};
use time::OffsetDateTime;

use crate::smtp_url::{Security, SmtpUrl};

/// Characters of what a server answered, at the most.
const MAX_REASON: usize = 300;
/// How many names of a certificate are repeated.
const MAX_NAMES: usize = 3;
/// What the library says of a server that does not offer what was required of it.
const NO_STARTTLS: &str = "STARTTLS is not supported";

/// In words, without the password.
pub(crate) fn reason(error: &Error, url: &SmtpUrl) -> String {
    let text = match tls_error_in(error) {
        Some(rustls::Error::InvalidCertificate(error)) => of_certificate(error, &url.host),
        Some(rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType))
            if url.security == Security::Wrapped =>
        {
            format!(
                "the server at {}:{} does not begin with TLS: where it has STARTTLS, SERVICE_SMTP_URL must begin with \
                 smtp://",
                url.host, url.port
            )
        }
        Some(other) => format!("TLS with {} failed: {other}", url.host),
        None => of_chain(error),
    };
    let text = if text.contains(NO_STARTTLS) {
        format!(
            "the server at {}:{} does not offer STARTTLS, and without TLS it is told nothing: it must offer it, or \
             SERVICE_SMTP_URL must name one that begins with TLS (smtps://)",
            url.host, url.port
        )
    } else {
        text
    };
    // Servers answer what they like, also what they were told.
    let text = url.secrets().iter().filter(|it| !it.is_empty()).fold(text, |text, it| text.replace(it.as_str(), "…"));
    text.chars().map(|it| if it.is_control() { ' ' } else { it }).take(MAX_REASON).collect()
}

/// An error with its causes, each once.
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
        // One of the system's does not count what it wraps among its causes.
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
            "the certificate of {host} is by an authority that is not trusted here: SERVICE_SMTP_CA_FILE must name a \
             file with the authority's certificate"
        ),
        CertificateError::NotValidForNameContext { presented, .. } => format!(
            "the certificate is not for {host}, but for {}: SERVICE_SMTP_URL must name the server as its certificate does",
            names(presented)
        ),
        CertificateError::NotValidForName => {
            format!("the certificate is not for {host}: SERVICE_SMTP_URL must name the server as its certificate does")
        }
        CertificateError::ExpiredContext { not_after, .. } => {
            format!("the certificate of {host} ended at {}: the server needs a new one", day(not_after.as_secs()))
        }
        CertificateError::Expired => format!("the certificate of {host} has ended: the server needs a new one"),
        CertificateError::NotValidYetContext { not_before, .. } => format!(
            "the certificate of {host} begins at {}: it was made ahead of time, or the clock of this machine is late",
            day(not_before.as_secs())
        ),
        other => format!("the certificate of {host} is not good: {other}"),
    }
}

/// Those of a certificate, which come as `DnsName("mail.example.com")`: the first few.
fn names(presented: &[String]) -> String {
    let plain = |name: &String| name.split('"').nth(1).unwrap_or(name).to_owned();
    match presented.len() {
        0 => "no name at all".to_owned(),
        1..=MAX_NAMES => presented.iter().map(plain).collect::<Vec<_>>().join(", "),
        count => format!("{} and {} more", names(&presented[..MAX_NAMES]), count - MAX_NAMES),
    }
}

fn day(seconds: u64) -> String {
    let moment = i64::try_from(seconds).ok().and_then(|seconds| OffsetDateTime::from_unix_timestamp(seconds).ok());
    moment.map_or_else(|| format!("{seconds} s"), format_timestamp)
}
