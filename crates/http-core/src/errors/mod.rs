//! Maps errors to responses: one table of statuses, one envelope per surface.

mod code;
mod envelope;
mod messages;
#[cfg(test)]
mod tests;

pub(crate) use code::{Code, UNKNOWN_PARAMETER};
pub use envelope::Surface;
pub use messages::message_of;

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, HttpResponseBuilder};
use domain::kernel::input::Problem;
use domain::ports::StoreError;
use domain::{Error, ErrorCode};
use envelope::Envelope;

use crate::refusal_log::admits_reason;

/// `Retry-After` of a 503, in seconds.
const RETRY_AFTER_SECONDS: &str = "1";

/// Every error response.
#[derive(Debug)]
pub enum HttpError {
    /// The error of a use case.
    Domain(Error),
    UnknownRoute,
    /// REST does not offer this; the message says what does.
    NotOverRest(&'static str),
    /// The path exists, but not with this method. Holds the allowed methods.
    MethodNotAllowed(String),
    PayloadTooLarge {
        max_bytes: usize,
    },
    /// The body is not declared as JSON. Holds the message for the client.
    UnsupportedMediaType(&'static str),
    /// The request exceeded this deadline.
    Deadline(Duration),
    /// A memory or connection budget is used up; nothing was done.
    Busy,
    /// The operation panicked with this message.
    Panicked(String),
}

impl From<Error> for HttpError {
    fn from(error: Error) -> Self {
        Self::Domain(error)
    }
}

/// The status of a use case's error.
pub fn status_of(error: &Error) -> StatusCode {
    Code::of(error).status()
}

impl HttpError {
    fn code(&self) -> Code {
        match self {
            Self::Domain(error) => Code::of(error),
            Self::UnknownRoute | Self::NotOverRest(_) => Code::UnknownRoute,
            Self::MethodNotAllowed(_) => Code::MethodNotAllowed,
            Self::PayloadTooLarge { .. } => Code::PayloadTooLarge,
            Self::UnsupportedMediaType(_) => Code::UnsupportedMediaType,
            Self::Deadline(_) | Self::Busy => Code::Domain(ErrorCode::Unavailable),
            Self::Panicked(_) => Code::Domain(ErrorCode::Internal),
        }
    }

    /// The message for clients.
    pub fn message(&self) -> String {
        match self {
            Self::Domain(error) => message_of(error),
            Self::UnknownRoute => "there is no such route".to_owned(),
            Self::NotOverRest(hint) => format!("there is no such route: {hint}"),
            Self::MethodNotAllowed(allowed) => format!("this route accepts only {allowed}"),
            Self::PayloadTooLarge { max_bytes } => format!("the body must be at most {max_bytes} bytes"),
            Self::UnsupportedMediaType(message) => (*message).to_owned(),
            Self::Deadline(_) => "the request timed out; try again".to_owned(),
            Self::Busy => "too many requests are in progress; nothing was done, try again".to_owned(),
            Self::Panicked(_) => "something went wrong on our side".to_owned(),
        }
    }

    pub fn status(&self) -> StatusCode {
        self.code().status()
    }

    /// The machine-readable code.
    pub fn code_text(&self) -> &'static str {
        self.code().as_str()
    }

    /// Seconds until a retry makes sense, if the error says so.
    pub fn retry_after(&self) -> Option<i64> {
        match self {
            Self::Domain(error) => error.retry_after(),
            _ => None,
        }
    }

    pub fn details(&self) -> Vec<Problem> {
        match self {
            Self::Domain(error) => error.details(),
            _ => Vec::new(),
        }
    }

    /// Whether it was refused because of load. Clients can cause any number of these.
    pub(crate) const fn is_busy(&self) -> bool {
        matches!(self, Self::Busy | Self::Domain(Error::Store(StoreError::Busy)))
    }

    /// Logs what the response does not disclose. Busy errors are not logged one by one: the request's log line is enough.
    pub fn log(&self) {
        match self {
            Self::Domain(Error::Store(error @ StoreError::Internal(_))) => {
                log::error!("the request failed: {error}");
            }
            Self::Domain(Error::Store(error))
                if self.code().status().is_server_error() && !self.is_busy() && admits_reason() =>
            {
                log::warn!("the request could not be served: {error}");
            }
            Self::Deadline(bound) if admits_reason() => {
                log::warn!("the request timed out after {} ms", bound.as_millis());
            }
            Self::Panicked(message) => log::error!("the request panicked: {message}"),
            _ => {}
        }
    }

    pub fn respond(&self, surface: Surface, request_id: &str) -> HttpResponse {
        let code = self.code();
        let mut response = HttpResponseBuilder::new(code.status());
        match code {
            Code::Domain(ErrorCode::Unauthorized) => drop(response.insert_header((WWW_AUTHENTICATE, "Bearer"))),
            Code::Domain(ErrorCode::Unavailable) => drop(response.insert_header((RETRY_AFTER, RETRY_AFTER_SECONDS))),
            _ => {}
        }
        if let Self::MethodNotAllowed(allowed) = self {
            response.insert_header((ALLOW, allowed.as_str()));
        }
        let retry_after = self.retry_after();
        if let Some(seconds) = retry_after {
            response.insert_header((RETRY_AFTER, seconds));
        }
        let existing_id = match self {
            Self::Domain(error) => error.existing_id(),
            _ => None,
        };
        let (message, details) = (&*self.message(), &*self.details());
        Envelope { code, message, details, existing_id, retry_after, request_id }.write(surface, response)
    }
}
