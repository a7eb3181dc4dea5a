//! The next step after a delivery attempt, and the retry schedule (interface 16.19, 16.20).

use time::{Duration, OffsetDateTime};

use crate::kernel::input::{choices, readable_choices};

choices! {
    /// The state of a delivery.
    pub enum DeliveryState {
        /// Queued, not attempted yet.
        Pending = "pending",
        /// Being sent.
        Delivering = "delivering",
        /// Attempted, and due again later.
        Retrying = "retrying",
        /// Accepted by the receiver.
        Succeeded = "succeeded",
        /// Abandoned after the last attempt.
        Failed = "failed",
        /// Its subscription was deleted.
        Cancelled = "cancelled",
    }
}

readable_choices!(DeliveryState);

choices! {
    /// Why a delivery failed without a further attempt.
    pub enum FailedReason {
        /// It waited until no attempt could start any more: for a retry while no dispatcher ran, or for a disabled webhook.
        Expired = "expired",
        /// What it would have sent is no longer stored.
        ContentLost = "content_lost",
    }
}

/// The wait after each failure, before jitter.
const RETRY_DELAYS: [Duration; 8] = [
    Duration::seconds(5),
    Duration::seconds(30),
    Duration::minutes(2),
    Duration::minutes(10),
    Duration::minutes(30),
    Duration::hours(2),
    Duration::hours(6),
    Duration::hours(12),
];
/// The longest of these waits, including jitter. If a delivery is due later than that, the clock was ahead when it was queued or
/// retried.
pub const LONGEST_WAIT: Duration = Duration::minutes(13 * 60 + 12);
/// No retry starts later than this after the first attempt.
pub const RETRY_WINDOW: Duration = Duration::hours(24);
/// The longest wait that a receiver can request with `Retry-After`.
const MAX_RETRY_AFTER: Duration = Duration::hours(12);
/// A subscription that fails for this long without a success is disabled.
pub const DISABLE_AFTER: Duration = Duration::days(5);
/// Events that wait longer than this in the webhook backlog are never sent. By default, the log keeps events for the same time.
pub const BACKLOG_RETENTION: Duration = Duration::days(397);
/// How long deliveries and their attempts are retained.
pub const RETENTION: Duration = Duration::days(30);
/// Default maximum of waiting deliveries per workspace. Above it, events wait in the workspace's backlog.
pub const DEFAULT_MAX_WAITING: u32 = 10_000;
/// Timeout of one attempt in total.
pub const ATTEMPT_TIMEOUT: Duration = Duration::seconds(10);
/// How long a dispatcher's claim lasts.
pub const LEASE: Duration = Duration::seconds(60);
/// Maximum concurrent requests per subscription.
pub const MAX_CONCURRENT_PER_SUBSCRIPTION: usize = 8;

/// The outcome of one request to a receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptOutcome {
    /// The receiver responded.
    Response {
        status: u16,
        /// The receiver's `Retry-After`.
        retry_after: Option<Duration>,
    },
    /// No response: a timeout or a broken connection.
    NoResponse,
    /// The target is not allowed.
    Refused,
}

impl AttemptOutcome {
    /// Why this response is not retried, shown with the attempt. Other services retry after a 404, so users may expect a retry.
    pub const fn why_final(self) -> Option<&'static str> {
        match self {
            Self::Response { status: 410, .. } => Some("410 means that the receiver is gone; the webhook is disabled"),
            Self::Response { status, .. } if is_rejection(status) => {
                Some("4xx responses other than 429 are not retried; redeliver or replay once the receiver is fixed")
            }
            _ => None,
        }
    }
}

/// Whether the receiver rejects the delivery itself, so that a retry would fail too.
const fn is_rejection(status: u16) -> bool {
    matches!(status, 400..=499) && status != 429
}

/// The next step after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Delivered.
    Succeeded,
    /// Retry at this time.
    Retry(OffsetDateTime),
    /// No more attempts.
    Failed,
    /// No more attempts, and the subscription is disabled: the receiver responded with 410.
    Gone,
}

/// Decides the next step after attempt `number` (from 1, since the last redelivery), which ended at `now`. `jitter` is
/// from 0 to 1.
pub fn decide(
    outcome: AttemptOutcome,
    number: u32,
    first_started_at: OffsetDateTime,
    now: OffsetDateTime,
    jitter: f64,
) -> Verdict {
    let requested = match outcome {
        AttemptOutcome::Response { status: 200..=299, .. } => return Verdict::Succeeded,
        AttemptOutcome::Response { status: 410, .. } => return Verdict::Gone,
        AttemptOutcome::Refused => return Verdict::Failed,
        AttemptOutcome::Response { status, .. } if is_rejection(status) => return Verdict::Failed,
        AttemptOutcome::Response { status: 429 | 503, retry_after } => {
            retry_after.map(|wait| wait.min(MAX_RETRY_AFTER))
        }
        AttemptOutcome::Response { .. } | AttemptOutcome::NoResponse => None,
    };
    let Some(wait) = RETRY_DELAYS.get(number.saturating_sub(1) as usize) else {
        return Verdict::Failed;
    };
    // ±10 percent of the schedule.
    let scheduled = *wait * (0.9 + 0.2 * jitter.clamp(0.0, 1.0));
    // A receiver may request a longer wait. A shorter one could use up all attempts within seconds and lose the delivery.
    let next = now + requested.map_or(scheduled, |requested| requested.max(scheduled));
    if next > first_started_at + RETRY_WINDOW { Verdict::Failed } else { Verdict::Retry(next) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use time::macros::datetime;

    const START: OffsetDateTime = datetime!(2030-01-01 00:00 UTC);

    fn response(status: u16) -> AttemptOutcome {
        AttemptOutcome::Response { status, retry_after: None }
    }

    fn after(outcome: AttemptOutcome, number: u32) -> Verdict {
        decide(outcome, number, START, START, 0.5)
    }

    #[test]
    fn the_status_decides_the_next_step() {
        for (status, verdict) in [
            (200, Verdict::Succeeded),
            (204, Verdict::Succeeded),
            (299, Verdict::Succeeded),
            (400, Verdict::Failed),
            (404, Verdict::Failed),
            (410, Verdict::Gone),
            (428, Verdict::Failed),
            (430, Verdict::Failed),
            (499, Verdict::Failed),
        ] {
            assert_eq!(after(response(status), 1), verdict, "{status}");
        }
        for status in [100, 301, 302, 308, 429, 500, 502, 503, 599] {
            assert!(matches!(after(response(status), 1), Verdict::Retry(_)), "{status}");
        }
        assert!(matches!(after(AttemptOutcome::NoResponse, 1), Verdict::Retry(_)));
        assert_eq!(after(AttemptOutcome::Refused, 1), Verdict::Failed);
    }

    #[test]
    fn no_wait_exceeds_the_longest_wait() {
        let longest = RETRY_DELAYS.into_iter().max().unwrap();
        assert_eq!(LONGEST_WAIT, longest * 1.1);
        assert!(MAX_RETRY_AFTER <= LONGEST_WAIT);
    }

    #[test]
    fn nine_attempts_take_less_than_a_day() {
        let waits = [5_i64, 30, 120, 600, 1_800, 7_200, 21_600, 43_200];
        for (jitter, share) in [(0.0, 0.9_f64), (0.5, 1.0), (1.0, 1.1)] {
            let mut now = START;
            for (index, wait) in waits.into_iter().enumerate() {
                let number = u32::try_from(index).unwrap() + 1;
                let Verdict::Retry(next) = decide(response(500), number, START, now, jitter) else {
                    panic!("attempt {number} was the last");
                };
                let expected: Duration = Duration::seconds(wait) * share;
                let came_after: Duration = next - now;
                assert!((came_after - expected).abs() < Duration::milliseconds(1), "{wait} {share}");
                now = next;
            }
            assert!(now - START < Duration::hours(24));
            assert_eq!(decide(response(500), 9, START, now, jitter), Verdict::Failed);
        }
    }

    #[test]
    fn retry_after_lengthens_a_wait_up_to_twelve_hours() {
        let busy = |status, wait| AttemptOutcome::Response { status, retry_after: Some(wait) };
        for status in [429, 503] {
            assert_eq!(after(busy(status, Duration::minutes(7)), 1), Verdict::Retry(START + Duration::minutes(7)));
            assert_eq!(after(busy(status, Duration::days(9)), 1), Verdict::Retry(START + Duration::hours(12)));
        }
        // Without jitter.
        assert_eq!(
            decide(busy(503, Duration::seconds(60)), 2, START, START, 0.0),
            Verdict::Retry(START + Duration::MINUTE)
        );
        assert_eq!(after(busy(500, Duration::minutes(7)), 1), Verdict::Retry(START + Duration::seconds(5)));
        let late = START + Duration::hours(13);
        assert_eq!(decide(busy(429, Duration::days(9)), 3, START, late, 0.5), Verdict::Failed, "over 24 hours");
    }

    #[test]
    fn retry_after_never_shortens_a_wait() {
        for (status, number, jitter) in [(429, 1, 0.0), (503, 1, 0.5), (429, 3, 1.0), (503, 7, 0.5), (503, 8, 1.0)] {
            let scheduled = decide(response(status), number, START, START, jitter);
            assert!(matches!(scheduled, Verdict::Retry(_)), "{scheduled:?}");
            for requested in [-Duration::HOUR, Duration::ZERO, Duration::SECOND, Duration::seconds(4)] {
                let outcome = AttemptOutcome::Response { status, retry_after: Some(requested) };
                assert_eq!(
                    decide(outcome, number, START, START, jitter),
                    scheduled,
                    "{status}, attempt {number}: {requested}"
                );
            }
        }
    }

    #[test]
    fn a_receiver_that_always_asks_for_a_second_gets_nine_attempts_over_most_of_a_day() {
        let restarting = AttemptOutcome::Response { status: 503, retry_after: Some(Duration::SECOND) };
        let (mut now, mut attempts) = (START, 1);
        while let Verdict::Retry(next) = decide(restarting, attempts, START, now, 0.5) {
            (now, attempts) = (next, attempts + 1);
        }
        assert_eq!(attempts, 9);
        assert!(now - START > Duration::hours(20), "{}", now - START);
    }

    proptest! {
        #[test]
        fn no_attempt_starts_more_than_a_day_after_the_first(
            number in 1_u32..12, status in 100_u16..600, requested in proptest::option::of(0_i64..900_000),
            elapsed in 0_i64..90_000, jitter in 0.0_f64..=1.0,
        ) {
            let now = START + Duration::seconds(elapsed);
            let outcome = AttemptOutcome::Response { status, retry_after: requested.map(Duration::seconds) };
            if let Verdict::Retry(next) = decide(outcome, number, START, now, jitter) {
                prop_assert!(next >= now && next <= START + Duration::hours(24) && number < 9);
                let without = AttemptOutcome::Response { status, retry_after: None };
                if let Verdict::Retry(scheduled) = decide(without, number, START, now, jitter) {
                    prop_assert!(next >= scheduled);
                }
            }
        }
    }
}
