//! Reads dates and times in cells: completely, or not at all.

use time::{Date, Month, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset};

use crate::kernel::input::parse_date;

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/// Length of `2026-07-01`.
const DATE_LENGTH: usize = 10;
/// The number of digits of a fraction of a second that are kept.
const FRACTION_DIGITS: usize = 6;
const NO_DATE: &str = "must be a date, such as 2026-07-01";
const NO_TIME: &str = "must be a time, such as 2026-07-01T12:30:00Z";

/// A date in a cell, optionally with a time and an offset.
struct Moment {
    date: Date,
    time: Option<Time>,
    /// The offset; `None` if the cell has none.
    offset: Option<UtcOffset>,
}

/// The date in a cell. A time of day other than midnight is refused, because it would be lost.
///
/// # Errors
/// How to write the date.
pub(super) fn date_of(text: &str) -> Result<Date, String> {
    let moment = moment_of(text, NO_DATE)?;
    let is_midnight = moment.time.is_none_or(|time| time == Time::MIDNIGHT);
    if is_midnight && moment.offset.is_none_or(UtcOffset::is_utc) {
        return Ok(moment.date);
    }
    Err(format!("must be a date without a time of day, such as {}", moment.date))
}

/// The date in a cell of a system whose dates have a meaningless time.
///
/// # Errors
/// How to write the date.
pub(super) fn day_of(text: &str) -> Result<Date, String> {
    moment_of(text, NO_DATE).map(|moment| moment.date)
}

/// The time in a cell. A time without an offset is in UTC, and a date means the start of that day.
///
/// # Errors
/// How to write the time.
pub(super) fn timestamp_of(text: &str) -> Result<OffsetDateTime, String> {
    let Moment { date, time, offset } = moment_of(text, NO_TIME)?;
    let local = PrimitiveDateTime::new(date, time.unwrap_or(Time::MIDNIGHT));
    let utc = local.assume_offset(offset.unwrap_or(UtcOffset::UTC)).checked_to_offset(UtcOffset::UTC);
    utc.filter(|utc| (1..=9999).contains(&utc.year())).ok_or_else(|| NO_TIME.to_owned())
}

fn moment_of(text: &str, wrong: &str) -> Result<Moment, String> {
    let (date, rest) = split_date(text).ok_or(wrong)?;
    if rest.is_empty() {
        return Ok(Moment { date, time: None, offset: None });
    }
    let end = rest.find(|character: char| !matches!(character, '0'..='9' | ':' | '.' | ',')).unwrap_or(rest.len());
    let (clock, rest) = rest.split_at(end);
    let (half, zone) = split_half(rest.trim_start());
    let time = time_of(clock, half).ok_or(wrong)??;
    Ok(Moment { date, time: Some(time), offset: offset_of(zone.trim_start())? })
}

/// Splits off the date at the start of a text, `2026-07-01` or `01/Jul/26`, and returns the rest.
fn split_date(text: &str) -> Option<(Date, &str)> {
    if let Some((date, rest)) = text.split_at_checked(DATE_LENGTH)
        && let Some(date) = parse_date(date)
    {
        let time = rest.strip_prefix(|character: char| character.is_whitespace() || matches!(character, 'T' | 't'));
        let time = time.map(str::trim_start).filter(|time| !time.is_empty());
        return time.or(rest.is_empty().then_some("")).map(|time| (date, time));
    }
    let (date, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    Some((named_date(date)?, rest.trim_start()))
}

/// `01/Jul/26` or `1/Jul/2026`.
fn named_date(text: &str) -> Option<Date> {
    let mut parts = text.split('/');
    let (day, month, year) = (parts.next()?, parts.next()?.to_lowercase(), parts.next()?);
    let month = MONTHS.iter().position(|name| *name == month).filter(|_| parts.next().is_none())?;
    let year: i32 = match year.len() {
        2 => 2000 + i32::from(number(year, 2)?),
        4 => number(year, 4)?.into(),
        _ => return None,
    };
    let day = u8::try_from(number(day, 2)?).ok()?;
    let date = Date::from_calendar_date(year, Month::try_from(u8::try_from(month + 1).ok()?).ok()?, day).ok()?;
    (date.year() >= 1).then_some(date)
}

/// A number written with at most this many digits, and nothing else.
fn number(text: &str, most: usize) -> Option<u16> {
    ((1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| text.parse().ok())
        .flatten()
}

#[derive(Clone, Copy)]
enum Half {
    Morning,
    Afternoon,
}

/// Splits off `AM` or `PM` at the end.
fn split_half(text: &str) -> (Option<Half>, &str) {
    match text.split_at_checked(2) {
        Some((half, rest)) if half.eq_ignore_ascii_case("am") => (Some(Half::Morning), rest),
        Some((half, rest)) if half.eq_ignore_ascii_case("pm") => (Some(Half::Afternoon), rest),
        _ => (None, text),
    }
}

/// A time of day: `12:30`, `12:30:01`, `12:30:01.5`, or `9:05` with AM or PM. `None` for other texts.
fn time_of(clock: &str, half: Option<Half>) -> Option<Result<Time, String>> {
    let mut parts = clock.split(':');
    let (hour, minute, second) = (parts.next()?, parts.next()?, parts.next().unwrap_or("00"));
    let (second, fraction) = second.split_once(['.', ',']).unwrap_or((second, "0"));
    if parts.next().is_some() || minute.len() != 2 || second.len() != 2 {
        return None;
    }
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let hour = u8::try_from(number(hour, 2)?).ok()?;
    let hour = match half {
        None => hour,
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(Half::Morning) => hour % 12,
        Some(Half::Afternoon) => hour % 12 + 12,
    };
    let (digits, beyond) = fraction.split_at(fraction.len().min(FRACTION_DIGITS));
    if beyond.bytes().any(|digit| digit != b'0') {
        return Some(Err(format!("must have at most {FRACTION_DIGITS} digits after the seconds")));
    }
    let microsecond: u32 = format!("{digits:0<FRACTION_DIGITS$}").parse().ok()?;
    let (minute, second) = (u8::try_from(number(minute, 2)?).ok()?, u8::try_from(number(second, 2)?).ok()?);
    Time::from_hms_micro(hour, minute, second, microsecond).ok().map(Ok)
}

/// An offset from UTC: `Z`, `UTC`, `GMT`, `+02:00`, `+0200` or `+02`.
fn offset_of(text: &str) -> Result<Option<UtcOffset>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    if ["Z", "UTC", "GMT"].iter().any(|name| text.eq_ignore_ascii_case(name)) {
        return Ok(Some(UtcOffset::UTC));
    }
    let unknown = || format!("unknown time zone {text:?}: write an offset, such as +02:00");
    numeric_offset(text).map(Some).ok_or_else(unknown)
}

fn numeric_offset(text: &str) -> Option<UtcOffset> {
    let sign = if text.starts_with('+') { 1 } else { -1 };
    let digits = text.strip_prefix(['+', '-', '\u{2212}'])?;
    let (hours, minutes) = match digits.split_once(':') {
        Some((hours, minutes)) if hours.len() == 2 && minutes.len() == 2 => (hours, minutes),
        None if digits.len() == 2 => (digits, "00"),
        None if digits.len() == 4 => digits.split_at_checked(2)?,
        _ => return None,
    };
    let (hours, minutes) = (i8::try_from(number(hours, 2)?).ok()?, i8::try_from(number(minutes, 2)?).ok()?);
    // The limits of RFC 3339.
    if hours > 23 || minutes > 59 {
        return None;
    }
    UtcOffset::from_hms(sign * hours, sign * minutes, 0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::input::format_timestamp;
    use proptest::prelude::*;

    #[test]
    fn dates_are_read_completely() {
        for text in [
            "2026-07-01",
            "2026-07-01 00:00",
            "2026-07-01 00:00:00",
            "2026-07-01T00:00:00.000",
            "2026-07-01T00:00:00Z",
            "2026-07-01 00:00:00+00:00",
            "2026-07-01 12:00 AM",
            "01/Jul/26",
            "1/jul/2026",
            "01/Jul/26 12:00 AM",
        ] {
            assert_eq!(date_of(text).map(|date| date.to_string()).as_deref(), Ok("2026-07-01"), "{text}");
        }
        assert_eq!(date_of("01/OCT/26 12:00 AM").map(|date| date.to_string()).as_deref(), Ok("2026-10-01"));
        for text in [
            "2026-07-01 12:30",
            "2026-07-01 00:00:01",
            "2026-07-01T00:00:00+02:00",
            "01/Jul/26 12:00 PM",
            "1/Jul/26 9:00 AM",
        ] {
            let message = "must be a date without a time of day, such as 2026-07-01";
            assert_eq!(date_of(text).unwrap_err(), message, "{text}");
            assert_eq!(day_of(text).map(|date| date.to_string()).as_deref(), Ok("2026-07-01"), "{text}");
        }
    }

    #[test]
    fn dates_with_unknown_parts_are_refused() {
        for text in [
            "",
            "soon",
            "2026-07-01 soon",
            "2026-07-01T",
            "2026-07-01 - 2026-07-31",
            "2026-07-01, or later",
            "2026-07-01?",
            "2026-07-011",
            "2026-07-01 2026-07-02",
            "2026-07-01 25:00",
            "2026-07-01 24:00",
            "2026-07-01 00:00:60",
            "2026-07-01 0:0",
            "2026-07-01 00:00:00:00",
            "2026-07-01 00:00:00.",
            "2026-07-01 00",
            "2026-07-01 00:00 AM",
            "2026-07-01 13:00 PM",
            "2026-07-01 12:00 AMBER",
            "2026-07-01 00:00 Europe/Berlin",
            "2026-07-01 00:00 +2",
            "2026-07-01 00:00 +25:00",
            "2026-7-1",
            "07/01/2026",
            "1.7.2026",
            "01/Jul/26 soon",
            "01/Jul/026",
            "01/Jul/-5",
            "+1/Jul/26",
            "31/Jun/26",
            "01/Jul/26/27",
            "01/July/26",
            "01/Jul/0000",
            "ä026-07-01",
        ] {
            for refused in [date_of(text).is_err(), day_of(text).is_err(), timestamp_of(text).is_err()] {
                assert!(refused, "{text}");
            }
        }
        let zone = timestamp_of("2026-07-01 12:30 CET").unwrap_err();
        assert_eq!(zone, "unknown time zone \"CET\": write an offset, such as +02:00");
    }

    #[test]
    fn times_are_read_completely() {
        for (text, expected) in [
            ("2026-07-01", "2026-07-01T00:00:00.000000Z"),
            ("2026-07-01 12:30", "2026-07-01T12:30:00.000000Z"),
            ("2026-07-01 9:05", "2026-07-01T09:05:00.000000Z"),
            ("2026-07-01T12:30:01.5+02:00", "2026-07-01T10:30:01.500000Z"),
            ("2026-07-01t12:30:01,25z", "2026-07-01T12:30:01.250000Z"),
            ("2026-07-01  12:30:01  +0200", "2026-07-01T10:30:01.000000Z"),
            ("2026-07-01 12:30:01 -03", "2026-07-01T15:30:01.000000Z"),
            ("2026-07-01 12:30:01 \u{2212}03:30", "2026-07-01T16:00:01.000000Z"),
            ("2026-07-01 12:30:01 UTC", "2026-07-01T12:30:01.000000Z"),
            ("2026-07-01 12:30:01 gmt", "2026-07-01T12:30:01.000000Z"),
            ("2026-07-01 12:30 AM", "2026-07-01T00:30:00.000000Z"),
            ("2026-07-01 12:30:01\u{202f}PM", "2026-07-01T12:30:01.000000Z"),
            ("1/Jul/2026 9:00 AM", "2026-07-01T09:00:00.000000Z"),
            ("1/Jul/26 9:00 pm", "2026-07-01T21:00:00.000000Z"),
            ("2026-07-01 12:30:01.1234560000", "2026-07-01T12:30:01.123456Z"),
        ] {
            assert_eq!(timestamp_of(text).map(format_timestamp).as_deref(), Ok(expected), "{text}");
        }
        let beyond = timestamp_of("2026-07-01 12:30:01.1234567").unwrap_err();
        assert_eq!(beyond, "must have at most 6 digits after the seconds");
        for text in ["0001-01-01 00:00 +01:00", "9999-12-31 23:59:59 -01:00"] {
            assert!(timestamp_of(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn times_of_the_interface_survive_a_round_trip(
            seconds in -62_135_596_800_i64..=253_402_300_799, microseconds in 0_i64..1_000_000
        ) {
            let time = OffsetDateTime::from_unix_timestamp(seconds).unwrap() + time::Duration::microseconds(microseconds);
            prop_assert_eq!(timestamp_of(&format_timestamp(time)), Ok(time));
        }

        #[test]
        fn reading_never_panics(cell in "\\PC{0,30}|[0-9/TZ+:. AMPJul-]{0,25}|2026-07-01\\PC{0,12}") {
            // If the date is accepted, formatting it gives the same text.
            if let Ok(date) = date_of(cell.trim()) {
                prop_assert!(cell.contains(&date.to_string()) || cell.contains('/'), "{}", cell);
            }
            let _ = timestamp_of(cell.trim());
        }
    }
}
