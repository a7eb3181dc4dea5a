//! Which requests are retried, and when.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A wait before a retry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retry {
    /// The `operationId`, or the name of the tool.
    pub operation: String,
    /// Number of the next attempt: 2 for the first retry.
    pub attempt: u32,
    /// Time until the next attempt.
    pub pause: Duration,
    /// Such as `429 rate_limit_exceeded`, `no connection` or `no answer`.
    pub reason: String,
}

/// The program's function that is called before each wait.
type Callback = dyn Fn(&Retry) + Send + Sync;

/// Reports each wait to the program's function or, without one, in the log.
#[derive(Clone, Default)]
pub(crate) struct OnRetry(pub(crate) Option<Arc<Callback>>);

impl fmt::Debug for OnRetry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_some() { "OnRetry(a function)" } else { "OnRetry(the log)" })
    }
}

impl OnRetry {
    /// Reports that a call waits.
    pub(crate) fn announce(&self, retry: &Retry) {
        match &self.0 {
            Some(told) => told(retry),
            None => log::warn!("{}", line(retry)),
        }
    }
}

/// The log line of a wait.
pub(crate) fn line(Retry { operation, attempt, pause, reason }: &Retry) -> String {
    format!("{operation}: {reason}; waiting {:.1} s before attempt {attempt}", pause.as_secs_f64())
}

const FIRST_PAUSE: Duration = Duration::from_millis(500);
const MAX_PAUSE: Duration = Duration::from_secs(8);

/// Whether a request may be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// It changes nothing.
    Reads,
    /// It is idempotent, by nature or by its idempotency key.
    Writes,
    /// It may act each time, so it is only repeated if the service certainly did not start it.
    Once,
}

/// The outcome of an attempt.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outcome<'a> {
    /// The service has not seen the request.
    Unreached,
    /// No response, or not in time.
    Lost,
    Answered {
        status: u16,
        code: &'a str,
        retry_after: Option<Duration>,
    },
}

impl Outcome<'_> {
    /// Whether the service may have acted on a request with this outcome.
    pub(crate) fn is_uncertain(self, repeat: Repeat) -> bool {
        repeat != Repeat::Reads
            && match self {
                Self::Unreached => false,
                Self::Lost => true,
                Self::Answered { status, .. } => status >= 500,
            }
    }

    /// The reason for programs and logs.
    pub(crate) fn reason(self) -> String {
        match self {
            Self::Unreached => "no connection".to_owned(),
            Self::Lost => "no answer".to_owned(),
            Self::Answered { status, code: "unknown", .. } => status.to_string(),
            Self::Answered { status, code, .. } => format!("{status} {code}"),
        }
    }

    fn is_passing(self, repeat: Repeat, may_have_acted: bool) -> bool {
        let Self::Answered { status, code, .. } = self else { return true };
        match status {
            429 | 502 | 503 | 504 => true,
            500 => repeat == Repeat::Reads,
            // An earlier attempt of this request, whose response was lost, is still running.
            409 => may_have_acted && code == "idempotency_conflict",
            _ => false,
        }
    }
}

/// What decides about a retry in addition to the outcome.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt {
    pub(crate) repeat: Repeat,
    /// Counted from 1.
    pub(crate) number: u32,
    /// Whether this attempt or one before it was uncertain.
    pub(crate) may_have_acted: bool,
    pub(crate) max_retry_after: Duration,
    /// From 0 to 1.
    pub(crate) random: f64,
}

/// How long to wait before the next attempt; `None` if this outcome is final.
pub(crate) fn pause_after(outcome: Outcome<'_>, attempt: Attempt) -> Option<Duration> {
    let Attempt { repeat, may_have_acted, random, .. } = attempt;
    if !outcome.is_passing(repeat, may_have_acted) || (repeat == Repeat::Once && may_have_acted) {
        return None;
    }
    let retry_after = if let Outcome::Answered { retry_after, .. } = outcome { retry_after } else { None };
    let pause = backoff(attempt.number, random);
    match retry_after {
        None => Some(pause),
        // At least the service's `Retry-After` and at least the usual pause. The random part keeps clients
        // from retrying at the same time.
        Some(retry_after) => (retry_after <= attempt.max_retry_after)
            .then(|| retry_after.saturating_add(FIRST_PAUSE.mul_f64(random)).max(pause)),
    }
}

/// Doubles each time. Half is fixed, to relieve the service; half is random, to spread out clients.
pub(crate) fn backoff(attempt: u32, random: f64) -> Duration {
    capped_backoff(attempt, random, MAX_PAUSE)
}

pub(crate) fn capped_backoff(attempt: u32, random: f64, longest: Duration) -> Duration {
    let pause = (FIRST_PAUSE * 2_u32.pow(attempt.saturating_sub(1).min(10))).min(longest);
    pause / 2 + (pause / 2).mul_f64(random)
}
