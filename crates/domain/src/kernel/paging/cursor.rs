//! The form of cursors: bytes in base64.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rust_decimal::Decimal;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{ChangePlace, ListName, ListOrder, Position};

/// The version of cursors by creation time.
const CURSOR_VERSION: u8 = 1;
/// The version of cursors by value.
const VALUE_CURSOR_VERSION: u8 = 2;
/// The version of cursors by change, which have a position of the event log behind what all have.
const CHANGE_CURSOR_VERSION: u8 = 3;
/// The versions of cursors by turn and by due time.
const TURN_CURSOR_VERSION: u8 = 4;
const DUE_CURSOR_VERSION: u8 = 5;
/// Stands for no value in a cursor by value.
const NO_VALUE: i64 = -1;
const CURSOR_LENGTH: usize = 26;
const CHANGE_CURSOR_LENGTH: usize = CURSOR_LENGTH + size_of::<i64>();

/// The cursor behind a place; a page number has none.
pub(super) fn encode_cursor(list: ListName, place: Position) -> Option<String> {
    let (version, key, id, logged) = match place {
        Position::Page(_) => return None,
        Position::After(time, id) => (CURSOR_VERSION, microseconds(time), id, None),
        Position::AfterValue(value, id) => (VALUE_CURSOR_VERSION, value.map_or(NO_VALUE, hundredths), id, None),
        Position::AfterChange(ChangePlace { at, id, logged }) => {
            (CHANGE_CURSOR_VERSION, microseconds(at), id, Some(logged))
        }
        Position::AfterPlace(ListOrder::Due, at, id) => (DUE_CURSOR_VERSION, microseconds(at), id, None),
        Position::AfterPlace(_, at, id) => (TURN_CURSOR_VERSION, microseconds(at), id, None),
    };
    let mut bytes = Vec::with_capacity(CHANGE_CURSOR_LENGTH);
    bytes.extend([version, list as u8]);
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

/// Values have at most two decimals and twelve digits before them.
fn hundredths(value: Decimal) -> i64 {
    (value * Decimal::ONE_HUNDRED).try_into().unwrap_or(i64::MAX)
}

pub(super) fn decode_cursor(list: ListName, text: &str) -> Option<Position> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let (common, rest) = bytes.split_first_chunk::<CURSOR_LENGTH>()?;
    let key = i64::from_be_bytes(common[2..10].try_into().ok()?);
    let id = Uuid::from_slice(&common[10..]).ok()?;
    if common[1] != list as u8 {
        return None;
    }
    match (common[0], rest) {
        (CURSOR_VERSION, []) => Some(Position::After(time_of(key)?, id)),
        (VALUE_CURSOR_VERSION, []) if list.has_values() => {
            Some(Position::AfterValue((key != NO_VALUE).then(|| Decimal::new(key, 2)), id))
        }
        (CHANGE_CURSOR_VERSION, logged) if list.has_changes() => {
            let at = time_of(key).filter(|at| *at >= OffsetDateTime::UNIX_EPOCH)?;
            let logged = i64::from_be_bytes(logged.try_into().ok()?);
            Some(Position::AfterChange(ChangePlace { at, id, logged }))
        }
        (TURN_CURSOR_VERSION, []) if list.has_places() => {
            Some(Position::AfterPlace(ListOrder::Turn, time_of(key)?, id))
        }
        (DUE_CURSOR_VERSION, []) if list.has_places() => Some(Position::AfterPlace(ListOrder::Due, time_of(key)?, id)),
        _ => None,
    }
}
