//! Reading the audit log, and how long it keeps entries (interface 17.23).

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{AuditAction, AuditEntry};
use crate::identity::access::{Permit, ReadAuditLog};
use crate::kernel::input::Several;
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, read_only};
use crate::{Error, filter};

filter! {
    /// Filters of the audit log; what is absent matches all.
    pub struct AuditFilter {
        /// Any of these actions.
        action: Several<AuditAction, 50>,
        /// By this member or API key, given as an id.
        actor_id: Option<Uuid>,
        /// At this time or later.
        since: Option<OffsetDateTime>,
        /// Before this time.
        until: Option<OffsetDateTime>,
    }
}

/// Lists the audit entries that match, newest first.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ReadAuditLog>,
    filter: AuditFilter,
    page: PageRequest,
) -> Result<Page<AuditEntry>, Error> {
    let rows = read_only(ports, permit, move |tx| Ok(tx.audit().list(&filter, &page)?)).await?;
    Ok(Page::from_rows(rows, &page))
}

/// The minimum time for which entries are kept; forever unless the operator sets one. Only whole months are dropped, so most
/// entries are kept for up to a month longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AuditRetention(Option<i32>);

impl AuditRetention {
    /// Entries are never dropped.
    pub const FOREVER: Self = Self(None);
    /// The minimum: the entries of a month must still exist when someone investigates.
    pub const MIN: Duration = Duration::days(30);
    /// The maximum other than forever: a hundred years.
    pub const MAX: Duration = Duration::days(36_500);

    /// Rounds up to whole days. `None` for less than 30 days or more than a hundred years.
    pub fn new(duration: Duration) -> Option<Self> {
        if !(Self::MIN..=Self::MAX).contains(&duration) {
            return None;
        }
        let days = duration.whole_days() + i64::from(duration > Duration::days(duration.whole_days()));
        i32::try_from(days).ok().map(|days| Self(Some(days)))
    }

    /// `None` means forever.
    pub fn days(self) -> Option<i32> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retention_is_bounded_at_both_ends_and_days_are_rounded_up() {
        let days = |duration| AuditRetention::new(duration).map(AuditRetention::days);
        assert_eq!(days(Duration::days(30)), Some(Some(30)));
        assert_eq!(days(Duration::days(30) - Duration::SECOND), None);
        assert_eq!(days(Duration::days(45) + Duration::HOUR), Some(Some(46)));
        assert_eq!(days(Duration::days(36_500)), Some(Some(36_500)));
        assert_eq!(days(Duration::days(36_500) + Duration::SECOND), None);
        assert_eq!(AuditRetention::default(), AuditRetention::FOREVER);
        assert_eq!(AuditRetention::FOREVER.days(), None);
    }
}
