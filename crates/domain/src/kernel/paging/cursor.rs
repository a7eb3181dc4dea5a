//! The encoding of cursors: bytes in base64.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rust_decimal::Decimal;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::list_name::Orders;
use super::{ChangePosition, Direction, KeyPosition, ListName, NameKey, Position, Sort, SortKey};

/// The version of cursors by creation time.
const CURSOR_VERSION: u8 = 1;
/// The version of cursors by value.
const VALUE_CURSOR_VERSION: u8 = 2;
/// The version of cursors by change: like those by creation time, followed by a position in the event log.
const CHANGE_CURSOR_VERSION: u8 = 3;
/// The version of cursors by a field: version, list, field, direction, id and key.
const KEY_CURSOR_VERSION: u8 = 4;
const UP: u8 = 0;
const DOWN: u8 = 1;
/// Stands for no value in a cursor by value.
const NO_VALUE: i64 = -1;
const CURSOR_LENGTH: usize = 26;
const CHANGE_CURSOR_LENGTH: usize = CURSOR_LENGTH + size_of::<i64>();

/// The cursor for a position; `None` for a page number.
pub(super) fn encode_cursor(list: ListName, position: Position) -> Option<String> {
    let (version, key, id, logged) = match position {
        Position::Page(_) => return None,
        Position::AfterKey(position) => return Some(encode_key(list, position)),
        Position::After(time, id) => (CURSOR_VERSION, microseconds(time), id, None),
        Position::AfterValue(value, id) => (VALUE_CURSOR_VERSION, value.map_or(NO_VALUE, hundredths), id, None),
        Position::AfterChange(ChangePosition { at, id, logged }) => {
            (CHANGE_CURSOR_VERSION, microseconds(at), id, Some(logged))
        }
    };
    let mut bytes = Vec::with_capacity(CHANGE_CURSOR_LENGTH);
    bytes.extend([version, list.number]);
    bytes.extend(key.to_be_bytes());
    bytes.extend(id.as_bytes());
    bytes.extend(logged.map(i64::to_be_bytes).into_iter().flatten());
    Some(URL_SAFE_NO_PAD.encode(bytes))
}

/// Microseconds of the years 1 to 9999 fit into 64 bits.
fn microseconds(time: OffsetDateTime) -> i64 {
    i64::try_from(time.unix_timestamp_nanos() / 1_000).unwrap_or(i64::MAX)
}

fn time_of(microseconds: i64) -> Option<OffsetDateTime> {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(microseconds) * 1_000).ok()
}

/// Values have at most twelve digits before the decimal point and two after it.
fn hundredths(value: Decimal) -> i64 {
    (value * Decimal::ONE_HUNDRED).try_into().unwrap_or(i64::MAX)
}

fn encode_key(list: ListName, KeyPosition { by, direction, key, id }: KeyPosition) -> String {
    let mut bytes = vec![KEY_CURSOR_VERSION, list.number, by as u8, if direction == Direction::Up { UP } else { DOWN }];
    bytes.extend(id.as_bytes());
    match key {
        SortKey::Time(time) => bytes.extend(microseconds(time).to_be_bytes()),
        SortKey::Day(day) => bytes.extend(day.to_julian_day().to_be_bytes()),
        SortKey::Amount(amount) => bytes.extend(hundredths(amount).to_be_bytes()),
        SortKey::Rank(rank) => bytes.push(rank),
        SortKey::Name(name) => bytes.extend(name.as_str().bytes()),
        SortKey::Nothing => {}
    }
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Decodes the position of a cursor by a field, without its version and list.
fn decode_key(list: ListName, bytes: &[u8]) -> Option<Position> {
    let (head, key) = bytes.split_first_chunk::<18>()?;
    let by = Sort::ALL.into_iter().find(|by| *by as u8 == head[0]).filter(|_| list.orders >= Orders::Fields)?;
    let direction = match head[1] {
        UP => Direction::Up,
        DOWN => Direction::Down,
        _ => return None,
    };
    let id = Uuid::from_slice(&head[2..]).ok()?;
    let number = || key.try_into().ok().map(i64::from_be_bytes);
    // Records have no earlier times, and Postgres does not support all of them.
    let key = match by {
        Sort::Name => SortKey::Name(NameKey::of(std::str::from_utf8(key).ok()?)),
        _ if key.is_empty() => SortKey::Nothing,
        Sort::Created | Sort::Changed | Sort::Due | Sort::Turn => {
            SortKey::Time(time_of(number()?).filter(|time| time.year() >= 0)?)
        }
        Sort::Day => {
            let day = i32::from_be_bytes(key.try_into().ok()?);
            SortKey::Day(Date::from_julian_day(day).ok().filter(|day| day.year() >= 0)?)
        }
        Sort::Value => SortKey::Amount(Decimal::new(number()?, 2)),
        Sort::Priority => SortKey::Rank(*key.first()?),
    };
    Some(Position::AfterKey(KeyPosition { by, direction, key, id }))
}

pub(super) fn decode_cursor(list: ListName, text: &str) -> Option<Position> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    if let [KEY_CURSOR_VERSION, of_list, rest @ ..] = &*bytes {
        return decode_key(list, rest).filter(|_| *of_list == list.number);
    }
    let (common, rest) = bytes.split_first_chunk::<CURSOR_LENGTH>()?;
    let key = i64::from_be_bytes(common[2..10].try_into().ok()?);
    let id = Uuid::from_slice(&common[10..]).ok()?;
    if common[1] != list.number {
        return None;
    }
    match (common[0], rest) {
        (CURSOR_VERSION, []) => Some(Position::After(time_of(key)?, id)),
        (VALUE_CURSOR_VERSION, []) if list.orders >= Orders::Values => {
            Some(Position::AfterValue((key != NO_VALUE).then(|| Decimal::new(key, 2)), id))
        }
        (CHANGE_CURSOR_VERSION, logged) if list.orders >= Orders::Changes => {
            let at = time_of(key).filter(|at| *at >= OffsetDateTime::UNIX_EPOCH)?;
            let logged = i64::from_be_bytes(logged.try_into().ok()?);
            Some(Position::AfterChange(ChangePosition { at, id, logged }))
        }
        _ => None,
    }
}
