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

/// `http_actix::routes::issues::comments::List` is `issues_comments_list`.
pub(crate) fn id_of(path: &str) -> String {
    let path = path.split_once("::routes::").map_or(path, |(_, rest)| rest);
    let mut id = String::with_capacity(path.len() + 4);
    for (index, part) in path.split("::").enumerate() {
        if index > 0 {
            id.push('_');
        }
        for (place, letter) in part.char_indices() {
            if letter.is_ascii_uppercase() && place > 0 {
                id.push('_');
            }
            id.push(letter.to_ascii_lowercase());
        }
    }
    id
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_id_is_its_module_and_type() {
        assert_eq!(id_of("http_actix::routes::issues::comments::List"), "issues_comments_list");
        assert_eq!(id_of("http_actix::routes::auth::LogIn"), "auth_log_in");
    }
}
