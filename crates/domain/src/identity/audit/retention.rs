//! How long the audit log keeps entries (interface 17.23).

use time::Duration;

/// How long entries are kept, at least; forever unless the operator says otherwise. Whole months are dropped, so most are
/// kept for up to a month longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AuditRetention(Option<i32>);

impl AuditRetention {
    /// Nothing is dropped.
    pub const FOREVER: Self = Self(None);
    /// The shortest: what a month shows must still be there when somebody looks for it.
    pub const LEAST: Duration = Duration::days(30);
    /// The longest that is not forever: a hundred years.
    pub const MOST: Duration = Duration::days(36_500);

    /// At least 30 days, rounded up to whole ones; `None` for what is shorter, or longer than a hundred years.
    pub fn new(kept: Duration) -> Option<Self> {
        if !(Self::LEAST..=Self::MOST).contains(&kept) {
            return None;
        }
        let days = kept.whole_days() + i64::from(kept > Duration::days(kept.whole_days()));
        i32::try_from(days).ok().map(|days| Self(Some(days)))
    }

    /// `None`: forever.
    pub fn days(self) -> Option<i32> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_the_bound_hold_and_days_are_rounded_up() {
        let days = |kept| AuditRetention::new(kept).map(AuditRetention::days);
        assert_eq!(days(Duration::days(30)), Some(Some(30)));
        assert_eq!(days(Duration::days(30) - Duration::SECOND), None);
        assert_eq!(days(Duration::days(45) + Duration::HOUR), Some(Some(46)));
        assert_eq!(days(Duration::days(36_500)), Some(Some(36_500)));
        assert_eq!(days(Duration::days(36_500) + Duration::SECOND), None);
        assert_eq!(AuditRetention::default(), AuditRetention::FOREVER);
        assert_eq!(AuditRetention::FOREVER.days(), None);
    }
}
