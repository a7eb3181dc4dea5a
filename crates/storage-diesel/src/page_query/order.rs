//! The orders of lists.

use const_format::formatcp;
use domain::kernel::paging::ListOrder;

/// Later than any message, as `Issue::turn` has it.
const LAST_TURN: &str = "timestamptz '2500-01-01 00:00:00+00'";
/// How far a place by turn is from that: before it for tickets whose customer waits, and behind it for the others, as far as their
/// last message is before it. An index needs an expression that depends on no time zone: differences of times do not.
const TURN: &str = formatcp!(
    "coalesce(waiting_since - {LAST_TURN},
        {LAST_TURN} - coalesce(last_message_at, greatest(customer_wrote_at, answered_at), created_at))"
);
/// As `Issue::due_place` has it.
const DUE: &str = "coalesce(due_at, timestamptz '9999-12-31 23:59:59.999999+00')";

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Newest,
    Oldest,
    /// The highest value first, those without a value last. Only with an index, which needs this very expression.
    HighestValue,
    /// The oldest change first. Only with an index, which needs [`HAS_CHANGED`].
    OldestChange,
    /// Tickets whose customer waits first. Only with an index, which needs this very expression, like that by due time.
    Turn,
    Due,
}

impl Order {
    /// The order of a list of records.
    pub(super) const fn of(order: ListOrder) -> Self {
        match order {
            ListOrder::Created => Self::Newest,
            ListOrder::Value => Self::HighestValue,
            ListOrder::Changed => Self::OldestChange,
            ListOrder::Turn => Self::Turn,
            ListOrder::Due => Self::Due,
        }
    }

    pub(super) const fn by(self) -> &'static str {
        match self {
            Self::Newest => "ORDER BY created_at DESC, id DESC",
            Self::Oldest => "ORDER BY created_at, id",
            Self::HighestValue => "ORDER BY coalesce(value, -1) DESC, id DESC",
            Self::OldestChange => "ORDER BY updated_at, id",
            Self::Turn => formatcp!("ORDER BY {TURN}, id"),
            Self::Due => formatcp!("ORDER BY {DUE}, id"),
        }
    }

    /// What a place in the list is compared by.
    pub(super) const fn place(self) -> &'static str {
        match self {
            Self::Newest | Self::Oldest => "(created_at, id)",
            Self::HighestValue => "(coalesce(value, -1), id)",
            Self::OldestChange => "(updated_at, id)",
            Self::Turn => formatcp!("({TURN}, id)"),
            Self::Due => formatcp!("({DUE}, id)"),
        }
    }

    /// A bound key of a place, as [`place`](Self::place) has it.
    pub(super) fn key(self, bound: String) -> String {
        if self == Self::Turn { format!("{bound} - {LAST_TURN}") } else { bound }
    }

    /// Whether it is by the time of creation.
    pub(super) const fn is_by_creation(self) -> bool {
        matches!(self, Self::Newest | Self::Oldest)
    }

    pub(super) const fn behind(self) -> &'static str {
        match self {
            Self::Newest | Self::HighestValue => "<",
            Self::Oldest | Self::OldestChange | Self::Turn | Self::Due => ">",
        }
    }
}
