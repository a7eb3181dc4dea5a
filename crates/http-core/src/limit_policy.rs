//! How an operation counts against the limits.

use domain::limits::Class;

use crate::route_pattern::RoutePattern;

/// What a request counts as, and whose counts it goes into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitPolicy {
    /// What kind of request it is; bulk ones have a longer deadline too.
    pub class: Class,
    /// Whether `class` counts by the client's address even with a good credential.
    pub by_address: bool,
    /// A second class, counted by workspace and address.
    pub public_class: Option<Class>,
}

impl LimitPolicy {
    /// Counted by the credential, or by the address where there is none.
    pub const fn new(class: Class) -> Self {
        Self { class, by_address: false, public_class: None }
    }

    /// What a method counts as, unless an operation says something else.
    pub const fn of_route(route: &'static str) -> Self {
        Self::new(match RoutePattern::parse(route).method.as_bytes() {
            b"GET" => Class::Read,
            _ => Class::Write,
        })
    }

    /// The same, counted by the client's address even with a good credential.
    #[must_use]
    pub const fn by_address(self) -> Self {
        Self { by_address: true, ..self }
    }

    /// The same, counted by workspace and address in a second class.
    #[must_use]
    pub const fn with_public(self, class: Class) -> Self {
        Self { public_class: Some(class), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_starts_from_the_method() {
        for (route, class) in [("GET /a", Class::Read), ("POST /a", Class::Write), ("OPTIONS /a", Class::Write)] {
            assert_eq!(LimitPolicy::of_route(route), LimitPolicy::new(class), "{route}");
        }
        let policy = LimitPolicy::new(Class::Critical).by_address().with_public(Class::PublicTickets);
        assert_eq!((policy.class, policy.by_address), (Class::Critical, true));
        assert_eq!(policy.public_class, Some(Class::PublicTickets));
    }
}
