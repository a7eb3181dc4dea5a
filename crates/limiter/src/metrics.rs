//! Metrics of the limiter.

use ::metrics::{counter, describe_counter, describe_gauge, gauge};

/// The name of the counter of requests that were counted without Redis.
pub const FALLBACKS: &str = "service_limiter_fallbacks_total";
/// The name of the gauge that says whether counts are shared.
pub const SHARED: &str = "service_limiter_shared";

/// Describes the metrics of [`RedisLimiter`](crate::RedisLimiter) to the installed recorder. Install the recorder
/// before calling this or creating the limiter: the gauge is written only when it changes.
pub fn describe_metrics() {
    describe_counter!(FALLBACKS, "Requests that this instance counted without Redis");
    counter!(FALLBACKS).increment(0);
    describe_gauge!(SHARED, "1 while requests are counted in Redis, 0 while this instance counts on its own");
}

pub(crate) fn fell_back() {
    counter!(FALLBACKS).increment(1);
}

pub(crate) fn shared(is_shared: bool) {
    gauge!(SHARED).set(if is_shared { 1.0 } else { 0.0 });
}
