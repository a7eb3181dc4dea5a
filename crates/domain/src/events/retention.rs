//! How long the log keeps events (interface 24.9).

use std::fmt;

use time::Duration;

/// The minimum time for which events are kept. Only whole months are dropped, so most events are kept for up to a month longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventRetention(Duration);

impl EventRetention {
    /// The minimum: webhook deliveries are kept this long, and their bodies are composed from events.
    pub const MIN: Self = Self(Duration::days(30));
    /// The maximum: a hundred years.
    pub const MAX: Self = Self(Duration::days(36_500));

    /// `None` for less than 30 days or more than a hundred years.
    pub fn new(duration: Duration) -> Option<Self> {
        Some(Self(duration)).filter(|retention| (Self::MIN..=Self::MAX).contains(retention))
    }

    /// Whole days, rounded up.
    pub fn days(self) -> i32 {
        let days = self.0.whole_days() + i64::from(self.0 > Duration::days(self.0.whole_days()));
        i32::try_from(days).unwrap_or(i32::MAX)
    }
}

impl Default for EventRetention {
    /// Long enough for any 13 months.
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
    fn retention_is_bounded_at_both_ends() {
        assert_eq!(EventRetention::new(Duration::days(30)), Some(EventRetention::MIN));
        assert_eq!(EventRetention::new(Duration::days(30) - Duration::SECOND), None);
        assert_eq!(EventRetention::new(Duration::days(36_500)), Some(EventRetention::MAX));
        assert_eq!(EventRetention::new(Duration::days(36_500) + Duration::SECOND), None);
    }

    #[test]
    fn days_are_rounded_up() {
        let days = |duration| EventRetention::new(duration).map(EventRetention::days);
        assert_eq!(days(Duration::days(45)), Some(45));
        assert_eq!(days(Duration::hours(24 * 45 + 1)), Some(46));
        assert_eq!(EventRetention::default().days(), 397);
    }
}
