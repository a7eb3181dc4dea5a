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
    /// Members, in either direction.
    Members,
    /// The last change.
    Changes,
    /// The value.
    Values,
}

/// Lists that do not belong to a kind of record.
impl ListName {
    pub const CYCLES: Self = Self::numbered(4);
    pub const COMMENTS: Self = Self::numbered(6);
    pub const MEMBERS: Self = Self::numbered(7);
    pub const API_KEYS: Self = Self::numbered(8);
    pub const AUDIT_LOG: Self = Self::numbered(9);
    pub const SUBSCRIPTIONS: Self = Self::numbered(10);
    pub const DELIVERIES: Self = Self::numbered(11);
    pub const PUBLIC_TICKETS: Self = Self::numbered(14);
    pub const HISTORY: Self = Self::numbered(16);
    pub const REPLAYS: Self = Self::numbered(20);
    /// Far from the numbers above, which grow with the kinds of records.
    pub const WORKSPACES: Self = Self::numbered(200);
    /// Its cursors are places in the log (`events/place.rs`).
    pub const EVENTS: Self = Self::numbered(201);
    pub const ERASURES: Self = Self::numbered(202);

    #[cfg(test)]
    pub(crate) const OF_NO_KIND: [Self; 13] = [
        Self::CYCLES,
        Self::COMMENTS,
        Self::MEMBERS,
        Self::API_KEYS,
        Self::AUDIT_LOG,
        Self::SUBSCRIPTIONS,
        Self::DELIVERIES,
        Self::PUBLIC_TICKETS,
        Self::HISTORY,
        Self::REPLAYS,
        Self::WORKSPACES,
        Self::EVENTS,
        Self::ERASURES,
    ];
}

impl ListName {
    /// The list with this number. The number is part of the cursor format and must never be reused.
    pub const fn numbered(number: u8) -> Self {
        Self { number, orders: Orders::Nothing, has_comments: false }
    }

    /// The same list, also ordered by members.
    #[must_use]
    pub const fn by_members(self) -> Self {
        Self { orders: Orders::Members, ..self }
    }

    /// The same list, also ordered by members and by the last change.
    #[must_use]
    pub const fn by_change(self) -> Self {
        Self { orders: Orders::Changes, ..self }
    }

    /// The same list, also ordered by members, by the last change and by value.
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
