//! Metrics of background work.

use ::metrics::{counter, describe_counter};

/// The name of the counter of failures, by `job` and by `kind`: `error` or `panic`.
pub const FAILURES: &str = "service_background_failures_total";

/// Describes this crate's metrics to the installed recorder.
pub fn describe_metrics() {
    describe_counter!(FAILURES, "Failures of background jobs, which are retried, by job and kind");
}

/// Starts the counters of a job at 0, so that the first failure shows as an increase.
pub(crate) fn begin(job: &'static str) {
    for kind in ["error", "panic"] {
        counter!(FAILURES, "job" => job, "kind" => kind).increment(0);
    }
}

pub(crate) fn failed(job: &'static str, kind: &'static str) {
    counter!(FAILURES, "job" => job, "kind" => kind).increment(1);
}
