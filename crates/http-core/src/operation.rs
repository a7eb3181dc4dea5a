//! A line of a surface's table of operations.

use actix_web::http::Method;
use actix_web::{Route, web};
use domain::identity::access::AccessRequirement;
use domain::limits::Class;

use crate::admission::{Admission, AuthScheme};
use crate::body::{Body, BodyPresence};
use crate::conditions::Headers;
use crate::endpoint::{Endpoint, run};
use crate::route_pattern::RoutePattern;

/// One method on one route.
#[derive(Debug, Clone, Copy)]
pub struct Operation {
    /// The method.
    pub method: &'static str,
    /// The route's pattern, with `{…}` for ids.
    pub pattern: &'static str,
    /// What the caller needs; none where nobody needs a credential.
    pub needs: Option<AccessRequirement>,
    /// Which way in it takes.
    pub auth_scheme: AuthScheme,
    /// Whether it needs a body.
    pub has_body: bool,
    /// Whether it happens at most once for an idempotency key.
    pub takes_idempotency_key: bool,
    /// What kind of request it counts as; a raw operation may find another in its body.
    pub class: Class,
    handler: fn() -> Route,
}

impl Operation {
    /// The scopes that are all needed; none where something else is.
    pub fn scopes(&self) -> &'static [domain::identity::access::Scope] {
        self.needs.map_or(&[], AccessRequirement::scopes)
    }

    /// The operation that an endpoint declares.
    pub const fn of<E: Endpoint>() -> Self {
        let RoutePattern { method, pattern } = RoutePattern::parse(E::ROUTE);
        Self {
            method,
            pattern,
            needs: E::Access::NEEDS,
            auth_scheme: E::Access::AUTH_SCHEME,
            has_body: matches!(E::Body::PRESENCE, BodyPresence::Needed),
            takes_idempotency_key: E::Headers::TAKES_IDEMPOTENCY_KEY,
            class: E::LIMITS.class,
            handler: handler::<E>,
        }
    }

    /// An operation without an [`Endpoint`], such as one whose class stands in its body. `route` is `METHOD /pattern`,
    /// and `handler` a [`web::to`]: the method comes from here.
    ///
    /// The handler goes through the checks itself, in the contract's order and with the pieces that endpoints use:
    /// [`RequestContext::set_route`](crate::request_context::RequestContext::set_route), [`run_guarded`](crate::endpoint::run_guarded), and inside
    /// it [`admission`](crate::admission) and [`body::receive`](crate::body::receive).
    pub const fn raw(
        route: &'static str,
        needs: Option<AccessRequirement>,
        class: Class,
        handler: fn() -> Route,
    ) -> Self {
        let RoutePattern { method, pattern } = RoutePattern::parse(route);
        let auth_scheme = if needs.is_some() { AuthScheme::Caller } else { AuthScheme::Anonymous };
        Self { method, pattern, needs, auth_scheme, has_body: false, takes_idempotency_key: false, class, handler }
    }

    /// The same, reading a body.
    #[must_use]
    pub const fn with_body(self) -> Self {
        Self { has_body: true, ..self }
    }

    /// The same, happening at most once for an idempotency key.
    #[must_use]
    pub const fn with_idempotency_key(self) -> Self {
        Self { takes_idempotency_key: true, ..self }
    }

    pub(crate) fn route(&self) -> Route {
        // Every method of the tables is one that actix knows, as their tests prove.
        (self.handler)().method(Method::from_bytes(self.method.as_bytes()).unwrap_or_default())
    }
}

fn handler<E: Endpoint>() -> Route {
    web::to(run::<E>)
}
