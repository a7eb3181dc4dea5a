//! The route of an operation, and how it counts against the limits.

use domain::limits::Class;

/// A route such as `GET /api/v1/crm/deals/{deal_id}`, split into method and path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RoutePattern {
    pub(crate) method: &'static str,
    /// The path, with `{…}` for ids.
    pub(crate) pattern: &'static str,
}

impl RoutePattern {
    /// Splits a route at its first space. Routes are constants: one without a space fails the build.
    pub(crate) const fn parse(route: &'static str) -> Self {
        let bytes = route.as_bytes();
        let mut index = 0;
        while bytes[index] != b' ' {
            index += 1;
        }
        let (method, rest) = route.split_at(index);
        Self { method, pattern: rest.split_at(1).1 }
    }
}

/// The rate-limit class of a request, and what it is counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitPolicy {
    /// Bulk requests also have a longer deadline.
    pub class: Class,
    /// Whether `class` counts by the client's address even with a valid credential.
    pub by_address: bool,
    /// A second class, counted by workspace and address.
    pub public_class: Option<Class>,
}

impl LimitPolicy {
    /// For accounts, keys and members.
    pub const CRITICAL: Self = Self::new(Class::Critical);

    /// Counts by credential, or by address without one.
    pub const fn new(class: Class) -> Self {
        Self { class, by_address: false, public_class: None }
    }

    /// The default for a route's method: GET reads, everything else writes.
    pub const fn for_route(route: &'static str) -> Self {
        Self::new(match RoutePattern::parse(route).method.as_bytes() {
            b"GET" => Class::Read,
            _ => Class::Write,
        })
    }

    /// Counts by the client's address even with a valid credential.
    #[must_use]
    pub const fn by_address(self) -> Self {
        Self { by_address: true, ..self }
    }

    /// Also counts in a second class, by workspace and address.
    #[must_use]
    pub const fn with_public(self, class: Class) -> Self {
        Self { public_class: Some(class), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_is_a_method_and_a_pattern() {
        let expected = RoutePattern { method: "GET", pattern: "/api/v1/crm/deals/{deal_id}" };
        assert_eq!(RoutePattern::parse("GET /api/v1/crm/deals/{deal_id}"), expected);
    }

    #[test]
    fn a_policy_defaults_to_the_class_of_the_method() {
        for (route, class) in [("GET /a", Class::Read), ("POST /a", Class::Write), ("OPTIONS /a", Class::Write)] {
            assert_eq!(LimitPolicy::for_route(route), LimitPolicy::new(class), "{route}");
        }
        let policy = LimitPolicy::CRITICAL.by_address().with_public(Class::PublicTickets);
        assert_eq!((policy.class, policy.by_address), (Class::Critical, true));
        assert_eq!(policy.public_class, Some(Class::PublicTickets));
    }
}
