//! Time as the store keeps it.

use time::OffsetDateTime;

/// Cuts a time to what the store keeps.
pub fn to_microseconds(time: OffsetDateTime) -> OffsetDateTime {
    // A whole number of microseconds below a second is always a valid nanosecond.
    time.replace_nanosecond(time.nanosecond() / 1_000 * 1_000).unwrap_or(time)
}
