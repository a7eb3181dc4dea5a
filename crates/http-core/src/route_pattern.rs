//! A route as operations declare it: `GET /api/v1/crm/deals/{deal_id}`.

/// A route, split into method and path.
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
        let mut place = 0;
        while bytes[place] != b' ' {
            place += 1;
        }
        let (method, rest) = route.split_at(place);
        Self { method, pattern: rest.split_at(1).1 }
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
}
