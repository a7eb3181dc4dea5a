//! Times that users type, read in the zone that the form shows next to the field.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, AmbiguousTimestamp, TimeZone};

/// Prefix of the hidden field with the zone of a member's time. A page may be rendered before the browser's zone is
/// known, and the zone may change while the page is open.
pub(crate) const ZONE: &str = "_zone.";

/// The length of a local time with milliseconds.
const MAX_LOCAL_TIME: usize = 23;

/// Why a local time is not an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotAnInstant {
    /// The text is not a local time, for example a day without a time, or an instant.
    NotLocal,
    /// Clocks skip this time.
    Skipped,
}

/// Reads a local time of a form, such as `2026-11-22T09:30`. A time that occurs twice, when clocks are set back, means
/// the first occurrence.
pub(super) fn instant_of(text: &str, zone: &TimeZone) -> Result<Timestamp, NotAnInstant> {
    let ambiguous = local(text, zone).ok_or(NotAnInstant::NotLocal)?;
    if matches!(ambiguous.offset(), AmbiguousOffset::Gap { .. }) {
        return Err(NotAnInstant::Skipped);
    }
    ambiguous.compatible().map_err(|_| NotAnInstant::NotLocal)
}

/// Reads a local time of a filter. A time that clocks skip means the moment of the change, which filters the same
/// records.
pub(crate) fn bound_of(text: &str, zone: &TimeZone) -> Option<String> {
    let instant = match instant_of(text, zone) {
        Ok(instant) => instant,
        Err(NotAnInstant::NotLocal) => return None,
        Err(NotAnInstant::Skipped) => zone.following(local(text, zone)?.earlier().ok()?).next()?.timestamp(),
    };
    Some(instant.to_string())
}

fn local(text: &str, zone: &TimeZone) -> Option<AmbiguousTimestamp> {
    // A time of day is required, because a day alone is the same in every zone. An offset is rejected, because the
    // parser would ignore it.
    let (_, time) = text.split_once('T').filter(|_| text.len() <= MAX_LOCAL_TIME)?;
    if !time.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.')) {
        return None;
    }
    let local: DateTime = text.parse().ok()?;
    Some(zone.to_ambiguous_timestamp(local))
}

/// Formats an instant as a local time for an input field; `None` for other texts.
pub(super) fn local_of(instant: &str, zone: &TimeZone) -> Option<String> {
    let instant: Timestamp = instant.parse().ok()?;
    Some(instant.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M").to_string())
}

/// Looks up the zone that a form sent by name.
pub(super) fn zone_named(name: &str) -> Option<TimeZone> {
    TimeZone::get(name).ok()
}

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
    fn skipped_times_are_refused_and_repeated_times_mean_the_first() {
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
    fn filters_move_skipped_times_to_the_clock_change() {
        assert_eq!(bound_of("2026-07-01T09:30", &berlin()).as_deref(), Some("2026-07-01T07:30:00Z"));
        assert_eq!(bound_of("2026-03-29T02:30", &berlin()).as_deref(), Some("2026-03-29T01:00:00Z"));
        assert_eq!(bound_of("2026-03-29", &berlin()), None);
    }

    #[test]
    fn instants_are_shown_as_local_times() {
        assert_eq!(local_of("2026-07-01T07:30:59.123456Z", &berlin()).as_deref(), Some("2026-07-01T09:30"));
        assert_eq!(local_of("2026-07-01T09:30", &berlin()), None);
        assert_eq!(local_of("soon", &berlin()), None);
    }
}
