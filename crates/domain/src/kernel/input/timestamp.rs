//! Dates, timestamps and UUIDs as the interface writes them.

use serde::Serializer;
use serde_json::{Value as Json, json};
use time::format_description::BorrowedFormatItem;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{Date, OffsetDateTime, UtcOffset};
use uuid::Uuid;

use super::leniency::{end_of, start_of};
use super::schema::format_schema;
use super::{Problems, Read, Value};

const DATE: &[BorrowedFormatItem<'static>] = format_description!("[year]-[month]-[day]");
/// Length of `YYYY-MM-DD`.
const DATE_LENGTH: usize = 10;
/// Length of a hyphenated UUID.
const UUID_LENGTH: usize = 36;

/// Parses `YYYY-MM-DD`, years 0001 to 9999.
pub fn parse_date(text: &str) -> Option<Date> {
    (text.len() == DATE_LENGTH)
        .then(|| Date::parse(text, DATE).ok())
        .flatten()
        .filter(|date| (1..=9999).contains(&date.year()))
}

/// Parses an RFC 3339 timestamp with any offset; converts to UTC and truncates to microseconds.
fn parse_timestamp(text: &str) -> Option<OffsetDateTime> {
    // Bounds the input before parsing; no valid timestamp is longer.
    if text.len() > 64 {
        return None;
    }
    let parsed = OffsetDateTime::parse(text, &Rfc3339).ok()?.checked_to_offset(UtcOffset::UTC)?;
    (1..=9999).contains(&parsed.year()).then(|| crate::kernel::to_microseconds(parsed))
}

/// Parses a hyphenated UUID in any case.
pub fn parse_uuid(text: &str) -> Option<Uuid> {
    (text.len() == UUID_LENGTH).then(|| Uuid::try_parse(text).ok()).flatten()
}

/// Formats a timestamp for the interface: UTC, microseconds, `Z`.
pub fn format_timestamp(value: OffsetDateTime) -> String {
    FormattedTime::timestamp(value).as_str().to_owned()
}

/// A date or timestamp as the interface writes it. It is written digit by digit, because a page has hundreds of them and a format
/// description takes ten times as long. The domain has only years from 1 to 9999; other years are written wrong.
struct FormattedTime<const LENGTH: usize>([u8; LENGTH]);

impl FormattedTime<10> {
    fn date(value: Date) -> Self {
        let mut form = *b"0000-00-00";
        write_date(&mut form, value);
        Self(form)
    }
}

impl FormattedTime<27> {
    fn timestamp(value: OffsetDateTime) -> Self {
        let value = value.to_offset(UtcOffset::UTC);
        let mut form = *b"0000-00-00T00:00:00.000000Z";
        write_date(&mut form, value.date());
        write_number(&mut form[11..13], value.hour().into());
        write_number(&mut form[14..16], value.minute().into());
        write_number(&mut form[17..19], value.second().into());
        write_number(&mut form[20..26], value.microsecond());
        Self(form)
    }
}

impl<const LENGTH: usize> FormattedTime<LENGTH> {
    fn as_str(&self) -> &str {
        // Digits and separators are ASCII.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

fn write_date(form: &mut [u8], value: Date) {
    write_number(&mut form[..4], value.year().unsigned_abs());
    write_number(&mut form[5..7], u8::from(value.month()).into());
    write_number(&mut form[8..10], value.day().into());
}

fn write_number(digits: &mut [u8], mut number: u32) {
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + u8::try_from(number % 10).unwrap_or_default();
        number /= 10;
    }
}

impl Value for Date {
    fn schema() -> Json {
        format_schema("date")
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        read_form(&json, at, problems, parse_date, ("invalid_date", "must be a date in the form YYYY-MM-DD"))
    }
}

impl Value for OffsetDateTime {
    fn schema() -> Json {
        format_schema("date-time")
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        read_time(&json, at, problems, start_of)
    }
}

/// A due time. Tools also accept a date, which means the end of that day in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueTime(OffsetDateTime);

impl From<DueTime> for OffsetDateTime {
    fn from(due: DueTime) -> Self {
        due.0
    }
}

impl Value for DueTime {
    fn schema() -> Json {
        OffsetDateTime::schema()
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        read_time(&json, at, problems, end_of).map(Self)
    }
}

/// Reads a timestamp, or a date where these are accepted.
fn read_time(
    json: &Json,
    at: &str,
    problems: &mut Problems,
    of_date: fn(&str) -> Option<OffsetDateTime>,
) -> Read<OffsetDateTime> {
    if problems.is_lenient() {
        let message = "must be an RFC 3339 timestamp such as 2030-01-31T09:00:00Z, or a date such as 2030-01-31";
        let parse = |text: &str| parse_timestamp(text).or_else(|| of_date(text));
        read_form(json, at, problems, parse, ("invalid_timestamp", message))
    } else {
        let message = "must be an RFC 3339 timestamp such as 2030-01-31T09:00:00Z";
        read_form(json, at, problems, parse_timestamp, ("invalid_timestamp", message))
    }
}

impl Value for Uuid {
    fn schema() -> Json {
        format_schema("uuid")
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        read_form(&json, at, problems, parse_uuid, ("invalid_uuid", "must be a UUID"))
    }
}

impl Value for bool {
    fn schema() -> Json {
        json!({ "type": "boolean" })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        if let Json::Bool(value) = json {
            Read::Value(value)
        } else {
            problems.malformed(at, "invalid_type", "must be true or false")
        }
    }
}

fn read_form<T>(
    json: &Json,
    at: &str,
    problems: &mut Problems,
    parse: impl Fn(&str) -> Option<T>,
    (code, message): (&'static str, &str),
) -> Read<T> {
    if let Some(value) = json.as_str().and_then(parse) {
        Read::Value(value)
    } else {
        problems.malformed(at, code, message)
    }
}

/// Serializes as the interface writes timestamps.
pub(super) fn timestamp_json<S: Serializer>(value: &OffsetDateTime, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(FormattedTime::timestamp(*value).as_str())
}

/// Serializes as `YYYY-MM-DD`.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(super) fn date_json<S: Serializer>(value: &Date, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(FormattedTime::date(*value).as_str())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// From the beginning of the year 1 to the end of the year 9999.
        #[test]
        fn written_times_match_the_format_description(
            seconds in -62_135_596_800_i64..=253_402_300_799, nanoseconds in 0_u32..1_000_000_000
        ) {
            let form = format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:6]Z");
            let value = OffsetDateTime::from_unix_timestamp(seconds).unwrap().replace_nanosecond(nanoseconds).unwrap();
            prop_assert_eq!(format_timestamp(value), value.format(form).unwrap());
            let written = FormattedTime::date(value.date());
            prop_assert_eq!(written.as_str(), value.date().format(DATE).unwrap());
        }
    }

    #[test]
    fn timestamps_become_utc_with_microseconds() {
        for (text, expected) in [
            ("2030-01-31T09:00:00Z", Some("2030-01-31T09:00:00.000000Z")),
            ("2030-01-31T09:00:00.1234567+02:00", Some("2030-01-31T07:00:00.123456Z")),
            ("2030-01-31t09:00:00z", Some("2030-01-31T09:00:00.000000Z")),
            ("2030-01-31", None),
            ("2030-01-31T09:00:00", None),
            ("2030-02-30T09:00:00Z", None),
            ("0001-01-01T00:00:00+23:00", None),
            ("9999-12-31T23:59:59-23:00", None),
            ("yesterday", None),
        ] {
            assert_eq!(parse_timestamp(text).map(format_timestamp).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn dates_and_ids_have_one_format() {
        for (text, good) in [
            ("2030-01-31", true),
            ("2030-1-31", false),
            ("2030-02-30", false),
            ("0000-01-01", false),
            ("2030-01-31T00:00:00Z", false),
            ("+030-01-31", false),
        ] {
            assert_eq!(parse_date(text).is_some(), good, "{text}");
        }
        for (text, good) in [
            ("01890a5d-ac96-774b-bcce-b302099a8057", true),
            ("01890A5D-AC96-774B-BCCE-B302099A8057", true),
            ("01890a5dac96774bbcceb302099a8057", false),
            ("{01890a5d-ac96-774b-bcce-b302099a805}", false),
        ] {
            assert_eq!(parse_uuid(text).is_some(), good, "{text}");
        }
    }
}
