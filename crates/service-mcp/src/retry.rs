//! What is tried again, how often, and how long.
//!
//! At most four attempts; none begins later than 20 seconds after the first. Repeating is safe for what changes something
//! too: it carries an `Idempotency-Key`, to which the service gives its first answer again, or it comes to the same twice.
//! What neither holds for is not repeated once the service may have begun with it.

use std::time::Duration;

use hyper::StatusCode;
use serde::Deserialize;
use tokio::time::Instant;

use crate::upstream::{UpstreamError, UpstreamResponse};

const MAX_ATTEMPTS: u32 = 4;
const TOTAL_TIMEOUT: Duration = Duration::from_secs(20);
/// Longer waits are the client's to decide on.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(10);
/// Before the second attempt; each further one waits four times as long.
const INITIAL_BACKOFF: Duration = Duration::from_millis(200);

/// What a request does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RetrySafety {
    /// It changes nothing: a failure inside the service may be tried again too.
    Reads,
    /// It may change something, and can be asked for again under its key.
    Writes,
    /// It may change something each time anew: its answers hold secrets, which the service does not keep.
    WritesEachTime,
}

impl RetrySafety {
    /// Whether it changes nothing.
    pub(crate) fn reads(self) -> bool {
        self == Self::Reads
    }
}

/// What came of all attempts.
#[derive(Debug)]
pub(crate) struct RetryOutcome {
    pub(crate) last: Result<UpstreamResponse, UpstreamError>,
    /// Whether the service may have done the work without a word of it coming back.
    pub(crate) may_have_acted: bool,
}

/// Asks until there is an answer that stands. `jitter` gives numbers from 0 to 1.
pub(crate) async fn send_with_retries<F: Future<Output = Result<UpstreamResponse, UpstreamError>>>(
    retry_safety: RetrySafety,
    mut jitter: impl FnMut() -> f64,
    mut ask: impl FnMut() -> F,
) -> RetryOutcome {
    let began = Instant::now();
    let (mut number, mut may_have_acted) = (1, false);
    loop {
        let last = ask().await;
        let was_uncertain = may_have_acted;
        may_have_acted |= !retry_safety.reads() && is_uncertain(&last);
        let pause = pause(&last, retry_safety, number, was_uncertain, jitter());
        let pause = pause.filter(|_| retry_safety != RetrySafety::WritesEachTime || !may_have_acted);
        match pause.filter(|pause| number < MAX_ATTEMPTS && began.elapsed() + *pause <= TOTAL_TIMEOUT) {
            Some(pause) => tokio::time::sleep(pause).await,
            None => return RetryOutcome { last, may_have_acted },
        }
        number += 1;
    }
}

fn is_uncertain(last: &Result<UpstreamResponse, UpstreamError>) -> bool {
    match last {
        Ok(answer) => answer.status.is_server_error(),
        Err(fault) => !matches!(fault, UpstreamError::NotReached(_)),
    }
}

/// How long to wait for the next attempt; `None` if this answer stands.
fn pause(
    last: &Result<UpstreamResponse, UpstreamError>,
    retry_safety: RetrySafety,
    number: u32,
    was_uncertain: bool,
    jitter: f64,
) -> Option<Duration> {
    // Half of it is certain, so that a struggling service gets a rest; half is chance, so that many do not come at once.
    let backoff = INITIAL_BACKOFF * 4_u32.pow(number - 1);
    let backoff = backoff / 2 + (backoff / 2).mul_f64(jitter);
    let answer = match last {
        Err(UpstreamError::TooLarge) => return None,
        Err(_) => return Some(backoff),
        Ok(answer) => answer,
    };
    let is_passing = match answer.status {
        StatusCode::TOO_MANY_REQUESTS
        | StatusCode::BAD_GATEWAY
        | StatusCode::SERVICE_UNAVAILABLE
        | StatusCode::GATEWAY_TIMEOUT => true,
        StatusCode::INTERNAL_SERVER_ERROR => retry_safety.reads(),
        // The earlier attempt that got no answer is still at work.
        StatusCode::CONFLICT => was_uncertain && is_still_running(answer),
        _ => false,
    };
    let retry_after = answer.retry_after.unwrap_or_default();
    // Never earlier than asked for.
    (is_passing && retry_after <= MAX_RETRY_AFTER)
        .then(|| if retry_after.is_zero() { backoff } else { retry_after + INITIAL_BACKOFF.mul_f64(jitter) })
}

/// Whether the service is at work on an earlier attempt of the same call.
pub(crate) fn is_still_running(answer: &UpstreamResponse) -> bool {
    #[derive(Deserialize)]
    struct Flat {
        error: String,
    }
    let flat: Option<Flat> = serde_json::from_slice(&answer.body).ok();
    answer.status == StatusCode::CONFLICT && flat.is_some_and(|flat| flat.error == "idempotency_conflict")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16) -> UpstreamResponse {
        let status = StatusCode::from_u16(status).unwrap();
        UpstreamResponse { status, retry_after: None, location: None, body: "{}".into() }
    }

    fn with_retry_after(status: u16, seconds: u64) -> UpstreamResponse {
        UpstreamResponse { retry_after: Some(Duration::from_secs(seconds)), ..answer(status) }
    }

    fn lost() -> Result<UpstreamResponse, UpstreamError> {
        Err(UpstreamError::Lost("reset".to_owned()))
    }

    fn refused() -> Result<UpstreamResponse, UpstreamError> {
        Err(UpstreamError::NotReached("refused".to_owned()))
    }

    /// Plays answers, the last one again and again; each takes `takes`. Gives the attempts, the time and the conclusion.
    async fn play(
        retry_safety: RetrySafety,
        takes: Duration,
        answers: Vec<Result<UpstreamResponse, UpstreamError>>,
    ) -> (usize, Duration, RetryOutcome) {
        let (began, mut attempts) = (Instant::now(), 0);
        let ask = || {
            let now = answers.get(attempts).or(answers.last()).unwrap().clone();
            attempts += 1;
            async move {
                tokio::time::sleep(takes).await;
                now
            }
        };
        let outcome = send_with_retries(retry_safety, || 1.0, ask).await;
        (attempts, began.elapsed(), outcome)
    }

    #[tokio::test(start_paused = true)]
    async fn it_gives_up_after_four_attempts() {
        for failing in [refused(), lost(), Ok(answer(502)), Ok(answer(503)), Ok(answer(504)), Ok(answer(429))] {
            let (attempts, took, outcome) = play(RetrySafety::Writes, Duration::ZERO, vec![failing.clone()]).await;
            assert_eq!(attempts, 4, "{failing:?}");
            // 0.2, 0.8 and 3.2 seconds.
            assert!(took >= Duration::from_millis(4_200) && took < Duration::from_millis(4_300), "{took:?}");
            assert_eq!(outcome.last.is_err(), failing.is_err());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn it_begins_no_attempt_after_twenty_seconds() {
        let (attempts, _, _) = play(RetrySafety::Reads, Duration::from_secs(9), vec![lost()]).await;
        assert_eq!(attempts, 3, "at 0, 9.2 and 19");
        let (attempts, took, _) =
            play(RetrySafety::Reads, Duration::from_secs(35), vec![Err(UpstreamError::TimedOut)]).await;
        assert_eq!((attempts, took.as_secs()), (1, 35));
        let (attempts, took, _) = play(RetrySafety::Reads, Duration::ZERO, vec![Ok(with_retry_after(429, 9))]).await;
        assert_eq!((attempts, took.as_secs()), (3, 18), "a fourth would begin after 27 s");
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_asked_for_is_waited_unless_it_is_long() {
        let (attempts, took, _) =
            play(RetrySafety::Writes, Duration::ZERO, vec![Ok(with_retry_after(429, 3)), Ok(answer(200))]).await;
        assert_eq!((attempts, took.as_secs()), (2, 3));
        let (attempts, took, _) = play(RetrySafety::Writes, Duration::ZERO, vec![Ok(with_retry_after(503, 11))]).await;
        assert_eq!((attempts, took.as_secs()), (1, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn what_will_not_change_stands() {
        for status in [200, 302, 400, 401, 403, 404, 409, 413, 422, 501] {
            let (attempts, _, _) = play(RetrySafety::Reads, Duration::ZERO, vec![Ok(answer(status))]).await;
            assert_eq!(attempts, 1, "{status}");
        }
        assert_eq!(play(RetrySafety::Reads, Duration::ZERO, vec![Err(UpstreamError::TooLarge)]).await.0, 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_failure_inside_is_tried_again_only_where_nothing_changes() {
        assert_eq!(play(RetrySafety::Reads, Duration::ZERO, vec![Ok(answer(500)), Ok(answer(200))]).await.0, 2);
        assert_eq!(play(RetrySafety::Writes, Duration::ZERO, vec![Ok(answer(500)), Ok(answer(200))]).await.0, 1);
    }

    #[tokio::test(start_paused = true)]
    async fn an_earlier_attempt_that_is_still_running_is_waited_for() {
        let running = Ok(UpstreamResponse { body: r#"{"error": "idempotency_conflict"}"#.into(), ..answer(409) });
        let answers = vec![lost(), running.clone(), Ok(answer(200))];
        let (attempts, _, outcome) = play(RetrySafety::Writes, Duration::ZERO, answers).await;
        assert_eq!((attempts, outcome.last.unwrap().status.as_u16()), (3, 200));
        // Without an earlier attempt it is somebody else's.
        assert_eq!(play(RetrySafety::Writes, Duration::ZERO, vec![running]).await.0, 1);
    }

    #[tokio::test(start_paused = true)]
    async fn it_knows_whether_the_service_may_have_acted() {
        for (retry_safety, answers, expected) in [
            (RetrySafety::Writes, vec![refused()], false),
            (RetrySafety::Writes, vec![lost(), refused()], true),
            (RetrySafety::Writes, vec![Ok(answer(504)), Ok(with_retry_after(429, 60))], true),
            (RetrySafety::Writes, vec![Ok(with_retry_after(429, 60))], false),
            (RetrySafety::Writes, vec![Err(UpstreamError::TooLarge)], true),
            (RetrySafety::Reads, vec![lost()], false),
        ] {
            let (_, _, outcome) = play(retry_safety, Duration::ZERO, answers.clone()).await;
            assert_eq!(outcome.may_have_acted, expected, "{retry_safety:?} {answers:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_done_each_time_anew_is_not_repeated_once_it_may_have_begun() {
        for (answers, attempts, may_have_acted) in [
            (vec![lost(), Ok(answer(200))], 1, true),
            (vec![Ok(answer(502)), Ok(answer(200))], 1, true),
            (vec![refused(), Ok(answer(200))], 2, false),
            (vec![Ok(answer(429)), Ok(answer(200))], 2, false),
        ] {
            let (asked, _, outcome) = play(RetrySafety::WritesEachTime, Duration::ZERO, answers).await;
            assert_eq!((asked, outcome.may_have_acted), (attempts, may_have_acted));
        }
    }
}
