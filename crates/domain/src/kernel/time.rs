//! Timestamp precision of the store.

use time::{Duration, OffsetDateTime};

/// The time of a change at `now` to a record that was last changed at `before`. It is always later than `before`, even if the
/// clocks of instances differ or the change had to wait for the previous one, so times order the changes of a record.
pub(crate) fn later(before: OffsetDateTime, now: OffsetDateTime) -> OffsetDateTime {
    now.max(before + Duration::microseconds(1))
}

/// Truncates a time to microseconds, the precision of the store.
pub fn to_microseconds(time: OffsetDateTime) -> OffsetDateTime {
    // A whole number of microseconds below a second is always a valid nanosecond.
    time.replace_nanosecond(time.nanosecond() / 1_000 * 1_000).unwrap_or(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_later_than_the_one_before_whatever_the_clock_says() {
        let before = OffsetDateTime::UNIX_EPOCH + Duration::seconds(5);
        assert_eq!(later(before, before + Duration::seconds(1)), before + Duration::seconds(1));
        for behind in [0, 1, 4_000_000] {
            assert_eq!(later(before, before - Duration::microseconds(behind)), before + Duration::microseconds(1));
        }
    }
}
