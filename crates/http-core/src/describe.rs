//! Describes an endpoint and its errors from its parts, for the OpenAPI document.

use domain::ErrorCode;

use crate::admission::{Admission, AuthScheme};
use crate::body::{Body, BodyPresence};
use crate::conditions::Headers;
use crate::description::{Answer, BodyDescription, Described, Description, Schemas};
use crate::endpoint::Endpoint;
use crate::errors::{Code, Surface};
use crate::limit_policy::RoutePattern;

/// An error that an operation can answer with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ErrorDescription {
    pub status: u16,
    pub code: &'static str,
    /// Whether `error` is the code instead of an object (interface 2.9).
    pub is_flat: bool,
}

impl ErrorDescription {
    fn new(code: Code, surface: Surface) -> Self {
        let status = code.status().as_u16();
        let is_flat = surface == Surface::Flat || status == 429;
        let surface = if is_flat { Surface::Flat } else { surface };
        Self { status, code: surface.text_of(code), is_flat }
    }

    fn all(pattern: &str, codes: impl IntoIterator<Item = Code>) -> Vec<Self> {
        codes.into_iter().map(|code| Self::new(code, Surface::of(pattern))).collect()
    }

    /// The errors with these codes below a path.
    pub fn for_codes(pattern: &str, codes: &[ErrorCode]) -> Vec<Self> {
        let mut all = Self::all(pattern, codes.iter().copied().map(Code::Domain));
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The errors of every operation that takes a body.
    pub fn for_bodies(pattern: &str) -> Vec<Self> {
        let domain = [ErrorCode::InvalidJson, ErrorCode::UnknownField].map(Code::Domain);
        Self::all(pattern, domain.into_iter().chain([Code::PayloadTooLarge, Code::UnsupportedMediaType]))
    }

    pub fn for_every_operation(pattern: &str) -> Vec<Self> {
        let domain =
            [ErrorCode::InvalidValue, ErrorCode::RateLimitExceeded, ErrorCode::Internal, ErrorCode::Unavailable];
        Self::all(pattern, domain.map(Code::Domain).into_iter().chain([Code::UnknownParameter]))
    }
}

/// Describes an operation that is declared as an endpoint.
pub(crate) fn describe<E: Endpoint>(schemas: &mut Schemas) -> Description {
    let body_schema = E::Body::schema(schemas);
    let body = body_schema
        .map(|schema| BodyDescription { is_required: matches!(E::Body::PRESENCE, BodyPresence::Needed), schema });
    Description {
        id: E::id(),
        summary: E::summary(),
        note: "",
        is_additional: E::IS_ADDITIONAL,
        query: E::Query::parameters(),
        headers: E::Headers::parameters(),
        body,
        answers: E::Answer::answers(schemas),
        errors: errors_of::<E>(),
    }
}

/// Path prefixes below which every method but GET may change records, and so add to the event log, which has a daily limit.
const CHANGE_RECORDS: [&str; 6] =
    ["/api/v1/", "/api/public/", "/api/portal/ticket", "/api/widget/", "/api/modules/", "/api/settings/erasures"];

/// The errors that follow from an operation's parts, and those that it declares.
fn errors_of<E: Endpoint>() -> Vec<ErrorDescription> {
    let RoutePattern { method, pattern } = RoutePattern::parse(E::ROUTE);
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
    if method != "GET" && CHANGE_RECORDS.iter().any(|prefix| pattern.starts_with(prefix)) {
        codes.push(ErrorCode::QuotaExceeded);
    }
    if E::Headers::TAKES_EXPECTED_VERSION {
        codes.push(ErrorCode::ConcurrentUpdate);
    }
    if E::Body::HAS_RULES {
        codes.push(ErrorCode::ValidationFailed);
    }
    let mut all = ErrorDescription::for_codes(pattern, &codes);
    all.extend(ErrorDescription::for_every_operation(pattern));
    if E::Body::PRESENCE != BodyPresence::Ignored {
        all.extend(ErrorDescription::for_bodies(pattern));
    }
    all.sort_unstable();
    all.dedup();
    all
}
