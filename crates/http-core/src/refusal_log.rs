//! Keeps refused requests from filling the log: a few lines per second and kind, and one that counts the rest.

use std::sync::{Arc, LazyLock, Weak};
use std::time::{Duration, Instant};

use actix_web::rt::time::interval;

use crate::per_second::PerSecond;

/// Lines per second and kind.
const LINES: u32 = 10;

/// Why a request was refused. Refusals cost the client nothing, so it can cause them as fast as its network allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// 401, or 403 without a caller.
    Credential,
    /// 404 or 405.
    Route,
    /// 429.
    Limit,
    /// 503: a memory or connection budget is used up, or too many jobs wait.
    Busy,
    /// A connection that was closed at once.
    Connection,
    /// 400 or 431 before there is a request: its head is not HTTP or is too long.
    Head,
    /// 503 for another reason: the database is unavailable or the disk is full.
    Unavailable,
    /// The line that says why one of these could not be served.
    Reason,
}

impl Refusal {
    const ALL: [Self; 8] = [
        Self::Credential,
        Self::Route,
        Self::Limit,
        Self::Busy,
        Self::Connection,
        Self::Head,
        Self::Unavailable,
        Self::Reason,
    ];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Credential => "credential",
            Self::Route => "route",
            Self::Limit => "limit",
            Self::Busy => "busy",
            Self::Connection => "connection",
            Self::Head => "head",
            Self::Unavailable => "unavailable",
            Self::Reason => "reason",
        }
    }
}

/// The number of refusals of each kind in the current second.
#[derive(Debug)]
pub(crate) struct RefusalLog {
    started: Instant,
    seconds: [PerSecond; Refusal::ALL.len()],
}

impl Default for RefusalLog {
    fn default() -> Self {
        Self { started: Instant::now(), seconds: Default::default() }
    }
}

impl RefusalLog {
    /// Whether to write a line of this kind now.
    pub(crate) fn admits(&self, kind: Refusal) -> bool {
        self.admits_at(kind, self.started.elapsed())
    }

    fn admits_at(&self, kind: Refusal, now: Duration) -> bool {
        let (count, previous) = self.seconds[kind as usize].count(now);
        report(kind, omitted(previous));
        count <= LINES
    }

    /// Begins a new second if it is due. Returns how many lines the previous one omitted.
    fn turn(&self, kind: Refusal, now: Duration) -> u32 {
        omitted(self.seconds[kind as usize].turn(now))
    }

    /// Reports the omitted lines once per second, until the log is dropped.
    pub(crate) async fn report_each_second(this: Weak<Self>) {
        let mut ticks = interval(Duration::from_secs(1));
        loop {
            ticks.tick().await;
            let Some(log) = this.upgrade() else { return };
            log.report_all();
        }
    }

    fn report_all(self: Arc<Self>) {
        for kind in Refusal::ALL {
            report(kind, self.turn(kind, self.started.elapsed()));
        }
    }
}

/// Global, because reasons are logged in places without access to the server's state.
static REASONS: LazyLock<RefusalLog> = LazyLock::new(RefusalLog::default);

/// Whether to write a line that says why a request could not be served.
pub(crate) fn admits_reason() -> bool {
    REASONS.admits(Refusal::Reason)
}

fn omitted(refusals: u32) -> u32 {
    refusals.saturating_sub(LINES)
}

fn report(kind: Refusal, left_out: u32) {
    if left_out > 0 {
        let kind = kind.as_str();
        log::info!(refused = kind, left_out = left_out; "refused={kind}: {left_out} more in the last second, not logged individually");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_per_second_are_limited_per_kind_and_the_rest_is_counted() {
        let log = RefusalLog::default();
        let time = Duration::from_millis;
        let written = |kind, now| (0..25).filter(|_| log.admits_at(kind, time(now))).count();
        assert_eq!(written(Refusal::Limit, 5_000), 10);
        assert_eq!(written(Refusal::Limit, 5_999), 0);
        assert_eq!(written(Refusal::Route, 5_999), 10, "each kind has its own limit");
        assert_eq!(log.turn(Refusal::Limit, time(5_999)), 0);
        assert_eq!(log.turn(Refusal::Limit, time(6_000)), 40);
        assert_eq!(log.turn(Refusal::Limit, time(6_001)), 0);
        assert_eq!(written(Refusal::Limit, 6_000), 10);
    }
}
