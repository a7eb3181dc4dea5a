//! The lists that cursors belong to.

/// The list that a cursor belongs to; a cursor of another list is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListName {
    pub(super) number: u8,
    pub(super) orders: Orders,
    has_comments: bool,
}

/// What a list can be ordered by in addition to the time of creation. Each variant includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Orders {
    Nothing,
    /// Fields, in either direction.
    Fields,
    /// The last change.
    Changes,
    /// The value.
    Values,
}

/// Declares the lists that do not belong to a kind of record.
macro_rules! lists {
    ($( $(#[$doc:meta])* $name:ident = $number:literal; )+) => {
        impl ListName {
            $( $(#[$doc])* pub const $name: Self = Self::numbered($number); )+

            #[cfg(test)]
            pub(crate) const OF_NO_KIND: &'static [Self] = &[$(Self::$name),+];
        }
    };
}

lists! {
    CYCLES = 4;
    COMMENTS = 6;
    MEMBERS = 7;
    API_KEYS = 8;
    AUDIT_LOG = 9;
    SUBSCRIPTIONS = 10;
    DELIVERIES = 11;
    PUBLIC_TICKETS = 14;
    HISTORY = 16;
    REPLAYS = 20;
    /// Far from the numbers above, which grow with the kinds of records.
    WORKSPACES = 200;
    /// Its cursors are positions in the log (`events/place.rs`).
    EVENTS = 201;
    ERASURES = 202;
}

impl ListName {
    /// The list with this number. The number is part of the cursor format and must never be reused.
    pub const fn numbered(number: u8) -> Self {
        Self { number, orders: Orders::Nothing, has_comments: false }
    }

    /// The same list, also ordered by fields.
    #[must_use]
    pub const fn by_fields(self) -> Self {
        Self { orders: Orders::Fields, ..self }
    }

    /// The same list, also ordered by fields and by the last change.
    #[must_use]
    pub const fn by_change(self) -> Self {
        Self { orders: Orders::Changes, ..self }
    }

    /// The same list, also ordered by fields, by the last change and by value.
    #[must_use]
    pub const fn by_value(self) -> Self {
        Self { orders: Orders::Values, ..self }
    }

    /// The same list, with records that searches also find by their comments.
    #[must_use]
    pub const fn with_comments(self) -> Self {
        Self { has_comments: true, ..self }
    }

    pub(crate) const fn number(self) -> u8 {
        self.number
    }

    pub(crate) const fn has_comments(self) -> bool {
        self.has_comments
    }
}
