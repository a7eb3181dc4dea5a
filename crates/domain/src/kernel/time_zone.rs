//! Time zones of the IANA database, by name.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value as Json, json};
use time::{Date, OffsetDateTime, UtcOffset};

use crate::kernel::input::{Problems, Read, Storable, Value, text_access};

/// The default time zone of a workspace.
pub const DEFAULT_TIME_ZONE: &str = "UTC";
/// Maximum length of a name, in characters; longer than all names in the database.
const MAX_NAME: usize = 64;

/// The name of a time zone, such as `Europe/Zurich`, as the database spells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeZoneName(String);

impl TimeZoneName {
    /// Parses a name, in any case.
    pub fn parse(text: &str) -> Option<Self> {
        let zone = (text.len() <= MAX_NAME).then(|| TimeZone::get(text).ok()).flatten()?;
        zone.iana_name().map(|name| Self(name.to_owned()))
    }
}

text_access!(TimeZoneName);

impl Value for TimeZoneName {
    fn schema() -> Json {
        json!({ "type": "string", "minLength": 1, "maxLength": MAX_NAME })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Json::String(text) = json else { return problems.malformed(at, "invalid_type", "must be a string") };
        if text.is_empty() {
            return Read::Empty;
        }
        if let Some(name) = Self::parse(&text) {
            return Read::Value(name);
        }
        problems.invalid(at, "unknown_time_zone", "must be the name of an IANA time zone, such as Europe/Zurich")
    }
}

impl Storable for TimeZoneName {
    type Stored = String;

    fn into_stored(self) -> String {
        self.0
    }
}

/// The first day that has a text form.
const FIRST_DAY: Date = time::macros::date!(0001 - 01 - 01);

/// The day of a time in a time zone; the day in UTC if the zone is unknown, for example after an update of the database.
pub fn day_in(zone: &str, at: OffsetDateTime) -> Date {
    let day = local_offset(zone, at).and_then(|offset| at.checked_to_offset(offset)).unwrap_or(at).date();
    day.max(FIRST_DAY)
}

fn local_offset(zone: &str, at: OffsetDateTime) -> Option<UtcOffset> {
    let zone = TimeZone::get(zone).ok()?;
    let at = Timestamp::from_second(at.unix_timestamp()).ok()?;
    UtcOffset::from_whole_seconds(zone.to_offset(at).seconds()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::{date, datetime};

    #[test]
    fn names_have_the_spelling_of_the_database() {
        for (text, name) in [("UTC", "UTC"), ("Europe/Zurich", "Europe/Zurich"), ("europe/zurich", "Europe/Zurich")] {
            assert_eq!(TimeZoneName::parse(text).as_ref().map(TimeZoneName::as_str), Some(name), "{text}");
        }
        let long = "x".repeat(MAX_NAME + 1);
        for text in ["", "Europe", "Mars/Olympus", "+02:00", long.as_str()] {
            assert_eq!(TimeZoneName::parse(text), None, "{text}");
        }
    }

    #[test]
    fn days_follow_summer_time() {
        for (zone, at, day) in [
            ("UTC", datetime!(2030-03-30 23:30 UTC), date!(2030 - 03 - 30)),
            // An hour ahead of UTC before the change on 31 March, and two after it.
            ("Europe/Zurich", datetime!(2030-03-30 22:59:59 UTC), date!(2030 - 03 - 30)),
            ("Europe/Zurich", datetime!(2030-03-30 23:00 UTC), date!(2030 - 03 - 31)),
            ("Europe/Zurich", datetime!(2030-03-31 21:59:59 UTC), date!(2030 - 03 - 31)),
            ("Europe/Zurich", datetime!(2030-03-31 22:00 UTC), date!(2030 - 04 - 01)),
            // The last day of summer time has 25 hours.
            ("Europe/Zurich", datetime!(2030-10-26 22:00 UTC), date!(2030 - 10 - 27)),
            ("Europe/Zurich", datetime!(2030-10-27 22:59:59 UTC), date!(2030 - 10 - 27)),
            ("Europe/Zurich", datetime!(2030-10-27 23:00 UTC), date!(2030 - 10 - 28)),
            ("America/New_York", datetime!(2030-01-01 04:59 UTC), date!(2029 - 12 - 31)),
            // Outside the range of time zone data.
            ("Europe/Zurich", datetime!(9999-12-31 23:59:59 UTC), date!(9999 - 12 - 31)),
            ("America/New_York", datetime!(0001-01-01 00:30 UTC), date!(0001 - 01 - 01)),
            ("nowhere", datetime!(2030-01-01 04:59 UTC), date!(2030 - 01 - 01)),
        ] {
            assert_eq!(day_in(zone, at), day, "{zone} {at}");
        }
    }
}
