//! The dispatcher's metrics.

use std::time::Duration;

use ::metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use domain::webhooks::AttemptOutcome;
use domain::{DeliveryId, SubscriptionId};

/// Counter of attempts, by `outcome`.
pub const ATTEMPTS: &str = "service_webhook_attempts_total";
/// Histogram of the duration of attempts, in seconds.
pub const DURATION: &str = "service_webhook_attempt_duration_seconds";
/// Histogram of the delay between due time and attempt, in seconds.
pub const LAG: &str = "service_webhook_delivery_lag_seconds";
/// Gauge of requests in flight.
pub const REQUESTS_IN_FLIGHT: &str = "service_webhook_requests_in_flight";
/// Gauge of deliveries claimed by this dispatcher, including those in flight.
pub const DELIVERIES_CLAIMED: &str = "service_webhook_deliveries_claimed";
/// Gauge of attempts not yet recorded.
pub const UNRECORDED: &str = "service_webhook_attempts_unrecorded";
/// Counter of deliveries that replays have queued.
pub const REPLAYED: &str = "service_webhook_replayed_deliveries_total";

/// Describes the metrics of a [`Dispatcher`](crate::Dispatcher) to the installed recorder.
pub fn describe_metrics() {
    describe_counter!(ATTEMPTS, "Webhook attempts, by outcome");
    describe_histogram!(DURATION, "Duration of webhook attempts, in seconds");
    describe_histogram!(LAG, "Delay between due time and attempt of webhook deliveries, in seconds");
    describe_gauge!(REQUESTS_IN_FLIGHT, "Webhook requests in flight");
    describe_gauge!(DELIVERIES_CLAIMED, "Webhook deliveries claimed by this dispatcher");
    describe_gauge!(UNRECORDED, "Webhook attempts not yet recorded");
    describe_counter!(REPLAYED, "Webhook deliveries queued by replays");
    counter!(REPLAYED).increment(0);
    for class in CLASSES {
        counter!(ATTEMPTS, "outcome" => class).increment(0);
    }
}

/// The values that `class` returns.
const CLASSES: [&str; 7] = ["2xx", "3xx", "4xx", "5xx", "other", "no_answer", "refused"];

/// Classes instead of status codes: receivers choose the status, and must not be able to create label values.
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

pub(crate) fn record_attempt(
    (subscription, delivery): (SubscriptionId, DeliveryId),
    outcome: AttemptOutcome,
    took: Duration,
    lag: Duration,
) {
    telemetry::traces::record_delivery(delivery.0, subscription.0, class(outcome), took);
    counter!(ATTEMPTS, "outcome" => class(outcome)).increment(1);
    histogram!(DURATION).record(took);
    histogram!(LAG).record(lag);
}

pub(crate) fn record_replayed(deliveries: u64) {
    counter!(REPLAYED).increment(deliveries);
}

pub(crate) fn record_load(in_flight: usize, running: usize, unrecorded: usize) {
    let count = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    gauge!(DELIVERIES_CLAIMED).set(count(in_flight));
    gauge!(REQUESTS_IN_FLIGHT).set(count(running));
    gauge!(UNRECORDED).set(count(unrecorded));
}
