//! Durations as people write them: `1h30`, `90 min`, `1:30`, `1.5`.

use serde_json::{Value as Json, json};

use super::MAX_ENTRY_SECONDS;
use crate::kernel::input::{Problems, Read, Value};

/// Longer than every duration with its units as words.
const MAX_TEXT: usize = 40;
const SECONDS_PER_HOUR: u32 = 3_600;
const SECONDS_PER_MINUTE: u32 = 60;

/// A duration of a second to 24 hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DurationText(i32);

impl DurationText {
    pub const fn seconds(self) -> i32 {
        self.0
    }

    /// Parses `1h30`, `1 h 30 min`, `1 hour`, `1.5h` or `1,5h`, `90m`, `45s`, `1:30`, `1:30:15`, and hours without a unit: `1.5`.
    /// Case does not count, nor do spaces between numbers and units.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        if text.len() > MAX_TEXT {
            return None;
        }
        let seconds = if text.contains(':') { clock(&text)? } else { in_units(&text)? };
        let seconds = i32::try_from(seconds).ok()?;
        (1..=MAX_ENTRY_SECONDS).contains(&seconds).then_some(Self(seconds))
    }
}

/// `1:30` or `1:30:15`.
fn clock(text: &str) -> Option<u32> {
    let mut parts = text.split(':').map(str::trim);
    let hours = whole(parts.next()?)?;
    let mut seconds = hours.checked_mul(SECONDS_PER_HOUR)?;
    for unit in [SECONDS_PER_MINUTE, 1] {
        let Some(part) = parts.next() else { break };
        let value = whole(part).filter(|value| part.len() == 2 && *value < 60)?;
        seconds = seconds.checked_add(value * unit)?;
    }
    parts.next().is_none().then_some(seconds)
}

/// Numbers with units, the largest first, each smaller than the unit before it. A number without a unit is hours, and after hours
/// it is minutes.
fn in_units(text: &str) -> Option<u32> {
    let mut rest = text;
    let (mut total, mut unit_before) = (0_u32, u32::MAX);
    while !rest.is_empty() {
        let (number, tail) = split_at_first(rest, |letter| !matches!(letter, '0'..='9' | '.' | ','));
        let (word, tail) = split_at_first(tail, |letter| !letter.is_ascii_alphabetic());
        let unit = match (word, unit_before) {
            ("h" | "hr" | "hrs" | "hour" | "hours", _) => SECONDS_PER_HOUR,
            ("m" | "min" | "mins" | "minute" | "minutes", _) => SECONDS_PER_MINUTE,
            ("s" | "sec" | "secs" | "second" | "seconds", _) => 1,
            ("", u32::MAX) if tail.is_empty() => SECONDS_PER_HOUR,
            ("", SECONDS_PER_HOUR) if tail.is_empty() => SECONDS_PER_MINUTE,
            _ => return None,
        };
        let seconds = times(number, unit)?;
        if unit >= unit_before || seconds >= unit_before {
            return None;
        }
        total = total.checked_add(seconds)?;
        unit_before = unit;
        rest = tail;
    }
    (unit_before != u32::MAX).then_some(total)
}

/// Splits a text before the first letter that ends a part, and drops the spaces after the part.
fn split_at_first(text: &str, ends: impl Fn(char) -> bool) -> (&str, &str) {
    let (part, rest) = text.split_at(text.find(ends).unwrap_or(text.len()));
    (part, rest.trim_start())
}

/// A number with at most four decimals, times a unit; a part of a second is dropped.
fn times(number: &str, unit: u32) -> Option<u32> {
    let (integer, decimals) = number.split_once(['.', ',']).unwrap_or((number, ""));
    if decimals.len() > 4 || number.len() > integer.len() && decimals.is_empty() {
        return None;
    }
    let mut part = 0;
    let mut divisor = 1;
    if !decimals.is_empty() {
        part = whole(decimals)?;
        divisor = 10_u32.pow(u32::try_from(decimals.len()).ok()?);
    }
    whole(integer)?.checked_mul(unit)?.checked_add(part * unit / divisor)
}

fn whole(text: &str) -> Option<u32> {
    let is_number = (1..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

impl Value for DurationText {
    fn schema() -> Json {
        json!({ "type": "string", "maxLength": MAX_TEXT, "examples": ["1h30", "90m", "1:30"] })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Json::String(text) = json else {
            return problems.malformed(at, "invalid_type", "must be a string");
        };
        if text.is_empty() {
            return Read::Empty;
        }
        if let Some(duration) = Self::parse(&text) {
            return Read::Value(duration);
        }
        problems.invalid(at, "invalid_duration", "must be a duration of up to 24 hours, such as 1h30, 90m, 1:30 or 1.5")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn durations_are_read_as_people_write_them() {
        for (text, seconds) in [
            ("1h30", 5_400),
            ("1h30m", 5_400),
            ("1h 30m", 5_400),
            ("1H30M15S", 5_415),
            ("90m", 5_400),
            ("1:30", 5_400),
            ("01:30", 5_400),
            ("0:05", 300),
            ("1:30:15", 5_415),
            ("1.5h", 5_400),
            ("1,5h", 5_400),
            ("0.25h", 900),
            ("2h", 7_200),
            ("45s", 45),
            ("24h", 86_400),
            ("24:00", 86_400),
            ("1440m", 86_400),
            ("1.5", 5_400),
            ("1,5", 5_400),
            (" 2 ", 7_200),
            ("24", 86_400),
            ("90 min", 5_400),
            ("90 Minutes", 5_400),
            ("1 hour", 3_600),
            ("1 hr", 3_600),
            ("1 h 30 min", 5_400),
            ("1 h 30", 5_400),
            ("1h30min", 5_400),
            ("1 : 30", 5_400),
            ("2 hours 5 minutes 10 seconds", 7_510),
        ] {
            assert_eq!(DurationText::parse(text).map(DurationText::seconds), Some(seconds), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            " ",
            "h",
            "90",
            "1:3",
            "1:60",
            "1:30:60",
            "1:30:15:00",
            ":30",
            "1:",
            "30m1h",
            "1h1h",
            "1h30m15",
            "-1h",
            "+1h",
            "1.h",
            ".5h",
            "1.5.5h",
            "1e3s",
            "0m",
            "0:00",
            "24h1s",
            "24:00:01",
            "9999999h",
            "1d",
            "½h",
            "1h90",
            "1h60m",
            "1m60s",
            "1:75",
            "25",
            "1 5",
            "1 5 m",
            "1 .5",
            "1 0:30",
            "1.5 days",
            "min",
            "30 m 15",
            "0.00001h",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ] {
            assert_eq!(DurationText::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_duration_has_a_clock_form(seconds in 1..=MAX_ENTRY_SECONDS) {
            let text = format!("{}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
            prop_assert_eq!(DurationText::parse(&text).map(DurationText::seconds), Some(seconds));
            let text = format!("{}h{}m{}s", seconds / 3_600, seconds / 60 % 60, seconds % 60);
            prop_assert_eq!(DurationText::parse(&text).map(DurationText::seconds), Some(seconds));
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,24}") {
            let _ = DurationText::parse(&text);
        }
    }
}
