//! Times that people type: without a zone, in the one that the form shows beside them.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, AmbiguousTimestamp, TimeZone};

/// With the name of a member behind it, the field with the name of the zone in which its time is typed. A page may be made
/// before the browser's zone is known, and the zone may change while it is open.
pub(crate) const ZONE: &str = "_zone.";

/// The length of a local time with milliseconds.
const MAX_LOCAL_TIME: usize = 23;

/// Why a local time is not an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotAnInstant {
    /// It is something else, such as a day alone or an instant.
    NotLocal,
    /// Clocks are put forward over it.
    Skipped,
}

/// A local time of a form, such as `2026-11-22T09:30`, as an instant. Of a time that comes twice, when clocks are put back,
/// it is the first.
pub(super) fn instant_of(text: &str, zone: &TimeZone) -> Result<Timestamp, NotAnInstant> {
    let ambiguous = local(text, zone).ok_or(NotAnInstant::NotLocal)?;
    if matches!(ambiguous.offset(), AmbiguousOffset::Gap { .. }) {
        return Err(NotAnInstant::Skipped);
    }
    ambiguous.compatible().map_err(|_| NotAnInstant::NotLocal)
}

/// A local time of a filter as the instant that narrows a list in the same way: of a time that clocks are put forward over,
/// that is when they are.
pub(crate) fn bound_of(text: &str, zone: &TimeZone) -> Option<String> {
    let instant = match instant_of(text, zone) {
        Ok(instant) => instant,
        Err(NotAnInstant::NotLocal) => return None,
        Err(NotAnInstant::Skipped) => zone.following(local(text, zone)?.earlier().ok()?).next()?.timestamp(),
    };
    Some(instant.to_string())
}

fn local(text: &str, zone: &TimeZone) -> Option<AmbiguousTimestamp> {
    // With a time, as a day alone is a day everywhere; and without an offset, which the parser would ignore.
    let (_, time) = text.split_once('T').filter(|_| text.len() <= MAX_LOCAL_TIME)?;
    if !time.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.')) {
        return None;
    }
    let local: DateTime = text.parse().ok()?;
    Some(zone.to_ambiguous_timestamp(local))
}

/// An instant as it is typed into a field, in a zone; `None` for other texts.
pub(super) fn local_of(instant: &str, zone: &TimeZone) -> Option<String> {
    let instant: Timestamp = instant.parse().ok()?;
    Some(instant.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M").to_string())
}

/// The zone with a name that a form sent.
pub(super) fn zone_named(name: &str) -> Option<TimeZone> {
    TimeZone::get(name).ok()
}

/// The name of a zone.
pub(crate) fn name_of(zone: &TimeZone) -> &str {
    zone.iana_name().unwrap_or("UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn berlin() -> TimeZone {
        TimeZone::get("Europe/Berlin").unwrap()
    }

    #[test]
    fn a_local_time_is_an_instant() {
        let instant = |text: &str| instant_of(text, &berlin()).map(|instant| instant.to_string());
        assert_eq!(instant("2026-07-01T09:30").as_deref(), Ok("2026-07-01T07:30:00Z"));
        assert_eq!(instant("2026-07-01T09:30:15.250").as_deref(), Ok("2026-07-01T07:30:15.25Z"));
        for other in [
            "tomorrow",
            "2026-07-01",
            "2026-07-01T09:30Z",
            "2026-07-01T09:30:00+02:00",
            "2026-07-01T09:30+02:00",
            "2026-07-01T09:30-02",
            "T",
            "2026-07-01T25:00",
        ] {
            assert_eq!(instant(other), Err(NotAnInstant::NotLocal), "{other}");
        }
    }

    #[test]
    fn a_time_that_clocks_skip_is_none_and_of_one_that_comes_twice_the_first_is_meant() {
        let instant = |text: &str| instant_of(text, &berlin()).map(|instant| instant.to_string());
        assert_eq!(instant("2026-03-29T01:59").as_deref(), Ok("2026-03-29T00:59:00Z"));
        for skipped in ["2026-03-29T02:00", "2026-03-29T02:30", "2026-03-29T02:59:59"] {
            assert_eq!(instant(skipped), Err(NotAnInstant::Skipped), "{skipped}");
        }
        assert_eq!(instant("2026-03-29T03:00").as_deref(), Ok("2026-03-29T01:00:00Z"));
        assert_eq!(instant("2026-10-25T02:30").as_deref(), Ok("2026-10-25T00:30:00Z"));
        assert_eq!(instant("2026-10-25T03:00").as_deref(), Ok("2026-10-25T02:00:00Z"));
    }

    #[test]
    fn a_filter_begins_or_ends_where_clocks_are_put_forward() {
        assert_eq!(bound_of("2026-07-01T09:30", &berlin()).as_deref(), Some("2026-07-01T07:30:00Z"));
        assert_eq!(bound_of("2026-03-29T02:30", &berlin()).as_deref(), Some("2026-03-29T01:00:00Z"));
        assert_eq!(bound_of("2026-03-29", &berlin()), None);
    }

    #[test]
    fn an_instant_is_typed_as_a_local_time() {
        assert_eq!(local_of("2026-07-01T07:30:59.123456Z", &berlin()).as_deref(), Some("2026-07-01T09:30"));
        assert_eq!(local_of("2026-07-01T09:30", &berlin()), None);
        assert_eq!(local_of("soon", &berlin()), None);
    }
}
