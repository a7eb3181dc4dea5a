//! Timestamp precision of the store.

use time::OffsetDateTime;

/// Truncates a time to microseconds, the precision of the store.
pub fn to_microseconds(time: OffsetDateTime) -> OffsetDateTime {
    // A whole number of microseconds below a second is always a valid nanosecond.
    time.replace_nanosecond(time.nanosecond() / 1_000 * 1_000).unwrap_or(time)
}
