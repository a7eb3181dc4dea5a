//! Error codes, and the one table of their statuses.

use actix_web::http::StatusCode;
use domain::{Error, ErrorCode};

/// The code for an unknown query parameter, and for a response whose first problem is one.
pub(crate) const UNKNOWN_PARAMETER: &str = "unknown_parameter";

/// A domain code, or one that only HTTP has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    Domain(ErrorCode),
    UnknownParameter,
    UnknownRoute,
    MethodNotAllowed,
    PayloadTooLarge,
    UnsupportedMediaType,
}

impl Code {
    pub(super) fn of(error: &Error) -> Self {
        match error {
            Error::Malformed(problems) if problems.first().is_some_and(|first| first.code == UNKNOWN_PARAMETER) => {
                Self::UnknownParameter
            }
            other => Self::Domain(other.code()),
        }
    }

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Domain(code) => code.as_str(),
            Self::UnknownParameter => UNKNOWN_PARAMETER,
            Self::UnknownRoute => ErrorCode::NotFound.as_str(),
            Self::MethodNotAllowed => "method_not_allowed",
            Self::PayloadTooLarge => "payload_too_large",
            Self::UnsupportedMediaType => "unsupported_media_type",
        }
    }

    pub(crate) const fn status(self) -> StatusCode {
        match self {
            Self::Domain(code) => status_of(code),
            Self::UnknownParameter => StatusCode::BAD_REQUEST,
            Self::UnknownRoute => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        }
    }
}

const fn status_of(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::InvalidJson | ErrorCode::UnknownField | ErrorCode::InvalidValue | ErrorCode::InvalidArguments => {
            StatusCode::BAD_REQUEST
        }
        ErrorCode::Unauthorized => StatusCode::UNAUTHORIZED,
        ErrorCode::Forbidden => StatusCode::FORBIDDEN,
        ErrorCode::NotFound | ErrorCode::UnknownTool => StatusCode::NOT_FOUND,
        ErrorCode::Conflict
        | ErrorCode::Duplicate
        | ErrorCode::InvalidStateChange
        | ErrorCode::ConcurrentUpdate
        | ErrorCode::CapabilityConsumed
        | ErrorCode::IdempotencyConflict => StatusCode::CONFLICT,
        ErrorCode::RateLimitExceeded | ErrorCode::QuotaExceeded | ErrorCode::TrialQuotaExceeded => {
            StatusCode::TOO_MANY_REQUESTS
        }
        ErrorCode::ValidationFailed => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        ErrorCode::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}
