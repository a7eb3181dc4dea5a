//! When an e-mail is retried, and when it is abandoned.

use time::{Duration, OffsetDateTime};

use super::EmailVerdict;
use crate::ports::{EmailError, EmailErrorKind};

/// The wait after each failure; the last one repeats.
const RETRY_DELAYS: [Duration; 6] = [
    Duration::minutes(1),
    Duration::minutes(5),
    Duration::minutes(30),
    Duration::hours(2),
    Duration::hours(6),
    Duration::hours(12),
];
/// The longest of these waits. If an e-mail is due later than that, the clock was ahead when it was queued, claimed or retried.
pub const LONGEST_WAIT: Duration = RETRY_DELAYS[RETRY_DELAYS.len() - 1];
/// No retry is made later than this after the e-mail was queued. The first attempt is always made.
pub const GIVE_UP_AFTER: Duration = Duration::hours(24);
/// How long sent and abandoned e-mails are retained, without their bodies.
pub const RETENTION: Duration = Duration::days(30);
/// Timeout of one attempt in total.
pub const ATTEMPT_TIMEOUT: Duration = Duration::seconds(30);
/// After this time a worker's claim expires.
pub const LEASE: Duration = Duration::seconds(90);

/// The next step after a failure; `attempts` counts the failures before it.
pub fn after_failure(
    error: &EmailError,
    attempts: u32,
    created_at: OffsetDateTime,
    now: OffsetDateTime,
) -> EmailVerdict {
    let wait = RETRY_DELAYS[(attempts as usize).min(RETRY_DELAYS.len() - 1)];
    let at = now + wait;
    let error_text = error.message.clone();
    if error.kind == EmailErrorKind::Permanent || at > created_at + GIVE_UP_AFTER {
        return EmailVerdict::Failed { error: error_text };
    }
    EmailVerdict::Retry { at, error: error_text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_retried_within_a_day() {
        let start = OffsetDateTime::UNIX_EPOCH;
        let error = EmailError::transient("busy");
        let (mut now, mut waits) = (start, Vec::new());
        for attempts in 0.. {
            match after_failure(&error, attempts, start, now) {
                EmailVerdict::Retry { at, .. } => {
                    waits.push((at - now).whole_minutes());
                    now = at;
                }
                verdict => {
                    assert_eq!(verdict, EmailVerdict::Failed { error: "busy".to_owned() });
                    break;
                }
            }
        }
        assert_eq!(waits, [1, 5, 30, 120, 360, 720]);
        assert!(now - start <= GIVE_UP_AFTER);
    }

    #[test]
    fn permanent_failures_are_not_retried() {
        let start = OffsetDateTime::UNIX_EPOCH;
        let verdict = after_failure(&EmailError::permanent("no such mailbox"), 0, start, start);
        assert_eq!(verdict, EmailVerdict::Failed { error: "no such mailbox".to_owned() });
    }

    #[test]
    fn a_lease_outlives_an_attempt() {
        assert!(LEASE > ATTEMPT_TIMEOUT * 2);
    }
}
