//! Fixed windows, aligned to the clock (contract: keys, sessions, plans; window).

use time::OffsetDateTime;

/// How long one window is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Window {
    /// 60 seconds.
    Minute,
    /// 3,600 seconds.
    Hour,
}

/// One window of time: from `start` up to, and without, `end`, in Unix seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// Its first second.
    pub start: i64,
    /// The first second of the next one.
    pub end: i64,
}

impl Window {
    /// Its length in seconds.
    pub const fn seconds(self) -> i64 {
        match self {
            Self::Minute => 60,
            Self::Hour => 3_600,
        }
    }

    /// The window that holds `now`.
    pub const fn around(self, now: OffsetDateTime) -> Span {
        let now = now.unix_timestamp();
        // Rounded down also before 1970: a window never ends before it began.
        let start = now - now.rem_euclid(self.seconds());
        Span { start, end: start + self.seconds() }
    }
}

impl Span {
    /// Whole seconds from `now` to the end, rounded up: whoever waits that long is in the next window. At least 1.
    pub const fn seconds_left(self, now: OffsetDateTime) -> i64 {
        let left = self.end - now.unix_timestamp();
        if left < 1 { 1 } else { left }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use time::Duration;

    proptest! {
        #[test]
        fn a_window_holds_its_moment_and_is_aligned(nanos in -4_000_000_000_000_000_000_i128..4_000_000_000_000_000_000) {
            let now = OffsetDateTime::from_unix_timestamp_nanos(nanos).unwrap();
            for window in [Window::Minute, Window::Hour] {
                let span = window.around(now);
                prop_assert_eq!(span.end - span.start, window.seconds());
                prop_assert_eq!(span.start.rem_euclid(window.seconds()), 0);
                prop_assert!(i128::from(span.start) * 1_000_000_000 <= nanos && nanos < i128::from(span.end) * 1_000_000_000);
            }
        }

        #[test]
        fn waiting_as_told_reaches_the_next_window_and_not_one_second_more(nanos in 0..4_000_000_000_000_000_000_i128) {
            let now = OffsetDateTime::from_unix_timestamp_nanos(nanos).unwrap();
            for window in [Window::Minute, Window::Hour] {
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
