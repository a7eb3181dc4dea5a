//! What a request counts as.

use super::Class;

/// The most items of an upsert that count as writes, one each. More are one bulk request.
pub const MAX_ITEMS_AS_WRITES: usize = 25;

/// What a request counts as: so many requests of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    pub class: Class,
    pub requests: u64,
    /// The class in which it counts as one request instead, if the window has no room for so many.
    pub otherwise: Option<Class>,
}

impl From<Class> for Cost {
    fn from(class: Class) -> Self {
        Self { class, requests: 1, otherwise: None }
    }
}

impl Cost {
    /// What an upsert of so many items counts as. Few items are as many writes. If these do not fit into the rest of the
    /// window, they count like many items: otherwise 26 items could pass where 25 cannot.
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
    fn few_items_are_writes_and_many_are_one_bulk_request() {
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
