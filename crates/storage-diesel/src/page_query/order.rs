//! The orders of lists.

use domain::kernel::paging::ListOrder;

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Newest,
    Oldest,
    /// The highest value first, those without a value last. Only with an index, which needs this very expression.
    HighestValue,
    /// The oldest change first. Only with an index, which needs [`HAS_CHANGED`].
    OldestChange,
}

impl Order {
    /// The order of a list of records.
    pub(super) const fn of(order: ListOrder) -> Self {
        match order {
            ListOrder::Created => Self::Newest,
            ListOrder::Value => Self::HighestValue,
            ListOrder::Changed => Self::OldestChange,
        }
    }

    pub(super) const fn by(self) -> &'static str {
        match self {
            Self::Newest => "ORDER BY created_at DESC, id DESC",
            Self::Oldest => "ORDER BY created_at, id",
            Self::HighestValue => "ORDER BY coalesce(value, -1) DESC, id DESC",
            Self::OldestChange => "ORDER BY updated_at, id",
        }
    }

    /// What a place in the list is compared by.
    pub(super) const fn place(self) -> &'static str {
        match self {
            Self::Newest | Self::Oldest => "(created_at, id)",
            Self::HighestValue => "(coalesce(value, -1), id)",
            Self::OldestChange => "(updated_at, id)",
        }
    }

    /// Whether it is by the time of creation.
    pub(super) const fn is_by_creation(self) -> bool {
        matches!(self, Self::Newest | Self::Oldest)
    }

    pub(super) const fn behind(self) -> &'static str {
        match self {
            Self::Newest | Self::HighestValue => "<",
            Self::Oldest | Self::OldestChange => ">",
        }
    }
}
