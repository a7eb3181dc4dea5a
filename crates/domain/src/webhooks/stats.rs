//! Delivery statistics of a subscription, for charts (interface 26.25).

use schemars::JsonSchema;
use serde::Serialize;
use time::{Duration, OffsetDateTime};

use super::WebhookReach;
use crate::identity::access::{Permit, ReadWebhooks};
use crate::kernel::Weight;
use crate::kernel::input::schema::TimestampText;
use crate::kernel::input::{choices, readable_choices};
use crate::ports::{Ports, weighed_read_only};
use crate::{Error, SubscriptionId};

/// Maximum deliveries per period that the statistics use.
pub const MAX_SAMPLED_DELIVERIES: u32 = 200;

choices! {
    /// The time that a chart shows.
    pub enum StatsWindow {
        /// The last 24 hours, by the hour.
        Day = "24h",
        /// The last 7 days, by six hours.
        Week = "7d",
    }
}

readable_choices!(StatsWindow);

impl StatsWindow {
    /// The number of periods and the length of each.
    const fn periods(self) -> (i32, Duration) {
        match self {
            Self::Day => (24, Duration::HOUR),
            Self::Week => (28, Duration::hours(6)),
        }
    }

    /// The starts of the periods; the last period contains `now`. Periods start on the hour, or at 0, 6, 12 and 18 hours UTC.
    fn starts(self, now: OffsetDateTime) -> Vec<OffsetDateTime> {
        let (count, length) = self.periods();
        let elapsed = now.unix_timestamp().rem_euclid(length.whole_seconds());
        let last = now.replace_nanosecond(0).unwrap_or(now) - Duration::seconds(elapsed);
        (0..count).map(|index| last - length * (count - 1 - index)).collect()
    }
}

/// The newest deliveries queued in a period, at most [`MAX_SAMPLED_DELIVERIES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeliverySample {
    pub deliveries: u32,
    pub succeeded: u32,
    pub failed: u32,
    /// The median duration of the last attempts, in milliseconds; `None` without attempts.
    pub median_ms: Option<u32>,
    /// The 95th percentile of these durations.
    pub slow_ms: Option<u32>,
}

/// The statistics of the deliveries queued in a period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PeriodStats {
    #[serde(with = "TimestampText")]
    pub starts_at: OffsetDateTime,
    /// The number of deliveries in the statistics: all, or the newest 200.
    pub deliveries: u32,
    /// Whether there may be more deliveries than that.
    pub is_sample: bool,
    pub succeeded: u32,
    pub failed: u32,
    /// The median duration of the last attempts, in milliseconds.
    pub p50_ms: Option<u32>,
    /// The 95th percentile of these durations.
    pub p95_ms: Option<u32>,
}

impl PeriodStats {
    fn new((starts_at, sample): (OffsetDateTime, DeliverySample)) -> Self {
        Self {
            starts_at,
            deliveries: sample.deliveries,
            is_sample: sample.deliveries >= MAX_SAMPLED_DELIVERIES,
            succeeded: sample.succeeded,
            failed: sample.failed,
            p50_ms: sample.median_ms,
            p95_ms: sample.slow_ms,
        }
    }
}

/// The delivery statistics of a subscription by period, earliest first.
///
/// # Errors
/// [`Error::NotFound`], [`Error::SearchTooSlow`].
pub async fn delivery_stats(
    ports: &Ports,
    permit: &Permit<ReadWebhooks>,
    id: SubscriptionId,
    window: StatsWindow,
) -> Result<Vec<PeriodStats>, Error> {
    let reach = WebhookReach::for_permit(permit);
    let (starts, (_, length)) = (window.starts(ports.clock.now()), window.periods());
    weighed_read_only(ports, permit, Weight::Search, move |tx| {
        reach.find_record(tx.subscriptions().get(id)?)?;
        let samples = tx.deliveries().samples(id, &starts, length, MAX_SAMPLED_DELIVERIES)?;
        Ok(starts.iter().copied().zip(samples).map(PeriodStats::new).collect())
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn periods_are_aligned_and_the_last_one_contains_now() {
        let now = datetime!(2030-03-10 14:25:36.789 UTC);
        let (day, week) = (StatsWindow::Day.starts(now), StatsWindow::Week.starts(now));
        assert_eq!((day.len(), week.len()), (24, 28));
        assert_eq!((day[0], day[23]), (datetime!(2030-03-09 15:00 UTC), datetime!(2030-03-10 14:00 UTC)));
        assert_eq!((week[0], week[27]), (datetime!(2030-03-03 18:00 UTC), datetime!(2030-03-10 12:00 UTC)));
        assert_eq!(
            *StatsWindow::Day.starts(datetime!(2030-03-10 14:00 UTC)).last().unwrap(),
            datetime!(2030-03-10 14:00 UTC)
        );
    }

    #[test]
    fn a_full_period_is_a_sample() {
        let stats = |deliveries| {
            PeriodStats::new((OffsetDateTime::UNIX_EPOCH, DeliverySample { deliveries, ..DeliverySample::default() }))
        };
        assert!(stats(200).is_sample && !stats(199).is_sample);
    }
}
