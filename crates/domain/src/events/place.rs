//! Places in the event log, and their cursors (interface 24.3).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::EventId;
use crate::kernel::paging::ListName;

/// The version of cursors of the log, different from those of other lists.
const CURSOR_VERSION: u8 = 4;
const CURSOR_LENGTH: usize = 26;

/// The place after an event of a workspace's log.
///
/// The event's id shows whether this log assigned the position: a log that was restored from a backup assigns the positions after
/// the backup again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogPlace {
    pub position: i64,
    /// The event at the position; nil if unknown, as at the start of the log.
    pub event: EventId,
}

impl LogPlace {
    /// Before the first event.
    pub const START: Self = Self::at(0);

    /// After a position whose event is unknown.
    pub const fn at(position: i64) -> Self {
        Self { position, event: EventId(Uuid::nil()) }
    }

    pub(crate) fn known_event(self) -> Option<EventId> {
        (!self.event.0.is_nil()).then_some(self.event)
    }

    /// A time just before the event, with the millisecond precision of its id.
    pub(crate) fn time_before(self) -> Option<OffsetDateTime> {
        let (seconds, nanoseconds) = self.known_event()?.0.get_timestamp()?.to_unix();
        let time = OffsetDateTime::from_unix_timestamp(i64::try_from(seconds).ok()?).ok()?;
        Some(time + Duration::nanoseconds(nanoseconds.into()) - Duration::milliseconds(1))
    }

    /// The cursor that continues after this place.
    pub fn cursor(self) -> String {
        let mut bytes = Vec::with_capacity(CURSOR_LENGTH);
        bytes.extend([CURSOR_VERSION, ListName::EVENTS.number()]);
        bytes.extend(self.position.to_be_bytes());
        bytes.extend(self.event.0.as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The place of a cursor; `None` if the cursor is not one of the log.
    pub fn parse(cursor: &str) -> Option<Self> {
        let bytes: [u8; CURSOR_LENGTH] = URL_SAFE_NO_PAD.decode(cursor).ok()?.try_into().ok()?;
        let position = i64::from_be_bytes(bytes[2..10].try_into().ok()?);
        let is_own = bytes[0] == CURSOR_VERSION && bytes[1] == ListName::EVENTS.number();
        let event = EventId(Uuid::from_slice(&bytes[10..]).ok()?);
        (is_own && position >= 0).then_some(Self { position, event })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn cursors_round_trip(position in 0..i64::MAX, id: u128) {
            let place = LogPlace { position, event: EventId(Uuid::from_u128(id)) };
            prop_assert_eq!(LogPlace::parse(&place.cursor()), Some(place));
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in ".*") {
            let _ = LogPlace::parse(&text);
        }
    }

    #[test]
    fn negative_positions_and_cursors_of_other_formats_are_refused() {
        assert_eq!(LogPlace::parse(&LogPlace::at(-1).cursor()), None);
        let mut bytes = URL_SAFE_NO_PAD.decode(LogPlace::START.cursor()).unwrap();
        bytes[0] = 1;
        assert_eq!(LogPlace::parse(&URL_SAFE_NO_PAD.encode(&bytes)), None);
        bytes[0] = CURSOR_VERSION;
        bytes[1] = ListName::COMMENTS.number();
        assert_eq!(LogPlace::parse(&URL_SAFE_NO_PAD.encode(&bytes)), None);
    }

    #[test]
    fn the_time_before_an_event_comes_from_its_id() {
        let id = Uuid::parse_str("01890a5d-ac96-774b-bcce-b302099a8057").unwrap();
        let time = LogPlace { position: 1, event: EventId(id) }.time_before().unwrap();
        assert_eq!(time.unix_timestamp_nanos() / 1_000_000, 0x0189_0a5d_ac96 - 1);
        assert_eq!(LogPlace::START.time_before(), None);
    }
}
