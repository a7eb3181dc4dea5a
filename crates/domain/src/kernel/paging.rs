//! Paging by page number and by cursor (interface 3.1–3.4).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rust_decimal::Decimal;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::kernel::input::Problems;

/// Items per page by default.
pub const DEFAULT_LIMIT: u32 = 50;
/// Maximum items per page.
pub const MAX_LIMIT: u32 = 100;
/// Last item that page numbers reach; further pages need a cursor, whose cost does not grow with depth.
pub const MAX_OFFSET: u32 = 100_000;
/// The version of cursors by creation time.
const CURSOR_VERSION: u8 = 1;
/// The version of cursors by value.
const VALUE_CURSOR_VERSION: u8 = 2;
/// Stands for no value in a cursor by value.
const NO_VALUE: i64 = -1;
const CURSOR_LENGTH: usize = 26;

/// The list that a cursor belongs to; a cursor of another list is rejected. The numbers are part of the cursor format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum ListName {
    Contacts = 1,
    Deals = 2,
    Projects = 3,
    Cycles = 4,
    Issues = 5,
    Comments = 6,
    Members = 7,
    ApiKeys = 8,
    AuditLog = 9,
    Subscriptions = 10,
    Deliveries = 11,
    Companies = 12,
    KbArticles = 13,
    PublicTickets = 14,
    History = 16,
    Replays = 20,
    /// Far from the others, which grow by kinds of records.
    Workspaces = 200,
    /// Its cursors are places in the log (`events/place.rs`).
    Events = 201,
}

impl ListName {
    /// Whether the list can be ordered by value.
    const fn has_values(self) -> bool {
        matches!(self, Self::Deals)
    }
}

/// A record that appears in a list.
pub trait Paginated {
    const LIST: ListName;
    /// Sort key: creation time, then id.
    fn cursor_key(&self) -> (OffsetDateTime, Uuid);
}

/// Where a page starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// A page number, from 1.
    Page(u32),
    /// After the record with this creation time and id, in the list's order.
    After(OffsetDateTime, Uuid),
    /// After the record with this value and id, in a list by value: the highest first, those without a value last.
    AfterValue(Option<Decimal>, Uuid),
}

/// The paging parameters of a list request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest {
    pub position: Position,
    /// Maximum number of items.
    pub limit: u32,
}

impl PageRequest {
    /// The first page of this size.
    pub const fn first(limit: u32) -> Self {
        Self { position: Position::Page(1), limit }
    }

    /// The page after the record with this creation time and id.
    pub const fn after(created_at: OffsetDateTime, id: Uuid, limit: u32) -> Self {
        Self { position: Position::After(created_at, id), limit }
    }

    /// The page with which a reader begins who counts the items of this one itself: the first, or the one at its cursor.
    pub(crate) const fn beginning(&self) -> Self {
        match self.position {
            Position::Page(_) => Self::first(self.limit),
            Position::After(..) | Position::AfterValue(..) => *self,
        }
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
        Self { position, limit }
    }

    /// Number of rows before the page.
    pub const fn offset(&self) -> u32 {
        match self.position {
            Position::Page(page) => (page - 1) * self.limit,
            Position::After(..) | Position::AfterValue(..) => 0,
        }
    }
}

/// The number of items of a page; an invalid one is reported, never clamped.
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
            problems.shape("page", "invalid_value", "must be an integer from 1");
        }
        _ => problems.shape(
            "page",
            "invalid_value",
            format!(
                "page numbers end at item {MAX_OFFSET}; continue with cursor (the nextCursor of the previous page)"
            ),
        ),
    }
    1
}

/// The largest answer, as JSON, of a list that is read by cursor. A page by number has all of its records.
pub const MAX_CURSOR_PAGE_BYTES: usize = 4 * 1024 * 1024;

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// The page number; `None` if the request had a cursor.
    pub page: Option<u32>,
    /// The requested maximum number of items.
    pub limit: u32,
    /// Cursor of the next page; `None` at the end.
    pub next_cursor: Option<String>,
    /// The list, and the places of the items, which may have been converted since: the page can end after each.
    list: ListName,
    places: Vec<Position>,
}

impl<T: Paginated> Page<T> {
    /// Builds a page from at most one row more than the limit.
    pub fn from_rows(items: Vec<T>, request: &PageRequest) -> Self {
        Self::of_places(items, request, |item| {
            let (time, id) = item.cursor_key();
            Position::After(time, id)
        })
    }

    /// Like `from_rows`, for rows by value.
    pub fn by_value(items: Vec<T>, request: &PageRequest, value: impl Fn(&T) -> Option<Decimal>) -> Self {
        Self::of_places(items, request, |item| Position::AfterValue(value(item), item.cursor_key().1))
    }

    fn of_places(mut items: Vec<T>, request: &PageRequest, place: impl Fn(&T) -> Position) -> Self {
        let limit = request.limit as usize;
        let has_more = items.len() > limit;
        items.truncate(limit);
        let places: Vec<_> = items.iter().map(place).collect();
        let next_cursor = places.last().filter(|_| has_more).and_then(|last| encode_cursor(T::LIST, *last));
        let page = match request.position {
            Position::Page(page) => Some(page),
            Position::After(..) | Position::AfterValue(..) => None,
        };
        Self { items, page, limit: request.limit, next_cursor, list: T::LIST, places }
    }
}

impl<T> Page<T> {
    /// Cuts the page after its first items; the cursor continues there.
    pub fn truncate_after(&mut self, items: usize) {
        if items < self.items.len() {
            self.items.truncate(items);
            self.places.truncate(items);
            self.next_cursor = self.places.last().and_then(|last| encode_cursor(self.list, *last));
        }
    }

    /// Whether the page ends before the item at this place, with which its JSON would have this many bytes. At least
    /// one item is shown, so that a reader gets on.
    pub const fn ends_before(&self, place: usize, bytes: usize) -> bool {
        self.page.is_none() && place > 0 && bytes > MAX_CURSOR_PAGE_BYTES
    }

    /// Converts the items.
    pub fn map<U>(self, show: impl FnMut(T) -> U) -> Page<U> {
        let items = self.items.into_iter().map(show).collect();
        let Self { page, limit, next_cursor, list, places, .. } = self;
        Page { items, page, limit, next_cursor, list, places }
    }
}

/// The cursor behind a place; a page number has none.
fn encode_cursor(list: ListName, place: Position) -> Option<String> {
    let (version, key, id) = match place {
        Position::Page(_) => return None,
        // Microseconds of the years 1 to 9999 fit into 64 bits.
        Position::After(time, id) => {
            (CURSOR_VERSION, i64::try_from(time.unix_timestamp_nanos() / 1_000).unwrap_or(i64::MAX), id)
        }
        Position::AfterValue(value, id) => (VALUE_CURSOR_VERSION, value.map_or(NO_VALUE, hundredths), id),
    };
    let mut bytes = Vec::with_capacity(CURSOR_LENGTH);
    bytes.extend([version, list as u8]);
    bytes.extend(key.to_be_bytes());
    bytes.extend(id.as_bytes());
    Some(URL_SAFE_NO_PAD.encode(bytes))
}

/// Values have at most two decimals and twelve digits before them.
fn hundredths(value: Decimal) -> i64 {
    (value * Decimal::ONE_HUNDRED).try_into().unwrap_or(i64::MAX)
}

fn decode_cursor(list: ListName, text: &str) -> Option<Position> {
    let bytes: [u8; CURSOR_LENGTH] = URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()?;
    let key = i64::from_be_bytes(bytes[2..10].try_into().ok()?);
    let id = Uuid::from_slice(&bytes[10..]).ok()?;
    if bytes[1] != list as u8 {
        return None;
    }
    match bytes[0] {
        CURSOR_VERSION => {
            let time = OffsetDateTime::from_unix_timestamp_nanos(i128::from(key) * 1_000).ok()?;
            Some(Position::After(time, id))
        }
        VALUE_CURSOR_VERSION if list.has_values() => {
            Some(Position::AfterValue((key != NO_VALUE).then(|| Decimal::new(key, 2)), id))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(page: Option<&str>, limit: Option<&str>, cursor: Option<&str>) -> Result<PageRequest, String> {
        let mut problems = Problems::default();
        let request = PageRequest::parse(ListName::Deals, page, limit, cursor, &mut problems);
        match problems.into_result() {
            Ok(()) => Ok(request),
            Err(error) => {
                Err(error.details().iter().map(|problem| problem.field.clone()).collect::<Vec<_>>().join("+"))
            }
        }
    }

    #[test]
    fn pages_and_limits_are_never_clamped() {
        assert_eq!(parse(None, None, None), Ok(PageRequest::first(50)));
        assert_eq!(parse(Some("3"), Some("100"), None), Ok(PageRequest { position: Position::Page(3), limit: 100 }));
        for bad in ["0", "-1", "1.5", "x", "", "+1", " 1", "99999999999999999999"] {
            assert_eq!(parse(Some(bad), None, None), Err("page".to_owned()), "{bad}");
            assert_eq!(parse(None, Some(bad), None), Err("limit".to_owned()), "{bad}");
        }
        assert_eq!(parse(None, Some("101"), None), Err("limit".to_owned()));
        assert_eq!(parse(Some("0"), Some("0"), None), Err("limit+page".to_owned()));
        assert!(parse(Some("1000"), Some("100"), None).is_ok());
        assert_eq!(parse(Some("1001"), Some("100"), None), Err("page".to_owned()));
        assert_eq!(parse(Some("1"), None, Some("x")), Err("cursor".to_owned()));
        assert_eq!(parse(None, None, Some("x")), Err("cursor".to_owned()));
    }

    #[test]
    fn a_cursor_of_another_list_is_rejected() {
        let cursor = encode_cursor(ListName::Contacts, Position::After(OffsetDateTime::UNIX_EPOCH, Uuid::nil()));
        assert_eq!(parse(None, None, cursor.as_deref()), Err("cursor".to_owned()));
        let by_value = encode_cursor(ListName::Contacts, Position::AfterValue(None, Uuid::nil())).unwrap();
        assert_eq!(decode_cursor(ListName::Contacts, &by_value), None, "a list without values");
    }

    #[test]
    fn cursors_by_value_round_trip() {
        for value in [None, Some(0), Some(1), Some(99_999_999_999_999)] {
            let place = Position::AfterValue(value.map(|value| Decimal::new(value, 2)), Uuid::max());
            let cursor = encode_cursor(ListName::Deals, place);
            assert_eq!(parse(None, None, cursor.as_deref()).unwrap().position, place);
        }
        assert_eq!(encode_cursor(ListName::Deals, Position::Page(2)), None);
    }

    /// A record with this creation time.
    #[derive(Debug, Clone, PartialEq)]
    struct Row(i64);

    impl Paginated for Row {
        const LIST: ListName = ListName::Deals;

        fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
            (OffsetDateTime::from_unix_timestamp(self.0).unwrap(), Uuid::nil())
        }
    }

    #[test]
    fn only_a_page_by_cursor_ends_before_its_limit_and_never_before_its_first_item() {
        let by_cursor = PageRequest::after(OffsetDateTime::UNIX_EPOCH, Uuid::nil(), 10);
        for (request, early) in [(by_cursor, true), (PageRequest::first(10), false)] {
            let page = Page::from_rows(vec![Row(1), Row(2)], &request);
            assert!(!page.ends_before(1, MAX_CURSOR_PAGE_BYTES));
            assert_eq!(page.ends_before(1, MAX_CURSOR_PAGE_BYTES + 1), early);
            assert!(!page.ends_before(0, usize::MAX));
        }
    }

    #[test]
    fn a_converted_page_can_still_be_cut() {
        let rows = vec![Row(1), Row(2), Row(3)];
        let mut page = Page::from_rows(rows, &PageRequest::first(10)).map(|row| row.0 * 10);
        assert_eq!(page.next_cursor, None);
        page.truncate_after(3);
        assert_eq!(page.next_cursor, None);
        page.truncate_after(2);
        assert_eq!(page.items, [10, 20]);
        let next = parse(None, None, page.next_cursor.as_deref()).unwrap().position;
        assert_eq!(next, Position::After(OffsetDateTime::from_unix_timestamp(2).unwrap(), Uuid::nil()));
    }

    proptest! {
        #[test]
        fn cursors_round_trip(micros in -62_000_000_000_000_000i64..250_000_000_000_000_000, id: u128) {
            let time = OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros) * 1_000).unwrap();
            let place = Position::After(time, Uuid::from_u128(id));
            let cursor = encode_cursor(ListName::Deals, place);
            prop_assert_eq!(parse(None, None, cursor.as_deref()).unwrap().position, place);
        }

        #[test]
        fn no_cursor_makes_the_parser_panic(text in ".*") {
            let _ = parse(None, None, Some(&text));
        }
    }
}
