//! Short error messages for failed requests. Users who manage subscriptions see them, so the errors of libraries are not passed
//! on: they may reveal addresses and internals.

use std::error::Error;
use std::io::ErrorKind;

use domain::webhooks::InvalidTarget;

use crate::resolver::ResolveError;

pub(crate) const SPECIAL_ADDRESS: &str = "the target resolves to a private or special-purpose address";
pub(crate) const TIME_OUT: &str = "the receiver timed out";
/// No configured master key decrypts the secret.
pub(crate) const SEALED: &str = "the secret cannot be decrypted";

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TargetRefused {
    #[error("{}", match .0 { InvalidTarget::SpecialAddress => SPECIAL_ADDRESS, _ => "the target is no longer allowed" })]
    Target(InvalidTarget),
    #[error("{SPECIAL_ADDRESS}")]
    Address,
    #[error("the target is not a valid URL")]
    Unreadable,
}

/// Connection errors that the dispatcher itself raises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ConnectError {
    #[error(transparent)]
    Name(ResolveError),
    #[error("{SPECIAL_ADDRESS}")]
    Refused,
    #[error("{TIME_OUT}")]
    TimeOut,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestFailure {
    /// The guard refused the target.
    Refused,
    /// There was no response, for this reason.
    NoAnswer(&'static str),
}

/// Classifies a failed request by its causes, outermost first.
pub(crate) fn of(error: &(dyn Error + 'static)) -> RequestFailure {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(known) = one(error) {
            return known;
        }
        // An I/O error does not return the error it wraps from `source`.
        let inner = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        cause = inner.map(|inner| inner as &(dyn Error + 'static)).or_else(|| error.source());
    }
    RequestFailure::NoAnswer("the request failed")
}

fn one(error: &(dyn Error + 'static)) -> Option<RequestFailure> {
    if let Some(error) = error.downcast_ref::<ConnectError>() {
        return Some(match error {
            ConnectError::Refused => RequestFailure::Refused,
            ConnectError::Name(ResolveError::Unknown) => RequestFailure::NoAnswer("the host name does not exist"),
            ConnectError::Name(ResolveError::Unavailable) => {
                RequestFailure::NoAnswer("the host name could not be resolved")
            }
            ConnectError::TimeOut => RequestFailure::NoAnswer(TIME_OUT),
        });
    }
    let why = if let Some(error) = error.downcast_ref::<rustls::Error>() {
        tls(error)
    } else if let Some(error) = error.downcast_ref::<hyper::Error>() {
        http(error)?
    } else {
        io(error.downcast_ref::<std::io::Error>()?)?
    };
    Some(RequestFailure::NoAnswer(why))
}

fn tls(error: &rustls::Error) -> &'static str {
    match error {
        rustls::Error::InvalidCertificate(_) => "TLS: the certificate is not trusted",
        _ => "TLS failed",
    }
}

fn http(error: &hyper::Error) -> Option<&'static str> {
    if error.is_parse() {
        Some("the response is not valid HTTP, or its headers are too large")
    } else if error.is_incomplete_message() || error.is_closed() || error.is_canceled() {
        Some("the connection was closed early")
    } else {
        // Its cause is more specific.
        None
    }
}

fn io(error: &std::io::Error) -> Option<&'static str> {
    match error.kind() {
        ErrorKind::ConnectionRefused => Some("the connection was refused"),
        ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe
        | ErrorKind::NotConnected
        | ErrorKind::UnexpectedEof => Some("the connection was closed early"),
        ErrorKind::TimedOut => Some(TIME_OUT),
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => Some("the receiver is unreachable"),
        _ => None,
    }
}
