//! Backoff between failing attempts.

use std::fmt::Display;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use tokio::time::Instant;

/// Waits longer after each failure, and logs the first failure and the recovery.
#[derive(Debug)]
pub struct Backoff {
    /// The failing work, for the log.
    what: &'static str,
    first: Duration,
    longest: Duration,
    /// `None` while the last attempt succeeded.
    failing: Option<Failing>,
}

#[derive(Debug)]
struct Failing {
    pauses: ExponentialBackoff,
    until: Instant,
}

impl Backoff {
    /// Pauses start with `first` and double. None is longer than `longest`, including jitter.
    pub const fn new(what: &'static str, first: Duration, longest: Duration) -> Self {
        Self { what, first, longest, failing: None }
    }

    /// When to retry; `None` if the last attempt succeeded.
    pub fn until(&self) -> Option<Instant> {
        self.failing.as_ref().map(|failing| failing.until)
    }

    /// Whether the next attempt is due.
    pub fn is_over(&self, now: Instant) -> bool {
        self.until().is_none_or(|until| until <= now)
    }

    pub fn failed(&mut self, error: &impl Display, now: Instant) {
        let failing = self.failing.get_or_insert_with(|| {
            log::warn!("{} failed: {error}; retrying", self.what);
            Failing { pauses: pauses(self.first, self.longest), until: now }
        });
        failing.until = now + failing.pauses.next().unwrap_or(self.longest);
    }

    pub fn succeeded(&mut self) {
        if self.failing.take().is_some() {
            log::info!("{} recovered", self.what);
        }
    }
}

/// An endless sequence with jitter of up to 100 % of each pause, so that jobs do not retry in step.
pub(crate) fn pauses(first: Duration, longest: Duration) -> ExponentialBackoff {
    let longest = longest / 2;
    ExponentialBuilder::default()
        .with_min_delay(first.min(longest))
        .with_max_delay(longest)
        .with_factor(2.0)
        .with_jitter()
        .without_max_times()
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Duration = Duration::from_millis(50);
    const LONGEST: Duration = Duration::from_secs(5);

    #[test]
    fn pauses_double_up_to_the_longest() {
        let all: Vec<_> = pauses(FIRST, LONGEST).take(100).collect();
        for (number, pause) in all.iter().enumerate() {
            let base = (FIRST * 2_u32.pow(u32::try_from(number.min(6)).unwrap())).min(LONGEST / 2);
            assert!((base..=2 * base).contains(pause), "{number}: {pause:?}");
        }
        assert!(all.iter().any(|pause| *pause > LONGEST / 2) && all.iter().all(|pause| *pause <= LONGEST));
        assert!(pauses(LONGEST, FIRST).take(9).all(|pause| pause <= FIRST));
    }

    #[test]
    fn an_attempt_waits_for_the_end_of_the_pause() {
        let (mut backoff, now) = (Backoff::new("testing", FIRST, LONGEST), Instant::now());
        assert!(backoff.is_over(now) && backoff.until().is_none());
        backoff.failed(&"why", now);
        assert!(!backoff.is_over(now) && backoff.is_over(now + 2 * FIRST));
        for _ in 0..9 {
            backoff.failed(&"why", now);
        }
        assert!(!backoff.is_over(now + LONGEST / 4));
        backoff.succeeded();
        assert!(backoff.is_over(now));
        backoff.failed(&"why", now);
        assert!(backoff.is_over(now + 2 * FIRST), "the pauses start over");
    }
}
