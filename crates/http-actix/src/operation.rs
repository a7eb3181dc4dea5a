//! The one table of operations.

use actix_web::Route;
use actix_web::http::Method;
use actix_web::web;
use domain::access::{Permission, Scope};

use crate::body::Body;
use crate::endpoint::{Endpoint, run};
use crate::routes::{contacts, deals, issues, projects};

/// One method on one route.
#[derive(Debug, Clone, Copy)]
pub struct Operation {
    /// The method.
    pub method: &'static str,
    /// The route's pattern, with `{…}` for ids.
    pub pattern: &'static str,
    /// The scopes that are all needed.
    pub scopes: &'static [Scope],
    /// Whether it reads a body.
    pub has_body: bool,
    /// Whether it works on many records at once.
    pub bulk: bool,
    pub(crate) route: fn() -> Route,
}

/// Every operation; routes are registered from here. Of two patterns that fit a path the earlier one counts.
pub const OPERATIONS: &[Operation] = &[
    Operation::of::<contacts::List>(),
    Operation::of::<contacts::Create>(),
    Operation::of::<deals::List>(),
    Operation::of::<deals::Create>(),
    Operation::of::<deals::Read>(),
    Operation::of::<deals::Update>(),
    Operation::of::<deals::Delete>(),
    Operation::of::<projects::List>(),
    Operation::of::<projects::Create>(),
    Operation::of::<projects::Read>(),
    Operation::of::<projects::Update>(),
    Operation::of::<projects::Delete>(),
    Operation::of::<projects::cycles::List>(),
    Operation::of::<projects::cycles::Create>(),
    Operation::of::<projects::ListIssues>(),
    Operation::of::<issues::List>(),
    Operation::of::<issues::Create>(),
    Operation::of::<issues::BulkUpdate>(),
    Operation::of::<issues::Read>(),
    Operation::of::<issues::Update>(),
    Operation::of::<issues::Delete>(),
    Operation::of::<issues::comments::List>(),
    Operation::of::<issues::comments::Create>(),
];

impl Operation {
    const fn of<E: Endpoint>() -> Self {
        let (method, pattern) = split(E::ROUTE);
        Self {
            method,
            pattern,
            scopes: <E::Permission as Permission>::SCOPES,
            has_body: E::Body::PRESENT,
            bulk: E::BULK,
            route: route::<E>,
        }
    }
}

fn route<E: Endpoint>() -> Route {
    let (method, _) = split(E::ROUTE);
    // Every method of the table is one that actix knows, as a test proves.
    web::method(Method::from_bytes(method.as_bytes()).unwrap_or_default()).to(run::<E>)
}

/// The pattern of a `METHOD /pattern`.
pub(crate) const fn pattern_of(route: &'static str) -> &'static str {
    split(route).1
}

const fn split(route: &'static str) -> (&'static str, &'static str) {
    let bytes = route.as_bytes();
    let mut place = 0;
    while bytes[place] != b' ' {
        place += 1;
    }
    let (method, rest) = route.split_at(place);
    (method, rest.split_at(1).1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::access::Level;

    #[test]
    fn each_operation_stands_once_with_a_known_method() {
        let known = [Method::GET, Method::POST, Method::PATCH, Method::DELETE];
        for (index, operation) in OPERATIONS.iter().enumerate() {
            assert!(known.iter().any(|method| method.as_str() == operation.method), "{operation:?}");
            assert!(operation.pattern.starts_with("/api/v1/") && !operation.pattern.ends_with('/'), "{operation:?}");
            let same = |other: &&Operation| (other.method, other.pattern) == (operation.method, operation.pattern);
            assert_eq!(OPERATIONS.iter().position(|other| same(&other)), Some(index), "{operation:?}");
            assert_eq!(operation.has_body, matches!(operation.method, "POST" | "PATCH"), "{operation:?}");
            let reads = operation.scopes.iter().all(|scope| scope.level == Level::Read);
            assert_eq!(reads, operation.method == "GET", "{operation:?}");
        }
    }
}
