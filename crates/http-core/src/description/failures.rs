//! The errors that an operation can answer.

use domain::ErrorCode;

use crate::admission::{Admission, AuthScheme};
use crate::body::{Body, BodyPresence};
use crate::conditions::Headers;
use crate::endpoint::Endpoint;
use crate::errors::{Code, Surface};

/// An error by its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failure {
    pub status: u16,
    pub code: &'static str,
    /// Whether `error` is the code, and not an object (interface 2.9).
    pub is_flat: bool,
}

impl Failure {
    fn of(code: Code, surface: Surface) -> Self {
        let status = code.status().as_u16();
        let is_flat = surface == Surface::Flat || status == 429;
        let surface = if is_flat { Surface::Flat } else { surface };
        Self { status, code: surface.text_of(code), is_flat }
    }

    /// The errors of some codes below a path.
    pub fn all(pattern: &str, codes: &[ErrorCode]) -> Vec<Self> {
        let mut all: Vec<_> = codes.iter().map(|code| Self::of(Code::Domain(*code), Surface::of(pattern))).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Those of every operation that takes a body.
    pub fn of_bodies(pattern: &str) -> Vec<Self> {
        let surface = Surface::of(pattern);
        let read = [
            Code::Domain(ErrorCode::InvalidJson),
            Code::Domain(ErrorCode::UnknownField),
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
        ];
        read.into_iter().map(|code| Self::of(code, surface)).collect()
    }

    /// Those of every operation.
    pub fn of_all(pattern: &str) -> Vec<Self> {
        let surface = Surface::of(pattern);
        let always = [
            Code::UnknownParameter,
            Code::Domain(ErrorCode::InvalidValue),
            Code::Domain(ErrorCode::RateLimitExceeded),
            Code::Domain(ErrorCode::Internal),
            Code::Domain(ErrorCode::Unavailable),
        ];
        always.into_iter().map(|code| Self::of(code, surface)).collect()
    }
}

/// The errors that follow from the parts of an operation, and those that it declares.
pub(super) fn of<E: Endpoint>() -> Vec<Failure> {
    let pattern = crate::route_pattern::RoutePattern::parse(E::ROUTE).pattern;
    let mut codes = E::ERRORS.to_vec();
    match E::Access::AUTH_SCHEME {
        AuthScheme::Anonymous | AuthScheme::Browser => {}
        AuthScheme::PortalToken => codes.push(ErrorCode::Unauthorized),
        AuthScheme::Caller | AuthScheme::WidgetPage => codes.extend([ErrorCode::Unauthorized, ErrorCode::Forbidden]),
    }
    if pattern.contains('{') {
        codes.push(ErrorCode::NotFound);
    }
    if E::Headers::TAKES_IDEMPOTENCY_KEY {
        codes.extend([ErrorCode::IdempotencyConflict, ErrorCode::QuotaExceeded]);
    }
    if E::Headers::TAKES_EXPECTED_VERSION {
        codes.push(ErrorCode::ConcurrentUpdate);
    }
    let mut all = Failure::all(pattern, &codes);
    all.extend(Failure::of_all(pattern));
    if E::Body::PRESENCE != BodyPresence::Ignored {
        all.extend(Failure::of_bodies(pattern));
    }
    if E::Body::HAS_RULES {
        all.extend(Failure::all(pattern, &[ErrorCode::ValidationFailed]));
    }
    all.sort_unstable();
    all.dedup();
    all
}
