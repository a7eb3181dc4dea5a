//! How many requests of which class a request counts as.

use super::Class;

/// Maximum items of an upsert that count as one write each. An upsert of more items counts as one bulk request.
pub const MAX_ITEMS_AS_WRITES: usize = 25;

/// What a request counts as: a number of requests of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    pub class: Class,
    pub requests: u64,
    /// The class in which the request counts once instead, if the window does not have room for this many.
    pub otherwise: Option<Class>,
}

impl From<Class> for Cost {
    fn from(class: Class) -> Self {
        Self { class, requests: 1, otherwise: None }
    }
}

impl Cost {
    /// The cost of an upsert with this many items. Few items count as one write each. If the window does not have room for these,
    /// they count as one bulk request: otherwise 26 items could pass where 25 cannot.
    pub fn of_items(items: usize) -> Self {
        if items > MAX_ITEMS_AS_WRITES {
            return Class::Bulk.into();
        }
        Self { class: Class::Write, requests: items.max(1) as u64, otherwise: Some(Class::Bulk) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_items_count_as_writes_and_many_as_one_bulk_request() {
        for (items, class, requests) in [
            (0, Class::Write, 1),
            (1, Class::Write, 1),
            (25, Class::Write, 25),
            (26, Class::Bulk, 1),
            (500, Class::Bulk, 1),
        ] {
            let cost = Cost::of_items(items);
            assert_eq!((cost.class, cost.requests), (class, requests), "{items}");
        }
    }
}
