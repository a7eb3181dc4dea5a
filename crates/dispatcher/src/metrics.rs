//! What a dispatcher tells about itself.

use std::time::Duration;

use ::metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use domain::webhooks::AttemptOutcome;

/// Name of the counter of attempts, by `outcome`.
pub const ATTEMPTS: &str = "service_webhook_attempts_total";
/// Name of the histogram of how long attempts take, in seconds.
pub const DURATION: &str = "service_webhook_attempt_duration_seconds";
/// Name of the histogram of how long after they were due attempts begin, in seconds.
pub const LAG: &str = "service_webhook_delivery_lag_seconds";
/// Name of the gauge of requests under way.
pub const REQUESTS_IN_FLIGHT: &str = "service_webhook_requests_in_flight";
/// Name of the gauge of deliveries that this dispatcher holds, those under way among them.
pub const DELIVERIES_CLAIMED: &str = "service_webhook_deliveries_claimed";
/// Name of the gauge of attempts that wait to be written down.
pub const UNRECORDED: &str = "service_webhook_attempts_unrecorded";

/// Describes what a [`Dispatcher`](crate::Dispatcher) tells, to the recorder that is installed.
pub fn describe_metrics() {
    describe_counter!(ATTEMPTS, "Requests to receivers of webhooks, by what came of them");
    describe_histogram!(DURATION, "How long requests to receivers of webhooks took, in seconds");
    describe_histogram!(LAG, "How long after they were due deliveries were sent, in seconds");
    describe_gauge!(REQUESTS_IN_FLIGHT, "Requests to receivers of webhooks that are under way");
    describe_gauge!(DELIVERIES_CLAIMED, "Deliveries that this dispatcher holds");
    describe_gauge!(UNRECORDED, "Attempts that were made and are not yet written down");
}

/// Classes, not statuses: receivers choose those, and must not make up labels.
fn class(outcome: AttemptOutcome) -> &'static str {
    match outcome {
        AttemptOutcome::Response { status, .. } => match status {
            200..=299 => "2xx",
            300..=399 => "3xx",
            400..=499 => "4xx",
            500..=599 => "5xx",
            _ => "other",
        },
        AttemptOutcome::NoResponse => "no_answer",
        AttemptOutcome::Refused => "refused",
    }
}

pub(crate) fn record_attempt(outcome: AttemptOutcome, took: Duration, lag: Duration) {
    counter!(ATTEMPTS, "outcome" => class(outcome)).increment(1);
    histogram!(DURATION).record(took);
    histogram!(LAG).record(lag);
}

pub(crate) fn record_load(in_flight: usize, running: usize, unrecorded: usize) {
    let count = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    gauge!(DELIVERIES_CLAIMED).set(count(in_flight));
    gauge!(REQUESTS_IN_FLIGHT).set(count(running));
    gauge!(UNRECORDED).set(count(unrecorded));
}
