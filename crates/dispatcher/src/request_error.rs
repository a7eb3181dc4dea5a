//! What went wrong with a request, in short words of our own: what libraries say may hold addresses and inner workings,
//! and is shown to people who manage subscriptions.

use std::error::Error;
use std::io::ErrorKind;

use domain::webhooks::InvalidTarget;

use crate::resolver::ResolveError;

/// A target that leads to an address that is not allowed.
pub(crate) const SPECIAL_ADDRESS: &str = "the target leads to a private or special address";
/// An attempt that took too long.
pub(crate) const TIME_OUT: &str = "no answer in time";
/// A secret that no master key opens.
pub(crate) const SEALED: &str = "the secret cannot be opened";

/// Why a target is not called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TargetRefused {
    #[error("{}", match .0 { InvalidTarget::SpecialAddress => SPECIAL_ADDRESS, _ => "the target is not allowed any more" })]
    Target(InvalidTarget),
    #[error("{SPECIAL_ADDRESS}")]
    Address,
    #[error("the target is no URL")]
    Unreadable,
}

/// Why there is no connection, where it is us who say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ConnectError {
    #[error(transparent)]
    Name(ResolveError),
    #[error("{SPECIAL_ADDRESS}")]
    Refused,
    #[error("{TIME_OUT}")]
    TimeOut,
}

/// What the failure of a request comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestFailure {
    /// The guard said no.
    Refused,
    /// There was no answer; why.
    NoAnswer(&'static str),
}

/// Reads the causes of a failed request, from the outermost on.
pub(crate) fn of(error: &(dyn Error + 'static)) -> RequestFailure {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(known) = one(error) {
            return known;
        }
        // An I/O error hides what it was made of from `source`.
        let inner = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        cause = inner.map(|inner| inner as &(dyn Error + 'static)).or_else(|| error.source());
    }
    RequestFailure::NoAnswer("the request failed")
}

fn one(error: &(dyn Error + 'static)) -> Option<RequestFailure> {
    if let Some(error) = error.downcast_ref::<ConnectError>() {
        return Some(match error {
            ConnectError::Refused => RequestFailure::Refused,
            ConnectError::Name(ResolveError::Unknown) => RequestFailure::NoAnswer("the name does not exist"),
            ConnectError::Name(ResolveError::Unavailable) => RequestFailure::NoAnswer("the name could not be resolved"),
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
        Some("the answer is no HTTP, or its head is too large")
    } else if error.is_incomplete_message() || error.is_closed() || error.is_canceled() {
        Some("the connection was closed early")
    } else {
        // Its cause says more.
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
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => Some("the receiver cannot be reached"),
        _ => None,
    }
}
