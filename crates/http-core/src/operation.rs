//! An entry in a surface's table of operations, with its route and its rate-limit policy.

use actix_web::http::Method;
use actix_web::{HttpRequest, Route, guard, web};
use domain::identity::access::AccessRequirement;
use domain::limits::Class;

use crate::admission::{Admission, AuthScheme};
use crate::body::{Body, BodyPresence};
use crate::conditions::Headers;
use crate::describe::describe;
use crate::description::{Description, Schemas};
use crate::endpoint::{Endpoint, ResponseFuture, run};
use crate::limit_policy::{LimitPolicy, RoutePattern};
use crate::state::AppState;

/// Answers the requests of one operation, and never fails.
///
/// A function pointer and a boxed future, so that actix's service around it is compiled once instead of per operation.
pub type Handler = fn(HttpRequest, web::Data<AppState>) -> ResponseFuture;

/// One method on one route.
#[derive(Debug, Clone, Copy)]
pub struct Operation {
    pub method: &'static str,
    /// The route's pattern, with `{…}` for ids.
    pub pattern: &'static str,
    /// What the caller must be allowed to do; `None` if no credential is needed.
    pub needs: Option<AccessRequirement>,
    pub auth_scheme: AuthScheme,
    /// Whether a body is required.
    pub has_body: bool,
    /// Whether it is idempotent per `Idempotency-Key`.
    pub takes_idempotency_key: bool,
    /// The rate-limit class, and what requests are counted by; a raw operation may derive another class from the body.
    pub limits: LimitPolicy,
    /// Whether it renders a page, which also answers `HEAD`.
    pub(crate) shows_page: bool,
    handler: Handler,
    /// Its description for the OpenAPI document; `None` if it is not listed there, such as a page.
    pub describe: Option<fn(&mut Schemas) -> Description>,
}

/// The number of rows in several tables.
pub const fn length(tables: &[&[Operation]]) -> usize {
    let (mut index, mut all) = (0, 0);
    while index < tables.len() {
        all += tables[index].len();
        index += 1;
    }
    all
}

/// The rows of several tables, in order. The first table must not be empty.
pub const fn joined<const N: usize>(tables: &[&[Operation]]) -> [Operation; N] {
    let mut all = [tables[0][0]; N];
    let (mut table, mut index) = (0, 0);
    while table < tables.len() {
        let mut row = 0;
        while row < tables[table].len() {
            all[index] = tables[table][row];
            index += 1;
            row += 1;
        }
        table += 1;
    }
    all
}

impl Operation {
    /// The required scopes, all of them; empty if access does not depend on scopes.
    pub fn scopes(&self) -> &'static [domain::identity::access::Scope] {
        self.needs.map_or(&[], AccessRequirement::scopes)
    }

    pub const fn of<E: Endpoint>() -> Self {
        let RoutePattern { method, pattern } = RoutePattern::parse(E::ROUTE);
        Self {
            method,
            pattern,
            needs: E::Access::NEEDS,
            auth_scheme: E::Access::AUTH_SCHEME,
            has_body: matches!(E::Body::PRESENCE, BodyPresence::Needed),
            takes_idempotency_key: E::Headers::TAKES_IDEMPOTENCY_KEY,
            limits: E::LIMITS,
            shows_page: false,
            handler: run::<E>,
            describe: Some(describe::<E>),
        }
    }

    /// An operation without an [`Endpoint`], such as one whose class depends on the body. `route` is `METHOD /pattern`;
    /// `handler` runs the checks itself, in the order of interface 2.7, with the functions that endpoints use:
    /// [`RequestContext::set_route`](crate::request_context::RequestContext::set_route), [`run_guarded`](crate::endpoint::run_guarded), and inside
    /// it [`admission`](crate::admission) and [`body::receive`](crate::body::receive).
    pub const fn raw(route: &'static str, needs: Option<AccessRequirement>, class: Class, handler: Handler) -> Self {
        let RoutePattern { method, pattern } = RoutePattern::parse(route);
        let auth_scheme = if needs.is_some() { AuthScheme::Caller } else { AuthScheme::Anonymous };
        Self {
            method,
            pattern,
            needs,
            auth_scheme,
            has_body: false,
            takes_idempotency_key: false,
            limits: LimitPolicy::new(class),
            shows_page: false,
            handler,
            describe: None,
        }
    }

    /// A page of the console, or the target of one of its forms. `route` and `handler` are those of [`Operation::raw`].
    pub const fn page(
        route: &'static str,
        needs: Option<AccessRequirement>,
        auth_scheme: AuthScheme,
        class: Class,
        handler: Handler,
    ) -> Self {
        let raw = Self::raw(route, needs, class, handler);
        let shows_page = matches!(raw.method.as_bytes(), b"GET");
        Self { auth_scheme, shows_page, ..raw }
    }

    /// Lists the operation in the OpenAPI document.
    #[must_use]
    pub const fn described(self, describe: fn(&mut Schemas) -> Description) -> Self {
        Self { describe: Some(describe), ..self }
    }

    /// Marks the operation as taking a body.
    #[must_use]
    pub const fn with_body(self) -> Self {
        Self { has_body: true, ..self }
    }

    /// Marks the operation as idempotent per `Idempotency-Key`.
    #[must_use]
    pub const fn with_idempotency_key(self) -> Self {
        Self { takes_idempotency_key: true, ..self }
    }

    pub(crate) fn route(&self) -> Route {
        if self.shows_page {
            // actix omits the body of a HEAD response.
            return web::route().guard(guard::Any(guard::Get()).or(guard::Head())).to(self.handler);
        }
        // Tests verify that every method in the tables is one of actix's.
        web::method(Method::from_bytes(self.method.as_bytes()).unwrap_or_default()).to(self.handler)
    }
}
