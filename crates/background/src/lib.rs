//! What workers beside the requests share.
//!
//! - A [`Worker`] runs on a runtime of its own: started again after a panic, stopped within a bound.
//! - A [`Job`] is done again and again: when it is woken, and at its poll interval; less often while it fails.
//! - A [`Notifier`] wakes a worker or a job; notifications that nobody has heard yet count as one.
//! - A [`Backoff`] says when something that fails is tried again, and logs where a row of failures begins and ends.

mod backoff;
mod job;
mod metrics;
mod notifier;
mod panics;
mod worker;

pub use backoff::Backoff;
pub use job::{Job, Next};
pub use metrics::{FAILURES, describe_metrics};
pub use notifier::Notifier;
pub use panics::report_panic;
pub use tokio_util::sync::CancellationToken;
pub use worker::Worker;
