//! How long the log keeps events (interface 24.9).

use std::fmt;

use time::Duration;

/// How long events are kept, at least. Whole months are dropped, so most are kept for up to a month longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventRetention(Duration);

impl EventRetention {
    /// The shortest: deliveries of webhooks live as long, and are composed from events.
    pub const LEAST: Self = Self(Duration::days(30));
    /// The longest: a hundred years.
    pub const MOST: Self = Self(Duration::days(36_500));

    /// At least 30 days; `None` for what is shorter, or longer than a hundred years.
    pub fn new(kept: Duration) -> Option<Self> {
        Some(Self(kept)).filter(|kept| (Self::LEAST..=Self::MOST).contains(kept))
    }

    /// Whole days, rounded up.
    pub fn days(self) -> i32 {
        let days = self.0.whole_days() + i64::from(self.0 > Duration::days(self.0.whole_days()));
        i32::try_from(days).unwrap_or(i32::MAX)
    }
}

impl Default for EventRetention {
    /// 13 months, however long they are.
    fn default() -> Self {
        Self(Duration::days(397))
    }
}

impl fmt::Display for EventRetention {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} days", self.days())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_the_bound_hold() {
        assert_eq!(EventRetention::new(Duration::days(30)), Some(EventRetention::LEAST));
        assert_eq!(EventRetention::new(Duration::days(30) - Duration::SECOND), None);
        assert_eq!(EventRetention::new(Duration::days(36_500)), Some(EventRetention::MOST));
        assert_eq!(EventRetention::new(Duration::days(36_500) + Duration::SECOND), None);
    }

    #[test]
    fn days_are_rounded_up() {
        let days = |kept| EventRetention::new(kept).map(EventRetention::days);
        assert_eq!(days(Duration::days(45)), Some(45));
        assert_eq!(days(Duration::hours(24 * 45 + 1)), Some(46));
        assert_eq!(EventRetention::default().days(), 397);
    }
}
