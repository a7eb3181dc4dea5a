//! Fixed windows, aligned to the clock (interface 6.7).

use time::OffsetDateTime;

/// The length of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Window {
    Minute,
    Hour,
    Day,
}

/// One window, from `start` inclusive to `end` exclusive, in Unix seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    pub start: i64,
    pub end: i64,
}

impl Window {
    pub const fn seconds(self) -> i64 {
        match self {
            Self::Minute => 60,
            Self::Hour => 3_600,
            Self::Day => 86_400,
        }
    }

    /// The window that contains `now`.
    pub const fn around(self, now: OffsetDateTime) -> Span {
        let now = now.unix_timestamp();
        // Rounds down before 1970 too.
        let start = now - now.rem_euclid(self.seconds());
        Span { start, end: start + self.seconds() }
    }

    /// The start of the window that contains `now`.
    pub fn start_of(self, now: OffsetDateTime) -> OffsetDateTime {
        // Only on the earliest representable day can the start be out of range.
        OffsetDateTime::from_unix_timestamp(self.around(now).start).unwrap_or(now)
    }
}

impl Span {
    /// Whole seconds from `now` to the end, at least 1. After waiting that long, a client is in the next window.
    pub const fn seconds_left(self, now: OffsetDateTime) -> i64 {
        let seconds = self.end - now.unix_timestamp();
        if seconds < 1 { 1 } else { seconds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use time::Duration;

    proptest! {
        #[test]
        fn a_window_contains_its_instant_and_is_aligned(nanos in -4_000_000_000_000_000_000_i128..4_000_000_000_000_000_000) {
            let now = OffsetDateTime::from_unix_timestamp_nanos(nanos).unwrap();
            for window in [Window::Minute, Window::Hour, Window::Day] {
                let span = window.around(now);
                prop_assert_eq!(span.end - span.start, window.seconds());
                prop_assert_eq!(span.start.rem_euclid(window.seconds()), 0);
                prop_assert!(i128::from(span.start) * 1_000_000_000 <= nanos && nanos < i128::from(span.end) * 1_000_000_000);
            }
        }

        #[test]
        fn retry_after_reaches_the_next_window_exactly(nanos in 0..4_000_000_000_000_000_000_i128) {
            let now = OffsetDateTime::from_unix_timestamp_nanos(nanos).unwrap();
            for window in [Window::Minute, Window::Hour, Window::Day] {
                let span = window.around(now);
                let wait = span.seconds_left(now);
                prop_assert!((1..=window.seconds()).contains(&wait));
                prop_assert_eq!(window.around(now + Duration::seconds(wait)).start, span.end);
                prop_assert_eq!(window.around(now + Duration::seconds(wait - 1)), span);
            }
        }

        #[test]
        fn windows_follow_each_other_without_gap(second in -1_000_000_000_i64..4_000_000_000) {
            let at = |second| OffsetDateTime::from_unix_timestamp(second).unwrap();
            let span = Window::Minute.around(at(second));
            prop_assert_eq!(Window::Minute.around(at(span.end)).start, span.end);
            prop_assert_eq!(Window::Minute.around(at(span.start - 1)).end, span.start);
        }
    }
}
