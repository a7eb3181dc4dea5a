//! What a limiter tells about itself.

use ::metrics::{counter, describe_counter, describe_gauge, gauge};

/// Name of the counter of requests that were counted without Redis.
pub const FALLBACKS: &str = "service_limiter_fallbacks_total";
/// Name of the gauge that says whether the counts are shared.
pub const SHARED: &str = "service_limiter_shared";

/// Describes what [`RedisLimiter`](crate::RedisLimiter) tells, to the recorder that is installed. To be called, like
/// the limiter to be made, after a recorder was installed: the gauge is written when it changes.
pub fn describe_metrics() {
    describe_counter!(FALLBACKS, "Requests counted without Redis, by this instance alone");
    describe_gauge!(SHARED, "1 while requests are counted in Redis, 0 while this instance counts on its own");
}

pub(crate) fn fell_back() {
    counter!(FALLBACKS).increment(1);
}

pub(crate) fn shared(is_shared: bool) {
    gauge!(SHARED).set(if is_shared { 1.0 } else { 0.0 });
}
