//! What background work tells about itself.

use ::metrics::{counter, describe_counter};

/// Name of the counter of failures, by `job` and by `kind`: `error` or `panic`.
pub const FAILURES: &str = "service_background_failures_total";

/// Describes what this crate tells, to the recorder that is installed.
pub fn describe_metrics() {
    describe_counter!(FAILURES, "Failures of background work, which is tried again, by job and kind");
}

pub(crate) fn failed(job: &'static str, kind: &'static str) {
    counter!(FAILURES, "job" => job, "kind" => kind).increment(1);
}
