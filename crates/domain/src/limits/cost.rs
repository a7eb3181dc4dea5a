//! What a request counts as.

use super::{Allowance, Class, FixedLimits, limit_of};

/// The most items of an upsert that count as writes, one each. More are one bulk request.
pub const MAX_ITEMS_AS_WRITES: usize = 25;

/// What a request counts as: so many requests of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    pub class: Class,
    pub requests: u64,
}

impl From<Class> for Cost {
    fn from(class: Class) -> Self {
        Self { class, requests: 1 }
    }
}

impl Cost {
    /// What an upsert of so many items counts as. Few items are as many writes, unless the workspace may not make that many
    /// in one window: then they could never be sent.
    pub fn of_items(items: usize, allowance: &Allowance, fixed: &FixedLimits) -> Self {
        let writes = items.max(1) as u64;
        if items <= MAX_ITEMS_AS_WRITES && writes <= limit_of(Class::Write, allowance, fixed) {
            return Self { class: Class::Write, requests: writes };
        }
        Class::Bulk.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{LimitName, Plan, WorkspaceLimits};

    #[test]
    fn few_items_are_writes_and_many_are_one_bulk_request() {
        let mut allowance = Allowance { plan: Plan::Starter, limits: WorkspaceLimits::default() };
        let cost = |allowance: &Allowance, items| {
            let Cost { class, requests } = Cost::of_items(items, allowance, &FixedLimits::default());
            (class, requests)
        };
        for (items, expected) in [
            (0, (Class::Write, 1)),
            (1, (Class::Write, 1)),
            (25, (Class::Write, 25)),
            (26, (Class::Bulk, 1)),
            (500, (Class::Bulk, 1)),
        ] {
            assert_eq!(cost(&allowance, items), expected, "{items}");
        }
        allowance.limits.set(LimitName::RequestsPerMinute, Some(20));
        assert_eq!(cost(&allowance, 10), (Class::Write, 10));
        assert_eq!(cost(&allowance, 11), (Class::Bulk, 1), "more than all writes of a minute");
    }
}
