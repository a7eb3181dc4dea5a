//! Which requests are retried, how often, and for how long.
//!
//! At most four attempts, none started later than 20 seconds after the first. A write can be retried safely if it is idempotent,
//! either by itself or because the service replays the stored response for its `Idempotency-Key`. Other writes are not retried
//! once the service may have started them.

use std::time::Duration;

use hyper::StatusCode;
use serde::Deserialize;
use tokio::time::Instant;

use crate::upstream::{UpstreamError, UpstreamResponse};

const MAX_ATTEMPTS: u32 = 4;
const TOTAL_TIMEOUT: Duration = Duration::from_secs(20);
/// Longer waits are left to the client.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(10);
/// Delay before the second attempt; each further delay is four times as long.
const INITIAL_BACKOFF: Duration = Duration::from_millis(200);

/// Whether a request can be retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RetrySafety {
    /// It changes nothing, so that even internal errors of the service can be retried.
    Reads,
    /// It may change something, and can be retried with its idempotency key.
    Writes,
    /// It may change something on every attempt: its responses contain secrets, which the service does not store.
    WritesEachTime,
}

impl RetrySafety {
    pub(crate) fn reads(self) -> bool {
        self == Self::Reads
    }
}

/// The outcome of all attempts.
#[derive(Debug)]
pub(crate) struct RetryOutcome {
    pub(crate) last: Result<UpstreamResponse, UpstreamError>,
    /// Whether an attempt without a response may have taken effect.
    pub(crate) may_have_acted: bool,
}

/// Sends a request until its outcome is final. `jitter` returns numbers from 0 to 1.
pub(crate) async fn send_with_retries<F: Future<Output = Result<UpstreamResponse, UpstreamError>>>(
    retry_safety: RetrySafety,
    mut jitter: impl FnMut() -> f64,
    mut send: impl FnMut() -> F,
) -> RetryOutcome {
    let start = Instant::now();
    let (mut number, mut may_have_acted) = (1, false);
    loop {
        let last = send().await;
        let was_uncertain = may_have_acted;
        may_have_acted |= !retry_safety.reads() && is_uncertain(&last);
        let pause = pause(&last, retry_safety, number, was_uncertain, jitter());
        let pause = pause.filter(|_| retry_safety != RetrySafety::WritesEachTime || !may_have_acted);
        match pause.filter(|pause| number < MAX_ATTEMPTS && start.elapsed() + *pause <= TOTAL_TIMEOUT) {
            Some(pause) => tokio::time::sleep(pause).await,
            None => return RetryOutcome { last, may_have_acted },
        }
        number += 1;
    }
}

fn is_uncertain(last: &Result<UpstreamResponse, UpstreamError>) -> bool {
    match last {
        Ok(response) => response.status.is_server_error(),
        Err(error) => !matches!(error, UpstreamError::NotReached(_)),
    }
}

/// The delay before the next attempt; `None` if this outcome is final.
fn pause(
    last: &Result<UpstreamResponse, UpstreamError>,
    retry_safety: RetrySafety,
    number: u32,
    was_uncertain: bool,
    jitter: f64,
) -> Option<Duration> {
    // Half of the delay is fixed, to relieve an overloaded service. The other half is random, so that clients do not retry in step.
    let backoff = INITIAL_BACKOFF * 4_u32.pow(number - 1);
    let backoff = backoff / 2 + (backoff / 2).mul_f64(jitter);
    let response = match last {
        Err(UpstreamError::TooLarge) => return None,
        Err(_) => return Some(backoff),
        Ok(response) => response,
    };
    let is_passing = match response.status {
        StatusCode::TOO_MANY_REQUESTS
        | StatusCode::BAD_GATEWAY
        | StatusCode::SERVICE_UNAVAILABLE
        | StatusCode::GATEWAY_TIMEOUT => true,
        StatusCode::INTERNAL_SERVER_ERROR => retry_safety.reads(),
        // An earlier attempt without a response is still in progress.
        StatusCode::CONFLICT => was_uncertain && is_still_running(response),
        _ => false,
    };
    let retry_after = response.retry_after.unwrap_or_default();
    // Waits for `Retry-After` or the usual delay, whichever is longer.
    (is_passing && retry_after <= MAX_RETRY_AFTER).then(|| backoff.max(retry_after + INITIAL_BACKOFF.mul_f64(jitter)))
}

/// Whether an earlier attempt of the same call is still in progress.
pub(crate) fn is_still_running(response: &UpstreamResponse) -> bool {
    #[derive(Deserialize)]
    struct Flat {
        error: String,
    }
    let flat: Option<Flat> = serde_json::from_slice(&response.body).ok();
    response.status == StatusCode::CONFLICT && flat.is_some_and(|flat| flat.error == "idempotency_conflict")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(status: u16) -> UpstreamResponse {
        let status = StatusCode::from_u16(status).unwrap();
        UpstreamResponse { status, retry_after: None, location: None, body: "{}".into() }
    }

    fn with_retry_after(status: u16, seconds: u64) -> UpstreamResponse {
        UpstreamResponse { retry_after: Some(Duration::from_secs(seconds)), ..response(status) }
    }

    fn lost() -> Result<UpstreamResponse, UpstreamError> {
        Err(UpstreamError::Lost("reset".to_owned()))
    }

    fn refused() -> Result<UpstreamResponse, UpstreamError> {
        Err(UpstreamError::NotReached("refused".to_owned()))
    }

    /// Replays responses, the last one repeatedly; each takes `latency`. Returns the attempts, the time and the outcome.
    async fn play(
        retry_safety: RetrySafety,
        latency: Duration,
        replies: Vec<Result<UpstreamResponse, UpstreamError>>,
    ) -> (usize, Duration, RetryOutcome) {
        let (start, mut attempts) = (Instant::now(), 0);
        let send = || {
            let reply = replies.get(attempts).or(replies.last()).unwrap().clone();
            attempts += 1;
            async move {
                tokio::time::sleep(latency).await;
                reply
            }
        };
        let outcome = send_with_retries(retry_safety, || 1.0, send).await;
        (attempts, start.elapsed(), outcome)
    }

    #[tokio::test(start_paused = true)]
    async fn four_attempts_are_made_at_most() {
        for failure in [refused(), lost(), Ok(response(502)), Ok(response(503)), Ok(response(504)), Ok(response(429))] {
            let (attempts, elapsed, outcome) = play(RetrySafety::Writes, Duration::ZERO, vec![failure.clone()]).await;
            assert_eq!(attempts, 4, "{failure:?}");
            // 0.2, 0.8 and 3.2 seconds.
            assert!(elapsed >= Duration::from_millis(4_200) && elapsed < Duration::from_millis(4_300), "{elapsed:?}");
            assert_eq!(outcome.last.is_err(), failure.is_err());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn no_attempt_starts_after_twenty_seconds() {
        let (attempts, _, _) = play(RetrySafety::Reads, Duration::from_secs(9), vec![lost()]).await;
        assert_eq!(attempts, 3, "at 0, 9.2 and 19");
        let (attempts, elapsed, _) =
            play(RetrySafety::Reads, Duration::from_secs(35), vec![Err(UpstreamError::TimedOut)]).await;
        assert_eq!((attempts, elapsed.as_secs()), (1, 35));
        let (attempts, elapsed, _) = play(RetrySafety::Reads, Duration::ZERO, vec![Ok(with_retry_after(429, 9))]).await;
        assert_eq!((attempts, elapsed.as_secs()), (3, 18), "a fourth would start after 27 s");
    }

    #[tokio::test(start_paused = true)]
    async fn retry_after_is_honoured_unless_it_is_long() {
        let (attempts, elapsed, _) =
            play(RetrySafety::Writes, Duration::ZERO, vec![Ok(with_retry_after(429, 3)), Ok(response(200))]).await;
        assert_eq!((attempts, elapsed.as_secs()), (2, 3));
        let (attempts, elapsed, _) =
            play(RetrySafety::Writes, Duration::ZERO, vec![Ok(with_retry_after(503, 11))]).await;
        assert_eq!((attempts, elapsed.as_secs()), (1, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn a_short_retry_after_does_not_shorten_delays() {
        for (seconds, milliseconds) in [(0, 200 + 800 + 3_200), (1, 1_200 + 1_200 + 3_200)] {
            for status in [429, 503] {
                let replies = vec![Ok(with_retry_after(status, seconds))];
                let (attempts, elapsed, _) = play(RetrySafety::Reads, Duration::ZERO, replies).await;
                let expected = Duration::from_millis(milliseconds);
                assert_eq!(attempts, 4, "{status} {seconds}");
                assert!(
                    elapsed >= expected && elapsed < expected + Duration::from_millis(100),
                    "{status} {seconds}: {elapsed:?}"
                );
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn permanent_failures_are_not_retried() {
        for status in [200, 302, 400, 401, 403, 404, 409, 413, 422, 501] {
            let (attempts, _, _) = play(RetrySafety::Reads, Duration::ZERO, vec![Ok(response(status))]).await;
            assert_eq!(attempts, 1, "{status}");
        }
        assert_eq!(play(RetrySafety::Reads, Duration::ZERO, vec![Err(UpstreamError::TooLarge)]).await.0, 1);
    }

    #[tokio::test(start_paused = true)]
    async fn an_internal_error_is_retried_only_for_reads() {
        assert_eq!(play(RetrySafety::Reads, Duration::ZERO, vec![Ok(response(500)), Ok(response(200))]).await.0, 2);
        assert_eq!(play(RetrySafety::Writes, Duration::ZERO, vec![Ok(response(500)), Ok(response(200))]).await.0, 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_conflict_with_an_earlier_attempt_is_retried() {
        let running = Ok(UpstreamResponse { body: r#"{"error": "idempotency_conflict"}"#.into(), ..response(409) });
        let replies = vec![lost(), running.clone(), Ok(response(200))];
        let (attempts, _, outcome) = play(RetrySafety::Writes, Duration::ZERO, replies).await;
        assert_eq!((attempts, outcome.last.unwrap().status.as_u16()), (3, 200));
        // Without an earlier attempt, another call caused the conflict.
        assert_eq!(play(RetrySafety::Writes, Duration::ZERO, vec![running]).await.0, 1);
    }

    #[tokio::test(start_paused = true)]
    async fn the_outcome_says_whether_the_service_may_have_acted() {
        for (retry_safety, replies, expected) in [
            (RetrySafety::Writes, vec![refused()], false),
            (RetrySafety::Writes, vec![lost(), refused()], true),
            (RetrySafety::Writes, vec![Ok(response(504)), Ok(with_retry_after(429, 60))], true),
            (RetrySafety::Writes, vec![Ok(with_retry_after(429, 60))], false),
            (RetrySafety::Writes, vec![Err(UpstreamError::TooLarge)], true),
            (RetrySafety::Reads, vec![lost()], false),
        ] {
            let (_, _, outcome) = play(retry_safety, Duration::ZERO, replies.clone()).await;
            assert_eq!(outcome.may_have_acted, expected, "{retry_safety:?} {replies:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_that_is_not_idempotent_is_not_retried_once_it_may_have_started() {
        for (replies, attempts, may_have_acted) in [
            (vec![lost(), Ok(response(200))], 1, true),
            (vec![Ok(response(502)), Ok(response(200))], 1, true),
            (vec![refused(), Ok(response(200))], 2, false),
            (vec![Ok(response(429)), Ok(response(200))], 2, false),
        ] {
            let (count, _, outcome) = play(RetrySafety::WritesEachTime, Duration::ZERO, replies).await;
            assert_eq!((count, outcome.may_have_acted), (attempts, may_have_acted));
        }
    }
}
