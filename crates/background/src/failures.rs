//! Failures of background work: panics and metrics.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use metrics::{counter, describe_counter};

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

/// The future's output, or the payload of its panic. State that it shares must remain valid if a panic interrupts it.
pub(crate) async fn caught<T>(future: impl Future<Output = T>) -> Result<T, Box<dyn Any + Send>> {
    AssertUnwindSafe(future).catch_unwind().await
}

/// Logs and counts a panic of a job or of one of its tasks.
pub fn report_panic(job: &'static str, panic: &(dyn Any + Send)) {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    log::error!("{job} panicked: {}; retrying", text.unwrap_or("no message"));
    failed(job, "panic");
}
