//! The monthly quota of CRM records (interface 6.11).
//!
//! Contacts, companies and deals count when they are created, per calendar month in UTC. The count is part of the
//! creating transaction: a rollback returns the quota, and a crash loses none.

use time::{Date, Month, OffsetDateTime, Time};

use super::Allowance;
use crate::Error;
use crate::ports::{QuotaGrant, QuotaResult, StoreError, Tx};

/// Maximum attempts of a create whose workspace changes concurrently.
const MAX_TRIES: u32 = 3;

/// The first day of the month of `now`.
pub fn month_of(now: OffsetDateTime) -> Date {
    let today = now.to_offset(time::UtcOffset::UTC).date();
    // Every month has a first day.
    today.replace_day(1).unwrap_or(today)
}

/// The end of the month of `now`.
pub fn month_end(now: OffsetDateTime) -> OffsetDateTime {
    let first = month_of(now);
    let (year, month) = match first.month() {
        Month::December => (first.year() + 1, Month::January),
        other => (first.year(), other.next()),
    };
    // Only the year 10000 is out of range; December 9999 then ends on its last day.
    let next = Date::from_calendar_date(year, month, 1).unwrap_or(Date::MAX);
    next.with_time(Time::MIDNIGHT).assume_utc()
}

/// Counts one record against the quota, as part of the transaction. `allowance` is the workspace's at `version`. Records count
/// even while the plan has no quota, so that they are included if the workspace changes to a smaller plan.
///
/// # Errors
/// [`Error::QuotaExceeded`] if the quota of the plan, or of the workspace, is used up.
pub fn take(tx: &mut dyn Tx, allowance: Allowance, version: i64, now: OffsetDateTime) -> Result<(), Error> {
    with_current_limit(tx, allowance, version, |tx, limit, version| {
        // With a quota of 0 there is nothing to count.
        if limit == Some(0) {
            return Err(exceeded(limit, now));
        }
        match tx.quota().take(month_of(now), limit.unwrap_or(u64::MAX), version)? {
            QuotaResult::Counted => Ok(Some(())),
            QuotaResult::Exhausted => Err(exceeded(limit, now)),
            QuotaResult::StaleVersion => Ok(None),
        }
    })
}

/// Tries with the quota that the caller knows, then with the current one: the caller's permit may hold a workspace that
/// is up to two seconds old. `attempt` returns `None` if the version is not the current one.
fn with_current_limit<T>(
    tx: &mut dyn Tx,
    allowance: Allowance,
    version: i64,
    mut attempt: impl FnMut(&mut dyn Tx, Option<u64>, i64) -> Result<Option<T>, Error>,
) -> Result<T, Error> {
    let (mut limit, mut version) = (allowance.crm_quota_per_month(), version);
    for _ in 0..MAX_TRIES {
        if let Some(value) = attempt(tx, limit, version)? {
            return Ok(value);
        }
        let workspace = tx.workspace().get()?;
        (limit, version) = (workspace.allowance().crm_quota_per_month(), workspace.version);
    }
    Err(StoreError::Contended.into())
}

/// The number of records that the quota allows, and the quota; `None` is unlimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrantedQuota {
    pub records: u64,
    pub limit: Option<u64>,
}

/// The error when the quota is used up.
pub fn exceeded(limit: Option<u64>, now: OffsetDateTime) -> Error {
    let retry_after = month_end(now).unix_timestamp() - now.unix_timestamp();
    Error::QuotaExceeded { limit: limit.unwrap_or(u64::MAX), retry_after }
}

/// Counts as many of the requested records as the quota allows; otherwise like [`take`].
pub fn take_many(
    tx: &mut dyn Tx,
    allowance: Allowance,
    version: i64,
    now: OffsetDateTime,
    requested: u64,
) -> Result<GrantedQuota, Error> {
    with_current_limit(tx, allowance, version, |tx, limit, version| {
        // With a quota of 0 there is nothing to count.
        if limit == Some(0) {
            return Ok(Some(GrantedQuota { records: 0, limit }));
        }
        match tx.quota().take_many(month_of(now), requested, limit.unwrap_or(u64::MAX), version)? {
            QuotaGrant::Counted(records) => Ok(Some(GrantedQuota { records, limit })),
            QuotaGrant::StaleVersion => Ok(None),
        }
    })
}

/// How many of the requested records the quota allows now; does not count them.
pub fn remaining(tx: &mut dyn Tx, now: OffsetDateTime, requested: u64) -> Result<GrantedQuota, Error> {
    let limit = tx.workspace().get()?.allowance().crm_quota_per_month();
    let Some(quota) = limit else { return Ok(GrantedQuota { records: requested, limit }) };
    let used = tx.quota().used(month_of(now))?;
    Ok(GrantedQuota { records: requested.min(quota.saturating_sub(used)), limit })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use time::Duration;
    use time::macros::{date, datetime};

    #[test]
    fn months_are_calendar_months_in_utc() {
        for (now, first, end) in [
            (datetime!(2030-01-31 23:59:59.999999 UTC), date!(2030 - 01 - 01), datetime!(2030-02-01 00:00 UTC)),
            (datetime!(2030-12-31 23:00 -1), date!(2031 - 01 - 01), datetime!(2031-02-01 00:00 UTC)),
            (datetime!(2028-02-29 12:00 UTC), date!(2028 - 02 - 01), datetime!(2028-03-01 00:00 UTC)),
        ] {
            assert_eq!((month_of(now), month_end(now)), (first, end), "{now}");
        }
    }

    proptest! {
        #[test]
        fn the_end_of_a_month_is_in_the_next_one(second in 0_i64..253_000_000_000) {
            let now = OffsetDateTime::from_unix_timestamp(second).unwrap();
            let end = month_end(now);
            prop_assert!(now < end && end - now <= Duration::days(31));
            prop_assert_eq!(month_of(end), end.date());
            prop_assert_eq!(month_of(end - Duration::microseconds(1)), month_of(now));
        }
    }
}
