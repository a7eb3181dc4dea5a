//! Describes an endpoint from its parts, for the OpenAPI document.

use domain::ErrorCode;

use crate::admission::{Admission, AuthScheme};
use crate::body::{Body, BodyPresence};
use crate::conditions::Headers;
use crate::description::{Answer, BodyDescription, Described, Description, Failure, Schemas};
use crate::endpoint::Endpoint;
use crate::route_pattern::RoutePattern;

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
        failures: failures_of::<E>(),
    }
}

/// Path prefixes below which every method but GET may change records, and so add to the event log, which has a daily limit.
const CHANGE_RECORDS: [&str; 6] =
    ["/api/v1/", "/api/public/", "/api/portal/ticket", "/api/widget/", "/api/modules/", "/api/settings/erasures"];

/// The errors that follow from an operation's parts, and those that it declares.
fn failures_of<E: Endpoint>() -> Vec<Failure> {
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
