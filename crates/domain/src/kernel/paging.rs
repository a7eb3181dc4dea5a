//! Paging by page number and by cursor (interface 3.1–3.4).

mod cursor;
mod list_name;
mod sorting;
#[cfg(test)]
mod tests;

use rust_decimal::Decimal;
use time::OffsetDateTime;
use uuid::Uuid;

use self::cursor::{decode_cursor, encode_cursor};
pub use self::list_name::ListName;
pub use self::sorting::{Direction, KeyPosition, NameKey, Sort, SortKey, Sorted};
use crate::kernel::Error;
use crate::kernel::input::Problems;

/// Items per page by default.
pub const DEFAULT_LIMIT: u32 = 50;
/// Maximum items per page.
pub const MAX_LIMIT: u32 = 100;
/// The last item that page numbers reach. Later pages need a cursor, whose cost does not grow with depth.
pub const MAX_OFFSET: u32 = 100_000;

/// What a list is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListOrder {
    /// The time of creation.
    Created,
    /// The value, highest first.
    Value,
    /// The time of the last change, oldest first.
    Changed,
    /// A field, in either direction.
    By(Sort, Direction),
}

/// A record that appears in a list.
pub trait Paginated {
    const LIST: ListName;
    /// Sort key: creation time, then id.
    fn cursor_key(&self) -> (OffsetDateTime, Uuid);
}

/// Implements [`Paginated`] for records with the members `id` and `created_at`.
macro_rules! paginated {
    ($($record:ty: $list:ident),+ $(,)?) => { $(
        impl $crate::kernel::paging::Paginated for $record {
            const LIST: $crate::kernel::paging::ListName = $crate::kernel::paging::ListName::$list;

            fn cursor_key(&self) -> (time::OffsetDateTime, uuid::Uuid) {
                (self.created_at, self.id.0)
            }
        }
    )+ };
}
pub(crate) use paginated;

/// Where a page starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// A page number, from 1.
    Page(u32),
    /// After the record with this creation time and id, in the list's order.
    After(OffsetDateTime, Uuid),
    /// After the record with this value and id, in a list by value: highest first, records without a value last.
    AfterValue(Option<Decimal>, Uuid),
    /// After a change, in a list by change.
    AfterChange(ChangePosition),
    /// After a key, in a list by a field.
    AfterKey(KeyPosition),
}

impl Position {
    /// The order that the position belongs to; a page number belongs to any.
    const fn order(&self) -> Option<ListOrder> {
        match self {
            Self::Page(_) => None,
            Self::After(..) => Some(ListOrder::Created),
            Self::AfterValue(..) => Some(ListOrder::Value),
            Self::AfterChange(_) => Some(ListOrder::Changed),
            Self::AfterKey(KeyPosition { by, direction, .. }) => Some(ListOrder::By(*by, *direction)),
        }
    }
}

/// The position of a reader in a list by change.
///
/// Every change up to `logged` in the event log was listed, was superseded by a later change of its record, or comes after this
/// position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangePosition {
    /// When the record at this position was last changed.
    pub at: OffsetDateTime,
    /// The record at this position; nil comes before all records of this time.
    pub id: Uuid,
    /// A position in the event log.
    pub logged: i64,
}

impl ChangePosition {
    /// The position before all records that were changed at this time; without a time, before all records.
    pub(crate) fn before(at: Option<OffsetDateTime>, logged: i64) -> Self {
        // No record is older, and event ids cannot hold earlier times.
        let at = at.map_or(OffsetDateTime::UNIX_EPOCH, |at| at.max(OffsetDateTime::UNIX_EPOCH));
        Self { at, id: Uuid::nil(), logged }
    }
}

/// The paging parameters of a list request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest {
    pub position: Position,
    /// Maximum number of items.
    pub limit: u32,
    /// Whether a list by change must not miss changes that are committed later.
    pub is_followed: bool,
}

impl PageRequest {
    /// A page of this size.
    pub const fn at(position: Position, limit: u32) -> Self {
        Self { position, limit, is_followed: true }
    }

    /// The first page of this size.
    pub const fn first(limit: u32) -> Self {
        Self::at(Position::Page(1), limit)
    }

    /// The page after the record with this creation time and id.
    pub const fn after(created_at: OffsetDateTime, id: Uuid, limit: u32) -> Self {
        Self::at(Position::After(created_at, id), limit)
    }

    /// The page to start with when the caller skips the items before this page itself: the first page, or the one at the cursor.
    pub(crate) const fn beginning(&self) -> Self {
        if let Position::Page(_) = self.position { Self::first(self.limit) } else { *self }
    }

    /// Checks that a cursor continues the order in which its page was read.
    ///
    /// # Errors
    /// [`Error::Malformed`].
    pub(crate) fn check_order(&self, order: ListOrder) -> Result<(), Error> {
        if self.position.order().is_none_or(|of_cursor| of_cursor == order) {
            return Ok(());
        }
        Err(Error::malformed("cursor", "invalid_value", "must be a nextCursor of this list in the same order"))
    }

    /// Parses the raw parameters; absent ones take their defaults. Invalid ones are reported, never clamped.
    pub fn parse(
        list: ListName,
        page: Option<&str>,
        limit: Option<&str>,
        cursor: Option<&str>,
        problems: &mut Problems,
    ) -> Self {
        let limit = parse_limit(limit, problems);
        let position = match (page, cursor) {
            (Some(_), Some(_)) => {
                problems.shape("cursor", "invalid_value", "must not be sent together with page");
                Position::Page(1)
            }
            (None, Some(text)) => decode_cursor(list, text).unwrap_or_else(|| {
                problems.shape("cursor", "invalid_value", "must be a nextCursor of this list");
                Position::Page(1)
            }),
            (page, None) => Position::Page(page.map_or(1, |text| parse_page(text, limit, problems))),
        };
        Self::at(position, limit)
    }

    /// Number of rows before the page.
    pub const fn offset(&self) -> u32 {
        if let Position::Page(page) = self.position { (page - 1) * self.limit } else { 0 }
    }
}

/// The number of items per page. An invalid one is reported, never clamped.
pub(crate) fn parse_limit(limit: Option<&str>, problems: &mut Problems) -> u32 {
    limit.map_or(DEFAULT_LIMIT, |text| {
        parse_positive(text).filter(|number| *number <= MAX_LIMIT).unwrap_or_else(|| {
            problems.shape("limit", "invalid_value", format!("must be an integer from 1 to {MAX_LIMIT}"));
            DEFAULT_LIMIT
        })
    })
}

fn parse_positive(text: &str) -> Option<u32> {
    // `parse` would accept a plus sign.
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten().filter(|number| *number > 0)
}

fn parse_page(text: &str, limit: u32, problems: &mut Problems) -> u32 {
    let all_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match parse_positive(text) {
        Some(page) if page.checked_mul(limit).is_some_and(|reach| reach <= MAX_OFFSET) => return page,
        None if !all_digits || text.bytes().all(|byte| byte == b'0') => {
            problems.shape("page", "invalid_value", "must be an integer of at least 1");
        }
        _ => problems.shape(
            "page",
            "invalid_value",
            format!(
                "must not reach beyond item {MAX_OFFSET}: continue with cursor (the nextCursor of the previous page)"
            ),
        ),
    }
    1
}

/// Maximum size of the JSON response of a list that is read by cursor. A page by number always has all of its records.
pub const MAX_CURSOR_PAGE_BYTES: usize = 4 * 1024 * 1024;

/// The cursor for a position in a list; `None` for a page number.
pub(crate) fn cursor_at(list: ListName, position: Position) -> Option<String> {
    encode_cursor(list, position)
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// The page number; `None` if the request had a cursor.
    pub page: Option<u32>,
    /// The requested maximum number of items.
    pub limit: u32,
    /// Whether there are more items now.
    pub has_more: bool,
    /// Cursor of the next page; `None` at the end, except in a list by change, which never ends.
    pub next_cursor: Option<String>,
    /// The position of each item, so that the page can still be cut after any item once the items are converted.
    list: ListName,
    positions: Vec<Position>,
}

impl<T: Paginated> Page<T> {
    /// Builds a page from at most one row more than the limit.
    pub fn from_rows(items: Vec<T>, request: &PageRequest) -> Self {
        Self::from_positions(items, request, |item| {
            let (time, id) = item.cursor_key();
            Position::After(time, id)
        })
    }

    /// Like `from_rows`, for rows by value.
    pub fn by_value(items: Vec<T>, request: &PageRequest, value: impl Fn(&T) -> Option<Decimal>) -> Self {
        Self::from_positions(items, request, |item| Position::AfterValue(value(item), item.cursor_key().1))
    }

    /// Like `from_rows`, for rows by a field.
    pub fn by_key(items: Vec<T>, request: &PageRequest, by: Sort, direction: Direction) -> Self
    where
        T: Sorted,
    {
        let position = |item: &T| KeyPosition { by, direction, key: item.sort_key(by), id: item.cursor_key().1 };
        Self::from_positions(items, request, |item| Position::AfterKey(position(item)))
    }

    /// Like `from_rows`, for rows by change that start after a position. `is_behind` means that the reader has not reached the end of
    /// the event log, so there may be more to read.
    pub(crate) fn by_change(
        items: Vec<T>,
        request: &PageRequest,
        begin: ChangePosition,
        is_behind: bool,
        changed_at: impl Fn(&T) -> OffsetDateTime,
    ) -> Self {
        let position =
            |item: &T| Position::AfterChange(ChangePosition { at: changed_at(item), id: item.cursor_key().1, ..begin });
        let mut page = Self::from_positions(items, request, position);
        let end = page.positions.last().copied().unwrap_or(Position::AfterChange(begin));
        page.next_cursor = encode_cursor(T::LIST, end);
        page.has_more |= is_behind;
        page
    }

    fn from_positions(mut items: Vec<T>, request: &PageRequest, position: impl Fn(&T) -> Position) -> Self {
        let limit = request.limit as usize;
        let has_more = items.len() > limit;
        items.truncate(limit);
        let positions: Vec<_> = items.iter().map(position).collect();
        let next_cursor = positions.last().filter(|_| has_more).and_then(|last| encode_cursor(T::LIST, *last));
        let page = if let Position::Page(page) = request.position { Some(page) } else { None };
        Self { items, page, limit: request.limit, has_more, next_cursor, list: T::LIST, positions }
    }
}

impl<T> Page<T> {
    /// Keeps only the first items of the page; the cursor continues after them.
    pub fn truncate_after(&mut self, items: usize) {
        if items < self.items.len() {
            self.items.truncate(items);
            self.positions.truncate(items);
            self.has_more = true;
            self.next_cursor = self.positions.last().and_then(|last| encode_cursor(self.list, *last));
        }
    }

    /// The position of the next page; `None` at the end, including the current end of a list by change.
    pub(crate) fn next_position(&self) -> Option<Position> {
        let cursor = self.next_cursor.as_deref().filter(|_| self.has_more);
        cursor.and_then(|cursor| decode_cursor(self.list, cursor))
    }

    /// Whether the page must end before the item at this index, because its JSON would grow to this many bytes with it. A page has
    /// at least one item, so that readers make progress.
    pub const fn ends_before(&self, index: usize, bytes: usize) -> bool {
        self.page.is_none() && index > 0 && bytes > MAX_CURSOR_PAGE_BYTES
    }

    pub fn map<U>(self, show: impl FnMut(T) -> U) -> Page<U> {
        let items = self.items.into_iter().map(show).collect();
        let Self { page, limit, has_more, next_cursor, list, positions, .. } = self;
        Page { items, page, limit, has_more, next_cursor, list, positions }
    }
}
