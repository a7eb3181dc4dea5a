//! Panics of background work.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;

use crate::metrics;

/// The payload of a panic.
pub(crate) type Panic = Box<dyn Any + Send>;

/// The future's output, or its panic. State that it shares must remain valid if a panic interrupts it.
pub(crate) async fn caught<T>(future: impl Future<Output = T>) -> Result<T, Panic> {
    AssertUnwindSafe(future).catch_unwind().await
}

/// Logs and counts a panic of a job or of one of its tasks.
pub fn report_panic(job: &'static str, panic: &(dyn Any + Send)) {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    log::error!("{job} panicked: {}; retrying", text.unwrap_or("no message"));
    metrics::failed(job, "panic");
}
