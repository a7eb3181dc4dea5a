//! The monthly quota of CRM records (contract: keys, sessions, plans; plans).
//!
//! Contacts, companies and deals count when they are made, by calendar month in UTC. The count is part of the
//! transaction that makes the record: what is rolled back was never counted, and no crash loses any of the quota.

use time::{Date, Month, OffsetDateTime, Time};

use super::Allowance;
use crate::Error;
use crate::ports::{QuotaResult, StoreError, Tx};

/// How often a workspace may change under one create.
const MAX_TRIES: u32 = 3;

/// The first day of the month that `now` lies in.
pub fn month_of(now: OffsetDateTime) -> Date {
    let today = now.to_offset(time::UtcOffset::UTC).date();
    // Every month has a first day.
    today.replace_day(1).unwrap_or(today)
}

/// When the month that `now` lies in is over.
pub fn month_end(now: OffsetDateTime) -> OffsetDateTime {
    let first = month_of(now);
    let (year, month) = match first.month() {
        Month::December => (first.year() + 1, Month::January),
        other => (first.year(), other.next()),
    };
    // Only the year 10000 has no date, and the month of 9999-12 then ends on its last day.
    let next = Date::from_calendar_date(year, month, 1).unwrap_or(Date::MAX);
    next.with_time(Time::MIDNIGHT).assume_utc()
}

/// Takes one record from the quota of the workspace, which was at `version` when it had this allowance, as part of the
/// transaction. Without a quota it counts all the same: a
/// smaller plan takes what was made before it into account.
///
/// # Errors
/// [`Error::QuotaExceeded`] when the month has had all that the plan, or the workspace's own limit, allows.
pub fn take(tx: &mut dyn Tx, allowance: Allowance, version: i64, now: OffsetDateTime) -> Result<(), Error> {
    let exceeded = |limit| {
        let retry_after = month_end(now).unix_timestamp() - now.unix_timestamp();
        Err(Error::QuotaExceeded { limit, retry_after })
    };
    let (mut limit, mut version) = (allowance.crm_quota_per_month(), version);
    for _ in 0..MAX_TRIES {
        // Nothing can be had of nothing, and nothing needs to be counted for that.
        if limit == Some(0) {
            return exceeded(0);
        }
        match tx.quota().take(month_of(now), limit.unwrap_or(u64::MAX), version)? {
            QuotaResult::Counted => return Ok(()),
            QuotaResult::Exhausted => return exceeded(limit.unwrap_or(u64::MAX)),
            // What the caller's permit knows of the workspace is up to two seconds old.
            QuotaResult::StaleVersion => {
                let fresh = tx.workspace().get()?;
                (limit, version) = (fresh.allowance().crm_quota_per_month(), fresh.version);
            }
        }
    }
    Err(StoreError::Contended.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use time::Duration;
    use time::macros::{date, datetime};

    #[test]
    fn months_are_of_the_calendar_in_utc() {
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
