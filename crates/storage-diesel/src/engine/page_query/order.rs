//! The orders of lists.

use domain::kernel::paging::{Direction, ListOrder, Position, Sort, SortKey};
use rust_decimal::Decimal;

use super::{HAS_CHANGED, PageQuery};
use crate::engine::convert;

/// The origin of the keys of tickets by turn, as in `Issue::turn`.
const LAST_TURN: &str = "timestamptz '2500-01-01 00:00:00+00'";

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Newest,
    Oldest,
    /// Highest value first, rows without a value last. Needs an index on exactly this expression.
    HighestValue,
    /// Oldest change first. Needs an index with the condition [`HAS_CHANGED`].
    OldestChange,
    /// By a field. Needs an index on exactly this expression.
    By(&'static SortSql, Direction),
}

/// The sort key of a list, as SQL.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SortSql {
    up: &'static str,
    down: &'static str,
    place: &'static str,
    /// How rows without a value are sorted.
    lacking: Option<MissingValues>,
}

/// Rows without a value. The index has them at one end, as if their value were beyond all others.
#[derive(Debug, PartialEq, Eq)]
struct MissingValues {
    /// The condition of rows with a value.
    with: &'static str,
    /// The condition of rows without one.
    without: &'static str,
    /// The direction in which they come first in the index.
    first_in: Direction,
    /// The order for that direction that has them last.
    last: &'static str,
}

macro_rules! sort_sql {
    ($key:literal) => {
        &sort_sql!($key, None)
    };
    ($key:literal, beyond: $beyond:literal, first $first_in:ident, $before:literal, $direction:literal) => {
        &sort_sql!(
            $key,
            Some(MissingValues {
                with: concat!($key, " ", $before, " ", $beyond),
                without: concat!($key, " = ", $beyond),
                first_in: Direction::$first_in,
                last: concat!("ORDER BY ", $key, " = ", $beyond, ", ", $key, $direction, ", id", $direction),
            })
        )
    };
    ($key:literal, $lacking:expr) => {
        SortSql {
            up: concat!("ORDER BY ", $key, ", id"),
            down: concat!("ORDER BY ", $key, " DESC, id DESC"),
            place: concat!("(", $key, ", id)"),
            lacking: $lacking,
        }
    };
}

impl SortSql {
    /// The expression of the table's index, word for word.
    fn of(by: Sort, table: &str) -> &'static Self {
        match by {
            Sort::Created => sort_sql!("created_at"),
            Sort::Changed => sort_sql!("updated_at"),
            Sort::Value => sort_sql!("coalesce(value, -1)", beyond: "-1", first Up, ">", ""),
            // As pages compare it; names may be longer than the indexed prefix.
            Sort::Name if table == "contacts" => sort_sql!(
                "left(lower(coalesce(first_name || ' ' || last_name, first_name, last_name, email) COLLATE \"C\"), 40)"
            ),
            Sort::Name => sort_sql!("left(lower(name COLLATE \"C\"), 40)"),
            Sort::Day if table == "deals" => {
                sort_sql!("coalesce(expected_close_date, 'infinity')", beyond: "'infinity'", first Down, "<", " DESC")
            }
            Sort::Day if table == "time_entries" => sort_sql!("date"),
            Sort::Day => sort_sql!("coalesce(end_date, 'infinity')", beyond: "'infinity'", first Down, "<", " DESC"),
            Sort::Due => sort_sql!("coalesce(due_at, 'infinity')", beyond: "'infinity'", first Down, "<", " DESC"),
            // The difference from a fixed time: an index needs an expression that does not depend on the time zone.
            Sort::Turn => sort_sql!(
                "coalesce(waiting_since - timestamptz '2500-01-01 00:00:00+00', timestamptz '2500-01-01 00:00:00+00' \
                 - coalesce(last_message_at, greatest(customer_wrote_at, answered_at), created_at))"
            ),
            Sort::Priority => {
                sort_sql!("CASE priority WHEN 'low' THEN 1 WHEN 'medium' THEN 2 WHEN 'high' THEN 3 ELSE 4 END")
            }
        }
    }

    fn in_direction(&self, direction: Direction) -> &'static str {
        if direction == Direction::Up { self.up } else { self.down }
    }

    /// The conditions that separate the two halves, if the index does not have them in the right order for this direction.
    fn halves(&self, direction: Direction) -> Option<&MissingValues> {
        self.lacking.as_ref().filter(|lacking| lacking.first_in == direction)
    }
}

impl Order {
    /// The order of a list of records of a table.
    pub(super) fn of(order: ListOrder, table: &str) -> Self {
        match order {
            ListOrder::Created => Self::Newest,
            ListOrder::Value => Self::HighestValue,
            ListOrder::Changed => Self::OldestChange,
            ListOrder::By(Sort::Created, Direction::Up) => Self::Oldest,
            ListOrder::By(by, direction) => Self::By(SortSql::of(by, table), direction),
        }
    }

    pub(super) fn by(self) -> &'static str {
        match self {
            Self::Newest => "ORDER BY created_at DESC, id DESC",
            Self::Oldest => "ORDER BY created_at, id",
            Self::HighestValue => "ORDER BY coalesce(value, -1) DESC, id DESC",
            Self::OldestChange => "ORDER BY updated_at, id",
            Self::By(sort, direction) => {
                sort.halves(direction).map_or_else(|| sort.in_direction(direction), |lacking| lacking.last)
            }
        }
    }

    /// The order within each of two halves.
    pub(super) fn within_halves(self) -> &'static str {
        if let Self::By(sort, direction) = self { sort.in_direction(direction) } else { self.by() }
    }

    /// The expression that positions in the list are compared by.
    const fn place(self) -> &'static str {
        match self {
            Self::Newest | Self::Oldest => "(created_at, id)",
            Self::HighestValue => "(coalesce(value, -1), id)",
            Self::OldestChange => "(updated_at, id)",
            Self::By(sort, _) => sort.place,
        }
    }

    /// Whether it is by the time of creation.
    pub(super) const fn is_by_creation(self) -> bool {
        matches!(self, Self::Newest | Self::Oldest)
    }

    pub(super) const fn after_operator(self) -> &'static str {
        match self {
            Self::Newest | Self::HighestValue | Self::By(_, Direction::Down) => "<",
            Self::Oldest | Self::OldestChange | Self::By(_, Direction::Up) => ">",
        }
    }
}

impl PageQuery {
    /// Sorts the list by another order than its own.
    pub(crate) fn sorted_by(mut self, order: ListOrder) -> Self {
        self.order = Order::of(order, self.list.from);
        match order {
            ListOrder::Changed | ListOrder::By(Sort::Changed, _) => self.in_order(&[HAS_CHANGED]),
            // The condition of the ticket indexes.
            ListOrder::By(Sort::Turn, _) => self.in_order(&["kind = 'ticket' AND number > 0"]),
            ListOrder::By(Sort::Due, _) => self.in_order(&["number > 0"]),
            _ => self,
        }
    }

    /// Only rows after the end of the previous page.
    pub(super) fn after_last_page(mut self) -> Self {
        if let Order::By(sort, direction) = self.order
            && let Some(lacking) = sort.halves(direction)
        {
            return self.in_halves(lacking);
        }
        let id = match self.page.position {
            Position::Page(_) => return self,
            Position::After(time, id) => {
                self = self.bind(time);
                id
            }
            Position::AfterValue(value, id) => {
                let value = value.unwrap_or(Decimal::NEGATIVE_ONE);
                self = self.bind(convert::to_numeric(value));
                id
            }
            Position::AfterChange(position) => {
                self = self.bind(position.at);
                position.id
            }
            Position::AfterKey(position) if position.key == SortKey::Nothing => {
                self = self.bind(position.id);
                let (id, operator) = (self.last(), self.order.after_operator());
                let without = self.lacking().map_or("false", |lacking| lacking.without);
                return self.in_order(&[without, " AND id ", operator, " ", &id]);
            }
            Position::AfterKey(position) => {
                self = self.bind_key(position.key);
                position.id
            }
        };
        let key = match self.page.position {
            Position::AfterKey(position) if position.by == Sort::Turn => format!("{} - {LAST_TURN}", self.last()),
            _ => self.last(),
        };
        self = self.bind(id);
        let (id, order) = (self.last(), self.order);
        self.in_order(&[order.place(), " ", order.after_operator(), " (", &key, ", ", &id, ")"])
    }

    fn lacking(&self) -> Option<&'static MissingValues> {
        if let Order::By(sort, _) = self.order { sort.lacking.as_ref() } else { None }
    }

    /// Rows with a value, followed by rows without one: the index has each half in order, but not one after the other.
    fn in_halves(mut self, lacking: &'static MissingValues) -> Self {
        let (order, [mut with, mut without]) = (self.order, [lacking.with, lacking.without].map(str::to_owned));
        if let Position::AfterKey(position) = self.page.position {
            if position.key == SortKey::Nothing {
                self = self.bind(position.id);
                "false".clone_into(&mut with);
                without = format!("{without} AND id {} {}", order.after_operator(), self.last());
            } else {
                self = self.bind_key(position.key);
                let key = self.last();
                self = self.bind(position.id);
                with = format!("{with} AND {} {} ({key}, {})", order.place(), order.after_operator(), self.last());
            }
        }
        if self.either.is_some() || self.words.is_some() {
            return self.with_condition(&["(", &with, " OR ", &without, ")"]);
        }
        self.is_in_halves = true;
        self.either = Some([with, without]);
        self
    }

    fn bind_key(self, key: SortKey) -> Self {
        match key {
            SortKey::Time(time) => self.bind(time),
            SortKey::Day(day) => self.bind(day),
            SortKey::Amount(amount) => self.bind(convert::to_numeric(amount)),
            SortKey::Rank(rank) => self.bind(i32::from(rank)),
            SortKey::Name(name) => self.bind(name.as_str().to_owned()),
            SortKey::Nothing => self,
        }
    }
}
