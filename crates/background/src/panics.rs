//! Panics of background work.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;

use crate::metrics;

/// What a panic carries.
pub(crate) type Panic = Box<dyn Any + Send>;

/// What the future comes to, or its panic. Whatever it shares with others must bear being left in the middle.
pub(crate) async fn caught<T>(future: impl Future<Output = T>) -> Result<T, Panic> {
    AssertUnwindSafe(future).catch_unwind().await
}

/// Logs and counts a panic of a job, or of a task of one.
pub fn report_panic(job: &'static str, panic: &(dyn Any + Send)) {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    log::error!("{job} panicked and is tried again: {}", text.unwrap_or("no message"));
    metrics::failed(job, "panic");
}
