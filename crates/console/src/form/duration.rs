//! Durations as people read and type them.

use domain::work::time_entries::DurationText;

/// Hours and minutes, such as `1:30`; a part of a minute is dropped.
pub(crate) fn hours_of(seconds: impl Into<i64>) -> String {
    let minutes = seconds.into() / 60;
    format!("{}:{:02}", minutes / 60, minutes % 60)
}

/// Like [`hours_of`], with the seconds if there are any: `0:00:45`.
pub(crate) fn duration_of(seconds: i32) -> String {
    let rest = seconds % 60;
    let hours = hours_of(seconds);
    if rest == 0 { hours } else { format!("{hours}:{rest:02}") }
}

/// The seconds of a duration that was typed.
pub(crate) fn seconds_of(text: &str) -> Option<i32> {
    DurationText::parse(text).map(DurationText::seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_shown_as_it_is_typed() {
        for (seconds, hours, exact) in [
            (0, "0:00", "0:00"),
            (45, "0:00", "0:00:45"),
            (5_400, "1:30", "1:30"),
            (5_415, "1:30", "1:30:15"),
            (86_400, "24:00", "24:00"),
            (360_000, "100:00", "100:00"),
        ] {
            assert_eq!((&*hours_of(seconds), &*duration_of(seconds)), (hours, exact));
        }
        for (typed, seconds) in [
            ("1:30", Some(5_400)),
            ("1h30", Some(5_400)),
            ("90m", Some(5_400)),
            ("90 min", Some(5_400)),
            ("1 h 30 min", Some(5_400)),
            ("1.5", Some(5_400)),
            ("1,5", Some(5_400)),
            ("2", Some(7_200)),
            ("0:00:45", Some(45)),
            ("", None),
            ("25", None),
            ("1h90", None),
            ("soon", None),
        ] {
            assert_eq!(seconds_of(typed), seconds, "{typed}");
        }
    }
}
